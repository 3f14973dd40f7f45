package e2e_test

// lookAtDirectory pictures the directory in all their states; administração is
// logged in.
func (b *browser) lookAtDirectory() {
	b.t.Helper()
	b.open("/cadastros")
	b.look("cadastros")
	b.open("/cadastros/unidades")
	b.look("cadastros-unidades")
	b.open("/cadastros/unidades/nova")
	b.look("cadastros-unidade-nova")
	b.fill("#pontosAtendimento-0-id", "17")
	b.click("#cadastro .btn-primary")
	b.see("#erros")
	b.look("cadastros-unidade-erros")
	for _, register := range []string{"unidades", "executantes", "credenciais"} {
		b.open("/cadastros/" + register)
		b.look("cadastros-" + register)
		b.click("td.cell-name a")
		b.see("#cadastro")
		b.look("cadastros-" + register + "-um")
	}
	b.open("/cadastros/procedimentos")
	b.look("cadastros-procedimentos")
	b.open("/cadastros/procedimentos/40316521")
	b.look("cadastros-procedimentos-um")
	b.click("form[action$='/desativar'] button")
	b.waitFor("the list", "location.pathname === '/cadastros/procedimentos'")
	b.fill("#Busca", "40316521")
	b.submit("[role=search] button")
	b.see("td .status-badge")
	b.look("cadastros-procedimentos-desativado")
	b.fill("#Busca", "nada disso")
	b.submit("[role=search] button")
	b.see("section.empty-state")
	b.look("cadastros-vazio")
}
