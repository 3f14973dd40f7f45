package directory

import "context"

// PutUnits adds units or replaces those with the same identifier. Care points
// that a unit no longer lists are switched off, not deleted. A unit or point
// without identifier or name is problem.Invalid, and then nothing is stored.
func (r *Directory) PutUnits(ctx context.Context, units ...Unit) error {
	entries := make([]imported, len(units))
	for i, u := range units {
		u = u.trimmed()
		entries[i] = imported{u.entry(), func(tx Tx) (bool, error) {
			before, err := tx.Unit(ctx, u.UID)
			return u.same(before), err
		}}
	}
	return r.load(ctx, entries)
}

// PutProfessionals adds professionals or replaces those with the same
// identifier, specialties included. One without identifier, name or a proper
// specialty is problem.Invalid, and then nothing is stored.
func (r *Directory) PutProfessionals(ctx context.Context, professionals ...Professional) error {
	entries := make([]imported, len(professionals))
	for i, p := range professionals {
		p = p.trimmed()
		entries[i] = imported{p.entry(), func(tx Tx) (bool, error) {
			before, err := tx.Professional(ctx, p.UID)
			return p.same(before), err
		}}
	}
	return r.load(ctx, entries)
}

// PutProcedures adds procedures or replaces those with the same code. One
// without code or name is problem.Invalid, and then nothing is stored.
func (r *Directory) PutProcedures(ctx context.Context, procedures ...Procedure) error {
	entries := make([]imported, len(procedures))
	for i, p := range procedures {
		p = p.trimmed()
		entries[i] = imported{p.entry(), func(tx Tx) (bool, error) {
			before, err := tx.Procedure(ctx, p.Code)
			return p.same(before), err
		}}
	}
	return r.load(ctx, entries)
}

// PutCredential adds a credential with its settings or replaces the one with the
// same identifier. A pattern that is no regular expression is problem.Invalid.
func (r *Directory) PutCredential(ctx context.Context, c Credential) error {
	c = c.trimmed()
	return r.load(ctx, []imported{{c.entry(), func(tx Tx) (bool, error) {
		before, err := tx.Credential(ctx, c.UID)
		return c.same(before), err
	}}})
}
