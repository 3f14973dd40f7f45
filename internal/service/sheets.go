package service

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/guide"
)

// drawGuides draws one PDF for each authorization that has a guide number and
// sets its GuidePDF; with more than one there is the aggregated PDF too (2.5). A
// guide that cannot be drawn is logged and left out: what the operator decided
// counts more than its print. What is returned must be settled.
func (s *Service) drawGuides(ctx context.Context, record Record, c Credential, d Decision) *prints {
	professional, err := s.store.Professional(ctx, record.Request.ProfessionalID)
	if err != nil {
		s.logger.Error("guide without professional", "request", record.ID, "cause", err)
	}
	drawn := s.newPrints(record)
	var sheets []guide.Sheet
	for i := range d.Authorizations {
		a := &d.Authorizations[i]
		if a.GuideNumber == "" {
			continue
		}
		sheet := s.sheet(record, c, professional, *a)
		sheet.Simulated = d.Simulated
		a.GuidePDF = drawn.draw(ctx, sheet)
		sheets = append(sheets, sheet)
	}
	if len(sheets) > 1 {
		drawn.aggregated = drawn.draw(ctx, sheets...)
	}
	return drawn
}

// draw begins to store sheets as one PDF, "" when they cannot be drawn.
func (p *prints) draw(ctx context.Context, sheets ...guide.Sheet) blob.Ref {
	var pdf bytes.Buffer
	if err := writeGuide(&pdf, sheets); err != nil {
		p.logger.Error("guide not drawn", "cause", err)
		return ""
	}
	return p.store(ctx, pdf.Bytes())
}

// writeGuide turns a panic of the drawing into an error: it would end the program.
func writeGuide(w io.Writer, sheets []guide.Sheet) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicError(cause)
		}
	}()
	return guide.Write(w, sheets...)
}

// sheet fills the printed guide from what was asked and what was decided.
func (s *Service) sheet(record Record, c Credential, p Professional, a authorization.Authorization) guide.Sheet {
	r := record.Request
	return guide.Sheet{
		Operator: c.Name, IssuedAt: authorization.NewLocalTime(s.clock().In(s.zone)),
		ANSRegister: c.ANSRegister, ProviderGuide: r.ProviderGuide,
		AuthorizedAt: a.AuthorizedAt, Senha: a.Senha, SenhaValidUntil: a.SenhaValidUntil, OperatorGuide: a.GuideNumber,
		Beneficiary:       guide.Beneficiary{Card: r.CardNumber, CardUntil: r.CardValidity, Name: r.BeneficiaryName, Newborn: r.Newborn},
		Requester:         sheetRequester(r, c),
		Request:           s.sheetRequest(record, a),
		ExecutingProvider: guide.ExecutingProvider{Code: c.ProviderCode, Contractor: c.Contractor, CNES: cmp.Or(c.CNES, unknownCNES)},
		Care:              sheetCare(r),
		Professionals:     sheetProfessionals(r, p),
		Notes:             sheetNotes(r),
	}
}

// sheetRequester stands the provider in for the requester's contracted party and
// code (13, 14), which TISS wants and the interface does not name.
func sheetRequester(r authorization.Request, c Credential) guide.Requester {
	return guide.Requester{
		Code: c.ProviderCode, Contractor: c.Contractor, Name: r.RequesterName,
		Council: codeOf(councilCodes, r.RequesterCouncil), Number: r.RequesterNumber, State: codeOf(stateCodes, r.RequesterState),
		CBO: unknownCBO,
	}
}

func (s *Service) sheetRequest(record Record, a authorization.Authorization) guide.Request {
	r := guide.Request{Urgency: characters[record.Request.CareRegime], RequestedAt: authorization.NewLocalTime(record.ReceivedAt.In(s.zone))}
	if record.Request.ClinicalIndication != nil {
		r.Indication = *record.Request.ClinicalIndication
	}
	for _, p := range a.Procedures {
		r.Procedures = append(r.Procedures, guide.Procedure{
			Table: tableOf(p.Code), Code: p.Code, Name: p.Name, Requested: p.Quantity, Authorized: authorizedQuantity(a.Status, p),
		})
	}
	return r
}

// authorizedQuantity is printed once the operator has decided.
func authorizedQuantity(s authorization.Status, p authorization.ProcedureResult) *int {
	switch s.Group() {
	case authorization.Waiting:
		return nil
	case authorization.YourTurn:
		if s != authorization.PartiallyAuthorized {
			return nil
		}
	}
	return &p.Authorized
}

// sheetCare leaves empty the type of a consultation that is no return (34: a first
// one, prenatal and by referral are told apart), the reason of an end (35) and
// occupational health (92): nobody is asked for them.
func sheetCare(r authorization.Request) guide.Care {
	care := guide.Care{Type: careTypes[r.CareType], Accident: r.AccidentType, Regime: regimeOf(r)}
	if care.Type == consultation && r.FollowUp {
		care.ConsultationType = followUp
	}
	return care
}

// sheetProfessionals names who will do it. To which lines (48) and in which degree
// of participation (49, table 35) is known when it is done.
func sheetProfessionals(r authorization.Request, p Professional) []guide.Professional {
	specialty, ok := p.specialty(r.SpecialtyID)
	if !ok {
		return nil
	}
	return []guide.Professional{{
		Name: p.Name, Council: codeOf(councilCodes, p.Council), Number: p.Number, State: codeOf(stateCodes, p.State), CBO: specialty.CBO,
	}}
}

// sheetNotes begins with the newborn, for whom the form has no field: field 10
// names whose card it is.
func sheetNotes(r authorization.Request) string {
	var notes []string
	if r.Newborn {
		notes = append(notes, fmt.Sprintf("Recém-nascido: %s, nascimento em %s.", r.NewbornName, r.NewbornBirth.Date()))
	}
	if r.Notes != nil {
		notes = append(notes, *r.Notes)
	}
	return strings.Join(notes, "\n")
}
