package directory

import "context"

// PutUnits adds units or replaces those with the same identifier. Care points
// that a unit no longer lists are switched off, not deleted. A unit or point
// without identifier or name is problem.Invalid, and then nothing is stored.
func (r *Directory) PutUnits(ctx context.Context, units ...Unit) error { return load(ctx, r, units) }

// PutProfessionals adds professionals or replaces those with the same
// identifier, specialties included. One without identifier, name or a proper
// specialty is problem.Invalid, and then nothing is stored.
func (r *Directory) PutProfessionals(ctx context.Context, professionals ...Professional) error {
	return load(ctx, r, professionals)
}

// PutProcedures adds procedures or replaces those with the same code. One
// without code or name is problem.Invalid, and then nothing is stored.
func (r *Directory) PutProcedures(ctx context.Context, procedures ...Procedure) error {
	return load(ctx, r, procedures)
}

// PutCredential adds a credential with its settings or replaces the one with the
// same identifier. A pattern that is no regular expression is problem.Invalid.
func (r *Directory) PutCredential(ctx context.Context, c Credential) error {
	return load(ctx, r, []Credential{c})
}
