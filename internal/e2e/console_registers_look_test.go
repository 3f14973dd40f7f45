package e2e_test

import (
	"fmt"
	"net/url"
	"testing"

	"guiche/internal/apptest"
)

// TestPages_Directory looks at units, professionals and sessions where the
// console keeps them: empty, new, wrong, many.
func TestPages_Directory(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Empty: true})
	admin := p.LogIn(t, apptest.Administration)
	b := MustBrowse(t, p, "422")
	b.logIn("administracao")
	for register, fresh := range map[string]string{"unidades": "/nova", "profissionais": "/novo"} {
		b.open("/servico/" + register + fresh)
		b.look("servico-" + register + "-novo")
		b.click("#cadastro .btn-primary")
		b.see("#erros")
		b.look("servico-" + register + "-erros")
	}
	b.open("/servico/unidades")
	b.look("servico-unidades-vazio")
	var unit, professional string
	for i := range 51 {
		unit = admin.Post("/servico/unidades/nova", url.Values{"nome": {fmt.Sprintf("Unidade %02d", i)},
			"pontosAtendimento[0].nome": {"Recepção"}, "pontosAtendimento[1].nome": {"Coleta"}}).Path
	}
	for i := range 3 {
		professional = admin.Post("/servico/profissionais/novo",
			url.Values{"nome": {fmt.Sprintf("Beatriz Antunes de Carvalho %02d", i)}, "siglaConselho": {"CRM"},
				"numeroConselho": {fmt.Sprint(88000 + i)}, "uf": {"SP"},
				"especialidades[0].id": {"1"}, "especialidades[0].nome": {"Cardiologia"}, "especialidades[0].cbo": {"225120"},
				"especialidades[1].id": {"2"}, "especialidades[1].nome": {"Clínica médica"}}).Path
	}
	b.open(unit)
	b.look("servico-unidades-um")
	b.click("#pontosAtendimento-1-ativo")
	b.submit("#cadastro .btn-primary")
	b.waitFor("the point is off", "!document.querySelector('#pontosAtendimento-1-ativo').checked")
	b.look("servico-unidades-guardado")
	b.open(professional)
	b.look("servico-profissionais-um")
	admin.Post(professional+"/desativar", nil)
	b.open(professional)
	b.look("servico-profissionais-desativado")
	b.open("/servico/unidades")
	b.look("servico-unidades")
	b.open("/servico/profissionais")
	b.look("servico-profissionais")
	b.fill("#Busca", "carvalho 02")
	b.submit("[role=search] button")
	b.see("td .status-badge")
	b.look("servico-profissionais-busca")
	b.lookAtSessions(admin)
}

// lookAtSessions pictures a partner's sessions: none, some, and those of a partner
// who is out.
func (b *browser) lookAtSessions(admin *apptest.Client) {
	b.t.Helper()
	partner := admin.AddPartner("Hospital da Serra")
	b.open(partner + "/sessoes")
	b.look("servico-sessoes-vazio")
	user := admin.Mint(b.t, partner+"/usuarios", url.Values{"usuario": {"hospital.serra"}}, 2)
	for range 3 {
		admin.Server.Partner(b.t, "").LogIn(user[0], user[1])
	}
	b.open(partner)
	b.look("servico-parceiro-sessoes")
	b.open(partner + "/sessoes")
	b.look("servico-sessoes")
	admin.Post(partner+"/desativar", nil)
	b.open(partner + "/sessoes")
	b.look("servico-sessoes-fora")
}
