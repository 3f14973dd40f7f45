package service

import (
	"encoding/json"
	"net/http"

	"guiche/internal/authorization"

	"github.com/google/uuid"
)

// operation is one of the two ways to ask for an authorization: answered at once
// (4.2), or accepted and decided afterwards (4.5 and row 16).
type operation struct {
	member     string // of the body that holds the request; "" is the body itself
	afterwards bool
}

var (
	atOnce     = operation{}
	afterwards = operation{member: "solicitacao", afterwards: true}
)

// prefix stands before the paths of the request's fields.
func (o operation) prefix() string {
	if o.member == "" {
		return ""
	}
	return o.member + "."
}

// inside returns the members of the request.
func (o operation) inside(rest json.RawMessage, in *reading) (members, bool) {
	m, ok := object(rest, "", &in.wrong)
	if !ok || o.member == "" {
		return m, ok
	}
	text, found := m.values[o.member]
	if !found {
		m.add(o.member, authorization.CodeRequired, "Informe "+o.member+".")
		return m, false
	}
	return object(text, o.member, &in.wrong)
}

// acceptedDoc is data of the answer to a request that is decided afterwards (row
// 16). It is made of what never changes, so that it is the same at every
// repetition.
type acceptedDoc struct {
	Protocol      string    `json:"protocolo"`
	ProviderGuide string    `json:"guiaPrestador"`
	GuideID       uuid.UUID `json:"guiaId"`
	Situation     string    `json:"situacao"`
}

// accept answers a request that Work decides on.
func (s *Service) accept(w http.ResponseWriter, c *call, receipt Receipt, in reading) error {
	receipt.GuideID = uuid.Must(uuid.NewV7())
	record, fresh, err := s.store.Receive(c.Context(), receipt)
	if err != nil {
		return err
	}
	if !fresh {
		return s.repeat(w, c, record, in)
	}
	s.wake()
	return sendAccepted(w, record)
}

func sendAccepted(w http.ResponseWriter, record Record) error {
	return writeEnvelope(w, http.StatusAccepted, newEnvelope(acceptedDoc{
		Protocol: record.ID.String(), ProviderGuide: record.Request.ProviderGuide, GuideID: record.GuideID,
		Situation: string(authorization.UnderAnalysis),
	}, nil))
}

// undecided is the authorization of an accepted request before its operator said
// anything.
func undecided(record Record) authorization.Authorization {
	a := authorization.Authorization{
		Number: 1, Success: true, Status: authorization.UnderAnalysis, GuideID: record.GuideID.String(),
		ProviderGuide: record.Request.ProviderGuide, Protocol: record.ID.String(),
	}
	for _, p := range record.Request.Procedures {
		a.Procedures = append(a.Procedures, authorization.ProcedureResult{Code: p.Code, Name: p.Name, Quantity: p.Quantity})
	}
	return a
}

// refusedAfterwards is the authorization of an accepted request that its operator
// refused as a whole: its guiaId was given away, so it is denied.
func refusedAfterwards(record Record, d Decision) []authorization.Authorization {
	a := undecided(record)
	a.Success, a.Status, a.Errors = false, authorization.Denied, d.Errors
	return []authorization.Authorization{a}
}
