package desk_test

import (
	"context"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/directorystore"

	"github.com/google/uuid"
)

func TestDesk_Eligibility(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	eligibility := MustUID(t)
	MustDo(t, directory.New(directorystore.New(f.db, withoutAudit{})).PutCredential(t.Context(), directory.Credential{UID: serenoID,
		Name: "Vale Sereno", ProviderCode: "0042", EligibilityID: eligibility, Active: true}))
	f.service.acts.offers = authorization.Offers{Eligibility: true}
	f.service.acts.eligibility = authorization.Eligibility{Told: true, Eligible: true}
	form := fullForm()
	got, err := f.Eligibility(t.Context(), ana, form)
	want := authorization.EligibilityQuestion{EligibilityID: eligibility.String(), CardNumber: "0310004577824821",
		CardValidity: authorization.DateOf(2027, 12, 31)}
	if err != nil || !got.Eligible || len(f.service.acts.questions) != 1 || f.service.acts.questions[0] != want {
		t.Errorf("got %+v, %v; asked %+v", got, err, f.service.acts.questions)
	}
	f.wantTrail(t, audit.Entry{Actor: anaID, Event: audit.EligibilityAsked, Object: audit.ObjectCredential, ObjectID: serenoID})
	for name, tc := range map[string]struct {
		by     permission.Actor
		change func(desk.Form)
		code   problem.Code
	}{
		"Administration": {admin, func(desk.Form) {}, problem.Forbidden},
		"NoCard":         {ana, func(f desk.Form) { f.Values["numeroCarteira"] = " " }, problem.Invalid},
		"NoOperator":     {ana, func(f desk.Form) { f.Values["credencialId"] = "x" }, problem.Invalid},
		"OtherOperator":  {ana, func(f desk.Form) { f.Values["credencialId"] = uuid.NewString() }, problem.Unavailable},
		"NotOffered":     {ana, func(desk.Form) { f.service.acts.offers.Eligibility = false }, problem.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			f.service.acts.offers.Eligibility = true
			form := fullForm()
			tc.change(form)
			if _, err := f.Eligibility(t.Context(), tc.by, form); !problem.Is(err, tc.code) {
				t.Errorf("got %v, want %s", err, tc.code)
			}
		})
	}
	if len(f.service.acts.questions) != 1 {
		t.Error("asked although nothing can be asked")
	}
}

func (s *service) Eligibility(_ context.Context, q authorization.EligibilityQuestion) (authorization.Eligibility, error) {
	s.acts.questions = append(s.acts.questions, q)
	return s.acts.eligibility, nil
}
