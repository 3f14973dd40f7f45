package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// LoginView is GET and POST /entrar; after a wrong password it comes back with 422,
// User kept and Problem set. It answers the POST of a request's form too, with 401,
// when the session has ended.
type LoginView struct {
	layout.Page
	User    string
	Return  string    // "volta": the path to go to afterwards, "" for the queue
	Problem string    // one sentence, the same for an unknown user and a wrong password
	Carried []Carried // a form whose session ended: it comes along and is kept after the login
	Demo    []DemoLogin
}

// Carried is one hidden field of the entry page.
type Carried struct{ Name, Value string }

// DemoLogin is one row of the demonstration's table of logins.
type DemoLogin struct{ Role, User, Password string }

func (l LoginView) slogan() string {
	if l.Standalone {
		return "Console do serviço de autorização."
	}
	return "Autorizações de convênio, na hora."
}

func (l LoginView) user() component.Field {
	return component.Field{Name: "usuario", Label: "Usuário", Value: l.User, Autocomplete: "username", Focus: l.User == ""}
}

func (l LoginView) password() component.Field {
	return component.Field{Name: "senha", Label: "Senha", Secret: true, Autocomplete: "current-password", Focus: l.User != ""}
}

// ActivateView is GET and POST /ativar/{token}: a user chooses a password; the
// first administrator also types a name and a login. Fields nome and usuario
// (First only), senha, senha2.
type ActivateView struct {
	layout.Page
	Token  string
	First  bool   // the first administrator of the installation
	Name   string // whose account it is; with First what was typed
	User   string
	MinLen int // shortest password, in characters
	Fields     // their problems alone
}

// focused is the first field that is wrong, or else the first one.
func (a ActivateView) focused() string {
	switch {
	case len(a.Problems) > 0:
		return a.Problems[0].Name
	case a.First:
		return "nome"
	}
	return "senha"
}

func (a ActivateView) field(f component.Field) component.Field {
	f.Error, f.Focus = a.message(f.Name), f.Name == a.focused()
	return f
}
