package directory

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/audit"

	"github.com/google/uuid"
)

// compareProfessionals sets the professionals here against the list of a service.
// One whose listing could not be read stays as it is.
func (s *synchronisation) compareProfessionals(here, listed []Professional, r *listReader) ListComparison {
	found := ListComparison{Offered: true}
	s.Skipped = append(s.Skipped, r.skipped...)
	before := map[uuid.UUID]Professional{}
	for _, p := range here {
		before[p.UID] = p
	}
	for _, l := range listed {
		p, known := before[l.UID]
		if !known {
			found.Changes = append(found.Changes, s.planProfessional(audit.DirectoryAdded, l, p))
		} else if after := p.merged(l, r); !after.same(p) {
			found.Changes = append(found.Changes, s.planProfessional(eventOf(p.Active, after.Active), after, p))
		}
		setState(s.states.Professionals, l.UID, p.SyncState, Listed)
	}
	missing := keep(here, func(p Professional) bool { return p.Active && !r.known[p.UID] })
	for _, p := range ordered(missing) {
		if p.SyncState != Listed || len(listed) == 0 {
			found.Local = append(found.Local, p.Name)
			continue
		}
		after := p
		after.Active = false
		found.Changes = append(found.Changes, s.planProfessional(audit.DirectoryDisabled, after, p))
		setState(s.states.Professionals, p.UID, p.SyncState, Unlisted)
	}
	return found
}

func (s *synchronisation) planProfessional(event audit.Event, after, before Professional) Change {
	return s.plan(event, after.entry(), Change{UID: after.UID, Name: after.Name, Differences: after.differences(before)})
}

// merged is the professional as the service lists them. What the service does not
// say stays, and who was switched off here stays off, unless it was for not being
// listed.
func (p Professional) merged(listed Professional, r *listReader) Professional {
	p.Name = listed.Name
	p.Active = p.Active || p.SyncState == Unlisted
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
	for _, s := range p.Specialties {
		if _, read := listed.Specialty(s.ID); !read && r.unreadSpecialties[specialtyOf{p.UID, s.ID}] {
			specialties = append(specialties, s) // it stays as it is
		}
	}
	p.Specialties = specialties
	return p
}

func (p Professional) differences(before Professional) []Difference {
	found := difference(nil, FieldName, before.Name, p.Name)
	found = difference(found, FieldCouncil, before.registration(), p.registration())
	for _, s := range p.Specialties {
		old, _ := before.Specialty(s.ID)
		found = difference(found, FieldSpecialty, old.shown(), s.shown())
	}
	for _, s := range before.Specialties {
		if _, stays := p.Specialty(s.ID); !stays {
			found = difference(found, FieldSpecialty, s.shown(), "")
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
