package app_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/client"
	"guiche/internal/connection"
	"guiche/internal/ingress"
)

// TestApp_UploadTime: the desk does not give up files on a slow line for which a service of this program still waits.
func TestApp_UploadTime(t *testing.T) {
	if client.DefaultUploadTimeout < ingress.BodyTime {
		t.Errorf("the desk sends for %s, and the service waits for %s", client.DefaultUploadTimeout, ingress.BodyTime)
	}
}

// A synchronisation asks one service for both lists and keeps them under its name,
// also when an administrator sets another service meanwhile.
func TestApp_ListsOfOneService(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	other := apptest.StartOtherService(t, apptest.WithLists)
	asked, answer := make(chan bool, 1), make(chan bool)
	armed := make(chan bool, 1)
	slow := apptest.StartOtherService(t, func(o *apptest.OtherService) {
		apptest.WithLists(o)
		admits := o.Admits
		o.Admits = func(r *http.Request) bool {
			if r.URL.Path == "/cadastro/medicos" && len(armed) > 0 {
				<-armed
				asked <- true
				<-answer
			}
			return admits(r)
		}
	})
	admin.ConnectTo(t, slow, apptest.OwnPaths)
	seen := admin.Get("/cadastros/sincronizar").Value("[name=conferido]")
	armed <- true
	done, colleague := make(chan *apptest.Page), p.LogIn(t, apptest.Administration)
	go func() { done <- colleague.Post("/cadastros/sincronizar", url.Values{"conferido": {seen}}) }()
	<-asked
	admin.ConnectTo(t, other, apptest.OwnPaths)
	close(answer)
	if got := <-done; got.Status != http.StatusOK || !strings.Contains(string(got.Body), "Sincronizado: 2 mudanças") {
		t.Errorf("got %d at %s", got.Status, got.Path)
	}
	if n := other.Times("GET /cadastro/unidades") + other.Times("GET /cadastro/medicos"); n != 0 {
		t.Errorf("the other service was asked for %d lists", n)
	}
	marked := func() int { return strings.Count(admin.Get("/cadastros/unidades").Text("tbody"), "Só no Guichê") }
	if n := marked(); n != 0 {
		t.Errorf("%d units are marked as unknown to a service that was never asked", n)
	}
	admin.ConnectTo(t, slow, apptest.OwnPaths)
	if n := marked(); n != 2 {
		t.Errorf("got %d units marked as unknown to the service that was asked, want the two of the demo", n)
	}
}

// What the configuration says of another service is how the program asks it, from its
// start.
func TestApp_AsksByTheConfiguration(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		shape     func(*apptest.OtherService)
		configure func(*app.Config)
		first     string // what is asked at first
	}{
		{"Key", nil, func(c *app.Config) { c.APIKey = apptest.ServiceSecret }, "GET /api/v2/recursos"},
		{"Login", apptest.ByLogin, func(c *app.Config) {
			c.Connection.User, c.ServicePassword = "clinica", apptest.ServiceSecret
			c.Connection.LoginPath, c.Connection.UserField, c.Connection.PasswordField = "/api/v2/auth/login", "email", "senha"
		}, "POST /api/v2/auth/login"},
		{"OAuth", apptest.ByOAuth, func(c *app.Config) {
			c.Connection.ClientID, c.ClientSecret = "clinica", apptest.ServiceSecret
		}, "POST /oauth/token"},
		{"TokenPath", func(o *apptest.OtherService) {
			apptest.ByOAuth(o)
			o.Tokens["/auth/token"] = o.Tokens["/oauth/token"]
		}, func(c *app.Config) {
			c.Connection.ClientID, c.ClientSecret, c.Connection.TokenPath = "clinica", apptest.ServiceSecret, "/auth/token"
		}, "POST /auth/token"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			o := apptest.StartOtherService(t, tc.shape)
			p := apptest.Start(t, apptest.Options{Empty: true, Configure: func(c *app.Config) {
				c.Connection.BaseURL = o.URL
				tc.configure(c)
			}})
			apptest.Eventually(t, "the service is asked for its features", func() bool { return o.Times("GET /api/v2/recursos") > 0 })
			if got := o.Asked()[0]; got != tc.first {
				t.Errorf("got %s first, want %s", got, tc.first)
			}
			if got := search(t, p); !strings.Contains(got, "Operadora de Fora") {
				t.Errorf("the search finds %q", got)
			}
			if p.Log.Contains(apptest.ServiceSecret) {
				t.Error("the log holds the secret")
			}
		})
	}
}

// search searches for credentials at the service, as the receptionist does.
func search(t *testing.T, p *apptest.Server) string {
	t.Helper()
	return string(p.LogIn(t, apptest.Reception).PostHTMX("/busca/credenciais", url.Values{"Busca": {"fora"}}).Body)
}

// The settings of the page reach the service as they were saved.
func TestApp_AsksByThePage(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	o := apptest.StartOtherService(t, apptest.WithLists)
	o.SetList("/api/v2/unidades", apptest.OtherUnits)
	o.SetList("/api/v2/profissionais-executantes", apptest.OtherProfessionals)
	for _, tc := range []struct {
		name  string
		form  url.Values
		asked []string
		not   []string
	}{
		{"OwnPaths", apptest.OwnPaths, []string{"GET /cadastro/unidades", "GET /cadastro/medicos"}, []string{"GET /api/v2/unidades"}},
		{"NoLists", url.Values{"caminhoUnidades": {""}, "caminhoExecutantes": {""}}, nil,
			[]string{"GET /api/v2/unidades", "GET /api/v2/profissionais-executantes"}},
		{"ByHand", url.Values{"origemRecursos": {"manual"}, "recursos.cadastros": {"S"}},
			[]string{"GET /api/v2/unidades", "GET /api/v2/profissionais-executantes"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			admin.ConnectTo(t, o, tc.form)
			before := len(o.Asked())
			admin.Get("/cadastros/sincronizar")
			asked := o.Asked()[before:]
			for _, want := range tc.asked {
				if !slices.Contains(asked, want) {
					t.Errorf("got %q, want %s", asked, want)
				}
			}
			for _, unwanted := range tc.not {
				if slices.Contains(asked, unwanted) {
					t.Errorf("got %q, with %s", asked, unwanted)
				}
			}
		})
	}
}

// A secret that does not open keeps the program from nothing else: it sends nothing to
// the service, and the page says why.
func TestApp_LostSecret(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	o := apptest.StartOtherService(t, nil)
	p.LogIn(t, apptest.Administration).ConnectTo(t, o, nil)
	if got := search(t, p); !strings.Contains(got, "Operadora de Fora") {
		t.Fatalf("before: got %q", got)
	}
	p.Exec(t, `UPDATE connection_secret SET sealed = zeroblob(40)`)
	p.Restart(nil)
	before := len(o.Asked())
	if got := search(t, p); strings.Contains(got, "Operadora de Fora") {
		t.Errorf("got %q without a secret", got)
	}
	if asked := o.Asked()[before:]; len(asked) > 0 {
		t.Errorf("the service was asked %q", asked)
	}
	if got := p.LogIn(t, apptest.Administration).Get("/servico/conexao"); !strings.Contains(string(got.Body),
		"O segredo guardado não abre mais.") {
		t.Errorf("the page does not say so: %d", got.Status)
	}
}

// What another process over the same data saves is applied here too.
func TestApp_FollowsTheConnection(t *testing.T) {
	t.Parallel()
	first := apptest.Start(t, apptest.Options{})
	second := apptest.Start(t, apptest.Options{On: first})
	o := apptest.StartOtherService(t, nil)
	second.LogIn(t, apptest.Administration).ConnectTo(t, o, nil)
	apptest.Eventually(t, "the first process uses the service, too",
		func() bool { return strings.Contains(search(t, first), "Operadora de Fora") })
}

// What comes from the configuration wins over what the page saved, and ends with it.
func TestApp_ConfigurationWins(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	saved, configured := apptest.StartOtherService(t, nil), apptest.StartOtherService(t, nil)
	p.LogIn(t, apptest.Administration).ConnectTo(t, saved, nil)
	p.Restart(func(c *app.Config) {
		c.Demo, c.Simulated = false, false
		c.Connection, c.APIKey = connection.Settings{BaseURL: configured.URL, Query: time.Second}, apptest.ServiceSecret
	})
	before := len(saved.Asked())
	if search(t, p); configured.Times("GET /api/v2/credenciais") != 1 || len(saved.Asked()) != before {
		t.Errorf("the configured service was asked %q", configured.Asked())
	}
	p.Restart(nil)
	if search(t, p); saved.Times("GET /api/v2/credenciais") == 0 {
		t.Error("without the configuration, the saved service was not asked again")
	}
}

// Whether there is a service that could authorize is said on every page.
func TestApp_NoService(t *testing.T) {
	t.Parallel()
	const banner = "Falta configurar o serviço de autorização."
	p := apptest.Start(t, apptest.Options{Empty: true})
	ana, admin := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Administration)
	says := func() bool { return strings.Contains(string(ana.Get("/conta").Body), banner) }
	if !says() {
		t.Error("nobody could authorize, and the page does not say so")
	}
	form := apptest.ConnectionForm(apptest.StartOtherService(t, nil).URL)
	for service, want := range map[string]bool{"outro": false, "embutido": true} {
		form.Set("servico", service)
		if got := admin.Post("/servico/conexao", form); got.Status != http.StatusOK {
			t.Fatalf("%s: %d", service, got.Status)
		}
		if says() != want {
			t.Errorf("%s: the page says so: %t", service, !want)
		}
	}
	t.Run("Simulated", func(t *testing.T) {
		if strings.Contains(string(apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception).Get("/conta").Body), banner) {
			t.Error("simulated operators could authorize")
		}
	})
}
