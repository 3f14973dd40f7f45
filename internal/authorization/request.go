package authorization

import (
	"guiche/internal/blob"

	"github.com/google/uuid"
)

// Request is an authorization request (specification 2.3). A zero LocalTime and
// a nil pointer mean "absent"; texts are as typed, trimmed by Normalize.
type Request struct {
	CredentialID       uuid.UUID
	CardNumber         string    // numeroCarteira
	CardValidity       LocalTime // validadeCarteira; zero when the card has none
	BeneficiaryName    string
	BeneficiaryPlan    string
	Newborn            bool // atendimentoRN
	NewbornName        string
	NewbornBirth       LocalTime
	PatientPresent     bool // pacienteNoLocal
	UnitID             uuid.UUID
	CarePointID        uuid.UUID // pontoAtendimentoId
	RequesterName      string
	RequesterCouncil   string // siglaConselhoSolicitante
	RequesterNumber    string // crmSolicitante
	RequesterState     string // ufSolicitante
	ProfessionalID     uuid.UUID
	SpecialtyID        int
	AccidentType       string  // tipoAcidente, ANS table 36
	ProviderGuide      string  // guiaPrestador
	CareRegime         string  // regimeAtendimento: E, U and ANS table 76 (row 3)
	CareType           string  // tipoAtendimento, ANS table 50 and older codes (row 3)
	Notes              *string // observacoes: string or null
	ClinicalIndication *string // indicacaoClinica: nil is absent and takes the credential's settings; "" stays empty (row 5)
	FollowUp           bool    // retorno
	Attachments        []Attachment
	Procedures         []Procedure
	ContactName        string
	ContactAreaCode    string
	ContactPhone       string
	ContactEmail       string
}

// Attachment is one item of anexos; its bytes are in the blob store.
type Attachment struct {
	Name        string // file name as chosen, without folders
	ContentType string // application/pdf, image/jpeg or image/png
	Size        int64  // bytes
	Blob        blob.Ref
}

// Procedure is one requested procedure (specification 2.4).
type Procedure struct {
	Code     string
	Name     string
	Quantity int // 1 to 999
}
