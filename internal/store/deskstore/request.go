package deskstore

import (
	"context"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/engine"
)

// requestColumns are the columns of a request's single values, in the order of
// requestValues and requestTargets.
var requestColumns = []string{
	"credential_uid", "card_number", "card_validity", "beneficiary_name", "beneficiary_plan",
	"newborn", "newborn_name", "newborn_birth", "patient_present", "unit_uid", "care_point_uid",
	"requester_name", "requester_council", "requester_number", "requester_state",
	"executant_uid", "specialty", "accident_type", "provider_guide", "care_regime", "care_type",
	"notes", "clinical_indication", "follow_up",
	"contact_name", "contact_area_code", "contact_phone", "contact_email",
}

// requestValues are the values of requestColumns, in their order.
func requestValues(r authorization.Request) []any {
	return []any{
		engine.UID(r.CredentialID), r.CardNumber, r.CardValidity.String(), r.BeneficiaryName, r.BeneficiaryPlan,
		r.Newborn, r.NewbornName, r.NewbornBirth.String(), r.PatientPresent, engine.UID(r.UnitID), engine.UID(r.CarePointID),
		r.RequesterName, r.RequesterCouncil, r.RequesterNumber, r.RequesterState,
		engine.UID(r.ProfessionalID), r.SpecialtyID, r.AccidentType, r.ProviderGuide, r.CareRegime, r.CareType,
		r.Notes, r.ClinicalIndication, r.FollowUp,
		r.ContactName, r.ContactAreaCode, r.ContactPhone, r.ContactEmail,
	}
}

// requestTargets are where requestColumns are scanned, in their order; keep it beside
// requestValues.
func requestTargets(r *authorization.Request) []any {
	return []any{
		engine.ScanUID(&r.CredentialID), &r.CardNumber, (*localTime)(&r.CardValidity), &r.BeneficiaryName, &r.BeneficiaryPlan,
		&r.Newborn, &r.NewbornName, (*localTime)(&r.NewbornBirth), &r.PatientPresent, engine.ScanUID(&r.UnitID), engine.ScanUID(&r.CarePointID),
		&r.RequesterName, &r.RequesterCouncil, &r.RequesterNumber, &r.RequesterState,
		engine.ScanUID(&r.ProfessionalID), &r.SpecialtyID, &r.AccidentType, &r.ProviderGuide, &r.CareRegime, &r.CareType,
		&r.Notes, &r.ClinicalIndication, &r.FollowUp,
		&r.ContactName, &r.ContactAreaCode, &r.ContactPhone, &r.ContactEmail,
	}
}

// loadRequest reads the request of a submission as it is sent.
func loadRequest(ctx context.Context, tx *engine.Tx, submission int64) (r authorization.Request, key string, err error) {
	err = tx.QueryRow(ctx, `SELECT idempotency_key, `+strings.Join(requestColumns, ", ")+` FROM submission WHERE id = ?`, submission).
		Scan(append([]any{&key}, requestTargets(&r)...)...)
	if err != nil {
		return r, "", engine.Error(err)
	}
	if r.Procedures, err = engine.List(ctx, tx, scanProcedure,
		`SELECT code, name, quantity FROM submission_procedure WHERE submission_id = ? ORDER BY position`, submission); err != nil {
		return r, "", err
	}
	attachments, err := submissionAttachments(ctx, tx, submission)
	for _, a := range attachments {
		r.Attachments = append(r.Attachments, a.Attachment)
	}
	return r, key, err
}

// scanProcedure reads one requested procedure.
func scanProcedure(rows engine.Row) (p authorization.Procedure, err error) {
	err = rows.Scan(&p.Code, &p.Name, &p.Quantity)
	return p, err
}

var nameColumns = []string{"credential_name", "unit_name", "care_point_name", "executant_name", "specialty_name"}

// nameValues are the names that a case keeps as they were when it was sent, in the order
// of nameColumns.
func nameValues(n desk.Names) []any {
	return []any{n.Credential, n.Unit, n.CarePoint, n.Professional, n.Specialty}
}

// nameTargets are where nameColumns are scanned, in their order.
func nameTargets(n *desk.Names) []any {
	return []any{&n.Credential, &n.Unit, &n.CarePoint, &n.Professional, &n.Specialty}
}
