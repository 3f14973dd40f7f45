package e2e_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/authorization"
)

// requests is how many the week has, those that are sent again with them.
const requests = 40

// What becomes of a patient's request when it comes back.
const (
	attends  = "attend"   // whenever it is authorized, which may be at once
	corrects = "correct"  // sent again with another card
	attaches = "attach"   // sent again with an attachment
	tells    = "conclude" // the patient is told, and it is over
	records  = "record"   // supervision writes down what the operator told
	repeats  = "repeat"   // the same once more
)

// patient is somebody of the week; what the simulated operator says depends on the card.
type patient struct{ card, name, then string }

// week is who comes to which desk on which day.
var week = []struct {
	name         string
	first, other []patient
}{
	{"Monday", []patient{
		{"99990100001", "Alba Reis", attends}, {"99990200001", "Bento Lima", tells}, {"99990300001", "Clara Nunes Prado", attends},
		{"99992800001", "Davi Moura", tells},
	}, []patient{
		{"99990500001", "Elza Campos", tells}, {"99991500001", "Fausto Leal", ""}, {"99991700001", "Gilda Serra", attends},
		{"99990600001", "Hugo Paes", ""},
	}},
	{"Tuesday", []patient{
		{"99990400001", "Iara Bastos", corrects}, {"99992500001", "Jonas Vidal", attaches}, {"99991000001", "Karina Teles", corrects},
	}, []patient{
		{"99990800001", "Lauro Brito", ""}, {"99991800001", "Miriam Couto", ""}, {"99992000001", "Nilo Farias", attends},
		{"99993300001", "Olga Rangel", attends},
	}},
	{"Wednesday", []patient{
		{"99991100001", "Paula Sales", corrects}, {"99991600001", "Quirino Melo", corrects}, {"99992900001", "Rita Valença", records},
	}, []patient{
		{"99990700001", "Saulo Pires", attends}, {"99993200001", "Tereza Maia", attends}, {"99991900001", "Urbano Reis", ""},
		{"99993100001", "Vera Lopes", records},
	}},
	{"Thursday", []patient{
		{"99991200001", "Wagner Dias", corrects}, {"99991400001", "Xenia Rocha", corrects}, {"99992100001", "Yara Pinho", corrects},
	}, []patient{
		{"99990900001", "Zeno Alves", records}, {"99991300001", "Amaro Góis", records}, {"99992200001", "Berta Luz", records},
	}},
	{"Friday", []patient{{"", "Alba", repeats}, {"", "Nilo", repeats}}, []patient{{"", "Olga", repeats}, {"", "Iara", repeats}}},
}

// thenOf is what becomes of somebody's request, by the name.
func thenOf(name string) string {
	for _, day := range week {
		for _, p := range slices.Concat(day.first, day.other) {
			if p.name == name {
				return p.then
			}
		}
	}
	return ""
}

// TestWeek is a week of a clinic: three people at two desks send forty requests, to which the
// operators say all that they can say, and do what comes of each; by keyboard. At its end
// nothing is forgotten.
func TestWeek(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	monday := time.Date(2026, time.November, 23, 8, 0, 0, 0, zone)
	p := apptest.Start(t, apptest.Options{Now: monday})
	bia := p.Join(t, app.NewPerson{Name: "Bia Torres", Login: "bia", Roles: []string{"recepcao"}, Units: []string{"Centro"}})
	for _, v := range []*apptest.Client{bia, p.LogIn(t, apptest.Reception)} { // what the browsers begin with
		v.Post(v.SubmitWith(map[string]string{"nomeSolicitante": "Caio Leme", "nomeBeneficiario": "Antes da Semana"}).Path+"/concluir", nil)
	}
	w := &practice{p: p, first: MustBrowse(t, p, "422"), other: MustBrowse(t, p, "422")}
	w.first.watchKeys()
	w.other.watchKeys()
	for n, day := range week {
		p.Clock.Set(monday.AddDate(0, 0, n))
		t.Run(day.name, func(t *testing.T) {
			t.Run("First", func(t *testing.T) { w.morning(t, w.first, apptest.Reception, day.first) })
			t.Run("Other", func(t *testing.T) { w.morning(t, w.other, "bia", day.other) })
			t.Run("Reception", func(t *testing.T) { w.clears(t, w.first) })
			t.Run("Supervision", func(t *testing.T) {
				w.enters(w.at(t, w.other), apptest.Supervision)
				w.clears(t, w.other)
			})
			if n < len(week)-1 {
				w.night(t)
			}
		})
		if t.Failed() {
			return
		}
	}
	w.nothingForgotten(t)
}

// nothingForgotten looks at the end of the week at what is left: only what the operator has
// yet to decide, each with its next step.
func (w *practice) nothingForgotten(t *testing.T) {
	t.Helper()
	if got := w.count(t, `SELECT COUNT(*) FROM submission`); got != requests+2 {
		t.Errorf("%d requests were sent, want %d and the two before", got, requests)
	}
	if got := w.count(t, `SELECT COUNT(DISTINCT status) FROM authorization`); got != len(authorization.Statuses()) {
		t.Errorf("operators said %d of %d statuses", got, len(authorization.Statuses()))
	}
	if got := w.count(t, `SELECT COUNT(*) FROM queue_case WHERE queue_group < 6`); got != 0 {
		t.Errorf("%d requests were neither concluded nor corrected, and wait for nobody", got)
	}
	ana, bia := w.p.LogIn(t, apptest.Reception), w.p.Client(t)
	bia.LogIn("bia", apptest.Password)
	list := ana.Get("/fila")
	for _, v := range []*apptest.Client{ana, bia, w.p.LogIn(t, apptest.Supervision)} {
		if got := v.Get("/fila").Text("aside"); !strings.Contains(got, "Nada por terminar") {
			t.Errorf("a draft is left: %s", got)
		}
	}
	for _, group := range []string{"vez", "cor", "neg", "ok"} {
		if got := list.Text("#grupo-" + group + " b"); got != "0" {
			t.Errorf("%s of the group %s wait", got, group)
		}
	}
	if list.Has("[aria-label='Resultado desconhecido']") {
		t.Errorf("something is unknown: %s", list.Text("#fila"))
	}
	for i, step := range list.Texts("#fila tbody td:last-child > *") {
		if name := list.Texts("#fila tbody td:nth-child(2) a")[i]; step != "Acompanhar" {
			t.Errorf("the next step of %s is %q", name, step)
		}
	}
	if got := ana.Get("/fila/proximo").Text("main > [role=status]"); !strings.Contains(got, "Nenhum pedido depende de você") {
		t.Errorf("F9 says %q", got)
	}
	if clicks := w.clicks.Load(); clicks > 0 {
		t.Errorf("%d clicks", clicks)
	}
}
