package directory

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/oneline"
)

// ListUnits lists units with all their care points for an administrator, active
// ones first, each by name. Words of search are looked for in the names of unit
// and points; case and accents do not count, no words find all.
func (r *Directory) ListUnits(ctx context.Context, search string) ([]Unit, error) {
	all, err := r.store.Units(ctx)
	return ordered(keep(all, func(u Unit) bool {
		texts := []string{u.Name}
		for _, p := range u.CarePoints {
			texts = append(texts, p.Name)
		}
		return holds(search, texts...)
	})), err
}

// ListProfessionals lists professionals likewise, by name, council number and
// specialties.
func (r *Directory) ListProfessionals(ctx context.Context, search string) ([]Professional, error) {
	all, err := r.store.Professionals(ctx)
	return ordered(keep(all, func(p Professional) bool {
		texts := []string{p.Name, p.Council, p.CouncilNumber}
		for _, s := range p.Specialties {
			texts = append(texts, s.Name)
		}
		return holds(search, texts...)
	})), err
}

// ListCredentials lists credentials likewise, by operator and provider code. One that cannot be read may be the one
// that is looked for.
func (r *Directory) ListCredentials(ctx context.Context, search string) ([]Credential, error) {
	all, err := r.store.Credentials(ctx)
	return ordered(keep(all, func(c Credential) bool { return c.Damaged || holds(search, c.Name, c.ProviderCode) })), err
}

// ListProcedures returns the part of the catalogue that starts at offset, by
// code, active or not, and how many procedures there are. The search is that of
// SearchProcedures; no text finds all.
func (r *Directory) ListProcedures(ctx context.Context, search string, offset, limit int) ([]Procedure, int, error) {
	return r.store.ListProcedures(ctx, oneline.Visible(search), max(offset, 0), limit)
}

// named is what a list is ordered by.
type named interface {
	enabled() bool
	label() string
}

func (u Unit) enabled() bool         { return u.Active }
func (u Unit) label() string         { return u.Name }
func (p Professional) enabled() bool { return p.Active }
func (p Professional) label() string { return p.Name }
func (c Credential) enabled() bool   { return c.Active }
func (c Credential) label() string   { return c.Name }
func (p Procedure) enabled() bool    { return p.Active }

// ordered puts the active ones first, each part by name without case and accents.
func ordered[T named](entries []T) []T {
	type place struct {
		entry T
		key   string
	}
	places := make([]place, len(entries))
	for i, e := range entries {
		group := "1"
		if e.enabled() {
			group = "0"
		}
		places[i] = place{e, group + fold(e.label())}
	}
	slices.SortStableFunc(places, func(a, b place) int { return strings.Compare(a.key, b.key) })
	for i, p := range places {
		entries[i] = p.entry
	}
	return entries
}
