package auditlog

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"guiche/internal/atomicfile"
	"guiche/internal/audit"
	"guiche/internal/store/engine"
)

// headFormat is the one line of a head: the position of the newest entry and its MAC in
// hexadecimal. It shows when entries were removed from the end.
const headFormat = "%d %64s\n"

// HeadPlace keeps the head outside the database: rows cut off at the end show as a difference.
type HeadPlace interface {
	// ReadHead returns the line that was written, "" where none was.
	ReadHead(ctx context.Context) (line string, err error)
	WriteHead(ctx context.Context, line string) error
}

// WriteHead writes the end of the trail to the file, mode 0600. When the older head
// in the file is no longer in the trail, the file stays and the error is that of
// CheckHead: a new head would hide what was removed.
func (l *Log) WriteHead(ctx context.Context, path string) error {
	return l.writeHead(ctx, headFile(path))
}

func (l *Log) writeHead(ctx context.Context, place HeadPlace) error {
	want, err := readHead(ctx, place)
	if err != nil {
		return err
	}
	var head audit.Head
	// One snapshot: between two, an entry could be removed, and the new head hide it.
	err = l.db.Read(ctx, func(tx *engine.Tx) (err error) {
		if err := l.checkEntry(ctx, tx, want); err != nil {
			return err
		}
		head, err = lastHead(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	return replaceHead(ctx, place, head)
}

func replaceHead(ctx context.Context, place HeadPlace, head audit.Head) error {
	err := place.WriteHead(ctx, fmt.Sprintf(headFormat, head.Position, hex.EncodeToString(head.MAC[:])))
	if err != nil {
		return fmt.Errorf("auditlog: write head: %w", err)
	}
	return nil
}

// CheckHead returns an *audit.BrokenError when the trail does not have the entry that
// the file names, at position 0 when the file is damaged; nil without a file.
func (l *Log) CheckHead(ctx context.Context, path string) error {
	return l.checkHead(ctx, headFile(path))
}

// CheckHeadIn is CheckHead for a head that is kept elsewhere.
func (l *Log) CheckHeadIn(ctx context.Context, place HeadPlace) error { return l.checkHead(ctx, place) }

func (l *Log) checkHead(ctx context.Context, place HeadPlace) error {
	want, err := readHead(ctx, place)
	if err != nil {
		return err
	}
	return l.Reaches(ctx, want)
}

// Head is where the trail ends now; the zero Head for an empty one.
func (l *Log) Head(ctx context.Context) (audit.Head, error) {
	if err := l.Link(ctx); err != nil {
		return audit.Head{}, err
	}
	return engine.Get(ctx, l.db, func(tx *engine.Tx) (audit.Head, error) { return lastHead(ctx, tx) })
}

// Reaches returns an *audit.BrokenError when the trail does not have the entry of a head
// that it had once. No key is needed.
func (l *Log) Reaches(ctx context.Context, head audit.Head) error {
	return l.db.Read(ctx, func(tx *engine.Tx) error { return l.checkEntry(ctx, tx, head) })
}

// checkEntry returns an *audit.BrokenError when the trail does not have an entry at
// its position; position 0 is none.
func (l *Log) checkEntry(ctx context.Context, tx *engine.Tx, want audit.Head) error {
	if want.Position == 0 {
		return nil
	}
	var mac []byte
	err := tx.QueryRow(ctx, `SELECT mac FROM audit_entry WHERE id = ?`, want.Position).Scan(&mac)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return l.endMissing(ctx, tx)
	case err != nil:
		return fmt.Errorf("auditlog: check head: %w", err)
	case string(mac) != string(want.MAC[:]):
		return &audit.BrokenError{Position: want.Position, Reason: "the entry is not the one that the head names"}
	}
	return nil
}

// endMissing returns the error for the first entry that is missing at the end.
func (l *Log) endMissing(ctx context.Context, tx *engine.Tx) error {
	head, err := lastHead(ctx, tx)
	if err != nil {
		return err
	}
	return &audit.BrokenError{Position: head.Position + 1, Reason: "the end of the trail is missing"}
}

// errDamaged says that there is a file, and that it has no head in it.
var errDamaged = &audit.BrokenError{Reason: "the file of the head is damaged"}

// readHead reads the end of the chain; the zero Head where none was written.
func readHead(ctx context.Context, place HeadPlace) (head audit.Head, err error) {
	line, err := place.ReadHead(ctx)
	if err != nil || line == "" {
		return head, err
	}
	var digits string
	if _, err := fmt.Sscanf(line, headFormat, &head.Position, &digits); err != nil {
		return audit.Head{}, errDamaged
	}
	mac, err := hex.DecodeString(digits)
	if err != nil || len(mac) != len(head.MAC) {
		return audit.Head{}, errDamaged
	}
	head.MAC = audit.MAC(mac)
	return head, nil
}

// headFile is a file with a head.
type headFile string

// ReadHead implements HeadPlace. An empty file is damaged, and not one that is missing.
func (path headFile) ReadHead(context.Context) (string, error) {
	line, err := os.ReadFile(string(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("auditlog: read head: %w", err)
	case len(line) == 0:
		return "\n", nil
	}
	return string(line), nil
}

// WriteHead implements HeadPlace.
func (path headFile) WriteHead(_ context.Context, line string) error {
	return atomicfile.Write(string(path), []byte(line), 0o600)
}
