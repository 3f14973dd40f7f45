package authorization

// Option is one value of a domain table with the label that is shown for it.
type Option struct {
	Code  string
	Label string
}

// Defaults of specification 2.3.
const (
	DefaultAccidentType = "9"
	DefaultCareRegime   = "E"
	DefaultCareType     = "05"
)

// AccidentTypes lists tipoAcidente: ANS table 36.
func AccidentTypes() []Option {
	return []Option{
		{"9", "Não acidente"},
		{"0", "Acidente de trabalho"},
		{"1", "Acidente de trânsito"},
		{"2", "Outros acidentes"},
	}
}

// CareRegimes lists regimeAtendimento (row 3): the interface's E and U, shown
// as "Caráter do atendimento", and ANS table 76.
func CareRegimes() []Option {
	return []Option{
		{"E", "Eletivo"},
		{"U", "Urgência ou emergência"},
		{"01", "Ambulatorial"},
		{"02", "Domiciliar"},
		{"03", "Internação"},
		{"04", "Pronto-socorro"},
		{"05", "Telessaúde"},
	}
}

// CareTypes lists tipoAtendimento (row 3): ANS table 50 through its versions,
// 05 having become 23 in TISS 4.01.
func CareTypes() []Option {
	return []Option{
		{"05", "Exames"},
		{"01", "Remoção"},
		{"02", "Pequena cirurgia"},
		{"03", "Outras terapias"},
		{"04", "Consulta"},
		{"06", "Atendimento domiciliar"},
		{"07", "Internação"},
		{"08", "Quimioterapia"},
		{"09", "Radioterapia"},
		{"10", "Terapia renal substitutiva"},
		{"11", "Pronto-socorro"},
		{"13", "Pequenos atendimentos"},
		{"23", "Exame"},
	}
}

// Councils lists siglaConselhoSolicitante by abbreviation: ANS table 26. The
// interface takes any abbreviation; a form offers these.
func Councils() []Option {
	return []Option{
		{"CRM", "Medicina"},
		{"CRO", "Odontologia"},
		{"CREFITO", "Fisioterapia e terapia ocupacional"},
		{"CRP", "Psicologia"},
		{"CRFA", "Fonoaudiologia"},
		{"CRN", "Nutrição"},
		{"COREN", "Enfermagem"},
		{"CRBM", "Biomedicina"},
		{"CRBIO", "Biologia"},
		{"CRF", "Farmácia"},
		{"CRESS", "Serviço social"},
		{"CREF", "Educação física"},
		{"CRMV", "Medicina veterinária"},
		{"CRTR", "Técnicos em radiologia"},
		{"OUT", "Outros"},
	}
}

// States lists ufSolicitante by abbreviation: ANS table 59.
func States() []Option {
	return []Option{
		{"AC", "Acre"}, {"AL", "Alagoas"}, {"AP", "Amapá"}, {"AM", "Amazonas"}, {"BA", "Bahia"},
		{"CE", "Ceará"}, {"DF", "Distrito Federal"}, {"ES", "Espírito Santo"}, {"GO", "Goiás"},
		{"MA", "Maranhão"}, {"MT", "Mato Grosso"}, {"MS", "Mato Grosso do Sul"}, {"MG", "Minas Gerais"},
		{"PA", "Pará"}, {"PB", "Paraíba"}, {"PR", "Paraná"}, {"PE", "Pernambuco"}, {"PI", "Piauí"},
		{"RJ", "Rio de Janeiro"}, {"RN", "Rio Grande do Norte"}, {"RS", "Rio Grande do Sul"},
		{"RO", "Rondônia"}, {"RR", "Roraima"}, {"SC", "Santa Catarina"}, {"SP", "São Paulo"},
		{"SE", "Sergipe"}, {"TO", "Tocantins"}, {"EX", "Exterior"},
	}
}

// Label returns the label of a code in a table, "" for another code.
func Label(options []Option, code string) string {
	for _, o := range options {
		if o.Code == code {
			return o.Label
		}
	}
	return ""
}

// has reports whether the table has the code.
func has(options []Option, code string) bool { return Label(options, code) != "" }
