package desk_test

import (
	"testing"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
)

// TestDesk_FindBeneficiaries: the trail tells of a search that showed somebody, once, and who
// sees no patients finds none.
func TestDesk_FindBeneficiaries(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustSubmit(t, ana, map[string]string{"nomeBeneficiario": "Helena Duarte", "observacoes": "em jejum"})
	if _, err := f.FindBeneficiaries(ctx, admin, "helena", 8); !problem.Is(err, problem.Forbidden) {
		t.Errorf("administração: got %v, want forbidden", err)
	}
	for text, want := range map[string]int{"duarte HEL": 1, "zzz": 0} {
		found, err := f.FindBeneficiaries(ctx, ana, text, 8)
		MustDo(t, err)
		if len(found) != want {
			t.Errorf("%q: got %d, want %d", text, len(found), want)
		}
	}
	f.wantTrail(t, audit.Entry{Actor: anaID, Event: audit.BeneficiarySearched},
		audit.Entry{Actor: anaID, Event: audit.RequestSubmitted, Object: audit.ObjectCase, ObjectID: uid})
	known, err := f.KnownBeneficiary(ctx, ana, uid)
	MustDo(t, err)
	form := desk.Form{Values: map[string]string{"unidadeId": "a que foi escolhida"}}
	known.Fill(form)
	for name, want := range map[string]string{"nomeBeneficiario": "Helena Duarte", "unidadeId": "a que foi escolhida", "observacoes": ""} {
		if form.Values[name] != want {
			t.Errorf("%s: got %q, want %q", name, form.Values[name], want)
		}
	}
}

// TestDesk_LatestOf: one entry of the trail tells of the cases beside a draft, however often it
// is saved.
func TestDesk_LatestOf(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustSubmit(t, ana, nil)
	d := f.MustDraft(t, ana, nil)
	for range 3 {
		cases, err := f.LatestOf(ctx, ana, d)
		MustDo(t, err)
		if len(cases) != 1 || cases[0].UID != uid {
			t.Fatalf("got %+v, want the case", cases)
		}
	}
	d.Form.Values["numeroCarteira"] = "1"
	if cases, err := f.LatestOf(ctx, ana, d); len(cases) > 0 || err != nil {
		t.Errorf("another card: got %v, %v", cases, err)
	}
	f.wantTrail(t, audit.Entry{Actor: anaID, Event: audit.BeneficiarySearched, Object: audit.ObjectDraft, ObjectID: d.UID},
		audit.Entry{Actor: anaID, Event: audit.RequestSubmitted, Object: audit.ObjectCase, ObjectID: uid})
}

// TestDesk_LastForm is what a person sent last, and nothing before that.
func TestDesk_LastForm(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	for _, want := range []string{"", "S"} {
		form, err := f.LastForm(ctx, ana)
		MustDo(t, err)
		if got := form.Values["pacienteNoLocal"]; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		f.MustSubmit(t, ana, map[string]string{"pacienteNoLocal": "S"})
	}
	if _, err := f.FindRequesters(ctx, permission.Actor{}, "leme", 8); !problem.Is(err, problem.Forbidden) {
		t.Errorf("nobody: got %v, want forbidden", err)
	}
}

func TestSameName(t *testing.T) {
	for name, want := range map[string]bool{"Áurea  LIMA": true, "aurea lima": true, "Aurea Limas": false, "Lima Áurea": false, "": false} {
		if got := desk.SameName("Áurea Lima", name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}
