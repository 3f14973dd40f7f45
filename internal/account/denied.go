package account

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// linkDenied returns the error of a one-time link that does not stand. The audit trail
// tells that somebody tried it, and whose it was until its time was over; whoever tries
// many has to wait.
func (s *Service) linkDenied(ctx context.Context, token string, refused error) error {
	if !problem.Is(refused, problem.NotFound) {
		return refused
	}
	err := s.store.Write(context.WithoutCancel(ctx), func(tx Tx) error {
		e := audit.Entry{Event: audit.AccessDenied, Object: audit.ObjectInvitation, Detail: "link=desconhecido"}
		late, err := tx.Invitation(ctx, hashOf(token))
		switch {
		case err == nil:
			e.Object, e.ObjectID, e.Detail = audit.ObjectPerson, late.User, "link=vencido"
		case !problem.Is(err, problem.NotFound):
			return err
		}
		return tx.Append(ctx, e)
	})
	if err != nil {
		return err
	}
	if err := s.CountGuess(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	return refused
}

// sessionDenied returns the error of a session that is not the person's. Where it is
// somebody else's, which they may not end, the audit trail tells who tried.
func (s *Service) sessionDenied(ctx context.Context, by permission.Actor, session uuid.UUID, notFound error) error {
	if !problem.Is(notFound, problem.NotFound) || by.May(permission.ManagePeople) {
		return notFound
	}
	err := s.store.Write(context.WithoutCancel(ctx), func(tx Tx) error {
		if _, err := tx.SessionOwner(ctx, session); err != nil {
			return err
		}
		return tx.Append(ctx, audit.Entry{Actor: by.User, Event: audit.AccessDenied, Object: audit.ObjectSession, ObjectID: session,
			Detail: "alcance=pessoa"})
	})
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	return notFound
}
