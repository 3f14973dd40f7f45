package webui_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// listOf is a list of units as a service answers it, each "Name: Point, Point".
func listOf(units ...string) string {
	var items []string
	for _, u := range units {
		name, points, _ := strings.Cut(u, ": ")
		var listed []string
		for _, p := range strings.Split(points, ", ") {
			if p != "" {
				listed = append(listed, fmt.Sprintf(`{"id":%q,"nome":%q}`, idOf(name+"/"+p), p))
			}
		}
		items = append(items, fmt.Sprintf(`{"id":%q,"nome":%q,"pontosAtendimento":[%s]}`, idOf(name), name, strings.Join(listed, ",")))
	}
	return `{"sucesso":true,"erros":[],"data":{"items":[` + strings.Join(items, ",") + `]}}`
}

// idOf is an identifier that is the same for the same name.
func idOf(name string) string {
	sum := uint64(14695981039346656037)
	for _, c := range []byte(name) {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	return fmt.Sprintf("01970000-0000-7000-8000-%012x", sum&0xffffffffffff)
}

// synchroniser is an administrator at a desk whose service lists what a test says.
type synchroniser struct {
	*apptest.Client
	service *apptest.OtherService
}

func startSynchroniser(t *testing.T) synchroniser {
	t.Helper()
	s := synchroniser{apptest.Start(t, apptest.Options{Empty: true}).LogIn(t, apptest.Administration), apptest.StartOtherService(t,
		apptest.WithLists)}
	s.ConnectTo(t, s.service, apptest.OwnPaths)
	s.service.SetList("/cadastro/medicos", `{"sucesso":true,"erros":[],"data":{"items":[]}}`)
	return s
}

// take lists those units at the service, shows what would change, and does it.
func (s synchroniser) take(units ...string) (shown, done *apptest.Page) {
	s.T.Helper()
	s.service.SetList("/cadastro/unidades", listOf(units...))
	shown = s.Get("/cadastros/sincronizar")
	done = s.Post("/cadastros/sincronizar", url.Values{"conferido": {shown.Value("[name=conferido]")}})
	return shown, done
}

// changes are what a comparison says of the units, without its lines.
func changes(p *apptest.Page) []string { return p.Texts("[aria-labelledby=unidades] li b") }

// TestSynchronise_Changes: what comes in, changes, leaves and comes back is said
// in words before it is done.
func TestSynchronise_Changes(t *testing.T) {
	t.Parallel()
	s := startSynchroniser(t)
	for _, step := range []struct {
		units   []string
		changes []string
		lines   []string
		button  string
		done    string
	}{
		{[]string{"Norte: Balcão", "Sul: Coleta, Laudos"}, []string{"Norte: entra", "Sul: entra"},
			[]string{"Ponto de atendimento: entra Balcão", "Ponto de atendimento: entra Coleta", "Ponto de atendimento: entra Laudos"},
			"Fazer 2 mudanças", "Sincronizado: 2 mudanças nos cadastros."},
		{[]string{"Norte: Balcão", "Sul: Coleta"}, []string{"Sul: muda"}, []string{"Ponto de atendimento: sai Laudos"},
			"Fazer 1 mudança", "Sincronizado: 1 mudança nos cadastros."},
		{[]string{"Norte: Balcão"}, []string{"Sul: sai do formulário; o serviço não lista mais"}, nil, "Fazer 1 mudança",
			"Sincronizado: 1 mudança nos cadastros."},
		{[]string{"Norte: Balcão", "Sul: Coleta, Laudos"}, []string{"Sul: volta ao formulário"},
			[]string{"Ponto de atendimento: entra Laudos"}, "Fazer 1 mudança", "Sincronizado: 1 mudança nos cadastros."},
	} {
		shown, done := s.take(step.units...)
		if got := changes(shown); !slices.Equal(got, step.changes) {
			t.Errorf("%q: shown %q, want %q", step.units, got, step.changes)
		}
		if got := shown.Texts("[aria-labelledby=unidades] li span"); !slices.Equal(got, step.lines) {
			t.Errorf("%q: the lines are %q, want %q", step.units, got, step.lines)
		}
		if got := shown.Text(`form[action="/cadastros/sincronizar"] button`); got != step.button {
			t.Errorf("%q: the button says %q, want %q", step.units, got, step.button)
		}
		if got := shown.Text("[aria-labelledby=unidades] header span"); got != fmt.Sprintf("o serviço lista %d unidade%s",
			len(step.units), map[bool]string{true: "s"}[len(step.units) != 1]) {
			t.Errorf("%q: the count says %q", step.units, got)
		}
		done.Check(t, apptest.Want{Status: http.StatusOK, Path: "/cadastros", Text: map[string]string{"main [role=status]": step.done}})
	}
	if got := s.Get("/cadastros/unidades").Names(); got != "Norte, Sul" {
		t.Errorf("the list is %q", got)
	}
}

// TestSynchronise_OffStaysOff: what administração took out of the form stays out,
// a unit and a care point, however often the service lists them.
func TestSynchronise_OffStaysOff(t *testing.T) {
	t.Parallel()
	s := startSynchroniser(t)
	s.take("Norte: Balcão, Coleta", "Sul: Laudos")
	norte, sul := s.Search("/cadastros/unidades", "norte"), s.Search("/cadastros/unidades", "sul")
	form := s.Get(norte).Form("#cadastro")
	form.Del("pontosAtendimento[1].ativo")
	if got := s.Post(norte, form); got.Path != "/cadastros/unidades" {
		t.Fatalf("switch a care point off: %d %s", got.Status, got.Text("#erros"))
	}
	s.Post(sul+"/desativar", nil)
	for range 2 {
		shown, _ := s.take("Norte: Balcão, Coleta, Vacinas", "Sul: Laudos")
		for _, change := range changes(shown) {
			if strings.Contains(change, "volta") || strings.HasPrefix(change, "Sul") {
				t.Errorf("the synchronisation says %q", change)
			}
		}
		if lines := shown.Text("[aria-labelledby=unidades]"); strings.Contains(lines, "Coleta") || strings.Contains(lines, "Laudos") {
			t.Errorf("the synchronisation tells of what is off: %q", lines)
		}
	}
	if got := s.Get(norte); got.Count("[name$='.ativo'][checked]") != 2 || got.Has("[name='pontosAtendimento[1].ativo'][checked]") {
		t.Errorf("the care points in use are %q", got.Text("#cadastro"))
	}
	if got := s.Get(sul).Text("#situacao-title + span"); got != "Fora do formulário" {
		t.Errorf("the unit that was switched off is %q", got)
	}
	list := s.Get("/cadastros/unidades")
	if got := list.Rows("main table"); len(got) != 2 || !strings.HasSuffix(got[0],
		"Pontos de atendimento: Balcão, Vacinas | em uso") || !strings.HasSuffix(got[1], "| Fora do formulário") {
		t.Errorf("the list says %q", got)
	}
}

// TestSynchronise_Marks: only what the service does not list is marked, once it has
// listed anything.
func TestSynchronise_Marks(t *testing.T) {
	t.Parallel()
	s := startSynchroniser(t)
	s.Post("/cadastros/unidades/nova", url.Values{"nome": {"Nossa"}, "pontosAtendimento[0].nome": {"Aqui"}})
	if got := s.Get("/cadastros/unidades").Text("main table"); strings.Contains(got, "Só no Guichê") {
		t.Errorf("before any synchronisation: %q", got)
	}
	shown, _ := s.take("Norte: Balcão")
	if got := shown.Texts("[aria-labelledby=unidades] ul:last-of-type li"); !slices.Contains(got, "Nossa") {
		t.Errorf("what is only here is told as %q", got)
	}
	norte := s.Search("/cadastros/unidades", "norte")
	form := s.Get(norte).Form("#cadastro")
	form.Set("pontosAtendimento[1].nome", "Extra")
	s.Post(norte, form)
	rows := s.Get("/cadastros/unidades").Rows("main table")
	if want := []string{"Norte | Pontos de atendimento: Balcão, Extra (só no Guichê) | em uso",
		"Nossa | Pontos de atendimento: Aqui | Só no Guichê"}; !slices.Equal(rows, want) {
		t.Errorf("got %q, want %q", rows, want)
	}
}

// TestSynchronise_Nothing: a list that is empty, absent or unchanged says so, and
// takes nothing away.
func TestSynchronise_Nothing(t *testing.T) {
	t.Parallel()
	s := startSynchroniser(t)
	s.take("Norte: Balcão")
	shown, done := s.take("Norte: Balcão")
	shown.Check(t, apptest.Want{Text: map[string]string{"[aria-labelledby=unidades]": "Nada muda.",
		"main": "Os cadastros já estão como no serviço."}, Count: map[string]int{"[name=conferido]": 0, "main form button": 0}})
	if done.Status != http.StatusConflict {
		t.Errorf("without anything agreed to: %d, want 409", done.Status)
	}
	empty, _ := s.take()
	empty.Check(t, apptest.Want{Text: map[string]string{
		"[aria-labelledby=unidades]": "A lista do serviço está vazia. Por segurança, isso não desativa nada.",
	}})
	if got := s.Get("/cadastros/unidades").Text("main table"); !strings.Contains(got, "em uso") && !strings.Contains(got, "Só no Guichê") {
		t.Errorf("after an empty list: %q", got)
	}
	s.ConnectTo(t, s.service, url.Values{"caminhoUnidades": {""}, "caminhoExecutantes": {"/cadastro/medicos"}})
	s.service.SetList("/cadastro/medicos", apptest.OtherProfessionals)
	without := s.Get("/cadastros/sincronizar")
	without.Check(t, apptest.Want{Text: map[string]string{
		"[aria-labelledby=unidades]":                "O serviço não tem esta lista: este cadastro fica como está.",
		"[aria-labelledby=executantes] li b":        "Iolanda Prates: entra",
		"[aria-labelledby=executantes] header span": "o serviço lista 1 executante"}})
	if got := without.Text("[aria-labelledby=unidades] header span"); got != "" {
		t.Errorf("without a list it counts %q", got)
	}
}

// TestSynchronise_Skipped: what the service lists and nobody could use is left out
// and told, with a reason.
func TestSynchronise_Skipped(t *testing.T) {
	t.Parallel()
	s := startSynchroniser(t)
	s.service.SetList("/cadastro/unidades", `{"sucesso":true,"erros":[],"data":{"items":[{"id":"17","nome":"Velha"},
		{"id":"x","nome":""},{"id":"`+idOf("Boa")+`","nome":"Boa","pontosAtendimento":[]}]}}`)
	shown := s.Get("/cadastros/sincronizar")
	if got := shown.Texts("[aria-labelledby=de-fora] li b"); !slices.Equal(got, []string{"Velha", "Sem nome"}) {
		t.Errorf("left out are %q", got)
	}
	for _, reason := range shown.Texts("[aria-labelledby=de-fora] li span") {
		if reason == "" {
			t.Error("somebody is left out without a reason")
		}
	}
	s.service.SetList("/cadastro/unidades", listOf("Boa: Um"))
	if again := s.Get("/cadastros/sincronizar"); again.Has("[aria-labelledby=de-fora]") {
		t.Error("nobody is left out, and the page says so")
	}
}

// TestSynchronise_Unreachable: a service that cannot be asked is told, with a way to
// try again; nothing changes.
func TestSynchronise_Unreachable(t *testing.T) {
	t.Parallel()
	s := startSynchroniser(t)
	s.take("Norte: Balcão")
	for name, answer := range map[string]string{"NotJSON": "<html>", "Refused": `{"sucesso":false,"erros":["x"],"data":null}`} {
		s.service.SetList("/cadastro/unidades", answer)
		for method, got := range map[string]*apptest.Page{"look": s.Get("/cadastros/sincronizar"),
			"do": s.Post("/cadastros/sincronizar", url.Values{"conferido": {"x"}})} {
			got.Check(t, apptest.Want{Status: http.StatusOK,
				Text: map[string]string{"main .notice b": "Não deu para perguntar ao serviço; nada foi mudado.",
					"main .notice a": "Tentar de novo"},
				Count: map[string]int{"[aria-labelledby=unidades]": 0, "[name=conferido]": 0}})
			if href := got.Attr("main .notice a", "href"); href != "/cadastros/sincronizar" {
				t.Errorf("%s, %s: try again at %q", name, method, href)
			}
		}
	}
	s.ConnectTo(t, s.service, url.Values{"caminhoUnidades": {""}, "caminhoExecutantes": {""}})
	got := s.Get("/cadastros/sincronizar")
	if href := got.Attr("main .notice a", "href"); href != "/servico/conexao" || got.Text("main .notice a") != "Abrir Conexão" {
		t.Errorf("without lists: %q leads to %q", got.Text("main .notice"), href)
	}
}
