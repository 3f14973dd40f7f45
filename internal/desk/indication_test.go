package desk_test

import (
	"testing"

	"guiche/internal/directory"
	"guiche/internal/store/directorystore"
)

// An untouched indicacaoClinica takes the desk's own setting of the credential;
// without one it stays absent (interface.md, row 5).
func TestDesk_ReviewIndication(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	indication := func(typed string) string {
		t.Helper()
		r, err := f.Review(ctx, ana, f.MustDraft(t, ana, map[string]string{"indicacaoClinica": typed}).UID)
		MustDo(t, err)
		if r.Request.ClinicalIndication == nil {
			return "(absent)"
		}
		return *r.Request.ClinicalIndication
	}
	if got := indication(" "); got != "(absent)" {
		t.Errorf("without a setting: got %q, want it absent", got)
	}
	settings := directory.Credential{UID: serenoID, Name: "Vale Sereno", Indication: "Rotina", Active: true}
	MustDo(t, directory.New(directorystore.New(f.db, f.trail)).PutCredential(ctx, settings))
	for typed, want := range map[string]string{" ": "Rotina", "Dor torácica": "Dor torácica"} {
		if got := indication(typed); got != want {
			t.Errorf("typed %q: got %q, want %q", typed, got, want)
		}
	}
}
