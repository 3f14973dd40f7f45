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
	Skipped              []Skipped // what the service lists and cannot be taken
	Unmarked             int       // entries whose SyncState is to be noted, which nobody sees
}

// ListComparison is what it would do to one list of the directory.
type ListComparison struct {
	Offered bool // the service has such a list; without one nothing is done
	Listed  int  // entries on it; with none nothing is switched off
	Changes []Change
	Local   []string // names of what is in use here, was never listed, and stays
}

// Change is what would become of one entry.
type Change struct {
	UID         uuid.UUID
	Name        string
	Event       audit.Event // DirectoryAdded, DirectoryChanged, DirectoryDisabled or DirectoryEnabled
	Differences []Difference
}

// Empty reports whether there is nothing to do.
func (c Comparison) Empty() bool {
	return len(c.Units.Changes) == 0 && len(c.Professionals.Changes) == 0 && c.Unmarked == 0
}

// Fingerprint covers all that a person sees of the comparison: two that look alike
// have the same one.
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

// synchronisation is a comparison with what it takes to do it.
type synchronisation struct {
	Comparison
	states SyncStates
	steps  []step
}

// step changes one entry.
type step struct {
	event audit.Event
	after entry
}

// known is what the directory holds.
type known struct {
	service       string // to which the SyncStates belong
	units         []Unit
	professionals []Professional
}

// reader reads what the directory holds, within a transaction or without.
type reader interface {
	Source(ctx context.Context) (string, error)
	Units(ctx context.Context) ([]Unit, error)
	Professionals(ctx context.Context) ([]Professional, error)
}

// read reads what the directory holds, with the SyncStates that come from this
// service.
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
		k.units[i].SyncState = Local
		for j := range k.units[i].CarePoints {
			k.units[i].CarePoints[j].SyncState = Local
		}
	}
	for i := range k.professionals {
		k.professionals[i].SyncState = Local
	}
	return k, nil
}

// compare sets what the directory holds against what a service listed.
func compare(k known, l lists) synchronisation {
	s := synchronisation{states: newSyncStates()}
	s.Service = k.service
	if l.units != nil {
		r := newListReader()
		s.Units = s.compareUnits(k.units, r.units(l.units, owners(k.units)), r)
		s.Units.Listed = len(l.units)
	}
	if l.professionals != nil {
		r := newListReader()
		s.Professionals = s.compareProfessionals(k.professionals, r.professionals(l.professionals), r)
		s.Professionals.Listed = len(l.professionals)
	}
	s.Unmarked = len(s.states.Units) + len(s.states.CarePoints) + len(s.states.Professionals)
	return s
}

// owners returns the unit of each care point.
func owners(units []Unit) map[uuid.UUID]uuid.UUID {
	owner := map[uuid.UUID]uuid.UUID{}
	for _, u := range units {
		for _, p := range u.CarePoints {
			owner[p.UID] = u.UID
		}
	}
	return owner
}

// plan adds a step to the synchronisation and returns it as people read it.
func (s *synchronisation) plan(event audit.Event, after entry, c Change) Change {
	s.steps = append(s.steps, step{event, after})
	c.Event = event
	if event == audit.DirectoryDisabled {
		c.Differences = nil
	}
	return c
}
