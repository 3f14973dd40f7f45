package directory

import (
	"context"
	"slices"

	"guiche/internal/permission"

	"github.com/google/uuid"
)

// What an administrator does. by must have permission.ManageDirectory; what is done
// and its entry in the audit trail are one transaction. Fields that are wrong are
// problem.Invalid, an entry that is not there problem.NotFound. Nothing is ever
// deleted: what is switched off leaves the form and stays in earlier requests.

// AddUnit adds a unit. A unit or care point without identifier gets one; one
// whose identifier or name is taken is problem.Invalid.
func (r *Directory) AddUnit(ctx context.Context, by permission.Actor, u Unit) error {
	if u.UID == uuid.Nil {
		u.UID = newUID()
	}
	u.Active = true
	u = u.identified().trimmed()
	return r.add(ctx, by, u.entry(), func(tx Tx) error {
		_, err := tx.Unit(ctx, u.UID)
		if err := free(err, taken("id", "Já existe uma unidade com este identificador.")); err != nil {
			return err
		}
		return u.namesFree(ctx, tx, Unit{})
	})
}

// ChangeUnit replaces name and phone of a unit, and the care points that it lists;
// others stay as they are. A new name that is taken is problem.Invalid. Of all
// changes, seen is the version of the entry that the person saw, "" for any:
// problem.Conflict when somebody changed it since.
func (r *Directory) ChangeUnit(ctx context.Context, by permission.Actor, u Unit, seen string) error {
	u = u.identified()
	return r.changeUnit(ctx, by, u.UID, seen, func(now *Unit) {
		now.Name, now.Phone, now.CarePoints = u.Name, u.Phone, u.withPointsOf(*now)
	})
}

// withPointsOf returns the care points of u and, of now, those that it does not list.
func (u Unit) withPointsOf(now Unit) []CarePoint {
	points := slices.Clone(u.CarePoints)
	for _, p := range now.CarePoints {
		if _, listed := u.CarePoint(p.UID); !listed {
			points = append(points, p)
		}
	}
	return points
}

// SwitchUnit switches a unit on or off. On again, its name must not be taken.
func (r *Directory) SwitchUnit(ctx context.Context, by permission.Actor, unit uuid.UUID, active bool) error {
	return r.changeUnit(ctx, by, unit, "", func(now *Unit) { now.Active = active })
}

// AddProfessional adds an executing professional; one without identifier gets
// one.
func (r *Directory) AddProfessional(ctx context.Context, by permission.Actor, p Professional) error {
	if p.UID == uuid.Nil {
		p.UID = newUID()
	}
	p.Active = true
	p = p.trimmed()
	return r.add(ctx, by, p.entry(), func(tx Tx) error {
		_, err := tx.Professional(ctx, p.UID)
		return free(err, taken("id", "Já existe um executante com este identificador."))
	})
}

// ChangeProfessional replaces what is known about a professional, specialties
// included.
func (r *Directory) ChangeProfessional(ctx context.Context, by permission.Actor, p Professional, seen string) error {
	return r.changeProfessional(ctx, by, p.UID, seen, func(now *Professional) { p.Active, *now = now.Active, p })
}

// SwitchProfessional switches a professional on or off.
func (r *Directory) SwitchProfessional(ctx context.Context, by permission.Actor, professional uuid.UUID, active bool) error {
	return r.changeProfessional(ctx, by, professional, "", func(now *Professional) { now.Active = active })
}

// AddProcedure adds a procedure to the catalogue.
func (r *Directory) AddProcedure(ctx context.Context, by permission.Actor, p Procedure) error {
	p.Active = true
	p = p.trimmed()
	return r.add(ctx, by, p.entry(), func(tx Tx) error {
		_, err := tx.Procedure(ctx, p.Code)
		return free(err, taken("codigo", "Já existe um procedimento com este código."))
	})
}

// ChangeProcedure replaces name and aliases of the procedure with that code.
func (r *Directory) ChangeProcedure(ctx context.Context, by permission.Actor, p Procedure, seen string) error {
	return r.changeProcedure(ctx, by, cleanCode(p.Code), seen, func(now *Procedure) { now.Name, now.Aliases = p.Name, p.Aliases })
}

// SwitchProcedure switches the procedure with that code on or off.
func (r *Directory) SwitchProcedure(ctx context.Context, by permission.Actor, code string, active bool) error {
	return r.changeProcedure(ctx, by, cleanCode(code), "", func(now *Procedure) { now.Active = active })
}

// SetCredential replaces the settings of a credential; names and codes stay as
// the service gives them.
func (r *Directory) SetCredential(ctx context.Context, by permission.Actor, c Credential, seen string) error {
	return r.changeCredential(ctx, by, c.UID, seen, func(now *Credential) {
		now.ValidityRequired, now.CardPattern, now.Indication, now.Biometrics = c.ValidityRequired, c.CardPattern, c.Indication, c.Biometrics
		now.BiometricsHow, now.Phone = c.BiometricsHow, c.Phone
	})
}

// SwitchCredential switches a credential on or off.
func (r *Directory) SwitchCredential(ctx context.Context, by permission.Actor, credential uuid.UUID, active bool) error {
	return r.changeCredential(ctx, by, credential, "", func(now *Credential) { now.Active = active })
}

func (u Unit) identified() Unit {
	points := make([]CarePoint, len(u.CarePoints))
	for i, p := range u.CarePoints {
		if p.UID == uuid.Nil {
			p.UID = newUID()
		}
		points[i] = p
	}
	u.CarePoints = points
	return u
}

func newUID() uuid.UUID { return uuid.Must(uuid.NewV7()) } // fails only without a source of randomness
