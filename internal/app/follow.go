package app

import (
	"context"

	"guiche/internal/directory"
	"guiche/internal/service"
)

// The embedded service has no other source for units and professionals than the
// desk's directory: what is registered there can be requested at once.

// FollowUnit implements directory.Follower.
func (e *embedded) FollowUnit(ctx context.Context, u directory.Unit) error {
	return e.service.Admin().PutUnit(ctx, serviceUnit(u))
}

// FollowProfessional implements directory.Follower.
func (e *embedded) FollowProfessional(ctx context.Context, p directory.Professional) error {
	return e.service.Admin().PutProfessional(ctx, serviceProfessional(p))
}

func serviceUnit(u directory.Unit) service.Unit {
	out := service.Unit{ID: u.UID, Name: u.Name, Disabled: !u.Active}
	for _, p := range u.CarePoints {
		out.Points = append(out.Points, service.CarePoint{ID: p.UID, Name: p.Name, Disabled: !p.Active})
	}
	return out
}

func serviceProfessional(p directory.Professional) service.Professional {
	out := service.Professional{ID: p.UID, Name: p.Name, Council: p.Council, Number: p.CouncilNumber, State: p.State, Disabled: !p.Active}
	for _, s := range p.Specialties {
		out.Specialties = append(out.Specialties, service.Specialty{ID: s.ID, Name: s.Name, CBO: s.CBO})
	}
	return out
}
