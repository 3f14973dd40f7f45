package page_test

import (
	"testing"

	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"
)

func admin(title string) layout.Page {
	return layout.Page{Title: title, Person: &layout.Person{Name: "Rui Barreto", Initials: "RB", Units: "Centro", Admin: true}}
}

// peopleViews lists the pages of people and of one's own account.
func peopleViews() []view {
	return []view{
		{"pessoas", page.PeoplePage(people())},
		{"pessoas-nada", page.PeoplePage(page.PeopleView{Page: admin("Pessoas"), Search: "zulmira", Count: "0 de 12 pessoas"})},
		{"pessoa-nova", page.NewPersonPage(page.NewPersonView{Page: admin("Nova pessoa"), PersonFields: emptyPerson()})},
		{"pessoa-nova-erros", page.NewPersonPage(wrongNewPerson())},
		{"pessoa", page.PersonPage(knownPerson())},
		{"pessoa-convite", page.PersonPage(invitedPerson())},
		{"pessoa-desativada", page.PersonPage(disabledPerson())},
		{"pessoa-propria", page.PersonPage(ownPerson())},
		{"pessoa-erros", page.PersonPage(wrongPerson())},
		{"conta", page.AccountPage(ownAccount())},
		{"conta-erros", page.AccountPage(wrongAccount())},
		{"ajuda-sem-teclas", page.HelpPage(page.HelpView{Page: layout.Page{Title: "Ajuda", Person: person(), KeysOff: true, Theme: "dark"}})},
	}
}

func people() page.PeopleView {
	row := page.PersonRow{Href: "/pessoas/" + uid, Name: "Ana Prado", User: "ana", Roles: "Recepção", Units: "Centro",
		LastLogin: "hoje, 14:02",
		State:     component.Situation{Label: "Ativa"}}
	invited, disabled := row, row
	invited.State, invited.LastLogin = component.Situation{Tone: component.ToneWaiting, Icon: "clock", Label: "Convite aberto"}, "nunca"
	disabled.State = component.Situation{Tone: component.ToneNeutral, Icon: "dash-lg", Label: "Desativada"}
	return page.PeopleView{Page: admin("Pessoas"), Count: "3 pessoas", Rows: []page.PersonRow{row, invited, disabled}}
}

func emptyPerson() page.PersonFields {
	return page.PersonFields{
		Roles: []page.Option{{Value: "recepcao", Label: "Recepção", Detail: "Abre e envia pedidos."},
			{Value: "supervisao", Label: "Supervisão"}, {Value: "administracao", Label: "Administração"}},
		Units: []page.Option{{Value: uid, Label: "Centro"}, {Value: "u2", Label: "Jardim das Acácias", Detail: "desativada"}},
	}
}

func filledPerson() page.PersonFields {
	f := emptyPerson()
	f.Name, f.User, f.Roles[0].On, f.Units[0].On = "Ana Prado", "ana", true, true
	return f
}

func wrongNewPerson() page.NewPersonView {
	f := emptyPerson()
	f.Name, f.User = "Lia", "lia prates"
	f.Problems = []component.Problem{{Name: "usuario", Message: "Use só letras sem acento."},
		{Name: "papeis", Message: "Escolha ao menos um papel."}}
	p := page.NewPersonView{Page: admin("Nova pessoa"), PersonFields: f}
	p.Failed = true
	return p
}

func knownPerson() page.PersonView {
	return page.PersonView{Page: admin("Ana Prado"), PersonFields: filledPerson(), UID: uid, State: component.Situation{Label: "Ativa"},
		Created: "19/11/2026, 14:00", LastLogin: "hoje, 08:02", Activated: true, Sessions: []page.SessionRow{
			{Path: "/pessoas/" + uid + "/sessoes/" + uid + "/encerrar", Device: "Chrome no Windows", Address: "192.0.2.7",
				Since: "hoje, 08:02", Active: "agora"},
		}}
}

func invitedPerson() page.PersonView {
	p := knownPerson()
	p.Activated, p.Sessions, p.LastLogin, p.Link = false, nil, "nunca",
		"https://guiche.clinica/ativar/abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE"
	p.State = component.Situation{Tone: component.ToneWaiting, Icon: "clock", Label: "Convite aberto"}
	return p
}

func disabledPerson() page.PersonView {
	p := knownPerson()
	p.Disabled, p.Sessions, p.State = true, nil, component.Situation{Tone: component.ToneNeutral, Icon: "dash-lg", Label: "Desativada"}
	return p
}

func ownPerson() page.PersonView {
	p := knownPerson()
	p.Own, p.Sessions[0].Current = true, true
	return p
}

func wrongPerson() page.PersonView {
	p := knownPerson()
	p.Failed, p.Name = true, ""
	p.Problems = []component.Problem{{Name: "nome", Message: "Informe o nome."}, {Name: "unidades", Message: "Escolha unidades da lista."}}
	return p
}

func ownAccount() page.AccountView {
	current := page.SessionRow{Path: "/conta/sessoes/" + uid + "/encerrar", Device: "Firefox no Windows",
		Address: "192.0.2.7", Since: "hoje, 08:02", Active: "agora", Current: true}
	other := current
	other.Device, other.Current = "Chrome no Android", false
	return page.AccountView{Page: desk("Minha conta", layout.NoTab), Name: "Ana Prado", User: "ana", Roles: "Recepção",
		Units: "Centro", MinLen: 12,
		Themes: []component.Choice{{Value: "sistema", Label: "Como no sistema"}, {Value: "claro", Label: "Claro"},
			{Value: "escuro", Label: "Escuro"}},
		Theme: "sistema", Keys: true, Sessions: []page.SessionRow{current, other}}
}

func wrongAccount() page.AccountView {
	a := ownAccount()
	a.Failed, a.Sessions = true, a.Sessions[:1]
	a.Problems = []component.Problem{{Name: "atual", Message: "A senha atual não confere."},
		{Name: "senha", Message: "A senha tem ao menos 12 caracteres."},
		{Name: "senha2", Message: "As duas senhas não são iguais."}, {Name: "tema", Message: "Escolha um tema da lista."}}
	return a
}

func TestPeoplePage(t *testing.T) {
	doc := MustRender(t, page.PeoplePage(people()))
	wantCount(t, doc, "tbody tr", 3)
	wantCount(t, doc, ".status-badge", 2) // only what is out of the ordinary is coloured
	wantText(t, doc, "tbody tr:nth-child(3) .status-badge", "Desativada")
	wantAttr(t, doc, "form[role=search]", "method", "post")
	t.Run("Nobody", func(t *testing.T) {
		doc := MustRender(t, peopleViews()[1].page)
		wantCount(t, doc, "table", 0)
		wantText(t, doc, ".empty-state h2", "Ninguém com estas palavras.")
		wantAttr(t, doc, "#texto", "value", "zulmira")
	})
}

func TestPersonPage(t *testing.T) {
	for _, tt := range []struct {
		name                               string
		page                               page.PersonView
		invite, disable, enable, end, link int
	}{
		{"Active", knownPerson(), 1, 1, 0, 1, 0},
		{"Invited", invitedPerson(), 1, 1, 0, 0, 1},
		{"Disabled", disabledPerson(), 0, 0, 1, 0, 0},
		{"Own", ownPerson(), 0, 0, 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := MustRender(t, page.PersonPage(tt.page))
			wantCount(t, doc, `form[action$="/convite"]`, tt.invite)
			wantCount(t, doc, `form[action$="/desativar"]`, tt.disable)
			wantCount(t, doc, `form[action$="/reativar"]`, tt.enable)
			wantCount(t, doc, `td form[action$="/encerrar"]`, tt.end)
			wantCount(t, doc, `#convite`, tt.link)
		})
	}
	t.Run("OwnRightsAreSentAsTheyAre", func(t *testing.T) {
		doc := MustRender(t, page.PersonPage(ownPerson()))
		wantCount(t, doc, "input[type=checkbox]", 0)
		wantAttr(t, doc, "input[type=hidden][name=papeis]", "value", "recepcao")
		wantAttr(t, doc, "input[type=hidden][name=unidades]", "value", uid)
	})
}

func TestAccountPage(t *testing.T) {
	doc := MustRender(t, page.AccountPage(ownAccount()))
	wantCount(t, doc, `td form[action$="/encerrar"]`, 1) // not of this browser
	wantAttr(t, doc, "#teclas", "checked", "")
	doc = MustRender(t, page.AccountPage(wrongAccount()))
	wantCount(t, doc, `form[action="/conta/sessoes/encerrar"]`, 0) // there is no other
	wantText(t, doc, "#atual-error", "Erro: A senha atual não confere.")
}
