package directory

import (
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Left is something that the service listed and that cannot be taken.
type Left struct {
	Name   string // as the service has it, "" for none
	Reason string // sentence for the person
}

// reading is what a list turned into, and what of it was left.
type reading struct {
	left   []Left
	known  map[uuid.UUID]bool // identifiers that were read
	points map[uuid.UUID]bool // those of care points
}

func newReading() *reading {
	return &reading{known: map[uuid.UUID]bool{}, points: map[uuid.UUID]bool{}}
}

func (r *reading) leave(name, reason string) { r.left = append(r.left, Left{tidy(name), reason}) }

// id reads an identifier that goes on the wire: a UUID (specification 2.3), once in
// a list.
func (r *reading) id(known map[uuid.UUID]bool, id, name string) (uuid.UUID, bool) {
	uid, err := uuid.Parse(strings.TrimSpace(id))
	switch {
	case err != nil || uid == uuid.Nil:
		r.leave(name, "O identificador não é um UUID.")
	case known[uid]:
		r.leave(name, "O identificador aparece duas vezes.")
	default:
		known[uid] = true
		return uid, true
	}
	return uuid.Nil, false
}

// fits reports whether an entry keeps the directory's rules.
func (r *reading) fits(name string, err error) bool {
	if err == nil {
		return true
	}
	reason := "O cadastro está incompleto."
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		reason = fields[0].Message
	}
	r.leave(name, reason)
	return false
}

// units reads listed units. owner says which unit here a care point belongs to: one
// of another unit is left, for earlier requests name it with that one.
func (r *reading) units(listed []authorization.ListedUnit, owner map[uuid.UUID]uuid.UUID) []Unit {
	var units []Unit
	for _, l := range listed {
		uid, ok := r.id(r.known, l.ID, l.Name)
		if !ok {
			continue
		}
		u := Unit{UID: uid, Name: l.Name, Active: true}
		for _, p := range l.CarePoints {
			if point, ok := r.carePoint(uid, p, owner); ok {
				u.CarePoints = append(u.CarePoints, point)
			}
		}
		if u = u.trimmed(); r.fits(l.Name, u.check()) {
			units = append(units, u)
		}
	}
	return units
}

func (r *reading) carePoint(unit uuid.UUID, l authorization.ListedCarePoint, owner map[uuid.UUID]uuid.UUID) (CarePoint, bool) {
	uid, ok := r.id(r.points, l.ID, l.Name)
	if !ok {
		return CarePoint{}, false
	}
	if known, taken := owner[uid]; taken && known != unit {
		r.leave(l.Name, "Este ponto de atendimento é de outra unidade no Guichê.")
		return CarePoint{}, false
	}
	p := CarePoint{UID: uid, Name: l.Name, Active: true}
	return p, r.fits(l.Name, Unit{UID: unit, Name: "–", CarePoints: []CarePoint{p}}.trimmed().check())
}

// professionals reads listed professionals. What the tables do not know of council,
// state and CBO is as good as not said.
func (r *reading) professionals(listed []authorization.ListedProfessional) []Professional {
	var professionals []Professional
	for _, l := range listed {
		uid, ok := r.id(r.known, l.ID, l.Name)
		if !ok {
			continue
		}
		p := Professional{UID: uid, Name: l.Name, Council: l.Council, CouncilNumber: l.CouncilNumber, State: l.State, Active: true}.trimmed()
		if authorization.Label(authorization.Councils(), p.Council) == "" {
			p.Council = ""
		}
		if authorization.Label(authorization.States(), p.State) == "" {
			p.State = ""
		}
		p.Specialties = r.specialties(l)
		if r.fits(l.Name, p.check()) {
			professionals = append(professionals, p)
		}
	}
	return professionals
}

func (r *reading) specialties(l authorization.ListedProfessional) []Specialty {
	var found []Specialty
	known := map[int]bool{}
	for _, s := range l.Specialties {
		one := Specialty{ID: s.ID, Name: tidy(s.Name), CBO: cleanCode(s.CBO)}
		if !isCBO(one.CBO) {
			one.CBO = ""
		}
		switch {
		case s.ID <= 0:
			r.leave(l.Name+": "+s.Name, "A especialidade não tem número.")
		case known[s.ID]:
			r.leave(l.Name+": "+s.Name, "O número da especialidade aparece duas vezes.")
		case r.fits(l.Name+": "+s.Name, Professional{UID: uuid.Max, Name: "–", Specialties: []Specialty{one}}.check()):
			known[s.ID] = true
			found = append(found, one)
		}
	}
	return found
}
