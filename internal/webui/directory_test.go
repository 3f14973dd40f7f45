package webui_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

func TestDirectory_Units(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, supervisor := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Supervision)
	const serviceID = "01970000-0000-7000-8000-0000000000f1"
	t.Run("Add", func(t *testing.T) {
		got := admin.Post("/cadastros/unidades/nova", url.Values{"nome": {"  Água   Verde "}, "id": {serviceID},
			"pontosAtendimento[0].nome": {"Coleta"}, "pontosAtendimento[0].id": {""}, "pontosAtendimento[1].nome": {""},
			"pontosAtendimento[1].id": {""}})
		if got.Path != "/cadastros/unidades" || got.Status != http.StatusOK || got.Text("[role=status]") == "" {
			t.Fatalf("at %s with %d: %s", got.Path, got.Status, got.Text("#erros"))
		}
		if want := "Água Verde, Centro, Jardim das Acácias"; got.Names() != want {
			t.Errorf("list: got %q, want %q", got.Names(), want)
		}
	})
	t.Run("InForceInTheFormAndAtTheService", func(t *testing.T) {
		address, form := supervisor.NewDraft()
		page := supervisor.Get("/nova")
		if got := page.Option("#unidadeId", "Água Verde"); got != serviceID {
			t.Fatalf("the form offers %q, want the service's identifier", got)
		}
		form.Set("unidadeId", serviceID)
		form.Set("pontoAtendimentoId", page.Option("#pontoAtendimentoId", "Coleta"))
		if got := supervisor.Submit(address, form); !strings.Contains(got.Text("main"), "Autorizado") {
			t.Errorf("a request at the new unit: %s", got.Text("main"))
		}
	})
	t.Run("SearchFoldsAccents", func(t *testing.T) {
		for search, want := range map[string]string{"agua": "Água Verde", "COLETA": "Água Verde",
			"acácias jardim": "Jardim das Acácias", "nada disso": "",
			"": "Água Verde, Centro, Jardim das Acácias", "'\"; %_": ""} {
			if got := admin.Post("/cadastros/unidades", url.Values{"Busca": {search}}); got.Names() != want || got.Value("#Busca") != search {
				t.Errorf("%q: got %q with %q kept, want %q", search, got.Names(), got.Value("#Busca"), want)
			}
		}
	})
	t.Run("ChangeAndSwitchOffAPoint", func(t *testing.T) {
		address := admin.Search("/cadastros/unidades", "agua")
		page := admin.Get(address)
		got := admin.Post(address, url.Values{"nome": {"Água Azul"},
			"pontosAtendimento[0].nome": {"Coleta"}, "pontosAtendimento[0].id": {page.Value("[name='pontosAtendimento[0].id']")},
			"pontosAtendimento[1].nome": {"Balcão"}, "pontosAtendimento[1].id": {""}})
		if got.Path != "/cadastros/unidades" {
			t.Fatalf("at %s with %d: %s", got.Path, got.Status, got.Text("#erros"))
		}
		form := supervisor.Get("/nova")
		if form.Option("#unidadeId", "Água Azul") != serviceID || form.Option("#pontoAtendimentoId", "Balcão") == "" ||
			form.Option("#pontoAtendimentoId", "Coleta") != "" {
			t.Errorf("the form offers %s", form.Text("#pontoAtendimentoId"))
		}
	})
	t.Run("DisableAndEnable", func(t *testing.T) {
		address := admin.Search("/cadastros/unidades", "agua")
		if got := admin.Post(address+"/desativar", nil); got.Path != "/cadastros/unidades" || !strings.HasSuffix(got.Names(), ", Água Azul") {
			t.Errorf("list after disabling: %d %q", got.Status, got.Names())
		}
		if got := supervisor.Get("/nova").Option("#unidadeId", "Água Azul"); got != "" {
			t.Error("the form offers a unit that is off")
		}
		admin.Post(address+"/reativar", nil)
		if got := supervisor.Get("/nova").Option("#unidadeId", "Água Azul"); got != serviceID {
			t.Error("the form lacks a unit that is on again")
		}
	})
}

func TestDirectory_UnitProblems(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	typed := url.Values{"nome": {" "}, "id": {"17"}, "pontosAtendimento[0].nome": {""}, "pontosAtendimento[0].id": {"x'\"<b>"},
		"pontosAtendimento[1].nome": {strings.Repeat("é", 201)}, "pontosAtendimento[1].id": {""}}
	got := admin.Post("/cadastros/unidades/nova", typed)
	if got.Status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", got.Status)
	}
	for _, field := range []string{"nome", "id", "pontosAtendimento[0].nome", "pontosAtendimento[0].id", "pontosAtendimento[1].nome"} {
		input := got.Find("[name='" + field + "']")
		if input.AttrOr("aria-invalid", "") != "true" || input.AttrOr("value", "") != typed.Get(field) {
			t.Errorf("%s: invalid %q, value kept %v", field, input.AttrOr("aria-invalid", ""), input.AttrOr("value", "") == typed.Get(field))
		}
		if link, _ := got.Find("#erros a").FilterFunction(func(_ int, s *goquery.Selection) bool {
			return s.AttrOr("href",
				"") == "#"+input.AttrOr("id", "-")
		}).Attr("href"); link == "" {
			t.Errorf("%s: no line of the summary leads there", field)
		}
	}
	t.Run("MoreRowsKeepWhatIsTyped", func(t *testing.T) {
		typed := url.Values{"nome": {"Nova"}, "id": {""}, "pontosAtendimento[0].nome": {"A"}, "pontosAtendimento[0].id": {""},
			"acao": {"adicionar"}}
		got := admin.Post("/cadastros/unidades/nova", typed)
		if got.Status != http.StatusOK || got.Value("#nome") != "Nova" || got.Value("[name='pontosAtendimento[0].nome']") != "A" ||
			got.Count("[name='pontosAtendimento[1].nome']") != 1 {
			t.Errorf("got %d, name %q", got.Status, got.Value("#nome"))
		}
		if names := admin.Get("/cadastros/unidades").Names(); strings.Contains(names, "Nova") {
			t.Error("a row more stored the unit")
		}
	})
	t.Run("Taken", func(t *testing.T) {
		centro := admin.Search("/cadastros/unidades", "centro")
		point := admin.Get(centro).Value("[name='pontosAtendimento[0].id']")
		id := strings.TrimPrefix(centro, "/cadastros/unidades/")
		if got := admin.Post("/cadastros/unidades/nova",
			url.Values{"nome": {"Outra"}, "id": {id}}); got.Status != http.StatusUnprocessableEntity || got.Text("#id-error") == "" {
			t.Errorf("an identifier that is taken: %d %q", got.Status, got.Text("#erros"))
		}
		got := admin.Post("/cadastros/unidades/nova", url.Values{"nome": {"Outra"}, "id": {""}, "pontosAtendimento[0].nome": {"P"},
			"pontosAtendimento[0].id": {point}})
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Text("#erros"), "outra unidade") {
			t.Errorf("a point of another unit: %d %q", got.Status, got.Text("#erros"))
		}
	})
	t.Run("NameTaken", func(t *testing.T) {
		const message = "Já existe uma unidade com este nome."
		centro := admin.Search("/cadastros/unidades", "centro")
		taken := apptest.Want{Status: http.StatusUnprocessableEntity, Text: map[string]string{"#nome-error": message},
			Count: map[string]int{`#cadastro[action="` + centro + `"]`: 1}}
		admin.Post(centro, url.Values{"nome": {"jardim  das ACACIAS"}}).Check(t, taken)
		admin.Post(centro+"/desativar", nil)
		admin.Post("/cadastros/unidades/nova", url.Values{"nome": {"CENTRO"}})
		admin.Post(centro+"/reativar", nil).Check(t, taken)
	})
	t.Run("PointNameTaken", func(t *testing.T) {
		got := admin.Post("/cadastros/unidades/nova", url.Values{"nome": {"Vila"}, "pontosAtendimento[0].nome": {"Coleta"},
			"pontosAtendimento[1].nome": {""}, "pontosAtendimento[2].nome": {"COLÉTA"}})
		got.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Value: map[string]string{"#pontosAtendimento-1-nome": "COLÉTA"},
			Text: map[string]string{"#pontosAtendimento-1-nome-error": "Já existe um ponto com este nome nesta unidade."}})
	})
	t.Run("NotFound", func(t *testing.T) {
		for _, path := range []string{"/cadastros/unidades/01970000-0000-7000-8000-00000000dead", "/cadastros/unidades/x",
			"/cadastros/executantes/x",
			"/cadastros/procedimentos/99999999", "/cadastros/procedimentos/%00", "/cadastros/credenciais/x"} {
			for _, end := range []string{"", "/desativar", "/reativar"} {
				if got := admin.Post(path+end, url.Values{"nome": {"x"}}); got.Status != http.StatusNotFound {
					t.Errorf("POST %s%s: %d, want 404", path, end, got.Status)
				}
			}
		}
	})
}

func TestDirectory_Professionals(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, supervisor := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Supervision)
	typed := url.Values{"nome": {"Dr. Álvaro Nóbrega"}, "id": {""}, "siglaConselho": {"CRM"}, "numeroConselho": {"55123"}, "uf": {"PR"},
		"especialidades[0].id": {"doze"}, "especialidades[0].nome": {"Ortopedia"}, "especialidades[0].cbo": {"2252"},
		"especialidades[1].id": {"31"}, "especialidades[1].nome": {""}, "especialidades[1].cbo": {""}}
	got := admin.Post("/cadastros/executantes/novo", typed)
	if got.Status != http.StatusUnprocessableEntity || got.Count("#erros li") != 3 {
		t.Fatalf("got %d: %s", got.Status, got.Text("#erros"))
	}
	if got.Value("[name='especialidades[0].id']") != "doze" || got.Value("#uf") != "PR" {
		t.Error("what was typed is gone")
	}
	typed.Set("acao", "remover-1")
	if got = admin.Post("/cadastros/executantes/novo", typed); got.Status != http.StatusOK ||
		got.Value("[name='especialidades[1].id']") != "" {
		t.Fatalf("a row less: %d, %q", got.Status, got.Value("[name='especialidades[1].id']"))
	}
	for name, value := range map[string]string{"acao": "", "especialidades[0].id": "12", "especialidades[0].cbo": "2252-70",
		"especialidades[1].id": ""} {
		typed.Set(name, value)
	}
	if got = admin.Post("/cadastros/executantes/novo", typed); got.Path != "/cadastros/executantes" ||
		!strings.Contains(got.Names(), "Dr. Álvaro Nóbrega") {
		t.Fatalf("at %s with %d: %s", got.Path, got.Status, got.Text("#erros"))
	}
	form := supervisor.Get("/nova")
	if form.Option("#profissionalExecutanteId", "Dr. Álvaro Nóbrega") == "" ||
		form.Option("#especialidadeExecutanteId", "Ortopedia") != "12" {
		t.Error("the form does not offer the new professional")
	}
	address := admin.Search("/cadastros/executantes", "alvaro nobrega ortopedia")
	if got = admin.Get(address); got.Value("[name='especialidades[0].cbo']") != "225270" {
		t.Errorf("CBO: got %q, want it without its dash", got.Value("[name='especialidades[0].cbo']"))
	}
	if got = admin.Post(address, url.Values{"nome": {"Dr. Álvaro Nóbrega"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("without a specialty: %d, want 422", got.Status)
	}
	admin.Post(address+"/desativar", nil)
	if supervisor.Get("/nova").Option("#profissionalExecutanteId", "Dr. Álvaro Nóbrega") != "" {
		t.Error("the form offers a professional that is off")
	}
}

func TestDirectory_Procedures(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, receptionist := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	t.Run("Pages", func(t *testing.T) {
		seen, form := map[string]bool{}, url.Values{"Busca": {""}}
		for page := admin.Get("/cadastros/procedimentos"); ; page = admin.Post("/cadastros/procedimentos", form) {
			page.Find("td.cell-name").Each(func(_ int, s *goquery.Selection) { seen[s.Text()] = true })
			next, more := page.Find("[name=pagina]").Last().Attr("value")
			if !more || !strings.Contains(page.Text("form[aria-label='Páginas']"), "Próximos") {
				break
			}
			form.Set("pagina", next)
		}
		if want := admin.Get("/cadastros/procedimentos").Text(".title .muted"); !strings.HasPrefix(want, "5") || len(seen) < 500 ||
			!strings.HasPrefix(want, strconv.Itoa(len(seen))+" ") {
			t.Errorf("pages show %d procedures, the list says %s", len(seen), want)
		}
		for _, page := range []string{"0", "-3", "x", "99999999999999999999"} {
			if got := admin.Post("/cadastros/procedimentos", url.Values{"pagina": {page}}); got.Status != http.StatusOK {
				t.Errorf("page %s: %d", page, got.Status)
			}
		}
	})
	t.Run("AddChangeSwitch", func(t *testing.T) {
		if got := admin.Post("/cadastros/procedimentos/novo", url.Values{"codigo": {"4.03.16.52-1"},
			"nome": {"Outro"}}); got.Status != http.StatusUnprocessableEntity || got.Value("#codigo") != "4.03.16.52-1" {
			t.Errorf("a code that is taken: %d, kept %q", got.Status, got.Value("#codigo"))
		}
		admin.Post("/cadastros/procedimentos/novo", url.Values{"codigo": {"novo"}, "nome": {strings.Repeat("é", 2001)}}).Check(t,
			apptest.Want{Status: http.StatusUnprocessableEntity, Text: map[string]string{
				"#codigo-error": "O código precisa ter ao menos um número.", "#nome-error": "Use no máximo 2000 caracteres."}})
		admin.Post("/cadastros/procedimentos/novo", url.Values{"codigo": {"98.76.54.32"}, "nome": {"Exame próprio"},
			"sinonimos": {"zebra\r\n\r\n  Ornitorrinco  \r\nzebra"}})
		find := func(text string) string {
			return receptionist.Post("/busca/procedimentos", url.Values{"Busca": {text}}).Text("[role=option]")
		}
		if !strings.Contains(find("ornito"), "Exame próprio") {
			t.Error("the form does not find the new procedure by its other name")
		}
		address := admin.Search("/cadastros/procedimentos", "zebra")
		if got := admin.Get(address); address != "/cadastros/procedimentos/98765432" || got.Value("#sinonimos") != "zebra\nOrnitorrinco" {
			t.Errorf("at %s with %q", address, got.Value("#sinonimos"))
		}
		admin.Post(address, url.Values{"nome": {"Exame da casa"}, "sinonimos": {""}})
		if strings.Contains(find("zebra"), "Exame") || !strings.Contains(find("98765432"), "Exame da casa") {
			t.Error("a changed procedure is not in force")
		}
		admin.Post(address+"/desativar", nil)
		if strings.Contains(find("98765432"), "Exame") {
			t.Error("the form finds a procedure that is off")
		}
	})
}

func TestDirectory_Credentials(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, receptionist := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	address := admin.Search("/cadastros/credenciais", "aroeira")
	if got := admin.Post(address, url.Values{"padraoCarteira": {`a)(b`},
		"indicacaoClinica": {"Rotina"}}); got.Status != http.StatusUnprocessableEntity ||
		got.Value("#padraoCarteira") != `a)(b` || got.Value("#indicacaoClinica") != "Rotina" {
		t.Fatalf("a pattern that is none: %d", got.Status)
	}
	admin.Post(address, url.Values{"padraoCarteira": {`\d{16}`}, "validadeObrigatoria": {"S"}, "indicacaoClinica": {"Rotina anual"}})
	t.Run("RulesInForce", func(t *testing.T) {
		draft, form := receptionist.NewDraft()
		form.Set("numeroCarteira", "123")
		form.Set("validadeCarteira", "")
		got := receptionist.Post(draft+"/revisar", form)
		if got.Status != http.StatusUnprocessableEntity || got.Text("#numeroCarteira-error") == "" ||
			got.Text("#validadeCarteira-error") == "" {
			t.Errorf("got %d: %s", got.Status, got.Text("#erros"))
		}
	})
	t.Run("IndicationGoesAlong", func(t *testing.T) {
		draft, form := receptionist.NewDraft()
		if got := receptionist.Post(draft+"/revisar", form); !strings.Contains(got.Text("#revisao"), "Rotina anual") {
			t.Errorf("the review shows no indication: %s", got.Text("#revisao"))
		}
	})
	t.Run("Disabled", func(t *testing.T) {
		find := func() string {
			return receptionist.Post("/busca/credenciais", url.Values{"Busca": {"aroeira"}}).Text("[role=option]")
		}
		if !strings.Contains(find(), "Aroeira") {
			t.Fatal("the form does not offer the credential")
		}
		draft, form := receptionist.NewDraft()
		admin.Post(address+"/desativar", nil)
		if strings.Contains(find(), "Aroeira") {
			t.Error("the form offers a credential that is off")
		}
		if got := receptionist.Post(draft+"/revisar", form); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("a request with it: %d, want 422", got.Status)
		}
		admin.Post(address+"/reativar", nil)
	})
	t.Run("Ask", func(t *testing.T) {
		got := admin.Post("/cadastros/credenciais/atualizar", nil)
		if got.Path != "/cadastros/credenciais" || !strings.Contains(got.Text("[role=status]"), "5 credenciais") {
			t.Errorf("at %s: %s", got.Path, got.Text("[role=status]"))
		}
	})
}

func TestDirectory_NothingYet(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Fresh: true})
	v := p.Client(t)
	password := "uma frase bem comprida"
	v.Post(strings.TrimPrefix(p.SetupLink(), p.URL), url.Values{"usuario": {"dona"}, "nome": {"Dona Rosa"}, "senha": {password},
		"senha2": {password}})
	both := colleague(v, "supervisao", "administracao")
	form := both.Get("/nova")
	if got := form.Text("main .notice"); !strings.Contains(got, "A administração precisa cadastrar unidades e executantes") ||
		form.Count("main .notice a[href='/cadastros']") != 1 {
		t.Errorf("the form says %q", got)
	}
	for _, list := range []string{"unidades", "executantes", "credenciais"} {
		if got := v.Get("/cadastros/" + list); got.Text("main .empty-state h2") != "Nada cadastrado ainda." {
			t.Errorf("%s: %s", list, got.Text("main"))
		}
	}
	v.Post("/cadastros/unidades/nova", url.Values{"nome": {"Sede"}, "id": {""}, "pontosAtendimento[0].nome": {"Balcão"},
		"pontosAtendimento[0].id": {""}})
	if got := both.Get("/nova").Text("main .notice"); !strings.Contains(got, "cadastrar executantes.") {
		t.Errorf("with a unit the form says %q", got)
	}
	v.Post("/cadastros/executantes/novo", url.Values{"nome": {"Dra. Ema"}, "id": {""}, "especialidades[0].id": {"1"},
		"especialidades[0].nome": {"Clínica"}})
	if got := both.Get("/nova"); got.Count("main .notice:not([data-at])") != 0 {
		t.Errorf("with all of it the form still says %q", got.Text("main .notice"))
	}
	receptionist := colleague(v, "recepcao").Get("/nova")
	if got := receptionist.Text("main .notice"); !strings.Contains(got, "Seu acesso ainda não tem unidade") ||
		receptionist.Count("main .notice a") != 0 {
		t.Errorf("to a receptionist of no unit the form says %q", got)
	}
}

// colleague adds a person with the roles and logs her in.
func colleague(v *apptest.Client, roles ...string) *apptest.Client {
	v.T.Helper()
	made := v.Post("/pessoas/nova", url.Values{"usuario": {"colega." + strings.Join(roles, ".")}, "nome": {"Colega"}, "papeis": roles})
	link := made.Invitation()
	if link == "" {
		v.T.Fatalf("add a person: %d %s", made.Status, made.Text("#erros"))
	}
	other, password := v.Server.Client(v.T), "outra frase bem comprida"
	if got := other.Post(link, url.Values{"senha": {password}, "senha2": {password}}); got.Status != http.StatusOK {
		v.T.Fatalf("activate: %d %s", got.Status, got.Text("#erros"))
	}
	return other
}

func TestDirectory_Rights(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	paths := []string{"/cadastros", "/cadastros/unidades", "/cadastros/unidades/nova", "/cadastros/executantes",
		"/cadastros/procedimentos", "/cadastros/credenciais"}
	for _, role := range []string{"recepcao", "supervisao"} {
		v := p.LogIn(t, role)
		for _, path := range paths {
			if got := v.Get(path); got.Status != http.StatusForbidden {
				t.Errorf("%s, GET %s: %d, want 403", role, path, got.Status)
			}
		}
		if v.Get("/fila").Count("a[href='/cadastros']") != 0 {
			t.Errorf("%s has the link to the registers", role)
		}
	}
	admin := p.LogIn(t, apptest.Administration)
	for _, path := range paths {
		if got := admin.Get(path); got.Status != http.StatusOK || got.Count("nav.menu a[href='/cadastros']") != 1 {
			t.Errorf("administração, GET %s: %d", path, got.Status)
		}
	}
}
