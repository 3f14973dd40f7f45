package sqlite_test

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"

	"guiche/internal/store/engine"
)

// TestDB_ReadOn: what a page reads by several functions is of one moment, up to the end of what it
// reads together; another page's is of its own.
func TestDB_ReadOn(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	add := func(text string) {
		t.Helper()
		if err := db.Write(t.Context(), insert(t.Context(), text)); err != nil {
			t.Fatal(err)
		}
	}
	count := func(ctx context.Context) (n int) {
		t.Helper()
		err := db.Read(ctx, func(tx *engine.Tx) error { return tx.QueryRow(ctx, `SELECT count(*) FROM note`).Scan(&n) })
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for before := range 3 {
		ctx, end := db.ReadOn(t.Context(), "")
		session := count(ctx)
		add(strconv.Itoa(before))
		others := count(t.Context())
		var page int
		err := db.ReadTogether(ctx, func(ctx context.Context) error {
			page = count(ctx)
			return nil
		})
		if after := count(ctx); err != nil || session != before || page != before || others != before+1 || after != before+1 {
			t.Errorf("got %d and %d together, %d beside and %d afterwards (%v); there were %d", session, page, others, after, err, before)
		}
		end()
	}
}

// TestDB_ReadOn_Ends: whatever becomes of a page, its connection reads for others afterwards.
func TestDB_ReadOn_Ends(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	nothing := func(*engine.Tx) error { return nil }
	for name, use := range map[string]func(ctx context.Context){
		"Nothing": func(context.Context) {},
		"Read":    func(ctx context.Context) { _ = db.Read(ctx, nothing) },
		"Failed": func(ctx context.Context) {
			_ = db.Read(ctx, func(tx *engine.Tx) error { return tx.QueryRow(ctx, `SELECT nothing`).Scan(new(int)) })
		},
		"Panic": func(ctx context.Context) {
			defer func() { _ = recover() }()
			_ = db.Read(ctx, func(*engine.Tx) error { panic("on purpose") })
		},
		"PanicTogether": func(ctx context.Context) {
			defer func() { _ = recover() }()
			_ = db.ReadTogether(ctx, func(context.Context) error { panic("on purpose") })
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 20 { // more than there are connections
				ctx, cancel := context.WithCancel(t.Context())
				on, end := db.ReadOn(ctx, "")
				use(on)
				end()
				cancel()
				if err := db.Read(t.Context(), nothing); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
