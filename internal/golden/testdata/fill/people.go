package main

import (
	"net/url"
	"strings"
)

// people makes somebody of every kind: each role and all of them, with and without
// units, disabled, enabled again, invited, and with a new link.
func (w *world) people() {
	w.first()
	units := w.admin.see("/pessoas/nova")
	unit := func(label string) string {
		return units.Find(`label:contains("`+label+`") input[name=unidades]`).AttrOr("value", "")
	}
	centro, jardim := unit("Centro"), unit("Jardim das Acácias")
	w.add("ana", "Ana Prado", []string{"recepcao"}, centro)
	w.add("bento", "Recepção do Jardim", []string{"recepcao"}, jardim)
	w.add("celia", "Célia Nunes", []string{"supervisao"}, centro)
	w.add("todos", "Pessoa com todos os papéis", []string{"recepcao", "supervisao", "administracao"}, centro, jardim)
	w.add("saiu", "Pessoa desativada", []string{"recepcao"}, centro)
	w.add("voltou", "Pessoa reativada", []string{"supervisao"})
	w.add("esqueceu", "Pessoa com senha redefinida", []string{"recepcao"}, centro)
	w.invite("convidada", "Pessoa convidada", []string{"recepcao"}, centro)
	w.invite("segunda", "Pessoa convidada de novo", []string{"supervisao"})

	w.admin.press(w.personPath("saiu"), w.personPath("saiu")+"/desativar")
	w.admin.press(w.personPath("voltou"), w.personPath("voltou")+"/desativar")
	w.admin.press(w.personPath("voltou"), w.personPath("voltou")+"/reativar")
	w.renew("esqueceu")
	w.renew("segunda")
	w.admin.fill(w.personPath("celia"), values{"papeis": []string{"supervisao", "recepcao"}})
	w.admin.post("/pessoas", url.Values{"texto": {"célia"}})
	w.sessions()
}

// first is the administrator, created by the link of the first start.
func (w *world) first() {
	w.known.Passwords["rui"] = password("rui")
	w.visitor().fill(w.p.setup, joined(values{"nome": "Rui Barreto", "usuario": "rui"}, chosen(password("rui"))))
	w.admin = w.logIn("rui")
}

// chosen is a password that was typed twice.
func chosen(password string) values { return values{"senha": password, "senha2": password} }

func password(login string) string { return "frase de " + login + " para o ouro" }

// invite makes a person and keeps the one-time link.
func (w *world) invite(login, name string, roles []string, units ...string) {
	p := w.admin.fill("/pessoas/nova", values{"nome": name, "usuario": login, "papeis": roles, "unidades": units})
	w.known.Links[login] = strings.TrimPrefix(p.text("#convite"), w.p.url)
}

// add makes a person who has chosen a password.
func (w *world) add(login, name string, roles []string, units ...string) {
	w.invite(login, name, roles, units...)
	link := w.known.Links[login]
	delete(w.known.Links, login)
	w.known.Passwords[login] = password(login)
	w.visitor().fill(link, chosen(password(login)))
}

// renew gives a person a new link; a password chosen before ends.
func (w *world) renew(login string) {
	p := w.admin.press(w.personPath(login), w.personPath(login)+"/convite")
	w.known.Links[login] = strings.TrimPrefix(p.text("#convite"), w.p.url)
	delete(w.known.Passwords, login)
}

// personPath is the page of a person.
func (w *world) personPath(login string) string {
	row := w.admin.see("/pessoas").Find(`tbody tr:contains("` + login + `") a`)
	return row.First().AttrOr("href", "")
}

// sessions leaves sessions open, ends some, fails to log in, and sets preferences.
func (w *world) sessions() {
	stays := w.logIn("celia")
	w.known.Sessions["celia"] = stays.cookie()
	w.logIn("celia")
	stays.press("/conta", stays.see("/conta").action("/encerrar", 1)) // one of the others
	preferences := stays.see("/conta").form("/conta/preferencias")
	stays.leave("/conta/preferencias", preferences.with(values{"tema": "escuro", "teclas": nil})) // what is said is still to be shown
	ana := w.logIn("ana")
	w.logIn("ana")
	ana.press("/conta", "/conta/sessoes/encerrar")
	ana.submit("/conta", "/conta/preferencias", values{"tema": "claro"})
	ana.submit("/conta", "/conta/senha", joined(values{"atual": password("ana")}, chosen(password("ana outra"))))
	w.known.Passwords["ana"] = password("ana outra")
	w.logIn("bento").press("/conta", "/sair")
	for range 2 {
		w.visitor().post("/entrar", url.Values{"usuario": {"ana"}, "senha": {"não é esta, com certeza"}})
	}
	w.logIn("voltou")
	w.admin.press(w.personPath("voltou"), w.personPath("voltou")+"/sessoes/encerrar")
	w.logIn("todos")
	w.admin.press(w.personPath("todos"), w.admin.see(w.personPath("todos")).action("/encerrar", 1))
}
