package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"guiche/internal/account"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// NewPerson is what `guiche user add` says about a person.
type NewPerson struct {
	Login, Name string
	Roles       []string
	Units       []string // by name
}

// AddPerson adds a person and returns the path of the one-time link. It works
// beside a running server.
func AddPerson(ctx context.Context, c Config, p NewPerson) (path string, err error) {
	err = besides(ctx, c, func(parts *people) error {
		roles, err := rolesOf(p.Roles)
		if err != nil {
			return err
		}
		units, err := parts.unitsOf(ctx, p.Units)
		if err != nil {
			return err
		}
		_, token, err := parts.accounts.AddUser(ctx, permission.Program(), account.NewUser{Login: p.Login, Name: p.Name, Roles: roles, Units: units})
		path = activationPath(token)
		return err
	})
	return path, err
}

// DisablePerson puts the person who logs in so out at once, of a running server
// too.
func DisablePerson(ctx context.Context, c Config, login string) error {
	return withPerson(ctx, c, login, func(parts *people, user account.User) error {
		return parts.accounts.Disable(ctx, permission.Program(), user.UID)
	})
}

// ResetPerson takes the password and the sessions of the person who logs in so
// away and returns the path of the one-time link for a new password.
func ResetPerson(ctx context.Context, c Config, login string) (path string, err error) {
	err = withPerson(ctx, c, login, func(parts *people, user account.User) error {
		token, err := parts.accounts.ResetPassword(ctx, permission.Program(), user.UID)
		path = activationPath(token)
		return err
	})
	return path, err
}

// activationPath is where the secret of a link is used, "" without one.
func activationPath(token string) string {
	if token == "" {
		return ""
	}
	return "/ativar/" + token
}

// withPerson acts on a person of an installation that is there already: a wrong
// folder must not become one.
func withPerson(ctx context.Context, c Config, login string, act func(*people, account.User) error) error {
	if _, err := os.Stat(filepath.Join(c.DataDir, "desk", "guiche.db")); err != nil {
		return fmt.Errorf("GUICHE_DATA: no installation in %s: %w", c.DataDir, err)
	}
	return besides(ctx, c, func(parts *people) error {
		user, err := parts.accounts.UserByLogin(ctx, login)
		if err != nil {
			return err
		}
		return act(parts, user)
	})
}

// besides opens people beside a running server for one act.
func besides(ctx context.Context, c Config, act func(*people) error) (err error) {
	parts, err := openPeople(ctx, c.withDefaults())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, parts.Close()) }()
	if err := act(parts); err != nil {
		return wordsOf(err)
	}
	return nil
}

func rolesOf(names []string) ([]permission.Role, error) {
	var roles []permission.Role
	for _, name := range names {
		role := permission.Role(strings.TrimSpace(name))
		if !slices.Contains(permission.Roles(), role) {
			return nil, fmt.Errorf("-role: %q is none of recepcao, supervisao, administracao", name)
		}
		roles = append(roles, role)
	}
	return roles, nil
}

func (p *people) unitsOf(ctx context.Context, names []string) ([]uuid.UUID, error) {
	known, err := p.directory.Units(ctx)
	if err != nil {
		return nil, err
	}
	var units []uuid.UUID
	for _, name := range names {
		at := -1
		for i, u := range known {
			if strings.EqualFold(u.Name, strings.TrimSpace(name)) {
				at = i
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("-unit: there is no unit %q", name)
		}
		units = append(units, known[at].UID)
	}
	return units, nil
}
