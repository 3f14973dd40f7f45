package desk_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

// MustAsk sends requests that are answered with a status each, every one with another card, and
// the first of them with a file.
func (f *fixture) MustAsk(t *testing.T, files int, statuses ...authorization.Status) {
	t.Helper()
	outcomes := make([]authorization.Outcome, len(statuses))
	for i, status := range statuses {
		outcomes[i] = answered(status)
	}
	f.service.Script(outcomes...)
	stop := f.MustRun(t)
	defer stop()
	for i := range statuses {
		d := f.MustDraft(t, ana, map[string]string{"numeroCarteira": fmt.Sprintf("0310%04d", i)})
		if i < files {
			_, err := f.Attach(t.Context(), ana, d.UID, "pedido.png", picture(t, i))
			MustDo(t, err)
		}
		uid, err := f.Submit(t.Context(), ana, d.UID)
		MustDo(t, err)
		f.MustBecome(t, uid, desk.Answered)
	}
}

// usual are the warnings about a request of now beside the earlier ones.
func (f *fixture) usual(t *testing.T, file bool, change map[string]string, quantity string) string {
	t.Helper()
	d := f.MustDraft(t, ana, map[string]string{"numeroCarteira": "99990000"})
	for name, value := range change {
		d.Form.Values[name] = value
	}
	if quantity != "" {
		d.Form.Procedures[0].Quantity = quantity
	}
	d, err := f.SaveDraft(t.Context(), ana, d.UID, d.Form, d.Version)
	MustDo(t, err)
	if file {
		_, err := f.Attach(t.Context(), ana, d.UID, "pedido.png", picture(t, 99))
		MustDo(t, err)
	}
	review, err := f.Review(t.Context(), ana, d.UID)
	MustDo(t, err)
	var all []string
	for _, w := range review.Warnings {
		all = append(all, string(w.Kind)+": "+w.Message)
	}
	return strings.Join(all, "\n")
}

// TestDesk_ReviewUsual: a request is compared with the latest ones to the same operator, once
// there are enough of them.
func TestDesk_ReviewUsual(t *testing.T) {
	t.Parallel()
	const a, n, s = authorization.Authorized, authorization.Denied, authorization.AwaitingAttachment
	code := fullForm().Procedures[0].Code
	for name, tt := range map[string]struct {
		files    int
		before   []authorization.Status
		file     bool
		change   map[string]string
		quantity string
		want     []string
	}{
		"TooFew": {0, []authorization.Status{s, s, s, s}, false, nil, "", []string{
			"sem_anexo: Nenhum anexo. Confira se falta o pedido médico."}},
		"Often": {0, []authorization.Status{s, s, s, a, a}, false, nil, "", []string{
			"costuma_voltar: Dos últimos 5 pedidos de " + code + " nesta operadora, 3 voltaram com Falta anexo.",
			"sem_anexo: Nenhum anexo. Confira se falta o pedido médico."}},
		"OftenDenied": {0, []authorization.Status{n, n, a, a, a, a}, true, nil, "", []string{
			"costuma_voltar: Dos últimos 6 pedidos de " + code + " nesta operadora, 2 voltaram com Negado."}},
		"AttachmentBrought": {0, []authorization.Status{s, s, s, s, s}, true, nil, "", nil},
		"AttachmentNotEnough": {5, []authorization.Status{s, s, s, a, a}, true, nil, "", []string{
			"costuma_voltar: Dos últimos 5 pedidos de " + code + " nesta operadora com anexo, 3 voltaram com Falta anexo. " +
				"Confira se é o documento que a operadora pede."}},
		"Order": {4, []authorization.Status{a, a, a, a, a}, false, nil, "", []string{
			"sem_anexo: Nenhum anexo. Dos últimos 5 pedidos de " + code + " nesta operadora, 4 levaram anexo."}},
		"NoOrderNeeded": {0, []authorization.Status{a, a, a, a, a}, false, nil, "", nil},
		"Quantity": {0, []authorization.Status{a, a, a, a, a}, true, nil, "100", []string{
			"quantidade_incomum: Quantidade 100: nos últimos 5 pedidos de " + code + " nesta operadora foi no máximo 1."}},
		"TwiceIsFine": {0, []authorization.Status{a, a, a, a, a}, true, nil, "2", nil},
		"Card": {0, []authorization.Status{a, a, a, a, a}, true, map[string]string{"numeroCarteira": "9999000"}, "", []string{
			"carteira_incomum: A carteira tem 7 caracteres; as dos últimos 5 pedidos a esta operadora têm 8."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := MustDesk(t)
			f.MustAsk(t, tt.files, tt.before...)
			if got, want := f.usual(t, tt.file, tt.change, tt.quantity), strings.Join(tt.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
