package directory

import (
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/oneline"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Skipped is something that the service listed and that cannot be taken.
type Skipped struct {
	Name   string // as the service has it, "" for none
	Reason string // sentence for the person
}

// listReader reads one list of a service and notes what of it cannot be taken.
type listReader struct {
	skipped []Skipped
	known   map[uuid.UUID]bool // identifiers that were read
	points  map[uuid.UUID]bool // those of care points

	unreadPoints      map[uuid.UUID]bool // listed, and not as they could be taken
	unreadSpecialties map[specialtyOf]bool
}

// specialtyOf names a specialty of a professional.
type specialtyOf struct {
	professional uuid.UUID
	number       int
}

func newListReader() *listReader {
	return &listReader{known: map[uuid.UUID]bool{}, points: map[uuid.UUID]bool{}, unreadPoints: map[uuid.UUID]bool{},
		unreadSpecialties: map[specialtyOf]bool{}}
}

// drops reports whether a service that listed care points of a unit no longer lists one that it
// did. One whose listing could not be read stays as it is.
func (r *listReader) drops(p CarePoint, listed Unit) bool {
	_, ok := listed.CarePoint(p.UID)
	return !ok && !r.unreadPoints[p.UID] && len(listed.CarePoints) > 0 && p.SyncState == Listed
}

func (r *listReader) skip(name, reason string) {
	r.skipped = append(r.skipped, Skipped{oneline.Clean(name), reason})
}

// id reads an identifier that goes on the wire: a UUID (specification 2.3), once in
// a list.
func (r *listReader) id(known map[uuid.UUID]bool, id, name string) (uuid.UUID, bool) {
	uid, err := uuid.Parse(strings.TrimSpace(id))
	switch {
	case err != nil || uid == uuid.Nil:
		r.skip(name, "O identificador não é um UUID.")
	case known[uid]:
		r.skip(name, "O identificador aparece duas vezes.")
	default:
		known[uid] = true
		return uid, true
	}
	return uuid.Nil, false
}

// fits reports whether an entry keeps the directory's rules.
func (r *listReader) fits(name string, err error) bool {
	if err == nil {
		return true
	}
	reason := "O cadastro está incompleto."
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		reason = fields[0].Message
	}
	r.skip(name, reason)
	return false
}

// units reads listed units. owner says which unit here a care point belongs to: one
// of another unit is skipped, because earlier requests name it with that unit.
func (r *listReader) units(listed []authorization.ListedUnit, owner map[uuid.UUID]uuid.UUID) []Unit {
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

func (r *listReader) carePoint(unit uuid.UUID, l authorization.ListedCarePoint, owner map[uuid.UUID]uuid.UUID) (CarePoint, bool) {
	uid, ok := r.id(r.points, l.ID, l.Name)
	if !ok {
		return CarePoint{}, false
	}
	if known, taken := owner[uid]; taken && known != unit {
		r.skip(l.Name, "Este ponto de atendimento é de outra unidade no Guichê.")
		return CarePoint{}, false
	}
	p := CarePoint{UID: uid, Name: l.Name, Active: true}
	ok = r.fits(l.Name, Unit{UID: unit, Name: "–", CarePoints: []CarePoint{p}}.trimmed().check())
	r.unreadPoints[uid] = !ok
	return p, ok
}

// professionals reads listed professionals. A council, state or CBO that is in no
// table counts as absent.
func (r *listReader) professionals(listed []authorization.ListedProfessional) []Professional {
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
		p.Specialties = r.specialties(uid, l)
		if r.fits(l.Name, p.check()) {
			professionals = append(professionals, p)
		}
	}
	return professionals
}

func (r *listReader) specialties(professional uuid.UUID, l authorization.ListedProfessional) []Specialty {
	var found []Specialty
	known := map[int]bool{}
	for _, s := range l.Specialties {
		one := Specialty{ID: s.ID, Name: oneline.Clean(s.Name), CBO: cleanCode(s.CBO)}
		if !isCBO(one.CBO) {
			one.CBO = ""
		}
		switch {
		case s.ID <= 0:
			r.skip(l.Name+": "+s.Name, "A especialidade não tem número.")
		case known[s.ID]:
			r.skip(l.Name+": "+s.Name, "O número da especialidade aparece duas vezes.")
		case r.fits(l.Name+": "+s.Name, Professional{UID: uuid.Max, Name: "–", Specialties: []Specialty{one}}.check()):
			known[s.ID] = true
			found = append(found, one)
		default:
			r.unreadSpecialties[specialtyOf{professional, s.ID}] = true
		}
	}
	return found
}
