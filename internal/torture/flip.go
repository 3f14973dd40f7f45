package torture

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// flips is how many bits are turned over in each place.
const flips = 300

// flipper turns single bits over in the data of a program that has ended, one at a time,
// and has the program verify it.
type flipper struct {
	binary, data string
	dice         *dice
	log          func(format string, args ...any)
}

// flip turns bits over in the databases, in the files that they name, and in a backup of
// both: of those that change what is promised each must be found. The service's half is that
// of a demo, whose embedded service has answered.
func flip(ctx context.Context, o Options, folder string) error {
	f := flipper{binary: o.Binary, data: filepath.Join(folder, "data"), dice: newDice(o.Seed, "flips"),
		log: func(format string, args ...any) { fmt.Fprintf(o.Log, "  "+format+"\n", args...) }}
	copies := filepath.Join(folder, "copies")
	if err := run(ctx, o.Binary, "backup", "--data", f.data, "--to", copies); err != nil {
		return err
	}
	demo, err := f.demo(ctx, filepath.Join(folder, "demo"))
	if err != nil {
		return err
	}
	return errors.Join(f.database(ctx, filepath.Join("desk", "guiche.db")),
		f.files(ctx, "attachments and answers", filepath.Join(f.data, "desk", "blobs"), f.data),
		demo.database(ctx, filepath.Join("service", "service.db")),
		demo.files(ctx, "the service's files", filepath.Join(demo.data, "service", "blobs"), demo.data),
		f.files(ctx, "a backup", copies, copies))
}

// demoAnswers is how many authorizations the service of the demo has when bits are turned
// over in it.
const demoAnswers = 20

// demo makes an installation in which the embedded service has answered, and ends it.
func (f flipper) demo(ctx context.Context, folder string) (flipper, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return f, fmt.Errorf("torture: %w", err)
	}
	f.data = filepath.Join(folder, "data")
	p := &process{folder: folder, data: f.data, up: make(chan struct{}),
		command: []string{f.binary, "demo", "--addr", "127.0.0.1:0", "--data", f.data, "--min-free-mb", "1"}}
	if err := p.start(ctx); err != nil {
		return f, err
	}
	_, err := p.address(ctx)
	for err == nil {
		var answers, unsynced int
		if answers, unsynced, err = f.answers(ctx); answers >= demoAnswers && unsynced == 0 {
			break
		}
		if pause(ctx, time.Second); err == nil {
			err = ctx.Err()
		}
	}
	return f, errors.Join(err, p.stop())
}

// answers counts the authorizations of the service, and the files whose bytes are in the
// database still, so that a start makes them whole.
func (f flipper) answers(ctx context.Context) (n, unsynced int, err error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(f.data, "service", "service.db")+"?mode=ro&_pragma=busy_timeout(5000)")
	if err == nil {
		row := db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM authorization_entry), (SELECT count(*) FROM unsynced_blob)`)
		err = errors.Join(row.Scan(&n, &unsynced), db.Close())
	}
	if err != nil {
		return 0, 0, fmt.Errorf("torture: %w", err)
	}
	return n, unsynced, nil
}

// damaged reports whether the program finds damage.
func (f flipper) damaged(ctx context.Context, path string) (bool, error) {
	err := exec.CommandContext(ctx, f.binary, "verify", path).Run() //nolint:gosec // the program
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return true, ctx.Err()
	}
	return false, err
}

// database flips bits of a database; those that change no protected value count as nothing,
// whether they are found or not.
func (f flipper) database(ctx context.Context, name string) error {
	path := filepath.Join(f.data, name)
	whole, err := protectedValues(ctx, path)
	if err != nil {
		return err
	}
	changed, found := 0, 0
	for range flips {
		undo, err := f.turn(path)
		if err != nil {
			return err
		}
		now, broken := protectedValues(ctx, path)
		if broken != nil || now != whole {
			seen, err := f.damaged(ctx, f.data)
			if err != nil {
				return err
			}
			changed++
			if seen {
				found++
			}
		}
		if err := undo(); err != nil {
			return err
		}
	}
	f.log("%d bits turned over in %s: %d changed protected values, %d of them found", flips, filepath.Base(name), changed, found)
	if found < changed || changed == 0 {
		return fmt.Errorf("torture: %d of %d changed values were found", found, changed)
	}
	return nil
}

// files flips bits of files under a folder, each of which counts.
func (f flipper) files(ctx context.Context, what, under, verified string) error {
	paths, err := contents(under)
	if err != nil {
		return err
	}
	found := 0
	for range flips {
		undo, err := f.turn(paths[f.dice.between(0, len(paths))])
		if err != nil {
			return err
		}
		seen, err := f.damaged(ctx, verified)
		if err != nil {
			return err
		}
		if seen {
			found++
		}
		if err := undo(); err != nil {
			return err
		}
	}
	f.log("%d bits turned over in %s: %d found", flips, what, found)
	if found < flips {
		return fmt.Errorf("torture: %d of %d changed bits of %s were found", found, flips, what)
	}
	return nil
}

// turn turns one bit of a file over, and returns what turns it back.
func (f flipper) turn(path string) (undo func() error, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("torture: %w", err)
	}
	at, bit := int64(f.dice.between(0, int(info.Size()))), byte(1)<<f.dice.between(0, 8)
	return func() error { return turnBit(path, at, bit) }, turnBit(path, at, bit)
}

func turnBit(path string, at int64, bit byte) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	b := make([]byte, 1)
	if _, err := file.ReadAt(b, at); err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	b[0] ^= bit
	_, err = file.WriteAt(b, at)
	return err
}

// contents are the files under a folder that are not empty.
func contents(folder string) (paths []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if info, err := entry.Info(); err == nil && info.Size() > 0 {
			paths = append(paths, path)
		}
		return nil
	})
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("torture: %s is empty", folder)
	}
	return paths, err
}

// protectedValues digests every value of every row that carries a checksum.
func protectedValues(ctx context.Context, path string) (digest [sha256.Size]byte, err error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		return digest, fmt.Errorf("torture: %w", err)
	}
	defer func() { _ = db.Close() }() // read only
	tables, err := texts(ctx, db, `SELECT m.name FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND c.name = 'checksum' ORDER BY m.name`)
	if err != nil || len(tables) == 0 {
		return digest, fmt.Errorf("torture: %d protected tables: %w", len(tables), err)
	}
	all := sha256.New()
	for _, table := range tables {
		columns, err := texts(ctx, db, `SELECT 'quote("' || name || '")' FROM pragma_table_info(?) WHERE name <> 'checksum' ORDER BY cid`, table)
		if err != nil {
			return digest, err
		}
		rows, err := texts(ctx, db, `SELECT `+strings.Join(columns, ` || ',' || `)+` AS line FROM "`+table+`"`)
		if err != nil {
			return digest, err
		}
		slices.Sort(rows)
		fmt.Fprintf(all, "%s %q\n", table, rows)
	}
	return [sha256.Size]byte(all.Sum(nil)), nil
}

// texts reads the only column of a query.
func texts(ctx context.Context, db *sql.DB, query string, args ...any) (values []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("torture: %w", err)
	}
	defer func() { _ = rows.Close() }() // its error is that of Err
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, fmt.Errorf("torture: %w", err)
		}
		values = append(values, value)
	}
	return values, rows.Err()
}
