package webui_test

import (
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestCase_Record: a case says what became of the latest requests for its procedure to its
// operator, once there are enough.
func TestCase_Record(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	var last *apptest.Page
	for i, card := range []string{"99990100", "99990400", "99990400", "99990300"} {
		if last = ana.SubmitWith(map[string]string{"numeroCarteira": card}); last.Has("#registro") {
			t.Errorf("after %d requests it says %q", i+1, last.Text("#registro"))
		}
	}
	last = ana.SubmitWith(map[string]string{"numeroCarteira": "99990900"})
	want := []string{"1 autorizado", "1 em análise", "1 devolvido", "2 negados"}
	if got := last.Texts("#registro li"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got := last.Text("#registro")
	for _, want := range []string{"5 últimos pedidos de 40316521", "Motivo mais frequente (2 vezes): “Procedimento não autorizado",
		"Metade teve resposta em até "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	t.Run("AddsUp", func(t *testing.T) {
		server.Exec(t, `UPDATE procedure_use SET status = 'C', queue_group = 7 WHERE status = 'A';
			UPDATE procedure_use SET status = '', queue_group = 0 WHERE submission_id = (SELECT max(submission_id) FROM procedure_use)`)
		want := []string{"1 em análise", "2 negados", "1 cancelado", "1 em outra situação"}
		if got := ana.Get(last.Path).Texts("#registro li"); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
