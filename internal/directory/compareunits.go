package directory

import (
	"guiche/internal/audit"

	"github.com/google/uuid"
)

// compareUnits sets the units here against the list of a service. A unit whose
// listing could not be read stays as it is.
func (s *synchronisation) compareUnits(here, listed []Unit, r *listReader) ListComparison {
	found := ListComparison{Offered: true}
	s.Skipped = append(s.Skipped, r.skipped...)
	before := map[uuid.UUID]Unit{}
	for _, u := range here {
		before[u.UID] = u
	}
	for _, l := range listed {
		u, known := before[l.UID]
		if !known {
			found.Changes = append(found.Changes, s.planUnit(audit.DirectoryAdded, l, u))
			l.setStates(s.states, Listed, l, r)
			continue
		}
		if after := u.merged(l, r); !after.same(u) {
			found.Changes = append(found.Changes, s.planUnit(eventOf(u.Active, after.Active), after, u))
		}
		u.setStates(s.states, Listed, l, r)
	}
	missing := keep(here, func(u Unit) bool { return u.Active && !r.known[u.UID] })
	for _, u := range ordered(missing) {
		if u.SyncState != Listed || len(listed) == 0 {
			found.Local = append(found.Local, u.Name)
			continue
		}
		after := u
		after.Active = false
		found.Changes = append(found.Changes, s.planUnit(audit.DirectoryDisabled, after, u))
		u.setStates(s.states, Unlisted, Unit{}, r)
	}
	return found
}

func (s *synchronisation) planUnit(event audit.Event, after, before Unit) Change {
	return s.plan(event, after.entry(), Change{UID: after.UID, Name: after.Name, Differences: after.differences(before)})
}

// merged is the unit as the service lists it. What the service does not say stays,
// and what was switched off here stays off, unless it was for not being listed.
func (u Unit) merged(listed Unit, r *listReader) Unit {
	u.Name = listed.Name
	u.Active = u.Active || u.SyncState == Unlisted
	points := make([]CarePoint, 0, len(u.CarePoints)+len(listed.CarePoints))
	for _, p := range u.CarePoints {
		now, ok := listed.CarePoint(p.UID)
		switch {
		case ok:
			p.Name, p.Active = now.Name, p.Active || p.SyncState == Unlisted
		case r.drops(p, listed):
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
	found := difference(nil, FieldName, before.Name, u.Name)
	for _, p := range u.CarePoints {
		old, _ := before.CarePoint(p.UID)
		found = difference(found, FieldCarePoint, old.shown(), p.shown())
	}
	return found
}

// shown is the name of a care point that is offered, "" for any other.
func (p CarePoint) shown() string {
	if !p.Active {
		return ""
	}
	return p.Name
}

// setStates notes the states of a unit and of its care points.
func (u Unit) setStates(all SyncStates, state SyncState, listed Unit, r *listReader) {
	setState(all.Units, u.UID, u.SyncState, state)
	for _, p := range listed.CarePoints {
		old, _ := u.CarePoint(p.UID)
		setState(all.CarePoints, p.UID, old.SyncState, Listed)
	}
	for _, p := range u.CarePoints {
		if p.Active && r.drops(p, listed) {
			setState(all.CarePoints, p.UID, p.SyncState, Unlisted)
		}
	}
}
