package authorization

// ListedUnit is a unit of the provider as a service lists it (specification 4.3;
// row 13), its texts as received.
type ListedUnit struct {
	ID         string // unidadeId
	Name       string
	CarePoints []ListedCarePoint
}

// ListedCarePoint is a care point of a ListedUnit.
type ListedCarePoint struct {
	ID   string // pontoAtendimentoId
	Name string
}

// ListedProfessional is an executing professional as a service lists one
// (specification 4.3; row 13), its texts as received.
type ListedProfessional struct {
	ID            string // profissionalExecutanteId
	Name          string
	Council       string // abbreviation: CRM
	CouncilNumber string
	State         string // abbreviation: SP
	Specialties   []ListedSpecialty
}

// ListedSpecialty is a specialty of a ListedProfessional.
type ListedSpecialty struct {
	ID   int // especialidadeExecutanteId; 0 when the service gave no number
	Name string
	CBO  string // ANS table 24, "" when unknown
}
