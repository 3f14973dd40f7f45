package directory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Lister is a service that lists what requests refer to (specification 4.3;
// interface.md, row 13). problem.NotFound says that it has no such list.
type Lister interface {
	// Service names the service; what one listed says nothing about another.
	Service() string
	Units(ctx context.Context) ([]authorization.ListedUnit, error)
	Professionals(ctx context.Context) ([]authorization.ListedProfessional, error)
}

// Comparison is what a synchronisation would do.
type Comparison struct {
	Service              string // which listed it
	Units, Professionals ListComparison
	Left                 []Left // what the service lists and cannot be taken
	Unmarked             int    // entries whose origin is not noted yet; nobody sees a difference
}

// ListComparison is what it would do to one list of the directory.
type ListComparison struct {
	Offered bool // the service has such a list; without one nothing is done
	Listed  int  // entries on it; with none nothing is switched off
	Changes []Change
	Alone   []string // names of what is in use here alone, and stays
}

// Change is what would become of one entry.
type Change struct {
	UID         uuid.UUID
	Name        string
	Event       audit.Event // DirectoryAdded, DirectoryChanged, DirectoryDisabled or DirectoryEnabled
	Differences []Difference
}

// Nothing reports whether there is nothing to do.
func (c Comparison) Nothing() bool {
	return len(c.Units.Changes) == 0 && len(c.Professionals.Changes) == 0 && c.Unmarked == 0
}

// Fingerprint names all that a person sees of the comparison: two that look alike
// have the same.
func (c Comparison) Fingerprint() (string, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("directory: fingerprint: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// lists are what the service listed; nil is a list that it does not have.
type lists struct {
	units         []authorization.ListedUnit
	professionals []authorization.ListedProfessional
}

// ask asks for both lists. One that the service does not have is left out, unless
// it has neither.
func ask(ctx context.Context, from Lister) (l lists, err error) {
	units, noUnits := from.Units(ctx)
	if noUnits != nil && !problem.Is(noUnits, problem.NotFound) {
		return lists{}, noUnits
	}
	professionals, noProfessionals := from.Professionals(ctx)
	if noProfessionals != nil && !problem.Is(noProfessionals, problem.NotFound) {
		return lists{}, noProfessionals
	}
	if noUnits != nil && noProfessionals != nil {
		return lists{}, problem.Wrap(problem.NotFound, "O serviço não lista unidades nem executantes.", noUnits)
	}
	if noUnits == nil {
		l.units = append([]authorization.ListedUnit{}, units...)
	}
	if noProfessionals == nil {
		l.professionals = append([]authorization.ListedProfessional{}, professionals...)
	}
	return l, nil
}

// work is a comparison with what it takes to do it.
type work struct {
	Comparison
	standings Standings
	acts      []act
}

// act changes one entry.
type act struct {
	do    func(ctx context.Context, tx Tx, by uuid.UUID) error
	after any // the entry, for the follower
}

// known is what is known here.
type known struct {
	service       string // to which the standings belong
	units         []Unit
	professionals []Professional
}

// reader reads what is known, within a transaction or without.
type reader interface {
	Source(ctx context.Context) (string, error)
	Units(ctx context.Context) ([]Unit, error)
	Professionals(ctx context.Context) ([]Professional, error)
}

// read reads what is known, with the standings that this service gave.
func read(ctx context.Context, from reader, service string) (k known, err error) {
	k.service = service
	source, err := from.Source(ctx)
	if err != nil {
		return known{}, err
	}
	if k.units, err = from.Units(ctx); err != nil {
		return known{}, err
	}
	if k.professionals, err = from.Professionals(ctx); err != nil || source == service {
		return k, err
	}
	for i := range k.units {
		k.units[i].Standing = Local
		for j := range k.units[i].CarePoints {
			k.units[i].CarePoints[j].Standing = Local
		}
	}
	for i := range k.professionals {
		k.professionals[i].Standing = Local
	}
	return k, nil
}

// compare sets what is known against what was listed.
func compare(k known, l lists) work {
	w := work{standings: newStandings()}
	w.Service = k.service
	units, professionals := k.units, k.professionals
	owner := map[uuid.UUID]uuid.UUID{}
	for _, u := range units {
		for _, p := range u.CarePoints {
			owner[p.UID] = u.UID
		}
	}
	if l.units != nil {
		r := newReading()
		w.Units = against(&w, units, r.units(l.units, owner), r)
		w.Units.Listed = len(l.units)
	}
	if l.professionals != nil {
		r := newReading()
		w.Professionals = against(&w, professionals, r.professionals(l.professionals), r)
		w.Professionals.Listed = len(l.professionals)
	}
	w.Unmarked = len(w.standings.Units) + len(w.standings.CarePoints) + len(w.standings.Professionals)
	return w
}

// against compares one list of the directory with its list. Of what could not be read the entry
// here stays as it is.
func against[T listable[T]](w *work, known, listed []T, r *reading) ListComparison {
	found := ListComparison{Offered: true}
	w.Left = append(w.Left, r.left...)
	before := map[uuid.UUID]T{}
	for _, k := range known {
		before[k.uid()] = k
	}
	for _, l := range listed {
		k, ok := before[l.uid()]
		if !ok {
			found.Changes = append(found.Changes, plan(w, audit.DirectoryAdded, l, k))
			l.stand(w.standings, Listed, l)
			continue
		}
		after := k.merged(l)
		if k.standing() == Unlisted {
			after = after.switched(true)
		}
		if !after.same(k) {
			found.Changes = append(found.Changes, plan(w, eventOf(k.enabled(), after.enabled()), after, k))
		}
		k.stand(w.standings, Listed, l)
	}
	for _, k := range ordered(keep(known, func(k T) bool { return k.enabled() && !r.known[k.uid()] })) {
		if k.standing() != Listed || len(listed) == 0 {
			found.Alone = append(found.Alone, k.label())
			continue
		}
		found.Changes = append(found.Changes, plan(w, audit.DirectoryDisabled, k.switched(false), k))
		var none T
		k.stand(w.standings, Unlisted, none)
	}
	return found
}

// plan adds a change to the work.
func plan[T listable[T]](w *work, event audit.Event, after, before T) Change {
	w.acts = append(w.acts, act{func(ctx context.Context, tx Tx, by uuid.UUID) error { return record(ctx, tx, by, event, after) }, after})
	c := Change{UID: after.uid(), Name: after.label(), Event: event}
	if event != audit.DirectoryDisabled {
		c.Differences = after.differences(before)
	}
	return c
}
