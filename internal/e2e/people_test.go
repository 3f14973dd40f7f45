package e2e_test

import (
	"time"

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
	b.lookAtConfirmation()
}

// lookAtConfirmation pictures the page that asks for the password again, and a new
// invitation's person after it.
func (b *browser) lookAtConfirmation() {
	b.t.Helper()
	b.p.Clock.Advance(11 * time.Minute)
	b.open("/pessoas/nova")
	b.fill("#nome", "Otávio Reis")
	b.submit("main form .btn-primary")
	b.see(".confirm-form")
	b.look("confirmar-senha")
	b.fill(".confirm-form [type=password]", "errada")
	b.submit(".confirm-form .btn-primary")
	b.see(".confirm-form .error")
	b.look("confirmar-senha-errada")
	_, password := b.p.Login(apptest.Administration)
	b.fill(".confirm-form [type=password]", password)
	b.submit(".confirm-form .btn-primary")
	b.see("#erros")
	if got := b.value("#nome"); got != "Otávio Reis" {
		b.t.Errorf("after the password: got the name %q, want what was typed", got)
	}
}
