package service

import (
	"context"

	"github.com/google/uuid"
)

// Family returns one token family, whatever became of it, or problem.NotFound.
func (a *Admin) Family(ctx context.Context, id uuid.UUID) (Family, error) {
	return a.s.store.Family(ctx, id)
}

// Families lists token families of a profile, newest first.
func (a *Admin) Families(ctx context.Context, q FamilyQuery) (Listing[Family], error) {
	return a.s.store.Families(ctx, q)
}

// RevokeFamily ends all tokens of a login or of a client credentials grant at once
// (specification 5, rule 2).
func (a *Admin) RevokeFamily(ctx context.Context, id uuid.UUID) error {
	return a.s.store.RevokeFamily(ctx, id, RevokedByHand, a.s.clock())
}

// RevokeFamilies does the same to all tokens of a profile; its users and clients
// may get new ones.
func (a *Admin) RevokeFamilies(ctx context.Context, profile uuid.UUID) error {
	return a.s.store.RevokeFamilies(ctx, profile, RevokedByHand, a.s.clock())
}
