package client

import (
	"bytes"
	"encoding/json"
	"fmt"

	"guiche/internal/authorization"

	"github.com/google/uuid"
)

// The request (specification 2.3) in two halves, in the specification's order:
// anexos stands between them, so that attachments can be streamed. Every field is
// written; only an untouched indicacaoClinica and an unknown validadeCarteira are
// absent (row 5).
type requestHead struct {
	CredencialID               string  `json:"credencialId"`
	NumeroCarteira             string  `json:"numeroCarteira"`
	ValidadeCarteira           string  `json:"validadeCarteira,omitempty"`
	NomeBeneficiario           string  `json:"nomeBeneficiario"`
	PlanoBeneficiario          string  `json:"planoBeneficiario"`
	AtendimentoRN              string  `json:"atendimentoRN"`
	NomeRecemNascido           string  `json:"nomeRecemNascido"`
	DataNascimentoRecemNascido *string `json:"dataNascimentoRecemNascido"`
	PacienteNoLocal            string  `json:"pacienteNoLocal"`
	UnidadeID                  string  `json:"unidadeId"`
	PontoAtendimentoID         string  `json:"pontoAtendimentoId"`
	NomeSolicitante            string  `json:"nomeSolicitante"`
	UFSolicitante              string  `json:"ufSolicitante"`
	CRMSolicitante             string  `json:"crmSolicitante"`
	SiglaConselhoSolicitante   string  `json:"siglaConselhoSolicitante"`
	ProfissionalExecutanteID   string  `json:"profissionalExecutanteId"`
	EspecialidadeExecutanteID  int     `json:"especialidadeExecutanteId"`
	TipoAcidente               string  `json:"tipoAcidente"`
	GuiaPrestador              string  `json:"guiaPrestador"`
	RegimeAtendimento          string  `json:"regimeAtendimento"`
	TipoAtendimento            string  `json:"tipoAtendimento"`
	Observacoes                *string `json:"observacoes"`
	IndicacaoClinica           *string `json:"indicacaoClinica,omitempty"`
	Retorno                    string  `json:"retorno"`
}

type requestTail struct {
	Procedimentos   []requestProcedure `json:"procedimentos"`
	NomeContato     string             `json:"nomeContato"`
	DDDContato      string             `json:"dddContato"`
	TelefoneContato string             `json:"telefoneContato"`
	EmailContato    string             `json:"emailContato"`
}

// requestProcedure is specification 2.4.
type requestProcedure struct {
	NomeProcedimento   string `json:"nomeProcedimento"`
	CodigoProcedimento string `json:"codigoProcedimento"`
	Quantidade         int    `json:"quantidade"`
}

func newRequestHead(r authorization.Request) requestHead {
	h := requestHead{
		CredencialID: wireID(r.CredentialID), NumeroCarteira: r.CardNumber, ValidadeCarteira: r.CardValidity.String(),
		NomeBeneficiario: r.BeneficiaryName, PlanoBeneficiario: r.BeneficiaryPlan,
		AtendimentoRN: authorization.Flag(r.Newborn), PacienteNoLocal: authorization.Flag(r.PatientPresent),
		UnidadeID: wireID(r.UnitID), PontoAtendimentoID: wireID(r.CarePointID),
		NomeSolicitante: r.RequesterName, UFSolicitante: r.RequesterState,
		CRMSolicitante: r.RequesterNumber, SiglaConselhoSolicitante: r.RequesterCouncil,
		ProfissionalExecutanteID: wireID(r.ProfessionalID), EspecialidadeExecutanteID: r.SpecialtyID,
		TipoAcidente: r.AccidentType, GuiaPrestador: r.ProviderGuide,
		RegimeAtendimento: r.CareRegime, TipoAtendimento: r.CareType,
		Observacoes: r.Notes, IndicacaoClinica: r.ClinicalIndication, Retorno: authorization.Flag(r.FollowUp),
	}
	if r.Newborn {
		h.NomeRecemNascido = r.NewbornName
		h.DataNascimentoRecemNascido = wireTime(r.NewbornBirth)
	}
	return h
}

func newRequestTail(r authorization.Request) requestTail {
	t := requestTail{
		Procedimentos: make([]requestProcedure, len(r.Procedures)),
		NomeContato:   r.ContactName, DDDContato: r.ContactAreaCode,
		TelefoneContato: r.ContactPhone, EmailContato: r.ContactEmail,
	}
	for i, p := range r.Procedures {
		t.Procedimentos[i] = requestProcedure{NomeProcedimento: p.Name, CodigoProcedimento: p.Code, Quantidade: p.Quantity}
	}
	return t
}

func wireID(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

func wireTime(t authorization.LocalTime) *string {
	if t.IsZero() {
		return nil
	}
	s := t.String()
	return &s
}

// encodeRequest returns the texts around the attachments: what comes before the
// first base64, between two, and after the last. There is one more text than
// attachments.
func encodeRequest(r authorization.Request, shape AttachmentShape) ([][]byte, error) {
	r = r.WithDefaults()
	head, err := compactJSON(newRequestHead(r))
	if err != nil {
		return nil, err
	}
	tail, err := compactJSON(newRequestTail(r))
	if err != nil {
		return nil, err
	}
	return encodeAttachments(append(head[:len(head)-1], ','), r.Attachments, shape, append([]byte(","), tail[1:]...))
}

// encodeAttachments returns the texts around the attachments of anexos, with what
// stands before and after it.
func encodeAttachments(text []byte, attachments []authorization.Attachment, shape AttachmentShape, last []byte) ([][]byte, error) {
	text = append(text, `"anexos":[`...)
	var texts [][]byte
	for i, a := range attachments {
		before, after, err := aroundBase64(a, shape)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		texts = append(texts, append(text, before...))
		text = after
	}
	text = append(text, ']')
	return append(texts, append(text, last...)), nil
}

// aroundBase64 returns what stands before and after the base64 of an attachment.
func aroundBase64(a authorization.Attachment, shape AttachmentShape) (before, after []byte, err error) {
	if shape == AttachmentString {
		return []byte(`"`), []byte(`"`), nil
	}
	rest, err := compactJSON(struct {
		Name        string `json:"name"`
		ContentType string `json:"contentType"`
	}{a.Name, a.ContentType})
	if err != nil {
		return nil, nil, err
	}
	return []byte(`{"base64":"`), append([]byte(`",`), rest[1:]...), nil
}

// compactJSON encodes without escaping <, > and & and without a line end.
func compactJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
