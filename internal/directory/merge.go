package directory

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Difference is one thing that changes in an entry: Before "" is new, After "" goes.
type Difference struct{ What, Before, After string }

// listable is an entry that a service lists.
type listable[T any] interface {
	entry[T]
	named
	uid() uuid.UUID
	standing() Standing
	merged(listed T) T // what is kept of both; what the service does not say stays
	switched(on bool) T
	differences(before T) []Difference
	stand(all Standings, s Standing, listed T) // notes it, and its parts where they are listed
}

var (
	_ listable[Unit]         = Unit{}
	_ listable[Professional] = Professional{}
)

func (u Unit) uid() uuid.UUID        { return u.UID }
func (u Unit) standing() Standing    { return u.Standing }
func (u Unit) switched(on bool) Unit { u.Active = on; return u }

func (u Unit) merged(listed Unit) Unit {
	u.Name = listed.Name
	points := make([]CarePoint, 0, len(u.CarePoints)+len(listed.CarePoints))
	for _, p := range u.CarePoints {
		now, ok := listed.CarePoint(p.UID)
		switch {
		case ok:
			p.Name, p.Active = now.Name, p.Active || p.Standing == Unlisted
		case len(listed.CarePoints) > 0 && p.Standing == Listed:
			p.Active = false
		}
		points = append(points, p)
	}
	for _, p := range listed.CarePoints {
		if _, known := u.CarePoint(p.UID); !known {
			points = append(points, p)
		}
	}
	u.CarePoints = points
	return u
}

func (u Unit) differences(before Unit) []Difference {
	found := changed(nil, "Nome", before.Name, u.Name)
	for _, p := range u.CarePoints {
		old, _ := before.CarePoint(p.UID)
		found = changed(found, "Ponto de atendimento", old.shown(), p.shown())
	}
	return found
}

// shown is the name of a care point that is offered.
func (p CarePoint) shown() string {
	if !p.Active {
		return ""
	}
	return p.Name
}

func (u Unit) stand(all Standings, s Standing, listed Unit) {
	note(all.Units, u.UID, u.Standing, s)
	for _, p := range listed.CarePoints {
		old, _ := u.CarePoint(p.UID)
		note(all.CarePoints, p.UID, old.Standing, Listed)
	}
	for _, p := range u.CarePoints {
		if _, ok := listed.CarePoint(p.UID); !ok && len(listed.CarePoints) > 0 && p.Standing == Listed && p.Active {
			note(all.CarePoints, p.UID, p.Standing, Unlisted)
		}
	}
}

func (p Professional) uid() uuid.UUID                { return p.UID }
func (p Professional) standing() Standing            { return p.Standing }
func (p Professional) switched(on bool) Professional { p.Active = on; return p }

func (p Professional) merged(listed Professional) Professional {
	p.Name = listed.Name
	p.Council, p.CouncilNumber = cmp.Or(listed.Council, p.Council), cmp.Or(listed.CouncilNumber, p.CouncilNumber)
	p.State = cmp.Or(listed.State, p.State)
	if len(listed.Specialties) == 0 {
		return p
	}
	specialties := slices.Clone(listed.Specialties)
	for i, s := range specialties {
		old, _ := p.Specialty(s.ID)
		specialties[i].CBO = cmp.Or(s.CBO, old.CBO)
	}
	p.Specialties = specialties
	return p
}

func (p Professional) differences(before Professional) []Difference {
	found := changed(nil, "Nome", before.Name, p.Name)
	found = changed(found, "Conselho", before.registration(), p.registration())
	for _, s := range p.Specialties {
		old, _ := before.Specialty(s.ID)
		found = changed(found, "Especialidade", old.shown(), s.shown())
	}
	for _, s := range before.Specialties {
		if _, stays := p.Specialty(s.ID); !stays {
			found = changed(found, "Especialidade", s.shown(), "")
		}
	}
	return found
}

func (p Professional) registration() string {
	return strings.Join(strings.Fields(p.Council+" "+p.CouncilNumber+" "+p.State), " ")
}

func (s Specialty) shown() string {
	if s.ID == 0 {
		return ""
	}
	return strings.TrimSuffix(strconv.Itoa(s.ID)+" "+s.Name+", CBO "+s.CBO, ", CBO ")
}

func (p Professional) stand(all Standings, s Standing, _ Professional) {
	note(all.Professionals, p.UID, p.Standing, s)
}

func changed(found []Difference, what, before, after string) []Difference {
	if before == after {
		return found
	}
	return append(found, Difference{what, before, after})
}

func note(all map[uuid.UUID]Standing, uid uuid.UUID, before, after Standing) {
	if before != after {
		all[uid] = after
	}
}
