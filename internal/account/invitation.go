package account

import (
	"context"
	"slices"
	"time"

	"guiche/internal/audit"
	"guiche/internal/oneline"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// invitationLife is how long a one-time link stands.
const invitationLife = 24 * time.Hour

var errInvitation = problem.New(problem.NotFound, "Este convite não vale mais. Peça outro a quem administra o Guichê.")

// FirstAdministrator is what the person says who opens the first link.
type FirstAdministrator struct {
	Login    string
	Name     string
	Password string
}

// InviteFirstAdministrator returns the secret of a link that makes whoever opens
// it the first administrator. Links made before go on working, as processes that start
// at the same time each show one; the first that is used ends all. Once there is anybody
// it is a problem.Conflict error.
func (s *Service) InviteFirstAdministrator(ctx context.Context) (token string, err error) {
	err = s.store.Write(ctx, func(tx Tx) error {
		if err := nobodyYet(ctx, tx); err != nil {
			return err
		}
		token, err = s.issue(ctx, tx, uuid.Nil, uuid.Nil)
		return err
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// ResetPassword takes a user's password and sessions away and returns the secret
// of a link with which they choose a new one.
//
// A disabled person is a problem.Conflict error, and so is the last one with
// administração unless the program asks, which then has the link in its hands.
// Oneself is a problem.Forbidden error: see ChangePassword.
func (s *Service) ResetPassword(ctx context.Context, by permission.Actor, uid uuid.UUID) (token string, err error) {
	if err := by.Require(permission.ManagePeople); err != nil {
		return "", err
	}
	if by.User == uid {
		return "", problem.New(problem.Forbidden, "Troque a sua senha em Minha conta.")
	}
	err = s.store.Write(ctx, func(tx Tx) error {
		user, err := tx.User(ctx, uid)
		if err != nil {
			return err
		}
		if user.Disabled {
			return problem.New(problem.Conflict, "A pessoa está desativada. Reative antes de emitir um convite.")
		}
		token, err = s.reset(ctx, tx, by.User, user)
		return err
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

func (s *Service) reset(ctx context.Context, tx Tx, actor uuid.UUID, user User) (string, error) {
	if err := s.replacePassword(ctx, tx, user.UID, ""); err != nil {
		return "", err
	}
	if actor != uuid.Nil {
		after := user
		after.Activated = false
		if err := keepAdministrator(ctx, tx, user, after); err != nil {
			return "", err
		}
	}
	if err := tx.Append(ctx, about(audit.PasswordReset, actor, user.UID, "")); err != nil {
		return "", err
	}
	return s.invite(ctx, tx, actor, user.UID)
}

// ActivationOwner returns whose link it is: the zero User for that of the first
// administrator. A link that is used, replaced or older than 24 hours is a
// problem.NotFound error, and the audit trail tells that it was tried.
func (s *Service) ActivationOwner(ctx context.Context, token string) (owner User, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		owner, err = s.invited(ctx, tx, token)
		return err
	})
	return owner, s.linkDenied(ctx, token, err)
}

// Activate uses a link: the password becomes the user's, and their other sessions
// end. A password that is not good enough is a problem.Invalid error with the
// field senha and leaves the link as it is.
func (s *Service) Activate(ctx context.Context, token, password string) (User, error) {
	owner, err := s.ActivationOwner(ctx, token)
	if err == nil && owner.UID == uuid.Nil {
		err = errInvitation
	}
	if err != nil {
		return User{}, err
	}
	hash, err := s.newPassword(ctx, password, owner)
	if err != nil {
		return User{}, err
	}
	err = s.store.Write(ctx, func(tx Tx) error {
		again, err := s.invited(ctx, tx, token) // of two who use it at once, one is late
		if err != nil {
			return err
		}
		if err := s.replacePassword(ctx, tx, again.UID, hash); err != nil {
			return err
		}
		owner.Activated = true
		return tx.Append(ctx, about(audit.PersonActivated, again.UID, again.UID, ""))
	})
	return owner, s.linkDenied(ctx, token, err)
}

// ActivateFirstAdministrator uses the first link and makes the person. Problems of
// the fields usuario, nome and senha come back at once.
func (s *Service) ActivateFirstAdministrator(ctx context.Context, token string, f FirstAdministrator) (User, error) {
	owner, err := s.ActivationOwner(ctx, token)
	if err == nil && owner.UID != uuid.Nil {
		err = errInvitation
	}
	if err != nil {
		return User{}, err
	}
	user := User{UID: newUID(), Login: foldLogin(f.Login), Name: oneline.Clean(f.Name),
		Roles: []permission.Role{permission.Administration}, Activated: true}
	chosen, err := s.passwordProblems(ctx, f.Password, user)
	if err != nil {
		return User{}, err
	}
	if err := problem.InvalidFields(slices.Concat(loginProblems(user.Login), personProblems(user), chosen)); err != nil {
		return User{}, err
	}
	hash, err := s.hasher.Hash(ctx, normalize(f.Password))
	if err != nil {
		return User{}, err
	}
	err = s.store.Write(ctx, func(tx Tx) error {
		user.CreatedAt = tx.Now()
		return s.insertFirst(ctx, tx, token, user, hash)
	})
	return user, s.linkDenied(ctx, token, err)
}

func (s *Service) insertFirst(ctx context.Context, tx Tx, token string, user User, hash string) error {
	if _, err := s.invited(ctx, tx, token); err != nil {
		return err
	}
	if err := nobodyYet(ctx, tx); err != nil {
		return err
	}
	if err := insertUser(ctx, tx, user.UID, user); err != nil {
		return err
	}
	if err := tx.SetPassword(ctx, user.UID, hash); err != nil {
		return err
	}
	if err := tx.DeleteInvitations(ctx, uuid.Nil); err != nil {
		return err
	}
	return tx.Append(ctx, about(audit.PersonActivated, user.UID, user.UID, ""))
}

// SetPassword gives a person a password without asking whether it is a good one.
// It is for the program's own use (the demo), never for what somebody typed.
func (s *Service) SetPassword(ctx context.Context, uid uuid.UUID, password string) error {
	hash, err := s.hasher.Hash(ctx, normalize(password))
	if err != nil {
		return err
	}
	return s.store.Write(ctx, func(tx Tx) error {
		if err := s.replacePassword(ctx, tx, uid, hash); err != nil {
			return err
		}
		return tx.Append(ctx, about(audit.PasswordSet, uuid.Nil, uid, ""))
	})
}

func (s *Service) newPassword(ctx context.Context, password string, owner User) (string, error) {
	fields, err := s.passwordProblems(ctx, password, owner)
	if err != nil {
		return "", err
	}
	if err := problem.InvalidFields(fields); err != nil {
		return "", err
	}
	return s.hasher.Hash(ctx, normalize(password))
}

// replacePassword sets a password and ends everything that the old one opened.
func (s *Service) replacePassword(ctx context.Context, tx Tx, uid uuid.UUID, hash string) error {
	if err := tx.SetPassword(ctx, uid, hash); err != nil {
		return err
	}
	if err := tx.DeleteInvitations(ctx, uid); err != nil {
		return err
	}
	return tx.DeleteSessions(ctx, uid)
}

// invite makes a link for a person in place of the ones before.
func (s *Service) invite(ctx context.Context, tx Tx, actor, uid uuid.UUID) (string, error) {
	if err := tx.DeleteInvitations(ctx, uid); err != nil {
		return "", err
	}
	return s.issue(ctx, tx, actor, uid)
}

// issue makes a link for a person, the zero uid for the first administrator.
func (s *Service) issue(ctx context.Context, tx Tx, actor, uid uuid.UUID) (string, error) {
	token := newSecret()
	if err := tx.InsertInvitation(ctx, hashOf(token), uid, tx.Now().Add(invitationLife)); err != nil {
		return "", err
	}
	issued := audit.Entry{Actor: actor, Event: audit.InvitationIssued, Object: audit.ObjectPerson, ObjectID: uid}
	if err := tx.Append(ctx, issued); err != nil {
		return "", err
	}
	return token, nil
}

// invited returns the person of a link that still stands.
func (s *Service) invited(ctx context.Context, tx Tx, token string) (User, error) {
	invitation, err := tx.Invitation(ctx, hashOf(token))
	if problem.Is(err, problem.NotFound) || err == nil && !tx.Now().Before(invitation.Expires) {
		return User{}, errInvitation
	}
	if err != nil || invitation.User == uuid.Nil {
		return User{}, err
	}
	user, err := tx.User(ctx, invitation.User)
	if err == nil && user.Disabled {
		return User{}, errInvitation
	}
	return user, err
}

func nobodyYet(ctx context.Context, tx Tx) error {
	users, err := tx.Users(ctx)
	if err == nil && len(users) > 0 {
		err = problem.New(problem.Conflict, "O Guichê já tem pessoas. Peça um convite a quem administra.")
	}
	return err
}
