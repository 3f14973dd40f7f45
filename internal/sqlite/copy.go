package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"guiche/internal/diskspace"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Snapshot is a database as it was at one moment. Others go on writing beside it, and
// their log grows until Close.
type Snapshot struct{ conn *sql.Conn }

// Snapshot begins a snapshot of what is committed now.
func (db *DB) Snapshot(ctx context.Context) (*Snapshot, error) {
	conn, err := db.reader.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("sqlite: snapshot: %w", err)
	}
	// The first read fixes the moment: BEGIN alone does not.
	for _, statement := range []string{"BEGIN", "SELECT count(*) FROM sqlite_schema"} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(fmt.Errorf("sqlite: snapshot: %w", err), (&Snapshot{conn}).Close())
		}
	}
	return &Snapshot{conn}, nil
}

// Close ends the snapshot.
func (s *Snapshot) Close() error {
	_, _ = s.conn.ExecContext(context.Background(), "ROLLBACK") // none is open where BEGIN failed
	return s.conn.Close()
}

// copyPages is how many pages are copied between two looks at the context.
const copyPages = 1024

// CopyTo writes the snapshot as a database of its own to a file that is not there yet.
// When it returns, the copy is on disk.
func (s *Snapshot) CopyTo(ctx context.Context, path string) error {
	path, err := filepath.Abs(path) // the driver takes no other
	if err != nil {
		return fmt.Errorf("sqlite: copy: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("sqlite: copy: %w", err)
	}
	err = s.conn.Raw(func(connection any) error { return copyDatabase(ctx, connection, path) })
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("sqlite: copy: %w", err)
	}
	return nil
}

// copyDatabase copies page by page. No sync is asked of the copy before its end: half of
// one is worth nothing.
func copyDatabase(ctx context.Context, connection any, path string) error {
	c, _ := connection.(*conn)
	source, ok := c.session.(interface {
		NewBackup(to string) (*sqlite.Backup, error)
	})
	if !ok {
		return errors.New("the driver copies no database")
	}
	copying, err := source.NewBackup(fileURL(path) + "?_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	for more := true; more && err == nil; {
		if more, err = copying.Step(copyPages); err == nil {
			err = ctx.Err()
		}
	}
	return errors.Join(err, copying.Finish())
}

// OpenCopy opens a database that nobody writes, such as one of a backup, to look into it:
// the file and its folder stay as they are, and its schema may be an older one. Write
// returns ErrClosed.
func OpenCopy(ctx context.Context, path string) (*DB, error) {
	return openToRead(ctx, path, "immutable=1")
}

// OpenToRead is OpenCopy for a database that others may be writing. On a disk that takes nothing, or is full, the files
// beside it cannot be made: where there is no log either, nobody can be writing it. Where a log would have to be read on a
// full disk the error is problem.NoSpace.
func OpenToRead(ctx context.Context, path string) (*DB, error) {
	db, err := openToRead(ctx, path)
	if full := isFull(err); full || codeOf(err)&0xff == sqlite3.SQLITE_CANTOPEN {
		if log, missing := os.Stat(path + "-wal"); missing != nil || log.Size() == 0 {
			return OpenCopy(ctx, path)
		}
		if full {
			return nil, (*diskspace.Disk)(nil).Full(err)
		}
	}
	return db, err
}

func openToRead(ctx context.Context, path string, settings ...string) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: open to read: %w", err)
	}
	if _, err := os.Stat(abs); err != nil {
		return nil, fmt.Errorf("sqlite: open to read: %w", err)
	}
	db := &DB{clock: time.Now}
	db.turns.close()
	if db.reader, err = open(lookerDSN(abs, settings...)); err != nil {
		return nil, fmt.Errorf("sqlite: open to read: %w", err)
	}
	db.close = db.reader.Close
	if err := db.reader.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open to read: %w", err), db.Close())
	}
	return db, nil
}
