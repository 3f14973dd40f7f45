package stored_test

import (
	"reflect"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/authorization/stored"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// The documents as the first release wrote them. They stand in databases that only
// grow, so these texts never change; a later key comes in a document of its own.
const (
	requestText = `{"CredentialID":"00000000-0000-0000-0000-000000000001","CardNumber":"a","CardValidity":"2027-12-31T00:00:00",` +
		`"BeneficiaryName":"b","BeneficiaryPlan":"c","Newborn":true,"NewbornName":"d","NewbornBirth":"2026-01-02T00:00:00",` +
		`"PatientPresent":true,"UnitID":"00000000-0000-0000-0000-000000000002","CarePointID":"00000000-0000-0000-0000-000000000003",` +
		`"RequesterName":"e","RequesterCouncil":"f","RequesterNumber":"g","RequesterState":"h",` +
		`"ExecutantID":"00000000-0000-0000-0000-000000000004","SpecialtyID":5,"AccidentType":"i","ProviderGuide":"j",` +
		`"CareRegime":"k","CareType":"l","Notes":"m","ClinicalIndication":"n","FollowUp":true,` +
		`"Attachments":[{"Name":"o","ContentType":"p","Size":6,"Blob":"q"}],"Procedures":[{"Code":"r","Name":"s","Quantity":7}],` +
		`"ContactName":"t","ContactAreaCode":"u","ContactPhone":"v","ContactEmail":"w"}`
	entryText = `{"Number":1,"Success":true,"Status":"A","GuideID":"a","GuideNumber":"b","Password":"c",` +
		`"PasswordUntil":"2027-12-31T00:00:00","Protocol":"d","ProviderGuide":"e","PartnerGuide":"f","RequestNumber":"g",` +
		`"AuthorizedAt":"2026-01-02T00:00:00","GuidePDF":"h",` +
		`"Procedures":[{"Code":"i","Name":"j","Quantity":2,"Authorized":3,"Executed":4,"Password":"k","Protocol":"l",` +
		`"Justification":"m","Mnemonic":"n"}],` +
		`"Errors":[{"Code":"o","Field":"p","Message":"q"}]}`
	errorsText = `[{"Code":"a","Field":"b","Message":"c"}]`
)

func id(last byte) uuid.UUID { return uuid.UUID{15: last} }

func fullRequest() authorization.Request {
	notes, indication := "m", "n"
	return authorization.Request{
		CredentialID: id(1), CardNumber: "a", CardValidity: authorization.DateOf(2027, time.December, 31),
		BeneficiaryName: "b", BeneficiaryPlan: "c", Newborn: true, NewbornName: "d", NewbornBirth: authorization.DateOf(2026, time.January, 2),
		PatientPresent: true, UnitID: id(2), CarePointID: id(3),
		RequesterName: "e", RequesterCouncil: "f", RequesterNumber: "g", RequesterState: "h",
		ProfessionalID: id(4), SpecialtyID: 5, AccidentType: "i", ProviderGuide: "j", CareRegime: "k", CareType: "l",
		Notes: &notes, ClinicalIndication: &indication, FollowUp: true,
		Attachments: []authorization.Attachment{{Name: "o", ContentType: "p", Size: 6, Blob: "q"}},
		Procedures:  []authorization.Procedure{{Code: "r", Name: "s", Quantity: 7}},
		ContactName: "t", ContactAreaCode: "u", ContactPhone: "v", ContactEmail: "w",
	}
}

func fullAuthorization() authorization.Authorization {
	return authorization.Authorization{
		Number: 1, Success: true, Status: authorization.Authorized, GuideID: "a", GuideNumber: "b",
		Senha: "c", SenhaValidUntil: authorization.DateOf(2027, time.December, 31), Protocol: "d",
		ProviderGuide: "e", PartnerGuide: "f", RequestNumber: "g", AuthorizedAt: authorization.DateOf(2026, time.January, 2), GuidePDF: "h",
		Procedures: []authorization.ProcedureResult{{
			Code: "i", Name: "j", Quantity: 2, Authorized: 3, Executed: 4, Senha: "k", Protocol: "l", Justification: "m", Mnemonic: "n",
		}},
		Errors: []authorization.AnswerError{{Code: "o", Field: "p", Message: "q"}},
	}
}

func TestRequest(t *testing.T) {
	t.Run("encodes as the first release did", func(t *testing.T) {
		text, err := stored.EncodeRequest(fullRequest())
		if err != nil || string(text) != requestText {
			t.Errorf("got %s, %v\nwant %s", text, err, requestText)
		}
	})
	t.Run("decodes every field", func(t *testing.T) {
		got, err := stored.DecodeRequest([]byte(requestText))
		if err != nil {
			t.Fatal(err)
		}
		compare(t, got, fullRequest())
		allSet(t, reflect.ValueOf(got), "Request")
	})
	t.Run("keeps absent apart from empty", func(t *testing.T) {
		empty := ""
		r := authorization.Request{ClinicalIndication: &empty, Attachments: []authorization.Attachment{}}
		text, err := stored.EncodeRequest(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := stored.DecodeRequest(text)
		if err != nil || got.Notes != nil || got.ClinicalIndication == nil || got.Procedures != nil || got.Attachments == nil {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("refuses what is no document", func(t *testing.T) {
		if _, err := stored.DecodeRequest([]byte(`{"CardNumber":1}`)); err == nil {
			t.Error("got no error")
		}
	})
}

func TestAuthorization(t *testing.T) {
	t.Run("encodes as the first release did", func(t *testing.T) {
		text, err := stored.EncodeAuthorization(fullAuthorization())
		if err != nil || string(text) != entryText {
			t.Errorf("got %s, %v\nwant %s", text, err, entryText)
		}
	})
	t.Run("decodes every field", func(t *testing.T) {
		got, err := stored.DecodeAuthorization([]byte(entryText))
		if err != nil {
			t.Fatal(err)
		}
		compare(t, got, fullAuthorization())
		got.Recorded = true // by the desk, which has a column for it; the service decides and records nothing
		allSet(t, reflect.ValueOf(got), "Authorization")
	})
	t.Run("refuses what is no document", func(t *testing.T) {
		if _, err := stored.DecodeAuthorization([]byte(`[]`)); err == nil {
			t.Error("got no error")
		}
	})
}

func TestErrors(t *testing.T) {
	all := []authorization.AnswerError{{Code: "a", Field: "b", Message: "c"}}
	text, err := stored.EncodeErrors(all)
	if err != nil || string(text) != errorsText {
		t.Errorf("got %s, %v; want %s", text, err, errorsText)
	}
	got, err := stored.DecodeErrors([]byte(errorsText))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, all)
	if text, err := stored.EncodeErrors(nil); err != nil || string(text) != "[]" {
		t.Errorf("no errors: got %s, %v; want []", text, err)
	}
	if _, err := stored.DecodeErrors([]byte(`{}`)); err == nil {
		t.Error("an object: got no error")
	}
}

func compare(t *testing.T, got, want any) {
	t.Helper()
	equal := cmp.Comparer(func(a, b authorization.LocalTime) bool { return a == b })
	if diff := cmp.Diff(want, got, equal); diff != "" {
		t.Errorf("other than it was stored (-want +got):\n%s", diff)
	}
}

// allSet fails for a field that the documents above leave out: whoever adds a field
// to package authorization decides here how it is stored.
func allSet(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	switch {
	case v.IsZero():
		t.Errorf("%s is not stored", path)
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[authorization.LocalTime]():
		for i := range v.NumField() {
			allSet(t, v.Field(i), path+"."+v.Type().Field(i).Name)
		}
	case v.Kind() == reflect.Slice:
		allSet(t, v.Index(0), path+"[0]")
	}
}
