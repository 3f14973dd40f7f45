package app

import (
	"context"
	"errors"
	"fmt"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/backup"
	"guiche/internal/directory"
	"guiche/internal/keyfile"
	"guiche/internal/report"
	"guiche/internal/store/accountstore"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/directorystore"
	"guiche/internal/store/keystore"
	"guiche/internal/store/reportstore"
)

// deskData is guiche.db with its keys: accounts and the audit trail, and where there is a desk its
// directory, cases and connection.
type deskData struct {
	db        database
	keys      *keyfile.Keys
	trail     *auditlog.Log
	accounts  *account.Service
	directory *directory.Directory
}

// openDatabase opens guiche.db and brings it to the current schema. The error names the
// setting that a person would have to change.
func openDatabase(ctx context.Context, c Config) (database, error) {
	if err := backup.Complete(c.DataDir); err != nil {
		return nil, fmt.Errorf("GUICHE_DATA: %w", err)
	}
	if err := c.checkRowsPlace(); err != nil {
		return nil, err
	}
	return c.openDatabase(ctx, deskHalf)
}

// openDeskData opens guiche.db with the keys that it rests on.
func openDeskData(ctx context.Context, c Config) (*deskData, error) {
	db, err := openDatabase(ctx, c)
	if err != nil {
		return nil, err
	}
	place, err := keyfile.ParsePlace(c.keyPlace())
	if err != nil {
		return nil, errors.Join(c.keyError(err), db.Close())
	}
	keys, err := keyfile.Open(ctx, place, keystore.New(db))
	if err != nil {
		return nil, errors.Join(c.keyError(err), db.Close())
	}
	trail := auditlog.New(db, audit.Key(keys.Key(keyfile.Audit)))
	d := &deskData{db: db, keys: keys, trail: trail, directory: directory.New(directorystore.New(db, trail))}
	d.accounts = account.New(account.Config{Store: accountstore.New(db, trail), Hasher: c.Hasher, Idle: c.SessionIdle,
		Absolute: c.SessionAbsolute, BrowserKey: keys.Key(keyfile.Browser), Clinic: d.unitNames})
	return d, nil
}

// openJournal lets the trail keep looks in a file.
func (d *deskData) openJournal(path string) (*auditlog.Journal, error) {
	journal, err := auditlog.OpenJournal(path, audit.Key(d.keys.Key(keyfile.Audit)))
	if err != nil {
		return nil, err
	}
	d.trail.UseJournal(journal)
	return journal, nil
}

// unitNames are what others would try first as passwords here.
func (d *deskData) unitNames(ctx context.Context) ([]string, error) {
	units, err := d.directory.Units(ctx)
	names := make([]string, len(units))
	for i, u := range units {
		names[i] = u.Name
	}
	return names, err
}

func (d *deskData) deskStore() *deskstore.Store { return deskstore.New(d.db, d.trail) }

func (d *deskData) reportStore(damage reportstore.Damage) report.Store {
	return reportstore.New(d.db, d.trail, damage)
}

// ready tells whether the database answers, and takes changes.
func (d *deskData) ready(ctx context.Context) error {
	if _, err := d.accounts.HasUsers(ctx); err != nil {
		return err
	}
	return takesChanges(ctx, d.db)
}

// Close closes the database.
func (d *deskData) Close() error { return d.db.Close() }
