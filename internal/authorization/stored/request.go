// Package stored is the JSON in which requests and authorizations are kept: with
// keys that never change, whatever the fields of package authorization are called.
//
// The databases only add such documents, SQL reads them, and the fingerprint of an
// idempotent request is taken over one. So a key is never renamed or removed, and
// the order of the keys of a request never changes. New keys come last, with
// omitempty: a request that does not use them keeps its fingerprint.
package stored

import (
	"encoding/json"
	"fmt"

	"guiche/internal/authorization"
	"guiche/internal/blob"

	"github.com/google/uuid"
)

// request is authorization.Request as request.document has it.
type request struct {
	CredentialID       uuid.UUID               `json:"CredentialID"`
	CardNumber         string                  `json:"CardNumber"`
	CardValidity       authorization.LocalTime `json:"CardValidity"`
	BeneficiaryName    string                  `json:"BeneficiaryName"`
	BeneficiaryPlan    string                  `json:"BeneficiaryPlan"`
	Newborn            bool                    `json:"Newborn"`
	NewbornName        string                  `json:"NewbornName"`
	NewbornBirth       authorization.LocalTime `json:"NewbornBirth"`
	PatientPresent     bool                    `json:"PatientPresent"`
	UnitID             uuid.UUID               `json:"UnitID"`
	CarePointID        uuid.UUID               `json:"CarePointID"`
	RequesterName      string                  `json:"RequesterName"`
	RequesterCouncil   string                  `json:"RequesterCouncil"`
	RequesterNumber    string                  `json:"RequesterNumber"`
	RequesterState     string                  `json:"RequesterState"`
	ProfessionalID     uuid.UUID               `json:"ExecutantID"`
	SpecialtyID        int                     `json:"SpecialtyID"`
	AccidentType       string                  `json:"AccidentType"`
	ProviderGuide      string                  `json:"ProviderGuide"`
	CareRegime         string                  `json:"CareRegime"`
	CareType           string                  `json:"CareType"`
	Notes              *string                 `json:"Notes"`
	ClinicalIndication *string                 `json:"ClinicalIndication"`
	FollowUp           bool                    `json:"FollowUp"`
	Attachments        []attachment            `json:"Attachments"`
	Procedures         []procedure             `json:"Procedures"`
	ContactName        string                  `json:"ContactName"`
	ContactAreaCode    string                  `json:"ContactAreaCode"`
	ContactPhone       string                  `json:"ContactPhone"`
	ContactEmail       string                  `json:"ContactEmail"`
}

type attachment struct {
	Name        string   `json:"Name"`
	ContentType string   `json:"ContentType"`
	Size        int64    `json:"Size"` // bytes
	Blob        blob.Ref `json:"Blob"`
}

type procedure struct {
	Code     string `json:"Code"`
	Name     string `json:"Name"`
	Quantity int    `json:"Quantity"`
}

// EncodeRequest returns the JSON of a request: equal requests give equal bytes.
func EncodeRequest(r authorization.Request) ([]byte, error) {
	text, err := json.Marshal(request{
		CredentialID: r.CredentialID, CardNumber: r.CardNumber, CardValidity: r.CardValidity,
		BeneficiaryName: r.BeneficiaryName, BeneficiaryPlan: r.BeneficiaryPlan,
		Newborn: r.Newborn, NewbornName: r.NewbornName, NewbornBirth: r.NewbornBirth,
		PatientPresent: r.PatientPresent, UnitID: r.UnitID, CarePointID: r.CarePointID,
		RequesterName: r.RequesterName, RequesterCouncil: r.RequesterCouncil,
		RequesterNumber: r.RequesterNumber, RequesterState: r.RequesterState,
		ProfessionalID: r.ProfessionalID, SpecialtyID: r.SpecialtyID,
		AccidentType: r.AccidentType, ProviderGuide: r.ProviderGuide, CareRegime: r.CareRegime, CareType: r.CareType,
		Notes: r.Notes, ClinicalIndication: r.ClinicalIndication, FollowUp: r.FollowUp,
		Attachments: convert(r.Attachments, func(a authorization.Attachment) attachment { return attachment(a) }),
		Procedures:  convert(r.Procedures, func(p authorization.Procedure) procedure { return procedure(p) }),
		ContactName: r.ContactName, ContactAreaCode: r.ContactAreaCode, ContactPhone: r.ContactPhone, ContactEmail: r.ContactEmail,
	})
	if err != nil {
		return nil, fmt.Errorf("stored: encode request: %w", err)
	}
	return text, nil
}

// DecodeRequest reads what EncodeRequest wrote, in this or an earlier version.
func DecodeRequest(text []byte) (authorization.Request, error) {
	var d request
	if err := json.Unmarshal(text, &d); err != nil {
		return authorization.Request{}, fmt.Errorf("stored: decode request: %w", err)
	}
	return authorization.Request{
		CredentialID: d.CredentialID, CardNumber: d.CardNumber, CardValidity: d.CardValidity,
		BeneficiaryName: d.BeneficiaryName, BeneficiaryPlan: d.BeneficiaryPlan,
		Newborn: d.Newborn, NewbornName: d.NewbornName, NewbornBirth: d.NewbornBirth,
		PatientPresent: d.PatientPresent, UnitID: d.UnitID, CarePointID: d.CarePointID,
		RequesterName: d.RequesterName, RequesterCouncil: d.RequesterCouncil,
		RequesterNumber: d.RequesterNumber, RequesterState: d.RequesterState,
		ProfessionalID: d.ProfessionalID, SpecialtyID: d.SpecialtyID,
		AccidentType: d.AccidentType, ProviderGuide: d.ProviderGuide, CareRegime: d.CareRegime, CareType: d.CareType,
		Notes: d.Notes, ClinicalIndication: d.ClinicalIndication, FollowUp: d.FollowUp,
		Attachments: convert(d.Attachments, func(a attachment) authorization.Attachment { return authorization.Attachment(a) }),
		Procedures:  convert(d.Procedures, func(p procedure) authorization.Procedure { return authorization.Procedure(p) }),
		ContactName: d.ContactName, ContactAreaCode: d.ContactAreaCode, ContactPhone: d.ContactPhone, ContactEmail: d.ContactEmail,
	}, nil
}

// convert keeps nil apart from empty: the two are written differently.
func convert[From, To any](in []From, one func(From) To) []To {
	if in == nil {
		return nil
	}
	out := make([]To, len(in))
	for i, v := range in {
		out[i] = one(v)
	}
	return out
}
