package e2e_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/app"
)

// entry follows the link of the directory's list to the entry with that name.
func (v *visitor) entry(list, name string) string {
	v.t.Helper()
	page := v.post(list, url.Values{"Busca": {name}})
	address, ok := page.doc().Find("td.cell-name a").First().Attr("href")
	if !ok {
		v.t.Fatalf("%s has no %q", list, name)
	}
	return address
}

// option returns the value of the option of a select with that label, "" for none.
func (a answer) option(css, label string) string {
	a.t.Helper()
	value := ""
	a.doc().Find(css + " option").Each(func(_ int, s *selection) {
		if strings.TrimSpace(s.Text()) == label {
			value, _ = s.Attr("value")
		}
	})
	return value
}

// rowNames are the names of a list's rows.
func (a answer) rowNames() string {
	a.t.Helper()
	var names []string
	a.doc().Find("td.cell-name").Each(func(_ int, s *selection) { names = append(names, strings.TrimSpace(s.Text())) })
	return strings.Join(names, ", ")
}

func TestDirectory_Units(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, supervisor := MustVisit(t, p, "administracao"), MustVisit(t, p, "supervisao")
	const serviceID = "01970000-0000-7000-8000-0000000000f1"
	t.Run("Add", func(t *testing.T) {
		got := admin.post("/cadastros/unidades/nova", url.Values{"nome": {"  Água   Verde "}, "id": {serviceID},
			"pontosAtendimento[0].nome": {"Coleta"}, "pontosAtendimento[0].id": {""}, "pontosAtendimento[1].nome": {""}, "pontosAtendimento[1].id": {""}})
		if got.path != "/cadastros/unidades" || got.status != http.StatusOK || got.text("[role=status]") == "" {
			t.Fatalf("at %s with %d: %s", got.path, got.status, got.text("#erros"))
		}
		if want := "Água Verde, Centro, Jardim das Acácias"; got.rowNames() != want {
			t.Errorf("list: got %q, want %q", got.rowNames(), want)
		}
	})
	t.Run("InForceInTheFormAndAtTheService", func(t *testing.T) {
		address, form := supervisor.newDraft()
		page := supervisor.get("/nova")
		if got := page.option("#unidadeId", "Água Verde"); got != serviceID {
			t.Fatalf("the form offers %q, want the service's identifier", got)
		}
		form.Set("unidadeId", serviceID)
		form.Set("pontoAtendimentoId", page.option("#pontoAtendimentoId", "Coleta"))
		if got := supervisor.submit(address, form); !strings.Contains(got.text("main"), "Autorizado") {
			t.Errorf("a request at the new unit: %s", got.text("main"))
		}
	})
	t.Run("SearchFoldsAccents", func(t *testing.T) {
		for search, want := range map[string]string{"agua": "Água Verde", "COLETA": "Água Verde", "acácias jardim": "Jardim das Acácias", "nada disso": "",
			"": "Água Verde, Centro, Jardim das Acácias", "'\"; %_": ""} {
			if got := admin.post("/cadastros/unidades", url.Values{"Busca": {search}}); got.rowNames() != want || got.value("#Busca") != search {
				t.Errorf("%q: got %q with %q kept, want %q", search, got.rowNames(), got.value("#Busca"), want)
			}
		}
	})
	t.Run("ChangeAndSwitchOffAPoint", func(t *testing.T) {
		address := admin.entry("/cadastros/unidades", "agua")
		page := admin.get(address)
		got := admin.post(address, url.Values{"nome": {"Água Azul"},
			"pontosAtendimento[0].nome": {"Coleta"}, "pontosAtendimento[0].id": {page.value("[name='pontosAtendimento[0].id']")},
			"pontosAtendimento[1].nome": {"Balcão"}, "pontosAtendimento[1].id": {""}})
		if got.path != "/cadastros/unidades" {
			t.Fatalf("at %s with %d: %s", got.path, got.status, got.text("#erros"))
		}
		form := supervisor.get("/nova")
		if form.option("#unidadeId", "Água Azul") != serviceID || form.option("#pontoAtendimentoId", "Balcão") == "" || form.option("#pontoAtendimentoId", "Coleta") != "" {
			t.Errorf("the form offers %s", form.text("#pontoAtendimentoId"))
		}
	})
	t.Run("DisableAndEnable", func(t *testing.T) {
		address := admin.entry("/cadastros/unidades", "agua")
		if got := admin.post(address+"/desativar", nil); got.path != "/cadastros/unidades" || !strings.HasSuffix(got.rowNames(), ", Água Azul") {
			t.Errorf("list after disabling: %d %q", got.status, got.rowNames())
		}
		if got := supervisor.get("/nova").option("#unidadeId", "Água Azul"); got != "" {
			t.Error("the form offers a unit that is off")
		}
		admin.post(address+"/reativar", nil)
		if got := supervisor.get("/nova").option("#unidadeId", "Água Azul"); got != serviceID {
			t.Error("the form lacks a unit that is on again")
		}
	})
}

func TestDirectory_UnitProblems(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	typed := url.Values{"nome": {" "}, "id": {"17"}, "pontosAtendimento[0].nome": {""}, "pontosAtendimento[0].id": {"x'\"<b>"},
		"pontosAtendimento[1].nome": {strings.Repeat("é", 201)}, "pontosAtendimento[1].id": {""}}
	got := admin.post("/cadastros/unidades/nova", typed)
	if got.status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", got.status)
	}
	for _, field := range []string{"nome", "id", "pontosAtendimento[0].nome", "pontosAtendimento[0].id", "pontosAtendimento[1].nome"} {
		input := got.doc().Find("[name='" + field + "']")
		if input.AttrOr("aria-invalid", "") != "true" || input.AttrOr("value", "") != typed.Get(field) {
			t.Errorf("%s: invalid %q, value kept %v", field, input.AttrOr("aria-invalid", ""), input.AttrOr("value", "") == typed.Get(field))
		}
		if link, _ := got.doc().Find("#erros a").FilterFunction(func(_ int, s *selection) bool { return s.AttrOr("href", "") == "#"+input.AttrOr("id", "-") }).Attr("href"); link == "" {
			t.Errorf("%s: no line of the summary leads there", field)
		}
	}
	t.Run("MoreRowsKeepWhatIsTyped", func(t *testing.T) {
		typed := url.Values{"nome": {"Nova"}, "id": {""}, "pontosAtendimento[0].nome": {"A"}, "pontosAtendimento[0].id": {""}, "acao": {"adicionar"}}
		got := admin.post("/cadastros/unidades/nova", typed)
		if got.status != http.StatusOK || got.value("#nome") != "Nova" || got.value("[name='pontosAtendimento[0].nome']") != "A" ||
			got.doc().Find("[name='pontosAtendimento[1].nome']").Length() != 1 {
			t.Errorf("got %d, name %q", got.status, got.value("#nome"))
		}
		if names := admin.get("/cadastros/unidades").rowNames(); strings.Contains(names, "Nova") {
			t.Error("a row more stored the unit")
		}
	})
	t.Run("Taken", func(t *testing.T) {
		centro := admin.entry("/cadastros/unidades", "centro")
		point := admin.get(centro).value("[name='pontosAtendimento[0].id']")
		id := strings.TrimPrefix(centro, "/cadastros/unidades/")
		if got := admin.post("/cadastros/unidades/nova", url.Values{"nome": {"Outra"}, "id": {id}}); got.status != http.StatusUnprocessableEntity || got.text("#id-e") == "" {
			t.Errorf("an identifier that is taken: %d %q", got.status, got.text("#erros"))
		}
		got := admin.post("/cadastros/unidades/nova", url.Values{"nome": {"Outra"}, "id": {""}, "pontosAtendimento[0].nome": {"P"}, "pontosAtendimento[0].id": {point}})
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text("#erros"), "outra unidade") {
			t.Errorf("a point of another unit: %d %q", got.status, got.text("#erros"))
		}
	})
	t.Run("NotFound", func(t *testing.T) {
		for _, path := range []string{"/cadastros/unidades/01970000-0000-7000-8000-00000000dead", "/cadastros/unidades/x", "/cadastros/executantes/x",
			"/cadastros/procedimentos/99999999", "/cadastros/procedimentos/%00", "/cadastros/credenciais/x"} {
			for _, end := range []string{"", "/desativar", "/reativar"} {
				if got := admin.post(path+end, url.Values{"nome": {"x"}}); got.status != http.StatusNotFound {
					t.Errorf("POST %s%s: %d, want 404", path, end, got.status)
				}
			}
		}
	})
}

func TestDirectory_Professionals(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, supervisor := MustVisit(t, p, "administracao"), MustVisit(t, p, "supervisao")
	typed := url.Values{"nome": {"Dr. Álvaro Nóbrega"}, "id": {""}, "siglaConselho": {"CRM"}, "numeroConselho": {"55123"}, "uf": {"PR"},
		"especialidades[0].id": {"doze"}, "especialidades[0].nome": {"Ortopedia"}, "especialidades[0].cbo": {"2252"},
		"especialidades[1].id": {"31"}, "especialidades[1].nome": {""}, "especialidades[1].cbo": {""}}
	got := admin.post("/cadastros/executantes/novo", typed)
	if got.status != http.StatusUnprocessableEntity || got.doc().Find("#erros li").Length() != 3 {
		t.Fatalf("got %d: %s", got.status, got.text("#erros"))
	}
	if got.value("[name='especialidades[0].id']") != "doze" || got.value("#uf") != "PR" {
		t.Error("what was typed is gone")
	}
	typed.Set("acao", "remover-1")
	if got = admin.post("/cadastros/executantes/novo", typed); got.status != http.StatusOK || got.value("[name='especialidades[1].id']") != "" {
		t.Fatalf("a row less: %d, %q", got.status, got.value("[name='especialidades[1].id']"))
	}
	for name, value := range map[string]string{"acao": "", "especialidades[0].id": "12", "especialidades[0].cbo": "2252-70", "especialidades[1].id": ""} {
		typed.Set(name, value)
	}
	if got = admin.post("/cadastros/executantes/novo", typed); got.path != "/cadastros/executantes" || !strings.Contains(got.rowNames(), "Dr. Álvaro Nóbrega") {
		t.Fatalf("at %s with %d: %s", got.path, got.status, got.text("#erros"))
	}
	form := supervisor.get("/nova")
	if form.option("#profissionalExecutanteId", "Dr. Álvaro Nóbrega") == "" || form.option("#especialidadeExecutanteId", "Ortopedia") != "12" {
		t.Error("the form does not offer the new professional")
	}
	address := admin.entry("/cadastros/executantes", "alvaro nobrega ortopedia")
	if got = admin.get(address); got.value("[name='especialidades[0].cbo']") != "225270" {
		t.Errorf("CBO: got %q, want it without its dash", got.value("[name='especialidades[0].cbo']"))
	}
	if got = admin.post(address, url.Values{"nome": {"Dr. Álvaro Nóbrega"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("without a specialty: %d, want 422", got.status)
	}
	admin.post(address+"/desativar", nil)
	if supervisor.get("/nova").option("#profissionalExecutanteId", "Dr. Álvaro Nóbrega") != "" {
		t.Error("the form offers a professional that is off")
	}
}

func TestDirectory_Procedures(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, receptionist := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	t.Run("Pages", func(t *testing.T) {
		seen, form := map[string]bool{}, url.Values{"Busca": {""}}
		for page := admin.get("/cadastros/procedimentos"); ; page = admin.post("/cadastros/procedimentos", form) {
			page.doc().Find("td.cell-name").Each(func(_ int, s *selection) { seen[s.Text()] = true })
			next, more := page.doc().Find("[name=pagina]").Last().Attr("value")
			if !more || !strings.Contains(page.text("form[aria-label='Páginas']"), "Próximos") {
				break
			}
			form.Set("pagina", next)
		}
		if want := admin.get("/cadastros/procedimentos").text(".title .muted"); !strings.HasPrefix(want, "5") || len(seen) < 500 || !strings.HasPrefix(want, strconv.Itoa(len(seen))+" ") {
			t.Errorf("pages show %d procedures, the list says %s", len(seen), want)
		}
		for _, page := range []string{"0", "-3", "x", "99999999999999999999"} {
			if got := admin.post("/cadastros/procedimentos", url.Values{"pagina": {page}}); got.status != http.StatusOK {
				t.Errorf("page %s: %d", page, got.status)
			}
		}
	})
	t.Run("AddChangeSwitch", func(t *testing.T) {
		if got := admin.post("/cadastros/procedimentos/novo", url.Values{"codigo": {"4.03.16.52-1"}, "nome": {"Outro"}}); got.status != http.StatusUnprocessableEntity || got.value("#codigo") != "4.03.16.52-1" {
			t.Errorf("a code that is taken: %d, kept %q", got.status, got.value("#codigo"))
		}
		if got := admin.post("/cadastros/procedimentos/novo", url.Values{"codigo": {"novo"}, "nome": {"Outro"}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("a code without a number: %d", got.status)
		}
		admin.post("/cadastros/procedimentos/novo", url.Values{"codigo": {"98.76.54.32"}, "nome": {"Exame próprio"}, "sinonimos": {"zebra\r\n\r\n  Ornitorrinco  \r\nzebra"}})
		find := func(text string) string {
			return receptionist.post("/busca/procedimentos", url.Values{"Busca": {text}}).text("[role=option]")
		}
		if !strings.Contains(find("ornito"), "Exame próprio") {
			t.Error("the form does not find the new procedure by its other name")
		}
		address := admin.entry("/cadastros/procedimentos", "zebra")
		if got := admin.get(address); address != "/cadastros/procedimentos/98765432" || got.value("#sinonimos") != "zebra\nOrnitorrinco" {
			t.Errorf("at %s with %q", address, got.value("#sinonimos"))
		}
		admin.post(address, url.Values{"nome": {"Exame da casa"}, "sinonimos": {""}})
		if strings.Contains(find("zebra"), "Exame") || !strings.Contains(find("98765432"), "Exame da casa") {
			t.Error("a changed procedure is not in force")
		}
		admin.post(address+"/desativar", nil)
		if strings.Contains(find("98765432"), "Exame") {
			t.Error("the form finds a procedure that is off")
		}
	})
}

func TestDirectory_Credentials(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, receptionist := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	address := admin.entry("/cadastros/credenciais", "aroeira")
	if got := admin.post(address, url.Values{"padraoCarteira": {`a)(b`}, "indicacaoClinica": {"Rotina"}}); got.status != http.StatusUnprocessableEntity ||
		got.value("#padraoCarteira") != `a)(b` || got.value("#indicacaoClinica") != "Rotina" {
		t.Fatalf("a pattern that is none: %d", got.status)
	}
	admin.post(address, url.Values{"padraoCarteira": {`\d{16}`}, "validadeObrigatoria": {"S"}, "indicacaoClinica": {"Rotina anual"}})
	t.Run("RulesInForce", func(t *testing.T) {
		draft, form := receptionist.newDraft()
		form.Set("numeroCarteira", "123")
		form.Set("validadeCarteira", "")
		got := receptionist.post(draft+"/revisar", form)
		if got.status != http.StatusUnprocessableEntity || got.text("#numeroCarteira-e") == "" || got.text("#validadeCarteira-e") == "" {
			t.Errorf("got %d: %s", got.status, got.text("#erros"))
		}
	})
	t.Run("IndicationGoesAlong", func(t *testing.T) {
		draft, form := receptionist.newDraft()
		if got := receptionist.post(draft+"/revisar", form); !strings.Contains(got.text("#revisao"), "Rotina anual") {
			t.Errorf("the review shows no indication: %s", got.text("#revisao"))
		}
	})
	t.Run("Disabled", func(t *testing.T) {
		find := func() string {
			return receptionist.post("/busca/credenciais", url.Values{"Busca": {"aroeira"}}).text("[role=option]")
		}
		if !strings.Contains(find(), "Aroeira") {
			t.Fatal("the form does not offer the credential")
		}
		draft, form := receptionist.newDraft()
		admin.post(address+"/desativar", nil)
		if strings.Contains(find(), "Aroeira") {
			t.Error("the form offers a credential that is off")
		}
		if got := receptionist.post(draft+"/revisar", form); got.status != http.StatusUnprocessableEntity {
			t.Errorf("a request with it: %d, want 422", got.status)
		}
		admin.post(address+"/reativar", nil)
	})
	t.Run("Ask", func(t *testing.T) {
		got := admin.post("/cadastros/credenciais/atualizar", nil)
		if got.path != "/cadastros/credenciais" || !strings.Contains(got.text("[role=status]"), "5 credenciais") {
			t.Errorf("at %s: %s", got.path, got.text("[role=status]"))
		}
	})
}

func TestDirectory_NothingYet(t *testing.T) {
	t.Parallel()
	p := MustRun(t, func(c *app.Config) { c.Demo, c.Simulated = false, false })
	v := MustVisit(t, p, "")
	password := "uma frase bem comprida"
	v.post(strings.TrimPrefix(p.app.SetupLink(), p.url), url.Values{"usuario": {"dona"}, "nome": {"Dona Rosa"}, "senha": {password}, "senha2": {password}})
	both := v.colleague("supervisao", "administracao")
	form := both.get("/nova")
	if got := form.text("main .notice"); !strings.Contains(got, "A administração precisa cadastrar unidades e executantes") || form.doc().Find("main .notice a[href='/cadastros']").Length() != 1 {
		t.Errorf("the form says %q", got)
	}
	for _, list := range []string{"unidades", "executantes", "credenciais"} {
		if got := v.get("/cadastros/" + list); got.text("main .empty-state h2") != "Nada cadastrado ainda." {
			t.Errorf("%s: %s", list, got.text("main"))
		}
	}
	v.post("/cadastros/unidades/nova", url.Values{"nome": {"Sede"}, "id": {""}, "pontosAtendimento[0].nome": {"Balcão"}, "pontosAtendimento[0].id": {""}})
	if got := both.get("/nova").text("main .notice"); !strings.Contains(got, "cadastrar executantes.") {
		t.Errorf("with a unit the form says %q", got)
	}
	v.post("/cadastros/executantes/novo", url.Values{"nome": {"Dra. Ema"}, "id": {""}, "especialidades[0].id": {"1"}, "especialidades[0].nome": {"Clínica"}})
	if got := both.get("/nova"); got.doc().Find("main .notice").Length() != 0 {
		t.Errorf("with all of it the form still says %q", got.text("main .notice"))
	}
	receptionist := v.colleague("recepcao").get("/nova")
	if got := receptionist.text("main .notice"); !strings.Contains(got, "Seu acesso ainda não tem unidade") || receptionist.doc().Find("main .notice a").Length() != 0 {
		t.Errorf("to a receptionist of no unit the form says %q", got)
	}
}

// colleague adds a person with the roles and logs her in.
func (v *visitor) colleague(roles ...string) *visitor {
	v.t.Helper()
	made := v.post("/pessoas/nova", url.Values{"usuario": {"colega." + strings.Join(roles, ".")}, "nome": {"Colega"}, "papeis": roles})
	link := made.invitation()
	if link == "" {
		v.t.Fatalf("add a person: %d %s", made.status, made.text("#erros"))
	}
	other, password := MustVisit(v.t, v.p, ""), "outra frase bem comprida"
	if got := other.post(link, url.Values{"senha": {password}, "senha2": {password}}); got.status != http.StatusOK {
		v.t.Fatalf("activate: %d %s", got.status, got.text("#erros"))
	}
	return other
}

func TestDirectory_Rights(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	paths := []string{"/cadastros", "/cadastros/unidades", "/cadastros/unidades/nova", "/cadastros/executantes", "/cadastros/procedimentos", "/cadastros/credenciais"}
	for _, role := range []string{"recepcao", "supervisao"} {
		v := MustVisit(t, p, role)
		for _, path := range paths {
			if got := v.get(path); got.status != http.StatusForbidden {
				t.Errorf("%s, GET %s: %d, want 403", role, path, got.status)
			}
		}
		if v.get("/fila").doc().Find("a[href='/cadastros']").Length() != 0 {
			t.Errorf("%s has the link to the registers", role)
		}
	}
	admin := MustVisit(t, p, "administracao")
	for _, path := range paths {
		if got := admin.get(path); got.status != http.StatusOK || got.doc().Find("nav.menu a[href='/cadastros']").Length() != 1 {
			t.Errorf("administração, GET %s: %d", path, got.status)
		}
	}
}
