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
	"guiche/internal/backup"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// NewPerson is what `guiche user add` says about a person.
type NewPerson struct {
	Login, Name string
	Roles       []string
	Units       []string // by name
	Begin       bool     // a new installation, where there is none
}

// AddPerson adds a person and returns the path of the one-time link. It works while
// a server runs on the same data.
func AddPerson(ctx context.Context, c Config, p NewPerson) (path string, err error) {
	if err := c.checkInstalled(ctx); errors.Is(err, errNoInstallation) && !p.Begin {
		return "", fmt.Errorf("%w (-new begins one)", err)
	}
	err = withPeople(ctx, c, func(data *deskData) error {
		roles, err := rolesOf(p.Roles)
		if err != nil {
			return err
		}
		units, err := data.unitsOf(ctx, p.Units)
		if err != nil {
			return err
		}
		_, token, err := data.accounts.AddUser(ctx, permission.Program(), account.NewUser{Login: p.Login, Name: p.Name,
			Roles: roles, Units: units})
		path = activationPath(token)
		return err
	})
	return path, err
}

// DisablePerson ends the person's sessions at once, also in a running server, and
// lets them log in no more.
func DisablePerson(ctx context.Context, c Config, login string) error {
	return withPerson(ctx, c, login, func(data *deskData, user account.User) error {
		return data.accounts.Disable(ctx, permission.Program(), user.UID)
	})
}

// ResetPerson ends the person's sessions, takes their password away and returns the
// path of the one-time link for a new one.
func ResetPerson(ctx context.Context, c Config, login string) (path string, err error) {
	err = withPerson(ctx, c, login, func(data *deskData, user account.User) error {
		token, err := data.accounts.ResetPassword(ctx, permission.Program(), user.UID)
		path = activationPath(token)
		return err
	})
	return path, err
}

// activationPath is where the token of a one-time link is used, "" without one.
func activationPath(token string) string {
	if token == "" {
		return ""
	}
	return "/ativar/" + token
}

// withPerson acts on a person of an existing installation.
func withPerson(ctx context.Context, c Config, login string, act func(*deskData, account.User) error) error {
	return withInstallation(ctx, c, func(data *deskData) error {
		user, err := data.accounts.UserByLogin(ctx, login)
		if err != nil {
			return err
		}
		return act(data, user)
	})
}

// withInstallation opens guiche.db for one act on an existing installation, also while a
// server runs on it.
func withInstallation(ctx context.Context, c Config, act func(*deskData) error) error {
	if err := c.checkInstalled(ctx); err != nil {
		return err
	}
	return withPeople(ctx, c, act)
}

var errNoInstallation = errors.New("no installation")

// checkInstalled refuses a folder without an installation: a mistyped one must not become
// a new one.
func (c Config) checkInstalled(ctx context.Context) error {
	if err := backup.Complete(c.DataDir); err != nil {
		return fmt.Errorf("GUICHE_DATA: %w", err)
	}
	if err := c.checkRowsPlace(); err != nil {
		return err
	}
	if c.onServer() {
		return c.checkThere(ctx)
	}
	if _, err := os.Stat(filepath.Join(c.DataDir, "desk", "guiche.db")); err != nil {
		return fmt.Errorf("GUICHE_DATA: %w in %s: %w", errNoInstallation, c.DataDir, err)
	}
	return nil
}

// withPeople opens guiche.db for one act, also while a server runs on it.
func withPeople(ctx context.Context, c Config, act func(*deskData) error) (err error) {
	c = c.withDefaults()
	c.beside = true
	data, err := openDeskData(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, data.Close()) }()
	return forTerminal(act(data))
}

// withDatabase opens guiche.db of an existing installation without its keys.
func withDatabase(ctx context.Context, c Config, act func(database) error) (err error) {
	if err := c.checkInstalled(ctx); err != nil {
		return err
	}
	c = c.withDefaults()
	c.beside = true
	db, err := openDatabase(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return act(db)
}

// forTerminal turns an application error into what a person reads at a terminal.
func forTerminal(err error) error {
	var p *problem.Error
	if !errors.As(err, &p) {
		return err
	}
	messages := []string{p.Message}
	for _, f := range p.Fields {
		messages = append(messages, f.Message)
	}
	return errors.New(strings.Join(messages, " "))
}

// rolesOf reads the roles of a command line; the error lists those that exist.
func rolesOf(names []string) ([]permission.Role, error) {
	var roles []permission.Role
	for _, name := range names {
		role := permission.Role(strings.TrimSpace(name))
		if !slices.Contains(permission.Roles(), role) {
			return nil, fmt.Errorf("-role: %q is none of recepcao, supervisao, decisao, administracao", name)
		}
		roles = append(roles, role)
	}
	return roles, nil
}

// unitsOf finds units by their names, whatever the case: a command line has no list to
// choose from.
func (d *deskData) unitsOf(ctx context.Context, names []string) ([]uuid.UUID, error) {
	known, err := d.directory.Units(ctx)
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
