package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"
)

const nobody = "01970000-0000-7000-8000-00000000dead"

// startAt starts the demo at 14:05 of a day in the desk's zone and logs the
// administrator in.
func startAt(t *testing.T) (*apptest.Server, *apptest.Client) {
	t.Helper()
	server := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 17, 5, 0, 0, time.UTC)})
	return server, server.LogIn(t, apptest.Administration)
}

// TestPartners_List: every partner by name, how it comes in, what it may do, how
// much, and whether it is in use.
func TestPartners_List(t *testing.T) {
	t.Parallel()
	_, rui := startAt(t)
	few := apptest.PartnerForm("Laboratório Lua")
	few["metodos"], few["escopos"], few["limite"] = []string{"senha"}, []string{"credenciais:ler", "cadastros:ler"}, []string{"60"}
	rui.Post("/servico/parceiros/novo", few)
	off := rui.AddPartner("Hospital da Serra")
	rui.Post(off+"/desativar", nil)
	list := rui.Get("/servico/parceiros")
	list.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Parceiros", "h1": "Parceiros",
		"main .title a[href='/servico/parceiros/novo']": "Novo parceiro"},
		Count: map[string]int{"form[role=search][action='/servico/parceiros']": 0}})
	want := []string{
		"Guichê desta instalação | Como entra: Chave de API | O que pode: tudo | Limite: sem limite | permanente",
		"Hospital da Serra | Como entra: Chave de API, Usuário e senha, Cliente OAuth | O que pode: tudo | Limite: sem limite | Desativado",
		"Laboratório Lua | Como entra: Usuário e senha | O que pode: 2 de 6 permissões | Limite: 60 por minuto | em uso",
	}
	if got := list.Rows("main table"); len(got) != 4 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestPartners_New: a new partner comes in by key and may do everything, unless
// the form says otherwise.
func TestPartners_New(t *testing.T) {
	t.Parallel()
	_, rui := startAt(t)
	form := rui.Get("/servico/parceiros/novo")
	form.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Novo parceiro",
		"#parceiro button": "Criar parceiro"}, Value: map[string]string{"#nome": "", "#limite": "0"},
		Count: map[string]int{"aside": 0, "#chaves": 0, "#parceiro[action='/servico/parceiros/novo']": 1}})
	if got := form.Checked("metodos"); !slices.Equal(got, []string{"chave"}) {
		t.Errorf("it comes in by %q", got)
	}
	if got := form.Checked("escopos"); !slices.Equal(got, apptest.AllScopes) {
		t.Errorf("it may %q", got)
	}
	for css, want := range map[string]string{"label[for^=metodos]:nth-of-type(1)": "Chave de API cabeçalho x-api-key",
		"label[for^=metodos]:nth-of-type(3)": "Cliente OAuth token de /oauth/token",
		"label[for^=escopos]:nth-of-type(6)": "Anexar, colher biometria e cancelar autorizacoes:alterar"} {
		if got := form.Text(css); got != want {
			t.Errorf("%s: got %q, want %q", css, got, want)
		}
	}
	made := rui.Post("/servico/parceiros/novo", url.Values{"nome": {"  Rede   Norte "}, "metodos": {"chave"},
		"escopos": {"credenciais:ler"}, "limite": {" 60 "}})
	made.Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{"main [role=status]": "Parceiro criado. Falta dar a ele um acesso.", "h1": "Rede Norte",
			"title": "Rede Norte"}, Value: map[string]string{"#nome": "Rede Norte", "#limite": "60"}})
	if got := made.Text(".user-select-all"); made.Path != "/servico/parceiros/"+got {
		t.Errorf("its identifier is %q at %s", got, made.Path)
	}
	saved := rui.Post(made.Path, url.Values{"nome": {"Rede Sul"}, "metodos": {"oauth", "senha"}, "escopos": {"autorizacoes:ler"},
		"limite": {""}})
	saved.Check(t, apptest.Want{Status: http.StatusOK, Path: made.Path,
		Text:  map[string]string{"main [role=status]": "Guardado. Vale para o próximo pedido dele.", "#parceiro button": "Salvar"},
		Value: map[string]string{"#nome": "Rede Sul", "#limite": "0"}})
	if got := saved.Checked("metodos"); !slices.Equal(got, []string{"senha", "oauth"}) {
		t.Errorf("it comes in by %q", got)
	}
	if got := saved.Text("#chaves b"); got != "Não vale agora: este modo de entrar não está marcado acima." ||
		saved.Has("#clientes p b") || saved.Has("#usuarios p b") {
		t.Errorf("the keys say %q", got)
	}
	t.Run("StaysOff", func(t *testing.T) {
		rui.Post(made.Path+"/desativar", nil).Check(t, apptest.Want{Path: made.Path,
			Text: map[string]string{"main [role=status]": "Parceiro desativado. O próximo pedido dele já é recusado, e os tokens dele acabaram.",
				"[aria-labelledby=situacao-title]": "Está fora."}})
		off := rui.Post(made.Path, apptest.PartnerForm("Rede Oeste"))
		off.Check(t, apptest.Want{Text: map[string]string{"h1": "Rede Oeste",
			"[aria-labelledby=situacao-title] header": "Desativado"}, Count: map[string]int{"form[action$='/reativar']": 1,
			"form[action$='/desativar']": 0}})
		rui.Post(made.Path+"/reativar", nil).Check(t, apptest.Want{Path: made.Path,
			Text: map[string]string{"main [role=status]": "Parceiro reativado.", "[aria-labelledby=situacao-title] header": "em uso"}})
	})
}

// TestPartners_Kept: after a problem every box is as it was ticked.
func TestPartners_Kept(t *testing.T) {
	t.Parallel()
	_, rui := startAt(t)
	address := rui.AddPartner("Lua")
	typed := url.Values{"nome": {"guichê desta instalação"}, "metodos": {"oauth"}, "escopos": {"cadastros:ler",
		"autorizacoes:ler"}, "limite": {"7"}}
	for _, path := range []string{"/servico/parceiros/novo", address} {
		got := rui.Post(path, typed)
		got.CheckProblems(t, "nome")
		got.CheckKept(t, typed)
	}
	if got := rui.Get(address); got.Value("#nome") != "Lua" || len(got.Checked("metodos")) != 3 {
		t.Errorf("kept %q by %q", got.Value("#nome"), got.Checked("metodos"))
	}
}

// TestPartners_NotFound: addresses that name nothing, or another partner's.
func TestPartners_NotFound(t *testing.T) {
	t.Parallel()
	_, rui := startAt(t)
	mine, other := rui.AddPartner("Meu"), rui.AddPartner("Outro")
	rui.Mint(t, other+"/chaves", nil, 1)
	rui.Mint(t, other+"/clientes", url.Values{"cliente": {"x"}}, 2)
	rui.Mint(t, other+"/usuarios", url.Values{"usuario": {"outro"}}, 2)
	theirs := rui.Get(other)
	foreign := func(css string) string { return strings.Replace(theirs.Attr(css, "action"), other, mine, 1) }
	for _, path := range []string{"/servico/parceiros/" + nobody, "/servico/parceiros/x", "/servico/parceiros/{" + nobody + "}",
		"/servico/parceiros/" + nobody + "/sessoes", "/servico/parceiros/x/sessoes"} {
		if got := rui.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("GET %s: got %d, want 404", path, got.Status)
		}
	}
	posts := []string{foreign("#chaves form[action$='/revogar']"), foreign("#clientes form[action$='/revogar']"),
		foreign("#usuarios form[action$='/senha']"), foreign("#usuarios form[action$='/desativar']"),
		mine + "/chaves/" + nobody + "/revogar", mine + "/chaves/x/revogar", mine + "/clientes/x/revogar", mine + "/usuarios/x/senha",
		mine + "/usuarios/" + nobody + "/desativar", mine + "/usuarios/x/reativar"}
	for _, end := range []string{"", "/desativar", "/reativar", "/chaves", "/clientes", "/usuarios", "/sessoes/encerrar",
		"/sessoes/" + nobody + "/encerrar", "/chaves/" + nobody + "/revogar"} {
		posts = append(posts, "/servico/parceiros/"+nobody+end, "/servico/parceiros/x"+end)
	}
	for _, path := range posts {
		if got := rui.Post(path, apptest.PartnerForm("x")); got.Status != http.StatusNotFound {
			t.Errorf("POST %s: got %d, want 404", path, got.Status)
		}
	}
	if again := rui.Get(other); again.Count("#chaves form[action$='/revogar']") != 1 ||
		again.Count("#clientes form[action$='/revogar']") != 1 || again.Count("#usuarios form[action$='/desativar']") != 1 {
		t.Error("another partner's access was changed")
	}
}

// TestAccess_Rows: what an access is called, since when it is, when it was used
// and how it ends; those that are valid first, of the others the newest ten.
func TestAccess_Rows(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t)
	address := rui.AddPartner("Serra")
	for _, css := range []string{"#chaves", "#clientes", "#usuarios"} {
		if got := rui.Get(address).Text(css); !strings.HasSuffix(got, "Nada por enquanto.") {
			t.Errorf("%s without any says %q", css, got)
		}
	}
	if got := rui.Get(address).Texts("#validade-chave option"); !slices.Equal(got, []string{"só por revogação",
		"30 dias sem uso", "90 dias sem uso", "365 dias sem uso"}) {
		t.Errorf("one can choose %q", got)
	}
	key := rui.Mint(t, address+"/chaves", url.Values{"validade-chave": {"30"}}, 1)[0]
	client := rui.Mint(t, address+"/clientes", url.Values{"cliente": {" Faturamento  Sul "}, "validade-cliente": {"90"}}, 2)
	rui.Mint(t, address+"/usuarios", url.Values{"usuario": {"serra"}}, 2)
	server.Clock.Advance(10 * time.Minute)
	server.Partner(t, key).Credentials()
	page := rui.Get(address)
	for css, want := range map[string]string{
		"#chaves": "…" + key[len(key)-4:] +
			" termina com 30 dias sem uso | Criado: hoje, 14:05 | Último uso: hoje, 14:15 | em uso | Revogar: …" + key[len(key)-4:],
		"#clientes": "Faturamento Sul " + client[0] + " · termina com 90 dias sem uso | Criado: hoje, 14:05 | " +
			"Último uso: nunca | em uso | Revogar: Faturamento Sul",
		"#usuarios": "serra | Criado: hoje, 14:05 | Último uso: nunca | em uso | Trocar a senha: serra Desativar: serra",
	} {
		if got := page.Rows(css + " table"); len(got) != 1 || strings.ReplaceAll(got[0], " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s: got %q, want %q", css, got, want)
		}
	}
	user := page.Attr("#usuarios form[action$='/desativar']", "action")
	rui.Post(user, nil).Check(t, apptest.Want{Path: address,
		Text: map[string]string{"main [role=status]": "Usuário desativado. Os tokens dele já não valem.",
			"#usuarios tbody": "Desativado"}, Count: map[string]int{"#usuarios tbody form": 1, "#usuarios form[action$='/reativar']": 1}})
	rui.Post(strings.Replace(user, "/desativar", "/reativar", 1), nil).Check(t, apptest.Want{Path: address,
		Text: map[string]string{"main [role=status]": "Usuário reativado.", "#usuarios tbody": "em uso"}})
	rui.Post(page.Attr("#clientes form[action$='/revogar']", "action"), nil).Check(t, apptest.Want{Path: address,
		Text: map[string]string{"main [role=status]": "Cliente revogado. Ele e os seus tokens já não valem.",
			"#clientes tbody": "Revogado"}, Count: map[string]int{"#clientes tbody form": 0}})
	t.Run("UnusedEnds", func(t *testing.T) {
		server.Clock.Advance(31 * 24 * time.Hour)
		rui.LogInAgain()
		ended := rui.Get(address)
		ended.Check(t, apptest.Want{Text: map[string]string{"#chaves tbody": "Vencido sem uso"},
			Count: map[string]int{"#chaves tbody form": 0}})
		if got := server.Partner(t, key).Credentials(); got != http.StatusUnauthorized {
			t.Errorf("the key: got %d, want 401", got)
		}
	})
	t.Run("LiveFirst", func(t *testing.T) {
		var live []string
		for i := range 14 {
			key := rui.Mint(t, address+"/chaves", nil, 1)[0]
			if i == 5 || i == 9 {
				live = append([]string{"…" + key[len(key)-4:]}, live...)
				continue
			}
			form := rui.Get(address).Find("#chaves tbody tr:contains('" + key[len(key)-4:] + "') form")
			rui.Post(form.AttrOr("action", ""), nil)
			server.Clock.Advance(30 * time.Second) // in all less than after what the password is asked for again
		}
		page := rui.Get(address)
		names := page.Texts("#chaves tbody b")
		if len(names) != 12 || !slices.Equal(slices.Sorted(slices.Values(names[:2])), slices.Sorted(slices.Values(live))) ||
			page.Count("#chaves tbody form") != 2 {
			t.Errorf("got %d rows, first %q, want %q and ten that ended", len(names), names[:2], live)
		}
	})
}

// TestAccess_Problems: what cannot be made stands beside its field, what was typed
// stays, and nothing is made.
func TestAccess_Problems(t *testing.T) {
	t.Parallel()
	_, rui := startAt(t)
	address := rui.AddPartner("Serra")
	rui.Mint(t, rui.AddPartner("Vale")+"/usuarios", url.Values{"usuario": {"taken"}}, 2)
	for name, tt := range map[string]struct {
		end    string
		form   url.Values
		fields []string
	}{
		"KeyIdle":        {"/chaves", url.Values{"validade-chave": {"31"}}, []string{"validade-chave"}},
		"KeyIdleText":    {"/chaves", url.Values{"validade-chave": {"x"}}, []string{"validade-chave"}},
		"NoClientName":   {"/clientes", url.Values{"cliente": {" "}}, []string{"cliente"}},
		"LongClientName": {"/clientes", url.Values{"cliente": {strings.Repeat("é", 101)}}, []string{"cliente"}},
		"ClientIdle":     {"/clientes", url.Values{"cliente": {"Bom"}, "validade-cliente": {"-1"}}, []string{"validade-cliente"}},
		"Both":           {"/clientes", url.Values{"cliente": {""}, "validade-cliente": {"9"}}, []string{"cliente", "validade-cliente"}},
		"UserShort":      {"/usuarios", url.Values{"usuario": {"x"}}, []string{"usuario"}},
		"UserTaken":      {"/usuarios", url.Values{"usuario": {"TAKEN"}}, []string{"usuario"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := rui.Post(address+tt.end, tt.form)
			if got.Status != http.StatusUnprocessableEntity || got.Count("#erros li") != len(tt.fields) ||
				!strings.HasPrefix(got.Text("title"), "Erro: Serra") || len(got.Secrets()) != 0 {
				t.Errorf("got %d, title %q, %q", got.Status, got.Text("title"), got.Text("#erros"))
			}
			for _, field := range tt.fields {
				if !got.Has("#erros a[href='#" + field + "']") {
					t.Errorf("nothing leads to %s: %q", field, got.Text("#erros"))
				}
			}
			for _, field := range []string{"cliente", "usuario"} {
				if typed := tt.form.Get(field); got.Value("#"+field) != typed {
					t.Errorf("%s: kept %q, want %q", field, got.Value("#"+field), typed)
				}
			}
			if got.Value("#nome") != "Serra" {
				t.Errorf("the partner's own form holds %q", got.Value("#nome"))
			}
		})
	}
	if got := rui.Get(address); got.Has("#chaves table, #clientes table, #usuarios table") {
		t.Error("something was made")
	}
	if got := rui.Mint(t, address+"/clientes", url.Values{"cliente": {strings.Repeat("é", 100)}}, 2); len(got) != 2 {
		t.Errorf("a name of 100 characters: %q", got)
	}
}

// TestAccess_Secrets: what is shown once says what it is, beside its words.
func TestAccess_Secrets(t *testing.T) {
	t.Parallel()
	_, rui := startAt(t)
	address := rui.AddPartner("Serra")
	check := func(page *apptest.Page, flash, title string, labels ...string) {
		t.Helper()
		page.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"main [role=status]": flash, "#segredo h2": title,
			"h1": "Serra"}, Count: map[string]int{"#segredo [data-copy]": len(labels)}})
		if got := page.Texts("#segredo dt"); !slices.Equal(got, labels) {
			t.Errorf("%s: shown are %q", flash, got)
		}
		for i, secret := range page.Secrets() {
			if page.Attrs("#segredo [data-copy]", "data-copy")[i] != secret || secret == "" {
				t.Errorf("%s: %s copies something else", flash, labels[i])
			}
		}
		if again := rui.Get(address); again.Has("#segredo") || again.Has("main [role=status]") {
			t.Errorf("%s: shown twice", flash)
		}
	}
	check(rui.Post(address+"/chaves", nil), "Chave criada.", "A nova chave", "x-api-key")
	check(rui.Post(address+"/clientes", url.Values{"cliente": {"Faturamento"}}), "Cliente criado.", "O novo cliente", "client_id",
		"client_secret")
	check(rui.Post(address+"/usuarios", url.Values{"usuario": {"serra"}}), "Usuário criado.", "O novo usuário", "usuario", "senha")
	user := rui.Get(address).Attr("#usuarios form[action$='/senha']", "action")
	check(rui.Post(user, nil), "Senha trocada. A anterior e os tokens dela não valem mais.", "A nova senha", "usuario", "senha")
	rui.Post(rui.Get(address).Attr("#chaves form[action$='/revogar']", "action"), nil).Check(t, apptest.Want{Path: address,
		Text: map[string]string{"main [role=status]": "Chave revogada. Já não vale."}})
}

// TestSessions_Page: whose the sessions are, since when, until when, and a page of
// fifty at a time.
func TestSessions_Page(t *testing.T) {
	t.Parallel()
	server, rui := startAt(t)
	address := rui.AddPartner("Serra")
	if got := rui.Get(address).Text("[aria-labelledby=sessoes-title] header"); got != "Sessõesnenhuma aberta" {
		t.Errorf("without sessions: %q", got)
	}
	user := rui.Mint(t, address+"/usuarios", url.Values{"usuario": {"serra"}}, 2)
	partner := server.Partner(t, "")
	access, _ := partner.LogIn(user[0], user[1])
	if got := rui.Get(address).Text("[aria-labelledby=sessoes-title] header"); got != "Sessões1 aberta" {
		t.Errorf("with one: %q", got)
	}
	server.Clock.Advance(10 * time.Minute)
	server.Bearer(t, access).Credentials()
	one := rui.Get(address + "/sessoes")
	one.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Sessões de Serra",
		"main section header": "1 sessão", "main .title a": "Serra"}, Count: map[string]int{"main .notice": 0,
		"form[aria-label='Páginas']": 0}})
	if got := one.Rows("main table"); len(got) != 1 || !strings.HasPrefix(got[0],
		"serrausuário | Desde: hoje, 14:05 | Renovada: nunca | Último uso: hoje, 14:15 | Vence: ") && !strings.HasPrefix(got[0],
		"serra usuário | Desde: hoje, 14:05 | Renovada: nunca | Último uso: hoje, 14:15 | Vence: ") {
		t.Errorf("got %q", got)
	}
	for range 55 {
		partner.LogIn(user[0], user[1])
	}
	first := rui.Get(address + "/sessoes")
	second := rui.Post(address+"/sessoes", url.Values{"pagina": {"2"}})
	if first.Count("main tbody tr") != 50 || second.Count("main tbody tr") != 6 || first.Text("main section header span") != "56 sessões" {
		t.Errorf("got pages of %d and %d, %q", first.Count("main tbody tr"), second.Count("main tbody tr"),
			first.Text("main section header span"))
	}
	if got := rui.Get(address).Text("[aria-labelledby=sessoes-title] header"); got != "Sessões56 abertas" {
		t.Errorf("the partner's page says %q", got)
	}
	rui.Post(address+"/desativar", nil)
	rui.Get(address+"/sessoes").Check(t, apptest.Want{Text: map[string]string{"main h2": "Nenhuma sessão aberta."}})
	rui.Post(address+"/reativar", nil)
	partner.LogIn(user[0], user[1])
	if got := rui.Get(address).Text("[aria-labelledby=sessoes-title] header"); got != "Sessões1 aberta" {
		t.Errorf("enabled again, the partner's page says %q", got)
	}
	rui.Post(address+"/sessoes/encerrar", nil).Check(t, apptest.Want{Path: address + "/sessoes",
		Text: map[string]string{"main [role=status]": "Sessões encerradas. Os tokens delas já não valem.",
			"main h2": "Nenhuma sessão aberta."}})
	own := rui.Entry("/servico/parceiros", "Guichê desta instalação")
	if page := rui.Get(own); page.Has("[aria-labelledby=sessoes-title]") || page.Has("#clientes") || page.Has("#usuarios") ||
		!strings.Contains(page.Text("[aria-labelledby=fixo-title]"), "É por este perfil que a recepção pede autorizações.") {
		t.Errorf("the desk's own: %q", page.Text("main"))
	}
}
