package e2e_test

import (
	"guiche/internal/apptest"
)

// lookAtPeople pictures the pages of administração and of one's own account.
func (b *browser) lookAtPeople() {
	b.t.Helper()
	b.p.LogInFrom(b.t, apptest.Reception, apptest.AndroidChrome)
	b.open("/conta")
	b.look("conta")
	b.fill("#senha", "curta")
	b.press("\r")
	b.see("#erros")
	b.look("conta-erros")
	b.click(".user-menu > summary")
	b.click(".menu form button")
	b.waitFor("out", "location.pathname === '/entrar'")
	b.logIn("administracao")
	b.look("pessoas")
	b.click(".user-menu > summary")
	b.look("pessoas-menu")
	b.fill("#texto", "zulmira")
	b.press("\r")
	b.see(".empty-state")
	b.look("pessoas-nada")
	b.open("/pessoas/nova")
	b.look("pessoa-nova")
	b.click("main form .btn-primary")
	b.see("#erros")
	b.look("pessoa-nova-erros")
	b.fill("#nome", "Lívia Prates de Albuquerque")
	b.fill("#usuario", "livia")
	b.click("#papeis")
	b.click("#unidades")
	b.click("main form .btn-primary")
	b.see("#convite")
	b.look("pessoa-convite")
	v := b.p.LogIn(b.t, apptest.Administration)
	v.Post(v.PersonPath("livia")+"/desativar", nil)
	for name, login := range map[string]string{"pessoa": "ana", "pessoa-propria": "rui", "pessoa-desativada": "livia"} {
		b.open(v.PersonPath(login))
		b.look(name)
	}
	b.open("/pessoas")
	b.look("pessoas-estados")
}
