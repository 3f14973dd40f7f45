package webui

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
)

// peopleChoices offers all people as a filter, disabled ones too: their past actions are
// still in the trail.
func peopleChoices(people []account.User) []component.Choice {
	choices, names := make([]component.Choice, len(people)), distinctNames(people)
	for i, p := range people {
		choices[i] = component.Choice{Value: p.UID.String(), Label: cmp.Or(names[p.UID], personName(p))}
	}
	return choices
}

// distinctNames are the names by which people are told apart, those of one name with their
// logins; none of somebody whose row is damaged.
func distinctNames(people []account.User) map[uuid.UUID]string {
	same, names := map[string]int{}, make(map[uuid.UUID]string, len(people))
	for _, p := range people {
		same[p.Name]++
	}
	for _, p := range people {
		switch {
		case p.Damaged:
		case same[p.Name] > 1:
			names[p.UID] = p.Name + " · " + p.Login
		default:
			names[p.UID] = p.Name
		}
	}
	return names
}

// eventChoices offers all refused acts together, and every kind of event, in the groups and the order of package audit,
// whether or not the trail holds one.
func eventChoices() []component.Choice {
	choices := []component.Choice{{Value: deniedChoice, Label: "Tudo o que foi recusado"}}
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
	names := distinctNames(people)
	rows := make([]page.AuditRow, len(links))
	for i, link := range links {
		e := link.Entry
		rows[i] = page.AuditRow{Position: strconv.FormatInt(link.Position, 10), At: e.At.In(s.Zone).Format("02/01/2006 15:04:05"),
			Who: whoActed(e, names), Event: auditLabel(e), Object: audit.ObjectLabel(e.Object), Detail: auditDetail(e, s.Zone)}
		if err := s.addAddress(ctx, &rows[i], e.Origin.Address); err != nil {
			return nil, err
		}
		if e.ObjectID != uuid.Nil {
			rows[i].FullID, rows[i].ID = e.ObjectID.String(), shortID(e.ObjectID)
			if e.Object == audit.ObjectPerson {
				rows[i].Object = strings.TrimSpace(rows[i].Object + " " + names[e.ObjectID])
			}
		}
	}
	return rows, nil
}

// addAddress shows where an act came from, with a link to all that came from there: one
// link for each address, so that pages lead to few others.
func (s *server) addAddress(ctx context.Context, row *page.AuditRow, address string) error {
	if address == "" {
		return nil
	}
	position, err := s.Trail.OldestFrom(ctx, address)
	row.Address, row.SameAddress = address, auditAddress(audit.Filter{SameAddress: position}, 0)
	return err
}

// whoActed names the actor of an entry. A person who is not among the names is shown by
// a short identifier; an entry without an actor is about an act that was refused before
// anybody was identified, or the program's own.
func whoActed(e audit.Entry, names map[uuid.UUID]string) string {
	switch name := names[e.Actor]; {
	case name != "":
		return name
	case e.Actor != uuid.Nil:
		return "Pessoa …" + shortID(e.Actor)
	case e.Event.Denied(), e.Event == audit.LoginAttack:
		return "ninguém identificado"
	}
	return "Guichê"
}

// shortID is the end of an identifier, enough to tell things apart: its beginning
// is the time, alike for what was made together.
func shortID(uid uuid.UUID) string { return uid.String()[28:] }
