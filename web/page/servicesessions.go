package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// ServiceSessionsView is GET and, to turn pages, POST
// /servico/parceiros/{uid}/sessoes: the open sessions of a partner.
type ServiceSessionsView struct {
	layout.Page
	Path    string         // "/servico/parceiros/{uid}/sessoes"
	Partner component.Link // the way back
	Count   string         // "2 sessões"
	Rows    []ServiceSession
	Pages   Pages
}

// ServiceSession is a login of a user or the token of a client, with the tokens
// that came of it.
type ServiceSession struct {
	ID      string
	Owner   string
	Kind    string // "usuário", "cliente OAuth"
	Since   string
	Renewed string // last refresh, "nunca"
	Used    string
	Ends    string // 20/11/2026 14:30
}
