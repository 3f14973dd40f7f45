package webui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
)

// auditFilter reads what was typed; the days are whole ones of the desk's zone.
func (s *server) auditFilter(form auditForm) (audit.Filter, []component.Problem) {
	var f audit.Filter
	var problems []component.Problem
	wrong := func(name, message string) {
		problems = append(problems, component.Problem{Name: name, Message: message})
	}
	from, until := s.auditDay(form.from), s.auditDay(form.until)
	if from.IsZero() && form.from != "" {
		wrong("de", "Informe o começo como DD/MM/AAAA.")
	}
	switch {
	case until.IsZero() && form.until != "":
		wrong("ate", "Informe o fim como DD/MM/AAAA.")
	case !until.IsZero() && until.Before(from):
		wrong("ate", "O fim vem antes do começo.")
	}
	if !from.IsZero() {
		f.From = from.In(s.Zone)
	}
	if !until.IsZero() {
		f.To = until.In(s.Zone).AddDate(0, 0, 1)
	}
	var err error
	if f.Actor, err = uuid.Parse(form.person); err != nil && form.person != "" {
		wrong("pessoa", "Escolha uma pessoa da lista.")
	}
	if f.Event = audit.Event(form.event); form.event != "" && !f.Event.Known() {
		wrong("evento", "Escolha da lista o que a pessoa fez.")
	}
	return f, problems
}

// auditDay reads a typed date, zero for none.
func (s *server) auditDay(typed string) authorization.LocalTime {
	day, err := authorization.ParseTypedDate(strings.TrimSpace(typed), s.clock().In(s.Zone))
	if err != nil {
		return authorization.LocalTime{}
	}
	return day
}

// normal is the filter as its address says it: the dates whole.
func (s *server) normal(form auditForm, f audit.Filter) auditForm {
	day := func(typed string) string { return s.auditDay(typed).Date() }
	form.from, form.until, form.event = day(form.from), day(form.until), string(f.Event)
	return form
}

func peopleChoices(people []account.User) []component.Choice {
	choices := make([]component.Choice, len(people))
	for i, p := range people {
		choices[i] = component.Choice{Value: p.UID.String(), Label: p.Name}
	}
	return choices
}

func eventChoices() []component.Choice {
	var choices []component.Choice
	for _, group := range audit.Groups() {
		for _, e := range group.Events {
			choices = append(choices, component.Choice{Value: string(e), Label: e.Label(), Group: group.Label})
		}
	}
	return choices
}

// auditEntries shapes entries for reading, people by their names.
func (s *server) auditEntries(ctx context.Context, links []audit.Link) ([]page.AuditRow, error) {
	people, err := s.Accounts.Users(ctx)
	if err != nil {
		return nil, err
	}
	names := make(map[uuid.UUID]string, len(people))
	for _, p := range people {
		names[p.UID] = p.Name
	}
	rows := make([]page.AuditRow, len(links))
	for i, link := range links {
		e := link.Entry
		rows[i] = page.AuditRow{Position: strconv.FormatInt(link.Position, 10), At: e.At.In(s.Zone).Format("02/01/2006 15:04:05"),
			Who: whoActed(e, names), Event: e.Event.Label(), Object: audit.ObjectLabel(e.Object), Detail: e.Detail}
		if e.ObjectID != uuid.Nil {
			rows[i].FullID, rows[i].ID = e.ObjectID.String(), shortID(e.ObjectID)
			if e.Object == audit.ObjectPerson {
				rows[i].Object = strings.TrimSpace(rows[i].Object + " " + names[e.ObjectID])
			}
		}
	}
	return rows, nil
}

func whoActed(e audit.Entry, names map[uuid.UUID]string) string {
	switch name := names[e.Actor]; {
	case name != "":
		return name
	case e.Actor != uuid.Nil:
		return "Pessoa …" + shortID(e.Actor)
	case e.Event == audit.LoginFailed:
		return "ninguém identificado"
	}
	return "Guichê"
}

// shortID is the end of an identifier, enough to tell things apart: its beginning
// is the time, alike for what was made together.
func shortID(uid uuid.UUID) string { return uid.String()[28:] }

// chainNotice says whether the trail is as it was written.
func (s *server) chainNotice(state audit.State) component.Notice {
	switch {
	case state.At.IsZero():
		return component.Notice{Tone: component.ToneNeutral, Icon: "clock", Strong: "Corrente ainda não conferida.", Text: "O Guichê confere sozinho ao começar."}
	case state.Broken == nil:
		return component.Notice{Tone: component.ToneSuccess, Icon: "check-lg", Strong: "Corrente inteira.",
			Text: fmt.Sprintf("Nada foi alterado nem apagado até o registro nº %d. Conferida %s.", state.Head.Position, s.when(state.At))}
	case state.Broken.Position == 0:
		return component.Notice{Tone: component.ToneError, Icon: "x-octagon", Strong: "O fim da corrente não pode ser conferido.",
			Text: "O arquivo audit.head está danificado: registros podem ter sido apagados. Conferida " + s.when(state.At) + "."}
	}
	return component.Notice{Tone: component.ToneError, Icon: "x-octagon", Strong: fmt.Sprintf("Corrente rompida no registro nº %d.", state.Broken.Position),
		Text: "Dali em diante, registros foram alterados ou apagados fora do Guichê. Conferida " + s.when(state.At) + "."}
}
