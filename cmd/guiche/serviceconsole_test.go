package main_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// visitor is a browser at the service's console.
type visitor struct {
	t      *testing.T
	client *http.Client
	base   string
}

func MustVisit(t *testing.T, base string) visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return visitor{t, &http.Client{Jar: jar}, base}
}

// get returns the path after redirects, the status and the page.
func (v visitor) get(path string) (at string, status int, page string) {
	v.t.Helper()
	return v.send(http.MethodGet, path, nil)
}

func (v visitor) post(path string, form url.Values) (at string, status int, page string) {
	v.t.Helper()
	return v.send(http.MethodPost, path, form)
}

func (v visitor) send(method, path string, form url.Values) (at string, status int, page string) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return res.Request.URL.Path, res.StatusCode, string(text)
}

// activate chooses the password behind a one-time link.
func (v visitor) activate(link string, form url.Values) {
	v.t.Helper()
	path := strings.TrimPrefix(link, v.base)
	if path == link {
		v.t.Fatalf("the link %q does not begin with %s", link, v.base)
	}
	form.Set("senha", consolePassword)
	form.Set("senha2", consolePassword)
	if at, status, _ := v.post(path, form); status != http.StatusOK || at == path {
		v.t.Fatalf("the link leads to %s with %d", at, status)
	}
}

// enter logs in and returns the path after redirects.
func (v visitor) enter(user string) string {
	v.t.Helper()
	at, _, _ := v.post("/entrar", url.Values{"usuario": {user}, "senha": {consolePassword}})
	return at
}

const consolePassword = "capivara no quintal"

var (
	keyWords  = regexp.MustCompile(`gch_[\w-]{20,}`)
	revokeKey = regexp.MustCompile(`/servico/parceiros/[0-9a-f-]{36}/chaves/[0-9a-f-]{36}/revogar`)
)

// partner adds a partner with access by key and returns the path of its page.
func (v visitor) partner(name string) string {
	v.t.Helper()
	at, status, _ := v.post("/servico/parceiros/novo", url.Values{"nome": {name}, "metodos": {"chave"},
		"escopos": {"credenciais:ler"}, "limite": {"0"}})
	if status != http.StatusOK || !regexp.MustCompile(`^/servico/parceiros/[0-9a-f-]{36}$`).MatchString(at) {
		v.t.Fatalf("add a partner: %d at %s", status, at)
	}
	return at
}

// TestService_Console sets up a new installation: the printed link creates the
// administrator, who logs in, creates a partner's key and revokes it.
func TestService_Console(t *testing.T) {
	binary, folder := MustBuild(t), t.TempDir()
	a := MustServeAlone(t, binary, folder, "--simulated")
	link := a.line("/ativar/")
	rui := MustVisit(t, a.URL)
	rui.activate(link, url.Values{"nome": {"Rui Barreto"}, "usuario": {"rui"}})
	rui = MustVisit(t, a.URL) // another browser
	if at := rui.enter("rui"); at != "/servico" {
		t.Fatalf("administração starts at %s", at)
	}
	partner := rui.partner("Laboratório Acácia")
	_, _, page := rui.post(partner+"/chaves", nil)
	a.Key = keyWords.FindString(page)
	if status, _ := a.send(http.MethodGet, "/api/v2/credenciais", "", ""); a.Key == "" || status != http.StatusOK {
		t.Fatalf("a key that was just minted: %d", status)
	}
	if _, status, _ := rui.post(revokeKey.FindString(page), nil); status != http.StatusOK {
		t.Fatalf("revoke: %d", status)
	}
	if status, _ := a.send(http.MethodGet, "/api/v2/credenciais", "", ""); status != http.StatusUnauthorized {
		t.Errorf("a key that was just revoked: %d", status)
	}
	t.Run("PeopleByCommand", func(t *testing.T) { peopleByCommand(t, binary, folder, a, rui) })
	if err := a.stop(syscall.SIGTERM); err != nil {
		t.Fatalf("SIGTERM ended it with %v", err)
	}
	t.Run("SecondStart", func(t *testing.T) {
		again := MustServeAlone(t, binary, folder, "--simulated")
		if line := again.line("C"); !strings.HasPrefix(line, "Chave de acesso") {
			t.Errorf("printed %q", line)
		}
		if line := again.line(""); line != "Ctrl+C encerra." {
			t.Errorf("printed %q, want no link: there is somebody already", line)
		}
		if at := MustVisit(t, again.URL).enter("rui"); at != "/servico" {
			t.Errorf("after a restart administração starts at %s", at)
		}
		if err := again.stop(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	})
}

// peopleByCommand adds and disables a person while the service runs.
func peopleByCommand(t *testing.T, binary, folder string, a *serviceProcess, rui visitor) {
	t.Helper()
	guiche := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), binary, append(args, "--data", folder)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	link := regexp.MustCompile(`\S+/ativar/\S+`)
	lia := MustVisit(t, a.URL)
	lia.activate(link.FindString(guiche("user", "add", "--login", "lia", "--name", "Lia", "--role", "administracao",
		"--public-url", a.URL)), url.Values{})
	if at, status, _ := lia.get("/servico/parceiros"); at != "/servico/parceiros" || status != http.StatusOK {
		t.Errorf("at %s with %d", at, status)
	}
	lia.activate(link.FindString(guiche("user", "reset", "--login", "lia", "--public-url", a.URL)), url.Values{})
	guiche("user", "disable", "--login", "lia")
	if at, _, _ := lia.get("/servico/parceiros"); at != "/entrar" {
		t.Errorf("a disabled person is at %s", at)
	}
	if _, status, page := rui.get("/pessoas"); status != http.StatusOK || !strings.Contains(page, "Desativada") {
		t.Errorf("the page Pessoas does not say so: %d", status)
	}
}
