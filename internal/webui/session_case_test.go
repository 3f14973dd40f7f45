package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestSession_OnCase: what is typed on a case, as a note, a reply or why it is cancelled, comes
// back after a session that ended meanwhile, and nothing is recorded before somebody saves it.
func TestSession_OnCase(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana, celia := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Supervision)
	path := ana.Submit(ana.NewDraft()).Path
	for form, typed := range map[string]url.Values{
		"/anotar":   {"anotar-observacao": {"primeira linha\r\nsegunda & última"}},
		"/retorno":  {"visto": {"1"}, "situacao": {"A"}, "senha": {"482017739"}, "validade": {"31/12/2027"}, "contato": {"Marta"}},
		"/cancelar": {"motivo": {"O paciente desistiu"}},
	} {
		t.Run(form, func(t *testing.T) {
			events := celia.Get(path).Count("#tempo li")
			celia.Forget()
			entry := celia.Post(path+form, typed)
			if entry.Status != http.StatusUnauthorized || !strings.Contains(entry.Text("[role=alert]"), "o que você digitou volta com você") {
				t.Fatalf("got %d: %s", entry.Status, entry.Text("main"))
			}
			user, password := celia.Server.Login(apptest.Supervision)
			back := celia.Post("/entrar", carriedForm(entry, user, password))
			back.Check(t, apptest.Want{Status: http.StatusOK, Path: path + form, Text: map[string]string{"[role=status]": "ainda não foi gravado"}})
			back.CheckKept(t, typed)
			if got := celia.Get(path).Count("#tempo li"); got != events {
				t.Errorf("the case has %d events, want the %d of before", got, events)
			}
			if again := celia.Get(path + form); strings.Contains(again.Text("#caso"), "segunda & última") {
				t.Error("it is shown once more")
			}
		})
	}
}

// TestSession_OnCase_SomebodyElse: who cannot see the case does not get what was typed on it.
func TestSession_OnCase_SomebodyElse(t *testing.T) {
	t.Parallel()
	path, _, celia := startAnalysed(t, analysedAnswer)
	celia.Forget()
	entry := celia.Post(path+"/anotar", url.Values{"anotar-observacao": {"só para quem vê o caso"}})
	user, password := celia.Server.Login("administracao")
	celia.Post("/entrar", carriedForm(entry, user, password)).Check(t, apptest.Want{Status: http.StatusOK, Path: "/pessoas",
		Text: map[string]string{"[role=status]": "não está ao seu alcance"}})
}

// TestSession_OnCase_Changed: a review that the case no longer takes can be kept as a note.
func TestSession_OnCase_Changed(t *testing.T) {
	t.Parallel()
	path, _, celia := startAnalysed(t, analysedAnswer)
	celia.Forget()
	entry := celia.Post(path+"/reanalise", url.Values{"reanalise-contato": {"Marta"}, "reanalise-observacao": {"vão rever"}})
	user, password := celia.Server.Login(apptest.Supervision)
	back := celia.Post("/entrar", carriedForm(entry, user, password))
	back.Check(t, apptest.Want{Status: http.StatusConflict, Text: map[string]string{"#erros": "pode ser guardado como anotação"}})
	back.CheckKept(t, url.Values{"anotar-observacao": {"vão rever"}})
}
