package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/blob/files"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/keyfile"
	"guiche/internal/permission"
	"guiche/internal/sqlite"
	"guiche/internal/store/accountstore"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/directorystore"
	"guiche/internal/store/engine"
	"guiche/internal/store/keystore"
	"guiche/migrations"

	"github.com/google/uuid"
)

// writer holds the stores of a data folder.
type writer struct {
	db        engine.DB
	blobs     *files.Store
	desk      *deskstore.Store
	directory *directory.Directory
	accounts  *account.Service
	trail     *auditlog.Log
}

// database is the desk's in a data folder.
func database(folder string) string { return filepath.Join(folder, "desk", "guiche.db") }

func openWriter(ctx context.Context, folder string) (*writer, error) {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: database(folder), Migrations: migrations.Desk})
	if err != nil {
		return nil, err
	}
	return newWriter(ctx, folder, db)
}

// newWriter opens the stores over a database, with keys and files in a folder.
func newWriter(ctx context.Context, folder string, db engine.DB) (w *writer, err error) {
	w = &writer{db: db}
	keys, err := keyfile.Open(ctx, keyfile.InFolder(filepath.Join(folder, "keys")), keystore.New(w.db))
	if err == nil {
		w.blobs, err = files.Open(files.Options{Dir: filepath.Join(folder, "desk")})
	}
	if err != nil {
		return nil, errors.Join(err, w.db.Close())
	}
	w.trail = auditlog.New(w.db, audit.Key(keys.Key(keyfile.Audit)))
	w.desk, w.directory = deskstore.New(w.db, w.trail), directory.New(directorystore.New(w.db, w.trail))
	w.accounts = account.New(account.Config{Store: accountstore.New(w.db, w.trail), BrowserKey: keys.Key(keyfile.Browser)})
	if err := w.begin(ctx); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// begin does what the program's first start does with a database of no rows: with a million of them its next start
// would look through all for those from before checksums.
func (w *writer) begin(ctx context.Context) error {
	return errors.Join(checksum.Fill(ctx, w.db, deskstore.ProtectedTables()), w.desk.FillQueue(ctx), w.desk.FillKnown(ctx))
}

func (w *writer) close() error { return errors.Join(w.blobs.Close(), w.db.Close()) }

// What everybody logs in with.
const (
	password   = "uma frase bem comprida"
	supervisor = "celia"
)

// receptionist is the login of the n-th one.
func receptionist(n int) string { return fmt.Sprintf("recepcao%d", n+1) }

// install writes lists and people.
func (w *writer) install(ctx context.Context, c *clinic) error {
	err := errors.Join(w.directory.PutUnits(ctx, c.units.values...), w.directory.PutProfessionals(ctx, c.professionals...),
		w.directory.PutProcedures(ctx, c.procedures.values...))
	for _, credential := range c.credentials.values {
		err = errors.Join(err, w.directory.PutCredential(ctx, credential))
	}
	if err != nil {
		return err
	}
	if _, err = w.person(ctx, "rui", "Rui Barreto", permission.Administration); err != nil {
		return err
	}
	if _, err = w.person(ctx, supervisor, "Célia Prado", permission.Supervision); err != nil {
		return err
	}
	return w.receptionists(ctx, c)
}

// receptionists adds eight people; two of them work in two units.
func (w *writer) receptionists(ctx context.Context, c *clinic) error {
	units := c.units.values
	for n, places := range [][]int{{0}, {0}, {0, 1}, {1}, {2}, {3}, {4, 5}, {1}} {
		var of []uuid.UUID
		for _, u := range places {
			of = append(of, units[u].UID)
		}
		author, err := w.person(ctx, receptionist(n), []string{"Ana Prado", "Marcelo Pinho", "Bruna Teixeira", "Débora Lins", "Édson Farah",
			"Ivone Castilho", "Jonas Vidigal", "Tainá Borba"}[n], permission.Reception, of...)
		if err != nil {
			return err
		}
		for _, unit := range of {
			c.senders[unit] = append(c.senders[unit], author)
		}
	}
	return nil
}

func (w *writer) person(ctx context.Context, login, name string, role permission.Role, units ...uuid.UUID) (desk.Author, error) {
	user, _, err := w.accounts.AddUser(ctx, permission.Program(), account.NewUser{Login: login, Name: name, Roles: []permission.Role{role},
		Units: units})
	if err != nil {
		return desk.Author{}, err
	}
	return desk.Author{User: user.UID, Name: user.Name}, w.accounts.SetPassword(ctx, user.UID, password)
}

// hurry has the database keep more in memory and less on disk than where people work: a
// folder that is not whole in the end is made again.
func (w *writer) hurry(ctx context.Context) error {
	return w.db.WriteAlone(ctx, func(tx *engine.Tx) error {
		for _, setting := range []string{`cache_size = -1048576`, `wal_autocheckpoint = 100000`, `secure_delete = OFF`} {
			if _, err := tx.Exec(ctx, `PRAGMA `+setting); err != nil {
				return err
			}
		}
		return nil
	})
}

const (
	atOnce = 10_000 // cases of a transaction: pages of indexes in no order are written once for all of them
	// atOnceOnServer is it on a server: it plans without figures about rows that are not committed, and then reads
	// all of them for each.
	atOnceOnServer = 1_000
	told           = 50_000 // cases between two lines of the log
)

// cases writes all cases: while some are written, the next are made.
func (w *writer) cases(ctx context.Context, g *generator, log io.Writer) error {
	start := time.Now()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	batches := make(chan []deskstore.Past, 2)
	go func() {
		defer close(batches)
		size := atOnce
		if w.db.Shared() {
			size = atOnceOnServer
		}
		for first := 0; first < g.cases; first += size {
			select {
			case batches <- g.batch(first, min(size, g.cases-first)):
			case <-ctx.Done():
				return
			}
		}
	}()
	written := 0
	for batch := range batches {
		if err := w.desk.AddPast(ctx, batch); err != nil {
			return err
		}
		if written += len(batch); written%told == 0 {
			_, _ = fmt.Fprintf(log, "%7d of %d cases, %s\n", written, g.cases, time.Since(start).Round(time.Second))
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return w.desk.MergeWords(ctx, nil) // as a day's check leaves them
}
