package page

import (
	"slices"

	"guiche/web/component"
	"guiche/web/layout"
)

// PeopleView is GET /pessoas, and POST /pessoas with the field texto.
type PeopleView struct {
	layout.Page
	Search string // what was looked for, "" for everybody
	Count  string // "12 pessoas", "2 de 12 pessoas"
	Rows   []PersonRow
	Attack *component.Notice // passwords are being guessed; nil for none
}

func (p PeopleView) search() component.Field {
	return component.Field{Name: "texto", Label: "Nome ou usuário", Value: p.Search}
}

// PersonRow is one person in the list.
type PersonRow struct {
	Href      string
	Name      string
	User      string
	Roles     string // "Recepção, Supervisão"
	Units     string // "Centro", "todas", "nenhuma"
	LastLogin string // "hoje, 14:02", "nunca"
	State     component.Situation
}

// Option is one box of several that belong together.
type Option struct {
	Value  string
	Label  string
	Detail string
	On     bool
}

// PersonFields are the fields of a person's form: usuario (of a new one only),
// nome, papeis and unidades, the last two several times.
type PersonFields struct {
	Name       string // as typed
	User       string
	Roles      []Option
	Units      []Option // empty where the directory has none
	Standalone bool     // no desk: units are neither shown nor changed
	Own        bool     // one's own page: roles and units are shown, not changed
	Version    string   // of what the page shows
	Fields              // their problems alone
}

func (f PersonFields) field(field component.Field) component.Field {
	field.Error = f.message(field.Name)
	return field
}

// summary returns the problems in the order of the fields.
func (f PersonFields) summary() []component.Problem {
	order := []string{"nome", "usuario", "papeis", "unidades"}
	sorted := slices.Clone(f.Problems)
	slices.SortStableFunc(sorted, func(a, b component.Problem) int {
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	return sorted
}

// NewPersonView is GET and POST /pessoas/nova.
type NewPersonView struct {
	layout.Page
	PersonFields
}

// PersonView is GET and POST /pessoas/{uid}.
type PersonView struct {
	layout.Page
	PersonFields
	UID       string
	State     component.Situation
	Created   string // "19/11/2026, 14:00"
	LastLogin string // "hoje, 14:02", "nunca"
	Activated bool   // has a password
	Disabled  bool
	Link      string // one-time address, shown once; "" otherwise
	Sessions  []SessionRow
}

func (p PersonView) path(rest string) string { return "/pessoas/" + p.UID + rest }

// SessionRow is one open session.
type SessionRow struct {
	Path    string // where POST ends it
	Device  string // "Chrome no Windows"
	Address string
	Since   string // "hoje, 08:02"
	Active  string // "há 12 min"
	Current bool   // the browser that shows the page
}

// sessionList is the table of sessions with the button that ends several.
type sessionList struct {
	rows     []SessionRow
	allPath  string
	allText  string
	question string // asked before all are ended, "" for none
}

func (p PersonView) sessions() sessionList {
	l := sessionList{rows: p.Sessions, allPath: p.path("/sessoes/encerrar"), allText: "Encerrar todas",
		question: "Encerrar todas as sessões desta pessoa? O que ela não salvou pode se perder."}
	if p.Own {
		l.allText, l.question = "Encerrar as outras", ""
	}
	return l
}

// others reports whether there is a session that the button would end.
func (l sessionList) others() bool {
	for _, row := range l.rows {
		if !row.Current {
			return true
		}
	}
	return false
}

// optionID returns the id of the i-th box: the first has the field's, so that the
// error summary leads to it.
func optionID(name string, i int, o Option) string {
	if i == 0 {
		return component.ID(name)
	}
	return component.ID(name + "-" + o.Value)
}
