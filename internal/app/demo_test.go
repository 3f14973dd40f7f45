package app_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"

	"github.com/google/go-cmp/cmp"
)

// start runs a program until the returned function is called.
func start(t *testing.T, c app.Config) (*app.App, func()) {
	t.Helper()
	c.Addr, c.Logger = "127.0.0.1:0", slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithCancel(context.Background())
	a, err := app.New(ctx, c)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	stopped := false
	stop := func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Errorf("run: %v", err)
		}
		a.Close()
	}
	t.Cleanup(stop)
	return a, stop
}

type demoJSON struct {
	URL    string
	Logins []struct{ Role, User, Password string }
	APIKey string `json:"api_key"`
	OAuth  struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	ServiceUser struct{ User, Password string } `json:"service_user"`
}

// readDemo reads demo.json; an answer at /entrar says that it stands.
func readDemo(t *testing.T, folder string, a *app.App) demoJSON {
	t.Helper()
	res, err := http.Get(a.URL() + "/entrar")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	content, err := os.ReadFile(filepath.Join(folder, "demo.json"))
	if err != nil {
		t.Fatal(err)
	}
	var d demoJSON
	if err := json.Unmarshal(content, &d); err != nil {
		t.Fatalf("demo.json is not whole: %v", err)
	}
	return d
}

func TestDemo(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	a, stop := start(t, app.Config{Demo: true, Simulated: true, DataDir: folder})
	d := readDemo(t, folder, a)

	t.Run("File", func(t *testing.T) {
		info, err := os.Stat(filepath.Join(folder, "demo.json"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
		}
		var roles []string
		for _, l := range d.Logins {
			roles = append(roles, l.Role)
		}
		if diff := cmp.Diff([]string{"recepcao", "supervisao", "administracao"}, roles); diff != "" {
			t.Errorf("roles (-want, +got):\n%s", diff)
		}
		if d.URL != a.URL() || !strings.HasPrefix(d.APIKey, "gch_") {
			t.Errorf("got %+v", d)
		}
	})
	t.Run("KeyOpensTheService", func(t *testing.T) {
		if status, body := credentials(t, d); status != http.StatusOK || !strings.Contains(body, "Aroeira Planos") {
			t.Errorf("credentials: %d %s", status, body)
		}
	})
	t.Run("EveryMethodOpensTheService", func(t *testing.T) {
		for name, token := range map[string]string{"oauth": d.tokenByClient(t), "user": d.tokenByUser(t)} {
			if got := d.opens(t, token); got != http.StatusOK {
				t.Errorf("%s: got %d", name, got)
			}
		}
	})
	t.Run("SecondStartOnTheSameFolder", func(t *testing.T) {
		byClient, byUser := d.tokenByClient(t), d.tokenByUser(t)
		stop()
		again, _ := start(t, app.Config{Demo: true, Simulated: true, DataDir: folder})
		earlier, now := d, readDemo(t, folder, again)
		earlier.URL = now.URL
		for name, token := range map[string]string{"token of a client": byClient, "token of a user": byUser,
			"earlier client": earlier.tokenByClient(t),
			"client":         now.tokenByClient(t), "user": now.tokenByUser(t)} {
			if got := now.opens(t, token); got != http.StatusOK {
				t.Errorf("%s: got %d", name, got)
			}
		}
		if earlier.OAuth == now.OAuth || earlier.ServiceUser != now.ServiceUser {
			t.Error("want a client of each start's own, and the same user")
		}
		if status, _ := credentials(t, readDemo(t, folder, again)); status != http.StatusOK {
			t.Errorf("the second start's key is answered with %d", status)
		}
		if status, _ := credentials(t, demoJSON{URL: again.URL(), APIKey: d.APIKey}); status != http.StatusOK {
			t.Errorf("the first start's key is answered with %d, want it still valid", status)
		}
	})
	t.Run("EverythingUnderTheFolder", func(t *testing.T) {
		for _, name := range []string{"desk/guiche.db", "service/service.db", "keys/audit.key", "desk/audit.head"} {
			info, err := os.Stat(filepath.Join(folder, name))
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v, want mode 0600", name, info, err)
			}
		}
	})
}

func credentials(t *testing.T, d demoJSON) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.URL+"/api/v2/credenciais?Busca=", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("x-api-key", d.APIKey)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestApp_SetupLink(t *testing.T) {
	folder := t.TempDir()
	a, stop := start(t, app.Config{DataDir: folder})
	link := a.SetupLink()
	if !strings.HasPrefix(link, a.URL()+"/ativar/") {
		t.Fatalf("link %q", link)
	}
	if len(a.Logins()) != 0 {
		t.Error("an installation that is no demo has default logins")
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, want := range []int{http.StatusSeeOther, http.StatusNotFound} { // once
		res, err := client.PostForm(link, map[string][]string{"nome": {"Administração"}, "usuario": {"adm"},
			"senha": {"uma frase bem comprida"}, "senha2": {"uma frase bem comprida"}})
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("got %d, want %d", res.StatusCode, want)
		}
	}
	stop()
	again, _ := start(t, app.Config{DataDir: folder})
	if got := again.SetupLink(); got != "" {
		t.Errorf("a link although there is somebody: %q", got)
	}
}

func TestAddPerson(t *testing.T) {
	folder := t.TempDir()
	a, _ := start(t, app.Config{Demo: true, Simulated: true, DataDir: folder})
	path, err := app.AddPerson(t.Context(), app.Config{DataDir: folder},
		app.NewPerson{Login: "lia", Name: "Lia", Roles: []string{"recepcao", " supervisao"}, Units: []string{"centro"}})
	if err != nil || !strings.HasPrefix(path, "/ativar/") {
		t.Fatalf("got %q, %v", path, err)
	}
	res, err := http.Get(a.URL() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("the running server answers the link with %d", res.StatusCode)
	}
	for name, p := range map[string]app.NewPerson{
		"Role":  {Login: "a", Name: "A", Roles: []string{"chefe"}},
		"Unit":  {Login: "b", Name: "B", Roles: []string{"recepcao"}, Units: []string{"Lua"}},
		"Taken": {Login: "LIA", Name: "C", Roles: []string{"recepcao"}},
	} {
		if path, err := app.AddPerson(t.Context(), app.Config{DataDir: folder}, p); err == nil {
			t.Errorf("%s: got %q, want an error", name, path)
		}
	}
}
