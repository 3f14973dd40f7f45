package engine_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

func TestMicros(t *testing.T) {
	for _, at := range []time.Time{
		{}, time.UnixMicro(1), time.UnixMicro(-1),
		time.Date(2026, 11, 20, 14, 2, 0, 123456000, time.FixedZone("BRT", -3*3600)),
		time.Date(2038, 1, 19, 3, 14, 8, 0, time.UTC),
	} {
		if got := engine.Time(engine.Micros(at)); !got.Equal(at) || got.Location() != time.UTC {
			t.Errorf("got %v, want %v in UTC", got, at)
		}
	}
}

func TestScan(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	scan := func(t *testing.T, value any, dst sql.Scanner) error {
		t.Helper()
		return db.Read(t.Context(), func(tx *engine.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT ?`, value).Scan(dst)
		})
	}
	t.Run("UID", func(t *testing.T) {
		for _, want := range []uuid.UUID{uuid.Nil, uuid.Must(uuid.NewV7())} {
			got := uuid.Max
			if err := scan(t, engine.UID(want), engine.ScanUID(&got)); err != nil || got != want {
				t.Errorf("got %v, error %v, want %v", got, err, want)
			}
		}
	})
	t.Run("ZeroUIDIsNull", func(t *testing.T) {
		var kind string
		err := db.Read(t.Context(), func(tx *engine.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT typeof(?)`, engine.UID(uuid.Nil)).Scan(&kind)
		})
		if err != nil || kind != "null" {
			t.Errorf("got %q, error %v, want null", kind, err)
		}
	})
	t.Run("NotAUID", func(t *testing.T) {
		for _, value := range []any{[]byte("short"), "0123456789abcdef", int64(1)} {
			if err := scan(t, value, engine.ScanUID(new(uuid.UUID))); err == nil {
				t.Errorf("%T: got no error, want one", value)
			}
		}
	})
	t.Run("Time", func(t *testing.T) {
		for _, want := range []time.Time{{}, time.UnixMicro(1795180920123456)} {
			got := time.Unix(9, 9)
			if err := scan(t, engine.Micros(want), engine.ScanTime(&got)); err != nil || !got.Equal(want) {
				t.Errorf("got %v, error %v, want %v", got, err, want)
			}
		}
	})
	t.Run("NullIsZeroTime", func(t *testing.T) {
		got := time.Unix(9, 9)
		if err := scan(t, nil, engine.ScanTime(&got)); err != nil || !got.IsZero() {
			t.Errorf("got %v, error %v, want the zero time", got, err)
		}
	})
	t.Run("NotATime", func(t *testing.T) {
		if err := scan(t, "yesterday", engine.ScanTime(new(time.Time))); err == nil {
			t.Error("got no error, want one")
		}
	})
}

func TestError(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	exec := func(query string) error {
		return db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), query)
			return engine.Error(err)
		})
	}
	if err := exec(`INSERT INTO note (id, uid, text) VALUES (1, x'01', 'a')`); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		err  error
		want problem.Code
	}{
		"Nil":           {engine.Error(nil), ""},
		"NoRows":        {engine.Error(sql.ErrNoRows), problem.NotFound},
		"Unique":        {exec(`INSERT INTO note (text) VALUES ('a')`), problem.Conflict},
		"PrimaryKey":    {exec(`INSERT INTO note (id, text) VALUES (1, 'b')`), problem.Conflict},
		"NotNull":       {exec(`INSERT INTO note (text) VALUES (NULL)`), problem.Internal},
		"ForeignKey":    {exec(`INSERT INTO reply (note_id) VALUES (5)`), problem.Internal},
		"Syntax":        {exec(`INSERT`), problem.Internal},
		"MisspeltName":  {exec(`SELECT "no such column" FROM note`), problem.Internal},
		"Application":   {engine.Error(problem.New(problem.Forbidden, "")), problem.Forbidden},
		"AnythingElse":  {engine.Error(errOwn), problem.Internal},
		"DefensiveMode": {exec(`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = ''`), problem.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			if got := problem.CodeOf(tc.err); got != tc.want {
				t.Errorf("got %q (%v), want %q", got, tc.err, tc.want)
			}
		})
	}
	if err := engine.Error(errOwn); !errors.Is(err, errOwn) {
		t.Errorf("got %v, want the cause kept", err)
	}
}

// TestError_Permanent: what the same values meet again is told from what may pass.
func TestError_Permanent(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	for statement, want := range map[string]bool{
		`INSERT INTO note (text) VALUES (NULL)`:   true,
		`INSERT INTO reply (note_id) VALUES (5)`:  true,
		`INSERT INTO note (id) VALUES ('no one')`: true,
		`INSERT INTO nothing VALUES (1)`:          false,
	} {
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), statement)
			return engine.Error(err)
		})
		if err == nil || errors.Is(err, problem.ErrPermanent) != want {
			t.Errorf("%s: got %v, want permanent %v", statement, err, want)
		}
	}
}

// TestTx_Texts: whatever comes from outside is kept as text that every engine takes.
func TestTx_Texts(t *testing.T) {
	type word string
	pointed := "\x00p"
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	for name, tc := range map[string]struct {
		value any
		want  string
	}{
		"Text":        {"São João", "São João"},
		"Null":        {"a\x00b\x00", "ab"},
		"InvalidUTF8": {"S\xe3o", "S\uFFFDo"},
		"Named":       {word("\xff\x00"), "\uFFFD"},
		"Pointer":     {&pointed, "p"},
		"Bytes":       {[]byte("\x00\xff"), "\x00\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			args, got := []any{tc.value}, ""
			err := db.Read(t.Context(), func(tx *engine.Tx) error { return tx.QueryRow(t.Context(), `SELECT ?`, args...).Scan(&got) })
			if got != tc.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, tc.want)
			}
			if text, ok := tc.value.(string); ok && args[0] != text {
				t.Error("the caller's values were changed")
			}
		})
	}
}
