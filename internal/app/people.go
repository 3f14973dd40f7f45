package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/blob/files"
	"guiche/internal/desk"
	"guiche/internal/keys"
	"guiche/internal/register"
	"guiche/internal/report"
	"guiche/internal/sqlite"
	"guiche/internal/sqlite/accountstore"
	"guiche/internal/sqlite/auditlog"
	"guiche/internal/sqlite/deskstore"
	"guiche/internal/sqlite/registerstore"
	"guiche/internal/sqlite/reportstore"
	"guiche/migrations"

	"github.com/google/uuid"
)

// people is the desk's side of the data folder: guiche.db with people, audit,
// registers and cases, and the desk's blobs.
type people struct {
	db       *sqlite.DB
	trail    *auditlog.Log
	accounts *account.Service
	register *register.Register
	blobs    *files.Store
}

func openPeople(ctx context.Context, c Config) (*people, error) {
	folder := filepath.Join(c.DataDir, "desk")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(folder, "guiche.db"), Migrations: migrations.Desk, Clock: c.Clock})
	if err != nil {
		return nil, fmt.Errorf("GUICHE_DATA: open the desk's database: %w", err)
	}
	key, err := keys.Load(filepath.Join(c.DataDir, "keys", "audit.key"))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("GUICHE_DATA: %w", err), db.Close())
	}
	blobs, err := files.Open(files.Options{Dir: folder, Clock: c.Clock})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("GUICHE_DATA: %w", err), db.Close())
	}
	trail := auditlog.New(db, audit.Key(key))
	return &people{db: db, trail: trail, blobs: blobs, register: register.New(registerstore.New(db, trail)),
		accounts: account.New(account.Config{Store: accountstore.New(db, trail), Idle: c.SessionIdle, Absolute: c.SessionAbsolute})}, nil
}

func (p *people) deskStore() desk.Store { return deskstore.New(p.db, p.trail) }

func (p *people) reportStore() report.Store { return reportstore.New(p.db, p.trail) }

// Close closes database and files.
func (p *people) Close() error { return errors.Join(p.blobs.Close(), p.db.Close()) }

// NewPerson is what `guiche user add` says about a person.
type NewPerson struct {
	Login, Name string
	Roles       []string
	Units       []string // by name
}

// AddPerson adds a person and returns the path of the one-time link. It works
// beside a running server.
func AddPerson(ctx context.Context, c Config, p NewPerson) (path string, err error) {
	parts, err := openPeople(ctx, c.withDefaults())
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, parts.Close()) }()
	roles, err := rolesOf(p.Roles)
	if err != nil {
		return "", err
	}
	units, err := parts.unitsOf(ctx, p.Units)
	if err != nil {
		return "", err
	}
	_, token, err := parts.accounts.AddUser(ctx, uuid.Nil, account.NewUser{Login: p.Login, Name: p.Name, Roles: roles, Units: units})
	if err != nil {
		return "", wordsOf(err)
	}
	return "/ativar/" + token, nil
}

func rolesOf(names []string) ([]account.Role, error) {
	var roles []account.Role
	for _, name := range names {
		role := account.Role(strings.TrimSpace(name))
		if role.Label() == "" {
			return nil, fmt.Errorf("-role: %q is none of recepcao, supervisao, administracao", name)
		}
		roles = append(roles, role)
	}
	return roles, nil
}

func (p *people) unitsOf(ctx context.Context, names []string) ([]uuid.UUID, error) {
	known, err := p.register.Units(ctx)
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
