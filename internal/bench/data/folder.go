package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
	_ "time/tzdata" // cases have the clock of the clinic

	"guiche/internal/sqlite"
	"guiche/internal/store/damagestore"
	"guiche/internal/store/deskstore"
	"guiche/migrations"
)

// version is raised when other cases are made.
const version = 4

// Options say where the data is to be, and what.
type Options struct {
	Folder string // of all data folders of this kind
	Sizes  []int  // numbers of cases, a data folder for each
	Seed   uint64
	Log    io.Writer
}

// Facts are what is known of a data folder, in its file bench.json.
type Facts struct {
	Cases                     int
	Password                  string            // of everybody
	Supervisor, Receptionist  string            // logins
	Units, Operators, Senders map[string]string // identifiers by name
	Form                      map[string]string // a request as the receptionist types it, but for the card
	Words                     []string          // names and cards of patients, some common and some rare
	First, Last               time.Time         // of the cases
	Took                      time.Duration
}

// Name is the folder of a number of cases: of this schema, and no other.
func (o Options) Name(cases int) (string, error) {
	schema, err := schemaVersion()
	return filepath.Join(o.Folder, fmt.Sprintf("schema-%s.%d", schema, version), fmt.Sprint(cases)), err
}

// schemaVersion is the number of the newest migration of the desk.
func schemaVersion() (string, error) {
	found, err := fs.Glob(migrations.Desk, "*.sql")
	if err != nil || len(found) == 0 {
		return "", errors.Join(errors.New("bench: there is no schema"), err)
	}
	number, _, _ := strings.Cut(found[len(found)-1], "_")
	return number, nil
}

// Make makes the data folders that are missing, and removes those of other schemas.
func Make(ctx context.Context, o Options) error {
	for _, cases := range o.Sizes {
		folder, err := o.Name(cases)
		if err != nil {
			return err
		}
		if err := o.removeOthers(filepath.Dir(folder)); err != nil {
			return err
		}
		if _, err := Read(folder); err == nil {
			_, _ = fmt.Fprintf(o.Log, "%s stands\n", folder)
			continue
		}
		if err := o.makeOne(ctx, folder, cases); err != nil {
			return fmt.Errorf("bench: %d cases: %w", cases, err)
		}
	}
	return nil
}

// Read returns what is known of a folder that is whole.
func Read(folder string) (f Facts, err error) {
	text, err := os.ReadFile(filepath.Join(folder, "bench.json"))
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	return f, err
}

// Rested notes in a folder that the daily check of all rows and files has just been done: it
// would read all of them beside what is measured.
func Rested(ctx context.Context, folder string) error {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: database(folder)})
	if err != nil {
		return err
	}
	return errors.Join(damagestore.New(db, nil).Checked(ctx), db.Close())
}

// removeOthers removes the data of other schemas than that of a folder.
func (o Options) removeOthers(except string) error {
	all, err := filepath.Glob(filepath.Join(o.Folder, "schema-*"))
	for _, folder := range all {
		if folder != except {
			_, _ = fmt.Fprintf(o.Log, "%s is of another schema and goes\n", folder)
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}
	return err
}

// makeOne makes a folder beside the place where it will stand when it is whole.
func (o Options) makeOne(ctx context.Context, folder string, cases int) error {
	return o.makeWith(folder, func(part string) (Facts, error) { return o.fill(ctx, part, cases) })
}

func (o Options) makeWith(folder string, fill func(part string) (Facts, error)) error {
	start, part := time.Now(), folder+".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	facts, err := fill(part)
	if err != nil {
		return err
	}
	facts.Took = time.Since(start).Round(time.Second)
	text, err := json.MarshalIndent(facts, "", "\t") //nolint:gosec // the password of people who are made up
	if err == nil {
		err = os.WriteFile(filepath.Join(part, "bench.json"), text, 0o600)
	}
	if err == nil {
		err = os.Rename(part, folder)
	}
	_, _ = fmt.Fprintf(o.Log, "%s: %d cases in %s\n", folder, facts.Cases, facts.Took)
	return err
}

// fill fills a folder with an installation and its cases.
func (o Options) fill(ctx context.Context, folder string, cases int) (facts Facts, err error) {
	w, err := openWriter(ctx, folder)
	if err != nil {
		return facts, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := w.hurry(ctx); err != nil {
		return facts, err
	}
	return o.write(ctx, w, cases)
}

// write writes an installation and its cases.
func (o Options) write(ctx context.Context, w *writer, cases int) (facts Facts, err error) {
	g, err := newGenerator(o.Seed, cases)
	if err != nil {
		return facts, err
	}
	if err := w.install(ctx, g.clinic); err != nil {
		return facts, err
	}
	if err := g.store(ctx, w.blobs, rand.New(rand.NewPCG(o.Seed, 1))); err != nil { //nolint:gosec // no secret
		return facts, err
	}
	return g.facts(), w.cases(ctx, g, o.Log)
}

// span is how long the cases took: a thousand are of two weeks, so that the queue of the
// last days is as long as with a million, which are of three years.
func span(cases int) time.Duration {
	const ofOne = 3 * 365 * 24 * time.Hour / 1_000_000
	return max(14*24*time.Hour, time.Duration(cases)*ofOne)
}

func newGenerator(seed uint64, cases int) (*generator, error) {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	until := time.Now().UTC()
	return &generator{seed: seed, cases: cases, from: until.Add(-span(cases)), until: until, zone: zone,
		clinic:   newClinic(rand.New(rand.NewPCG(seed, 0))), //nolint:gosec // no secret
		patients: max(1, cases/perPatient), latest: map[int]deskstore.Past{}}, err
}
