package e2e_test

import (
	"fmt"
	"net/url"
	"testing"

	"guiche/internal/app"
)

// TestPages_Directory looks at units, professionals and sessions where the
// console keeps them: empty, new, wrong, many.
func TestPages_Directory(t *testing.T) {
	t.Parallel()
	p := MustRunAlone(t, func(c *app.Config) { c.Simulated = false })
	admin := MustVisit(t, p, "administracao")
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
		unit = admin.post("/servico/unidades/nova", url.Values{"nome": {fmt.Sprintf("Unidade %02d", i)}, "pontosAtendimento[0].nome": {"Recepção"}, "pontosAtendimento[1].nome": {"Coleta"}}).path
	}
	for i := range 3 {
		professional = admin.post("/servico/profissionais/novo", url.Values{"nome": {fmt.Sprintf("Beatriz Antunes de Carvalho %02d", i)}, "siglaConselho": {"CRM"}, "numeroConselho": {fmt.Sprint(88000 + i)}, "uf": {"SP"},
			"especialidades[0].id": {"1"}, "especialidades[0].nome": {"Cardiologia"}, "especialidades[0].cbo": {"225120"},
			"especialidades[1].id": {"2"}, "especialidades[1].nome": {"Clínica médica"}}).path
	}
	b.open(unit)
	b.look("servico-unidades-um")
	b.click("#pontosAtendimento-1-ativo")
	b.click("#cadastro .btn-primary")
	b.waitFor("the point is off", "!document.querySelector('#pontosAtendimento-1-ativo').checked")
	b.look("servico-unidades-guardado")
	b.open(professional)
	b.look("servico-profissionais-um")
	admin.post(professional+"/desativar", nil)
	b.open(professional)
	b.look("servico-profissionais-desativado")
	b.open("/servico/unidades")
	b.look("servico-unidades")
	b.open("/servico/profissionais")
	b.look("servico-profissionais")
	b.fill("#Busca", "carvalho 02")
	b.submit("[role=search]")
	b.see("td .status-badge")
	b.look("servico-profissionais-busca")
	b.lookAtSessions(admin)
}

// lookAtSessions pictures a partner's sessions: none, some, and those of a partner
// who is out.
func (b *browser) lookAtSessions(admin *visitor) {
	b.t.Helper()
	partner := admin.addPartner("Hospital da Serra")
	b.open(partner + "/sessoes")
	b.look("servico-sessoes-vazio")
	user := admin.mint(b.t, partner+"/usuarios", url.Values{"usuario": {"hospital.serra"}}, 2)
	for range 3 {
		MustCall(b.t, admin.p, "Accept", "application/json").logIn(user[0], user[1])
	}
	b.open(partner)
	b.look("servico-parceiro-sessoes")
	b.open(partner + "/sessoes")
	b.look("servico-sessoes")
	admin.post(partner+"/desativar", nil)
	b.open(partner + "/sessoes")
	b.look("servico-sessoes-fora")
}
