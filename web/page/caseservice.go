package page

import "guiche/web/component"

// ServiceView is what the authorization service takes and tells of a case beyond its answer.
type ServiceView struct {
	Path     string            // of the case
	Act      *component.Notice // what became of what was asked last; nil for nothing to say
	UnderWay bool              // of which the page asks whether it is over
	Cancel   *CancelView       // the form, on the page where it is confirmed
	Attach   *AttachView       // the form for files, where the operator lacks one
	Collect  *CollectView      // the form for biometrics, where the case waits for them
	// CollectHow is how they are collected, in the administrator's words; "" for none.
	CollectHow string

	Sessions     []SeriesItem // units of a series, as the operator told them
	SessionsTold string       // when
}

// TakesPictures reports whether a form on the page does.
func (m ServiceView) TakesPictures() bool {
	return m.Collect != nil || m.Attach != nil && m.Attach.Again == ""
}

// CancelView is the form by which an authorization is cancelled.
type CancelView struct {
	Fields
	Operator string
	Answers  string             // how many the case has
	Which    []component.Choice // of several authorizations
	Only     string             // the only one that can be cancelled
	Senha    string             // that of a case with one authorization; "" for none
	Again    bool               // it is in doubt, and goes out once more as it was
	Before   string             // the reason then
}

// typing reports whether somebody may be typing in a form of it.
func (m ServiceView) typing() bool { return m.Cancel != nil || m.Collect != nil || m.Attach != nil }

// fields are those of the form that is shown.
func (m ServiceView) fields() (f Fields, shown bool) {
	if m.Cancel != nil {
		return m.Cancel.Fields, true
	}
	if m.Collect != nil && len(m.Collect.Problems) > 0 {
		return m.Collect.Fields, true
	}
	if m.Attach != nil && len(m.Attach.Problems) > 0 {
		return m.Attach.Fields, true
	}
	return Fields{}, false
}

func (m CancelView) which() component.Select {
	return m.pick(component.Select{Field: component.Field{Name: "autorizacao", Label: "Qual autorização"}, Choices: m.Which})
}

func (m CancelView) reason() component.Field {
	return m.field(component.Field{Name: "motivo", Label: "Motivo", Optional: true, Long: true, Hint: "A operadora lê o que estiver aqui.",
		Focus: true})
}

// CollectView is the form by which biometrics are given. It never shows again what was given.
type CollectView struct {
	Fields
	Operator string
	Answers  string // how many the case has
	Place    string // of the authorization
	Again    bool   // those before were not valid
	MaxPhoto string // "5 MB"
}

func (m CollectView) title() string {
	if m.Again {
		return "Coletar a biometria de novo"
	}
	return "Coletar biometria"
}

func (m CollectView) token() component.Field {
	return m.field(component.Field{Name: "token", Label: "Token", Optional: true, Code: true,
		Hint: "O número que a operadora mandou ao beneficiário, se ela usa token."})
}

// AttachView is the form by which files are sent that the operator lacks.
type AttachView struct {
	Fields
	Operator string
	Answers  string // how many the case has
	Place    string // of the authorization
	Again    string // names of the files that are in doubt, and go out once more as they were
	Limits   string // "PDF, JPG ou PNG, até 15 MB cada"
}
