package authorization

import "guiche/internal/blob"

// Answer is an authorization response (specification 2.5) as it was read: PDFs
// are in the blob store, values of an unknown type are kept as text.
type Answer struct {
	Success        bool // unless sucesso says no
	Errors         []AnswerError
	GuidePDF       blob.Ref // data.pdfGuia: the aggregated PDF; "" when absent
	ReceiptPDF     blob.Ref // data.pdfRecibo of some services (row 6); "" when absent
	Authorizations []Authorization
}

// Codes of the errors that the desk's own reading adds to an answer.
const (
	CodeBadPDF  = "pdf_invalido"          // what should be a PDF is none
	CodeBadDate = "data_ilegivel"         // what should be a date is none
	CodePlain   = "resposta_sem_envelope" // readable text of an answer that is no envelope
)

// AnswerError is one item of erros, at either level, in any of their forms (row 4), or a
// finding of our own.
type AnswerError struct {
	Code    string // "" when absent
	Field   string // path of a field of the request, "" when absent
	Message string
}

// Finding reports whether the desk found the error itself in reading the answer.
func (e AnswerError) Finding() bool { return e.Code == CodeBadPDF || e.Code == CodeBadDate }

// Authorization is one entry of data.autorizacoes (specification 2.5).
type Authorization struct {
	Number          int       // numeroAutorizacao: sequence in the answer
	Success         bool      // unless sucesso says no
	Status          Status    // situacaoAutorizacao, statusAutorizacao or situacao
	GuideID         string    // guiaId
	GuideNumber     string    // numeroGuia
	Senha           string    // senha
	SenhaValidUntil LocalTime // validadeSenha
	Protocol        string
	ProviderGuide   string    // guiaPrestador
	PartnerGuide    string    // guiaParceiro
	RequestNumber   string    // numeroSolicitacao
	AuthorizedAt    LocalTime // dataAutorizacao
	GuidePDF        blob.Ref  // pdfGuiaAutorizacao; "" when absent
	Procedures      []ProcedureResult
	Errors          []AnswerError
	Recorded        bool // a person of the provider wrote down what the operator said
}

// ProcedureResult is what the operator said about one procedure (2.5).
type ProcedureResult struct {
	Code          string
	Name          string
	Quantity      int
	Authorized    int    // quantidadeAutorizada
	Executed      int    // quantidadeExecutada
	Senha         string // senhaAutorizacao
	Protocol      string // protocoloAtendimento
	Justification string // justificativa
	Mnemonic      string // mnemonico
}

// Credential is an operator credential held by the provider (2.2).
type Credential struct {
	ID            string // UUID as the service wrote it
	Name          string // operator name
	ProviderCode  string // codigoPrestador
	EligibilityID string // credencialElegibilityId
	Biometrics    bool   // exigeBiometria (row 20)
}
