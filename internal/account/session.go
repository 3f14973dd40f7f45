package account

import (
	"context"
	"errors"
	"slices"
	"time"

	"guiche/internal/audit"
	"guiche/internal/password"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// maxPasswordBytes bounds what is hashed at a login; no password is that long.
const maxPasswordBytes = password.MaxBytes

var (
	errLogin   = problem.New(problem.Invalid, "Usuário ou senha incorretos.")
	errExpired = problem.New(problem.Unauthorized, "Sua sessão terminou. Entre de novo.")
)

// Login checks a password and opens a session. The token is the session's secret
// for the cookie and is not kept.
//
// An unknown person, a wrong password, a disabled person and one who never chose
// a password get the same problem.Invalid error after the same work; too many
// failures get a problem.Throttled one.
func (s *Service) Login(ctx context.Context, login, password string, from Client) (token string, user User, err error) {
	login = foldLogin(login)
	try, err := s.beginLogin(ctx, login, from)
	if err != nil {
		return "", User{}, err
	}
	stored := try.hash
	if stored == "" {
		stored = s.hasher.Decoy()
	}
	if len(password) > maxPasswordBytes {
		password = "" // nobody's password
	}
	fits, err := s.hasher.Verify(ctx, stored, normalize(password))
	if err != nil {
		return "", User{}, err
	}
	if !fits || try.user.Disabled {
		return "", User{}, s.failLogin(ctx, try)
	}
	return s.openSession(ctx, try, from)
}

// openSession reads the user again: while the password was being checked they may
// have been disabled or have got another one.
func (s *Service) openSession(ctx context.Context, try loginTry, from Client) (token string, user User, err error) {
	token = newSecret()
	err = s.store.Write(ctx, func(tx Tx) error {
		var hash string
		if user, hash, err = tx.UserWithPassword(ctx, try.user.Login); err != nil {
			return err
		}
		if user.Disabled || hash != try.hash {
			return errLogin
		}
		if err := try.Succeed(ctx, tx); err != nil {
			return err
		}
		return s.insertSession(ctx, tx, token, user, from)
	})
	if errors.Is(err, errLogin) { // nothing of that transaction is kept, so the trail has one of its own
		return "", User{}, s.failLogin(ctx, try)
	}
	if err != nil {
		return "", User{}, err
	}
	return token, user, nil
}

// insertSession writes the new session.
func (s *Service) insertSession(ctx context.Context, tx Tx, token string, user User, from Client) error {
	session := from.session(user.UID, tx.Now())
	if err := tx.InsertSession(ctx, hashOf(token), session); err != nil {
		return err
	}
	if err := tx.SetLastLogin(ctx, user.UID, tx.Now()); err != nil {
		return err
	}
	if err := s.prune(ctx, tx); err != nil {
		return err
	}
	return tx.Append(ctx, audit.Entry{Actor: user.UID, Event: audit.LoggedIn, Object: audit.ObjectSession, ObjectID: session.UID})
}

// prune deletes failures, counts and sessions that no longer count.
func (s *Service) prune(ctx context.Context, tx Tx) error {
	now := tx.Now()
	if err := tx.DeleteStaleFailures(ctx, now.Add(-throttle.Outdated), now.Add(-countsKept)); err != nil {
		return err
	}
	return tx.DeleteStaleSessions(ctx, now.Add(-s.idle), now.Add(-s.absolute))
}

// Authenticate returns the session of a token and its person as they are now, or
// a problem.Unauthorized error when the session ended, was revoked or its person
// disabled. Only activity, something the person did, keeps a session open;
// automatic polling passes false.
func (s *Service) Authenticate(ctx context.Context, token string, activity bool) (session Session, user User, err error) {
	var now time.Time
	err = s.store.Read(ctx, func(tx Tx) error {
		now = tx.Now()
		session, user, err = s.live(ctx, tx, token)
		return err
	})
	if err != nil {
		return Session{}, User{}, err
	}
	if activity && now.Sub(session.ActiveAt) >= s.idle/60 {
		err = s.store.Write(ctx, func(tx Tx) error { return tx.TouchSession(ctx, session.UID, now) })
	}
	if problem.Passing(err) { // reading goes on as long as the session lasts
		err = nil
	}
	return session, user, err
}

// live returns the session of a token and its person, if it still is one.
func (s *Service) live(ctx context.Context, tx Tx, token string) (Session, User, error) {
	session, user, err := tx.Session(ctx, hashOf(token))
	if problem.Is(err, problem.NotFound) {
		return Session{}, User{}, errExpired
	}
	if err != nil {
		return Session{}, User{}, err
	}
	if s.over(session, tx.Now()) || user.Disabled {
		return Session{}, User{}, errExpired
	}
	return session, user, nil
}

// SetSessionData keeps up to 64 KiB with the session of a token.
func (s *Service) SetSessionData(ctx context.Context, token string, data []byte) error {
	return s.store.Write(ctx, func(tx Tx) error {
		session, _, err := s.live(ctx, tx, token)
		if err != nil {
			return err
		}
		return tx.SetSessionData(ctx, session.UID, data)
	})
}

// Logout ends the session of a token; one that ended already is no error.
func (s *Service) Logout(ctx context.Context, token string) error {
	return s.store.Write(ctx, func(tx Tx) error {
		session, user, err := tx.Session(ctx, hashOf(token))
		if problem.Is(err, problem.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return end(ctx, tx, audit.LoggedOut, user.UID, session.UID)
	})
}

// Sessions lists the sessions of a person, newest first, ended ones that nothing
// has cleared yet left out.
func (s *Service) Sessions(ctx context.Context, user uuid.UUID) (open []Session, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		open = nil
		all, err := tx.Sessions(ctx, user)
		for _, session := range all {
			if !s.over(session, tx.Now()) {
				open = append(open, session)
			}
		}
		return err
	})
	return open, err
}

// RevokeSession ends one session of a person; it is out when this returns. A
// problem.NotFound error says that there is no such session of theirs; the audit trail
// tells of one of somebody else.
func (s *Service) RevokeSession(ctx context.Context, by permission.Actor, owner, session uuid.UUID) error {
	if err := mayRevoke(by, owner); err != nil {
		return err
	}
	err := s.store.Write(ctx, func(tx Tx) error {
		all, err := tx.Sessions(ctx, owner)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(all, func(o Session) bool { return o.UID == session }) {
			return problem.New(problem.NotFound, "Esta sessão já terminou.")
		}
		return end(ctx, tx, audit.SessionRevoked, by.User, session)
	})
	return s.sessionDenied(ctx, by, session, err)
}

// RevokeSessions ends all sessions of a person but the one to keep, the zero uid
// for none; they are out when this returns.
func (s *Service) RevokeSessions(ctx context.Context, by permission.Actor, owner, keep uuid.UUID) error {
	if err := mayRevoke(by, owner); err != nil {
		return err
	}
	return s.store.Write(ctx, func(tx Tx) error {
		all, err := tx.Sessions(ctx, owner)
		if err != nil {
			return err
		}
		for _, session := range all {
			if session.UID == keep {
				continue
			}
			if err := end(ctx, tx, audit.SessionRevoked, by.User, session.UID); err != nil {
				return err
			}
		}
		return nil
	})
}

// mayRevoke lets everybody end their own sessions.
func mayRevoke(by permission.Actor, owner uuid.UUID) error {
	if by.User == owner && owner != uuid.Nil {
		return nil
	}
	return by.Require(permission.ManagePeople)
}

func end(ctx context.Context, tx Tx, event audit.Event, actor, session uuid.UUID) error {
	if err := tx.DeleteSession(ctx, session); err != nil {
		return err
	}
	return tx.Append(ctx, audit.Entry{Actor: actor, Event: event, Object: audit.ObjectSession, ObjectID: session})
}
