package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// PartnerView is GET and POST /servico/parceiros/novo and /servico/parceiros/{uid}.
type PartnerView struct {
	layout.Page
	Fields            // nome, limite
	Methods  []Option // metodos
	Scopes   []Option // escopos
	New      bool
	Fixed    bool   // the desk's own profile: shown, not changed
	Path     string // "/servico/parceiros/{uid}"
	ID       string
	State    component.Situation
	Disabled bool
	Shown    *Secret // what was made just now; nil for nothing
	Accesses []AccessList
	Sessions string // "2 sessões abertas", "" for a partner that cannot have any
}

// Secret is what is shown once, and cannot be read again.
type Secret struct {
	Title string
	Facts []component.Copyable
}

// AccessList is one kind of access of a partner with the form that adds one.
type AccessList struct {
	Slug    string // "chaves"; the last part of the form's address
	Title   string // "Chaves de API"
	Purpose string // what they are for, in one sentence
	Note    string // why it gives no access now, "" when it does
	Field   *component.Field
	Idle    *component.Select // after how long without use it ends; nil where it never does
	Button  string            // "Criar chave"
	Rows    []AccessRow
}

// AccessRow is one key, client or user.
type AccessRow struct {
	Name    string // "…a1b2", a client's or a user's name
	Detail  string // client_id, "" for none
	Created string
	Used    string // "há 2 dias", "nunca"
	State   component.Situation
	Actions []AccessAction
}

// AccessAction is a button that asks before it acts.
type AccessAction struct {
	Path     string
	Text     string
	Question string
}

func (m PartnerView) list() component.Link {
	return component.Link{Href: "/servico/parceiros", Text: "Parceiros"}
}

// action is where the form of the partner goes.
func (m PartnerView) action() string {
	if m.New {
		return "/servico/parceiros/novo"
	}
	return m.Path
}
