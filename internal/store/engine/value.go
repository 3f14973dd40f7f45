package engine

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Micros returns t as the database keeps times: microseconds since 1970, UTC. The
// zero time is 0.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// Time is the inverse of Micros: UTC, and the zero time for 0.
func Time(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// ScanTime reads a column written with Micros; NULL is the zero time.
func ScanTime(dst *time.Time) sql.Scanner { return (*timeScanner)(dst) }

type timeScanner time.Time

// Scan implements sql.Scanner.
func (s *timeScanner) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*s = timeScanner{}
	case int64:
		*s = timeScanner(Time(v))
	default:
		return fmt.Errorf("engine: a time is an integer, not %T", src)
	}
	return nil
}

// UID returns u as the database keeps identifiers: 16 bytes, and NULL for the
// zero identifier.
func UID(u uuid.UUID) []byte {
	if u == uuid.Nil {
		return nil
	}
	return u[:]
}

// ScanUID reads a column written with UID; NULL is the zero identifier.
func ScanUID(dst *uuid.UUID) sql.Scanner { return (*uidScanner)(dst) }

type uidScanner uuid.UUID

// Scan implements sql.Scanner.
func (s *uidScanner) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*s = uidScanner{}
		return nil
	case []byte:
		if len(v) == len(s) {
			copy(s[:], v)
			return nil
		}
		return fmt.Errorf("engine: an identifier has 16 bytes, not %d", len(v))
	default:
		return fmt.Errorf("engine: an identifier is a blob, not %T", src)
	}
}
