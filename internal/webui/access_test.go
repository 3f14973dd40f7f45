package webui_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/password"
	"guiche/web/layout"
)

// TestLogin_Page: the entry page carries where one wanted to go, says what the
// demo's logins are, and is none for whoever is in already.
func TestLogin_Page(t *testing.T) {
	t.Parallel()
	demo := apptest.Start(t, apptest.Options{})
	demo.Client(t).Get("/entrar?volta=/ajuda").Check(t, apptest.Want{
		Status: http.StatusOK,
		Text:   map[string]string{"title": "Entrar", "[aria-labelledby=demo-title] tbody tr:first-child": "Recepçãoanabalcao-demo"},
		Value:  map[string]string{"[name=volta]": "/ajuda", "#usuario": ""},
		Count:  map[string]int{"[aria-labelledby=demo-title] tbody tr": 3, "[role=alert]": 0, "header": 0},
	})
	serving := apptest.Start(t, apptest.Options{Empty: true})
	serving.Client(t).Get("/entrar").Check(t, apptest.Want{Status: http.StatusOK,
		Count: map[string]int{"[aria-labelledby=demo-title]": 0, "[name=volta]": 0}})
	for role, landing := range map[string]string{apptest.Reception: "/fila", apptest.Supervision: "/fila",
		apptest.Administration: "/pessoas"} {
		who := demo.LogIn(t, role)
		for _, path := range []string{"/entrar", "/"} {
			if got := who.Get(path); got.Path != landing || got.Status != http.StatusOK {
				t.Errorf("%s at %s comes to %s with %d, want %s", role, path, got.Path, got.Status, landing)
			}
		}
	}
}

// TestLogin_Refused: what was typed but the password is kept, an error is marked
// in the title, and nobody is in.
func TestLogin_Refused(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	for name, form := range map[string]url.Values{
		"Nothing": {}, "NoPassword": {"usuario": {"ana"}}, "WrongPassword": {"usuario": {"ana"}, "senha": {"errada"}},
		"Unknown":      {"usuario": {"outra"}, "senha": {"errada"}},
		"LongPassword": {"usuario": {"ana"}, "senha": {strings.Repeat("x", 5000)}}, "Odd": {"usuario": {"'\"<b>"}, "senha": {"\x00"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := server.Client(t)
			form.Set("volta", "/ajuda")
			got := client.Post("/entrar", form)
			got.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Path: "/entrar",
				Value: map[string]string{"#usuario": form.Get("usuario"), "#senha": "", "[name=volta]": "/ajuda"},
				Count: map[string]int{"[role=alert]": 1}})
			if title := got.Text("title"); !strings.HasPrefix(title, "Erro: Entrar") {
				t.Errorf("the title is %q", title)
			}
			if client.LoggedIn() || len(client.Cookies()) != 0 {
				t.Errorf("in with %d cookies", len(client.Cookies()))
			}
		})
	}
	if got := server.Client(t).Post("/entrar", url.Values{"usuario": {strings.Repeat("x",
		5<<20)}}); got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("5 MiB: got %d, want 413", got.Status)
	}
}

// TestLogin_Another: logging in over a session ends that one.
func TestLogin_Another(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	client := server.LogIn(t, apptest.Reception)
	before := client.Twin()
	if client.LogIn(server.Login(apptest.Supervision)); before.LoggedIn() || !client.LoggedIn() {
		t.Error("the session before goes on, or the new one is none")
	}
	if got := client.Get("/conta").Text(".facts"); !strings.Contains(got, "celia") {
		t.Errorf("in as %q", got)
	}
}

// slowHasher lets a test act while a password is being checked.
type slowHasher struct {
	password.Hasher
	checking func()
}

func (h slowHasher) Verify(ctx context.Context, hash, given string) (bool, error) {
	fits, err := h.Hasher.Verify(ctx, hash, given)
	h.checking()
	return fits, err
}

// TestLogin_DisabledMeanwhile: whoever is disabled while their password is being
// checked is not let in.
func TestLogin_DisabledMeanwhile(t *testing.T) {
	t.Parallel()
	var server *apptest.Server
	var admin *apptest.Client
	address, armed := "", false
	server = apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Hasher = slowHasher{c.Hasher, func() {
			if armed {
				armed = false
				if got := admin.Post(address+"/desativar", nil); got.Status != http.StatusOK {
					t.Errorf("disable: %d", got.Status)
				}
			}
		}}
	}})
	admin = server.LogIn(t, apptest.Administration)
	address, armed = admin.PersonPath("ana"), true
	client := server.Client(t)
	if got := client.LogIn(server.Login(apptest.Reception)); got.Status != http.StatusUnprocessableEntity || client.LoggedIn() {
		t.Errorf("got %d at %s, logged in %t", got.Status, got.Path, client.LoggedIn())
	}
	if armed {
		t.Error("the password was never checked")
	}
}

// TestLogin_Address: a person's sessions show where they come from: the
// connection, or what a trusted proxy says about it.
func TestLogin_Address(t *testing.T) {
	t.Parallel()
	loopback := netip.MustParsePrefix("127.0.0.0/8")
	office := netip.MustParsePrefix("10.1.0.0/16")
	for name, tt := range map[string]struct {
		trusted   []netip.Prefix
		forwarded []string
		want      string
	}{
		"Direct":          {nil, nil, "127.0.0.1"},
		"NotTrusted":      {nil, []string{"203.0.113.7"}, "127.0.0.1"},
		"Proxy":           {[]netip.Prefix{loopback}, []string{"203.0.113.7"}, "203.0.113.7"},
		"ProxyTellsNone":  {[]netip.Prefix{loopback}, nil, "127.0.0.1"},
		"RightMost":       {[]netip.Prefix{loopback}, []string{"198.51.100.1, 203.0.113.7"}, "203.0.113.7"},
		"TwoProxies":      {[]netip.Prefix{loopback, office}, []string{"203.0.113.7, 10.1.2.3"}, "203.0.113.7"},
		"TwoHeaders":      {[]netip.Prefix{loopback, office}, []string{"203.0.113.7", "10.1.2.3"}, "203.0.113.7"},
		"AllTrusted":      {[]netip.Prefix{loopback, office}, []string{"10.1.9.9, 10.1.2.3"}, "10.1.9.9"},
		"Garbage":         {[]netip.Prefix{loopback}, []string{"quem sabe"}, "127.0.0.1"},
		"GarbageBehind":   {[]netip.Prefix{loopback, office}, []string{"203.0.113.7, x, 10.1.2.3"}, "10.1.2.3"},
		"IPv6":            {[]netip.Prefix{loopback}, []string{"2001:db8::7"}, "2001:db8::7"},
		"MappedIsTrusted": {[]netip.Prefix{loopback, office}, []string{"203.0.113.7, ::ffff:10.1.2.3"}, "203.0.113.7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.TrustedProxies = tt.trusted }})
			client := server.Client(t)
			client.Header["X-Forwarded-For"] = tt.forwarded
			client.LogIn(server.Login(apptest.Reception))
			if got := client.Get("/conta").Text("tbody .cell-name small"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestSession_Polling: a page that asks by itself keeps nobody in; what a person
// does, does.
func TestSession_Polling(t *testing.T) {
	t.Parallel()
	const step = 20 * time.Minute // of the 30 that a session lasts
	server := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)})
	polling, working := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Reception)
	poll := http.Header{layout.PollHeader: {"1"}, "Hx-Request": {"true"}}
	server.Clock.Advance(step)
	if got := polling.Send(http.MethodGet, "/fila", "", nil, poll); got.Status != http.StatusOK {
		t.Fatalf("a poll after 20 minutes: %d", got.Status)
	}
	if got := working.Get("/fila"); got.Path != "/fila" {
		t.Fatalf("a page after 20 minutes: at %s", got.Path)
	}
	server.Clock.Advance(step)
	if got := polling.Send(http.MethodGet, "/fila", "", nil, poll); got.Status != http.StatusNoContent ||
		!strings.HasPrefix(got.Header.Get("Hx-Redirect"), "/entrar?volta=") {
		t.Errorf("a poll after 40 minutes: %d to %q, want the entry page", got.Status, got.Header.Get("Hx-Redirect"))
	}
	for range 40 { // until the twelve hours of any session are over
		if got := working.Get("/fila"); got.Path != "/fila" {
			break
		}
		server.Clock.Advance(step)
	}
	if got, began := server.Clock.Now(), time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC); got.Before(began) ||
		got.After(began.Add(step)) {
		t.Errorf("whoever works is out at %s, want twelve hours after entering", got.Format(time.TimeOnly))
	}
}

// TestSession_Damaged: values that were damaged on the disk keep nobody from their pages.
func TestSession_Damaged(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	client := server.LogIn(t, apptest.Reception)
	server.Exec(t, `UPDATE session SET data = ?`, []byte(`{"a":"b`))
	for range 2 {
		client.Get("/fila").Check(t, apptest.Want{Status: http.StatusOK})
	}
}

// TestSession_Return: whoever is out comes back to the page that they asked for,
// by a link or by a script, and to none that only takes forms.
func TestSession_Return(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	stranger := server.Client(t)
	for path, want := range map[string]string{"/conta": "/conta", "/fila?grupo=neg": "/fila", "/": "/", "/casos/x": "/casos/x"} {
		if got := stranger.Get(path); got.Path != "/entrar" || got.Value("[name=volta]") != want {
			t.Errorf("GET %s: at %s, back to %q, want %q", path, got.Path, got.Value("[name=volta]"), want)
		}
	}
	for from, want := range map[string]string{
		"/fila": "/fila", "/fila?grupo=neg": "/fila", "/sair": "/", "/nada": "/nada", "": "/", "//evil.example/x": "/",
		"/%5Cevil": "/", "/a%0d%0ab": "/", "/a%00": "/", "::": "/",
	} {
		header := http.Header{"Hx-Request": {"true"}, "Hx-Current-Url": {server.URL + from}}
		if from == "" || from == "::" {
			header.Set("Hx-Current-Url", from)
		}
		got := stranger.Send(http.MethodGet, "/fila", "", nil, header)
		if to := got.Header.Get("Hx-Redirect"); got.Status != http.StatusNoContent || to != "/entrar?volta="+url.QueryEscape(want) {
			t.Errorf("a script on %q is sent to %q with %d, want back to %s", from, to, got.Status, want)
		}
	}
}

// TestActivate: the first administrator and whoever has a link choose a password;
// each mistake stands beside its field.
func TestActivate(t *testing.T) {
	t.Parallel()
	const chosen = "capivara no quintal"
	for name, fresh := range map[string]bool{"First": true, "Invited": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, apptest.Options{Fresh: fresh})
			link := strings.TrimPrefix(server.SetupLink(), server.URL)
			if !fresh {
				admin := server.LogIn(t, apptest.Administration)
				link = admin.Post(admin.PersonPath("ana")+"/convite", nil).Invitation()
			}
			client := server.Client(t)
			page := client.Get(link)
			page.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Escolher a senha",
				"#senha-hint": "Pelo menos 12 caracteres"},
				Count: map[string]int{`form[action="` + link + `"]`: 1, "#senha": 1, "#senha2": 1, "[role=alert]": 0}})
			if first := page.Has("#nome") && page.Has("#usuario"); first != fresh ||
				fresh == strings.Contains(page.Text("form"), "Ana Prado, escolha sua senha.") {
				t.Errorf("name and user are asked for %t: %q", first, page.Text("form"))
			}
			for _, tt := range []struct {
				form   url.Values
				fields []string
			}{
				{url.Values{"senha": {chosen}, "senha2": {chosen + "!"}}, []string{"senha2"}},
				{url.Values{"senha": {"curta"}, "senha2": {"curta"}}, []string{"senha"}},
				{url.Values{"senha": {"123456123456"}, "senha2": {"123456123456"}}, []string{"senha"}},
				{url.Values{}, []string{"senha"}},
			} {
				tt.form.Set("nome", "Dona Rosa")
				tt.form.Set("usuario", "rosa")
				got := client.Post(link, tt.form)
				for _, field := range tt.fields {
					if got.Status != http.StatusUnprocessableEntity || got.Text("#"+field+"-error") == "" || !got.Has("[role=alert]") ||
						!strings.HasPrefix(got.Text("title"), "Erro: ") {
						t.Errorf("%v: %d, %q beside %s", tt.form, got.Status, got.Text("#"+field+"-error"), field)
					}
				}
				if fresh && (got.Value("#nome") != "Dona Rosa" || got.Value("#usuario") != "rosa") {
					t.Errorf("kept %q and %q", got.Value("#nome"), got.Value("#usuario"))
				}
			}
			if fresh {
				got := client.Post(link, url.Values{"senha": {chosen}, "senha2": {chosen}})
				if got.Status != http.StatusUnprocessableEntity || got.Text("#nome-error") == "" || got.Text("#usuario-error") == "" {
					t.Errorf("without name and user: %d", got.Status)
				}
			}
			in := client.Post(link, url.Values{"nome": {"Dona Rosa"}, "usuario": {"rosa"}, "senha": {chosen}, "senha2": {chosen}})
			if want := map[bool]string{true: "/pessoas", false: "/fila"}[fresh]; in.Path != want || in.Status != http.StatusOK {
				t.Errorf("in at %s with %d, want %s", in.Path, in.Status, want)
			}
			for _, again := range []*apptest.Page{server.Client(t).Get(link),
				server.Client(t).Post(link, url.Values{"senha": {chosen}, "senha2": {chosen}}), client.Get("/ativar/x")} {
				if again.Status != http.StatusNotFound {
					t.Errorf("a link that is no more: %d, want 404", again.Status)
				}
			}
		})
	}
}

// TestHeader: every page says who is in, where they work, and where they can go.
func TestHeader(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	admin := server.LogIn(t, apptest.Administration)
	both := server.Join(t, app.NewPerson{Login: "dalva", Name: "dalva de souza cruz",
		Roles: []string{apptest.Reception, apptest.Administration}, Units: []string{"Centro", "Jardim das Acácias"}})
	single := server.Join(t, app.NewPerson{Login: "xica", Name: "123 !", Roles: []string{apptest.Reception}})
	short := server.Join(t, app.NewPerson{Login: "bia", Name: "Érica", Roles: []string{apptest.Reception}})
	for name, tt := range map[string]struct {
		client                *apptest.Client
		initials, units, tabs string
	}{
		"Reception":      {server.LogIn(t, apptest.Reception), "AP", "Centro", "/fila /nova /historico"},
		"Supervision":    {server.LogIn(t, apptest.Supervision), "CN", "todas as unidades", "/fila /nova /historico"},
		"Administration": {admin, "RB", "Centro", "/pessoas /cadastros /servico/conexao /servico /auditoria"},
		"Both":           {both, "DC", "Centro, Jardim das Acácias", "/fila /nova /historico"},
		"NoLetters":      {single, "?", "", "/fila /nova /historico"},
		"OneName":        {short, "É", "", "/fila /nova /historico"},
	} {
		page := tt.client.Get("/ajuda")
		summary := page.Text("details.user-menu summary")
		if !strings.HasPrefix(summary, tt.initials) {
			t.Errorf("%s: got %q, want the initials %q", name, summary, tt.initials)
		}
		if got := page.Text("details.user-menu"); tt.units != "" && !strings.Contains(got, tt.units) {
			t.Errorf("%s: got %q, want the units %q", name, got, tt.units)
		}
		if got := tabs(page); got != tt.tabs {
			t.Errorf("%s: got the tabs %q, want %q", name, got, tt.tabs)
		}
	}
}

// TestAccount_Page shows the person and their sessions, newest first, this one
// without a button.
func TestAccount_Page(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 17, 5, 0, 0, time.UTC)})
	earlier := server.LogInFrom(t, apptest.Reception, apptest.AndroidChrome)
	server.Clock.Advance(10 * time.Minute)
	ana := server.LogInFrom(t, apptest.Reception, apptest.WindowsChrome)
	page := ana.Get("/conta")
	page.Check(t, apptest.Want{
		Status: http.StatusOK,
		Text: map[string]string{"title": "Minha conta", ".facts": "Centro",
			"tbody tr:nth-child(1) .cell-name b": "Chrome no Windows", "tbody tr:nth-child(1) .cell-actions": "este navegador",
			"tbody tr:nth-child(1) td:nth-child(2)": "hoje, 14:15", "tbody tr:nth-child(1) td:nth-child(3)": "agora",
			"tbody tr:nth-child(2) .cell-name b": "Chrome no Android", "tbody tr:nth-child(2) td:nth-child(2)": "hoje, 14:05",
			"tbody tr:nth-child(2) td:nth-child(3)": "há 10 min",
			"tbody tr:nth-child(2) button":          "Encerrar"},
		Value: map[string]string{"#tema": "sistema"},
		Count: map[string]int{"tbody tr": 2, "tbody form": 1, "[name=teclas][checked]": 1, "#tema option": 3},
	})
	if got := page.Text("#senha-hint"); !strings.Contains(got, "12 caracteres") {
		t.Errorf("the hint says %q", got)
	}
	const nobody = "/conta/sessoes/01a1fd53-a165-77ef-a4fa-dae39f9cda2f/encerrar"
	for path, want := range map[string]int{nobody: http.StatusNotFound, "/conta/sessoes/x/encerrar": http.StatusNotFound} {
		if got := ana.Post(path, nil); got.Status != want {
			t.Errorf("POST %s: got %d, want %d", path, got.Status, want)
		}
	}
	got := ana.Post("/conta/sessoes/encerrar", nil)
	got.Check(t, apptest.Want{Path: "/conta", Text: map[string]string{"main [role=status]": "As outras sessões terminaram."},
		Count: map[string]int{"tbody tr": 1}})
	if earlier.LoggedIn() {
		t.Error("the other session goes on")
	}
}

// TestServer_Methods: a page that takes no form refuses one, and the other way
// round; every route refuses what it does not know.
func TestServer_Methods(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	address, _ := ana.NewDraft()
	for path, allowed := range map[string][]string{
		"/fila": {"GET", "HEAD"}, "/ajuda": {"GET", "HEAD"}, "/sair": {"POST"}, "/historico": {"GET", "HEAD", "POST"},
		address:              {"GET", "HEAD", "POST"},
		address + "/revisar": {"POST"}, address + "/enviar": {"POST"}, "/busca/credenciais": {"POST"}, "/conta/senha": {"POST"},
		"/entrar": {"GET", "HEAD", "POST"},
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
			got := ana.Send(method, path, "", nil, nil)
			if refused := got.Status == http.StatusMethodNotAllowed; refused == slices.Contains(allowed, method) {
				t.Errorf("%s %s: got %d, want it allowed %t", method, path, got.Status, !refused)
			}
			if path == "/sair" || path == "/entrar" {
				ana.LogInAgain()
			}
		}
	}
}

// TestServer_Log: one line a request, by the pattern of its route and never by its
// address.
func TestServer_Log(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	page := ana.Get("/casos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f?guia=segredo")
	id := page.Header.Get("X-Request-Id")
	if id == "" {
		t.Fatalf("the answer's id is %q", id)
	}
	var lines []string
	for line := range strings.Lines(server.Log.String()) {
		if strings.Contains(line, id) {
			lines = append(lines, line)
		}
	}
	if len(lines) != 2 || !strings.Contains(lines[0], `"level":"WARN","msg":"failed"`) ||
		!strings.Contains(lines[1], `"level":"INFO","msg":"request"`) {
		t.Fatalf("got %q, want what failed and the request", lines)
	}
	for _, want := range []string{`"method":"GET"`, `"route":"/casos/:uid"`, `"status":404`, fmt.Sprintf(`"bytes":%d`, len(page.Body))} {
		if !strings.Contains(lines[1], want) {
			t.Errorf("the request's line lacks %s: %s", want, lines[1])
		}
	}
	if log := server.Log.String(); strings.Contains(log, "segredo") || strings.Contains(log, "01a1fd53") {
		t.Error("an address stands in the log")
	}
}

// TestServer_InsecureHTTP: plain http that other machines reach is told on every
// page, and nowhere else.
func TestServer_InsecureHTTP(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		configure func(*app.Config)
		told      bool
	}{
		"Loopback": {func(*app.Config) {}, false},
		"Open":     {func(c *app.Config) { c.Addr, c.InsecureHTTP = "0.0.0.0:0", true }, true},
		"Proxy":    {func(c *app.Config) { c.PublicURL, c.TrustedProxies = "https://guiche.clinica", apptest.Loopback }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, apptest.Options{Configure: tt.configure})
			for _, path := range []string{"/entrar", "/nada", "/ativar/x"} {
				got := server.Client(t).Get(path)
				if told := strings.Contains(got.Text("body"), "Conexão sem proteção."); told != tt.told {
					t.Errorf("%s: told %t, want %t", path, told, tt.told)
				}
				if hsts := got.Header.Get("Strict-Transport-Security") != ""; hsts != (name == "Proxy") {
					t.Errorf("%s: HSTS %t", path, hsts)
				}
			}
		})
	}
}
