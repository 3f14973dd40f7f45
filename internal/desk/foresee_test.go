package desk_test

import (
	"maps"
	"slices"
	"testing"

	"guiche/internal/desk"
	"guiche/internal/problem"
)

// TestDesk_Foresee: what the review will warn of is told as soon as there are a card and a
// procedure, whatever else is missing.
func TestDesk_Foresee(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	letters := map[string]string{"numeroCarteira": "AB0310004577"}
	for name, tt := range map[string]struct {
		without []string
		rows    int
		want    bool
	}{
		"Whole":        {nil, 1, true},
		"WithoutName":  {[]string{"nomeBeneficiario", "nomeContato", "unidadeId"}, 1, true},
		"NoOperator":   {[]string{"credencialId"}, 1, false},
		"NoCard":       {[]string{"numeroCarteira"}, 1, false},
		"NoProcedures": {nil, 0, false},
	} {
		form := fullForm()
		maps.Copy(form.Values, letters)
		for _, field := range tt.without {
			delete(form.Values, field)
		}
		form.Procedures = form.Procedures[:tt.rows]
		warnings, err := f.Foresee(ctx, ana, desk.Draft{Form: form})
		MustDo(t, err)
		got := slices.ContainsFunc(warnings, func(w desk.Warning) bool { return w.Kind == desk.WarnCardLetters })
		if got != tt.want || !tt.want && len(warnings) > 0 {
			t.Errorf("%s: got %+v, want that of the card: %v", name, warnings, tt.want)
		}
	}
	if _, err := f.Foresee(ctx, admin, desk.Draft{Form: fullForm()}); !problem.Is(err, problem.Forbidden) {
		t.Errorf("administração: got %v, want forbidden", err)
	}
}
