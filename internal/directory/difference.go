package directory

// Difference is one thing that changes in an entry: Before is "" for what is new,
// After for what goes.
type Difference struct {
	Field         DifferenceField
	Before, After string
}

// DifferenceField is what changes.
type DifferenceField string

// The fields.
const (
	FieldName      DifferenceField = "nome"
	FieldCouncil   DifferenceField = "conselho"
	FieldCarePoint DifferenceField = "ponto"
	FieldSpecialty DifferenceField = "especialidade"
)

// Label names the field for a person.
func (f DifferenceField) Label() string {
	return map[DifferenceField]string{
		FieldName: "Nome", FieldCouncil: "Conselho", FieldCarePoint: "Ponto de atendimento", FieldSpecialty: "Especialidade",
	}[f]
}

// difference adds a field to what was found, unless it is the same.
func difference(found []Difference, field DifferenceField, before, after string) []Difference {
	if before == after {
		return found
	}
	return append(found, Difference{field, before, after})
}
