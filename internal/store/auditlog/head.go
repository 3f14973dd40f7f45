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
	"guiche/internal/sqlite"
)

// The head file has one line: the position of the newest entry and its MAC in
// hexadecimal. It tells of entries that were removed from the end.
const headFormat = "%d %64s\n"

// WriteHead notes the end of the trail in the file, mode 0600. When the file's
// older head is no longer in the trail it is kept and the error is CheckHead's: a
// new note would hide what was removed.
func (l *Log) WriteHead(ctx context.Context, path string) error {
	want, err := readHead(path)
	if err != nil {
		return err
	}
	var head audit.Head
	// One snapshot: between two an entry could go, and the new note hide it.
	err = l.db.Read(ctx, func(tx *sqlite.Tx) (err error) {
		if err := l.holds(ctx, tx, want); err != nil {
			return err
		}
		head, err = lastHead(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	line := fmt.Sprintf(headFormat, head.Position, hex.EncodeToString(head.MAC[:]))
	if err := atomicfile.Write(path, []byte(line), 0o600); err != nil {
		return fmt.Errorf("auditlog: write head: %w", err)
	}
	return nil
}

// CheckHead reports with an *audit.BrokenError when the trail does not hold the
// entry that the file names, at position 0 when the file names none; without a
// file there is nothing to check.
func (l *Log) CheckHead(ctx context.Context, path string) error {
	want, err := readHead(path)
	if err != nil {
		return err
	}
	return l.db.Read(ctx, func(tx *sqlite.Tx) error { return l.holds(ctx, tx, want) })
}

// holds reports with an *audit.BrokenError when the trail lacks a noted head; no
// note is position 0.
func (l *Log) holds(ctx context.Context, tx *sqlite.Tx, want audit.Head) error {
	if want.Position == 0 {
		return nil
	}
	var mac []byte
	err := tx.QueryRow(ctx, `SELECT mac FROM audit_entry WHERE id = ?`, want.Position).Scan(&mac)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return l.missing(ctx, tx)
	case err != nil:
		return fmt.Errorf("auditlog: check head: %w", err)
	case string(mac) != string(want.MAC[:]):
		return &audit.BrokenError{Position: want.Position, Reason: "the entry is not the one that the head names"}
	}
	return nil
}

// missing names the first entry that is no longer at the end of the trail.
func (l *Log) missing(ctx context.Context, tx *sqlite.Tx) error {
	head, err := lastHead(ctx, tx)
	if err != nil {
		return err
	}
	return &audit.BrokenError{Position: head.Position + 1, Reason: "the end of the trail is missing"}
}

// errDamaged says that the file is there and is no head.
var errDamaged = &audit.BrokenError{Reason: "the file of the head is damaged"}

func readHead(path string) (audit.Head, error) {
	line, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return audit.Head{}, nil
	}
	if err != nil {
		return audit.Head{}, fmt.Errorf("auditlog: read head: %w", err)
	}
	var head audit.Head
	var digits string
	if _, err := fmt.Sscanf(string(line), headFormat, &head.Position, &digits); err != nil {
		return audit.Head{}, errDamaged
	}
	mac, err := hex.DecodeString(digits)
	if err != nil || len(mac) != len(head.MAC) {
		return audit.Head{}, errDamaged
	}
	head.MAC = audit.MAC(mac)
	return head, nil
}
