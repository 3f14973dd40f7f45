package stored

import (
	"encoding/json"
	"fmt"

	"guiche/internal/authorization"
	"guiche/internal/blob"
)

// entry is authorization.Authorization as authorization_entry.document and
// authorization_revision.document have it.
type entry struct {
	Number          int                     `json:"Number"`
	Success         bool                    `json:"Success"`
	Status          authorization.Status    `json:"Status"`
	GuideID         string                  `json:"GuideID"`
	GuideNumber     string                  `json:"GuideNumber"` // SQL finds entries by it
	Senha           string                  `json:"Password"`
	SenhaValidUntil authorization.LocalTime `json:"PasswordUntil"`
	Protocol        string                  `json:"Protocol"`
	ProviderGuide   string                  `json:"ProviderGuide"`
	PartnerGuide    string                  `json:"PartnerGuide"`
	RequestNumber   string                  `json:"RequestNumber"`
	AuthorizedAt    authorization.LocalTime `json:"AuthorizedAt"`
	GuidePDF        blob.Ref                `json:"GuidePDF"`
	Procedures      []procedureResult       `json:"Procedures"`
	Errors          []answerError           `json:"Errors"`
}

type procedureResult struct {
	Code          string `json:"Code"`
	Name          string `json:"Name"`
	Quantity      int    `json:"Quantity"`
	Authorized    int    `json:"Authorized"`
	Executed      int    `json:"Executed"`
	Senha         string `json:"Password"`
	Protocol      string `json:"Protocol"`
	Justification string `json:"Justification"`
	Mnemonic      string `json:"Mnemonic"`
}

type answerError struct {
	Code    string `json:"Code"`
	Field   string `json:"Field"`
	Message string `json:"Message"`
}

// EncodeAuthorization returns the JSON of an authorization, senha included.
func EncodeAuthorization(a authorization.Authorization) ([]byte, error) {
	text, err := json.Marshal(entry{ //nolint:gosec // the senha is what is kept
		Number: a.Number, Success: a.Success, Status: a.Status, GuideID: a.GuideID, GuideNumber: a.GuideNumber,
		Senha: a.Senha, SenhaValidUntil: a.SenhaValidUntil, Protocol: a.Protocol,
		ProviderGuide: a.ProviderGuide, PartnerGuide: a.PartnerGuide, RequestNumber: a.RequestNumber,
		AuthorizedAt: a.AuthorizedAt, GuidePDF: a.GuidePDF,
		Procedures: convert(a.Procedures, func(p authorization.ProcedureResult) procedureResult { return procedureResult(p) }),
		Errors:     convert(a.Errors, func(e authorization.AnswerError) answerError { return answerError(e) }),
	})
	if err != nil {
		return nil, fmt.Errorf("stored: encode authorization: %w", err)
	}
	return text, nil
}

// DecodeAuthorization reads what EncodeAuthorization wrote, in this or an earlier
// version.
func DecodeAuthorization(text []byte) (authorization.Authorization, error) {
	var d entry
	if err := json.Unmarshal(text, &d); err != nil {
		return authorization.Authorization{}, fmt.Errorf("stored: decode authorization: %w", err)
	}
	return authorization.Authorization{
		Number: d.Number, Success: d.Success, Status: d.Status, GuideID: d.GuideID, GuideNumber: d.GuideNumber,
		Senha: d.Senha, SenhaValidUntil: d.SenhaValidUntil, Protocol: d.Protocol,
		ProviderGuide: d.ProviderGuide, PartnerGuide: d.PartnerGuide, RequestNumber: d.RequestNumber,
		AuthorizedAt: d.AuthorizedAt, GuidePDF: d.GuidePDF,
		Procedures: convert(d.Procedures, func(p procedureResult) authorization.ProcedureResult { return authorization.ProcedureResult(p) }),
		Errors:     convert(d.Errors, func(e answerError) authorization.AnswerError { return authorization.AnswerError(e) }),
	}, nil
}

// EncodeErrors returns the JSON of the errors of an answer, as decision.errors has
// it: an array, never null.
func EncodeErrors(errors []authorization.AnswerError) ([]byte, error) {
	all := convert(errors, func(e authorization.AnswerError) answerError { return answerError(e) })
	text, err := json.Marshal(append([]answerError{}, all...))
	if err != nil {
		return nil, fmt.Errorf("stored: encode errors: %w", err)
	}
	return text, nil
}

// DecodeErrors reads what EncodeErrors wrote, in this or an earlier version.
func DecodeErrors(text []byte) ([]authorization.AnswerError, error) {
	var all []answerError
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("stored: decode errors: %w", err)
	}
	return convert(all, func(e answerError) authorization.AnswerError { return authorization.AnswerError(e) }), nil
}
