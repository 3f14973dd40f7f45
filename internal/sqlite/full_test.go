package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

// limit lets the database grow by so many pages and no more: SQLite then answers as on a
// full disk. 0 takes the limit away.
func limit(t *testing.T, db *sqlite.DB, pages int) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		var now int
		if err := tx.QueryRow(t.Context(), `PRAGMA page_count`).Scan(&now); err != nil {
			return err
		}
		most := now + pages
		if pages == 0 {
			most = 1 << 30
		}
		return tx.QueryRow(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, most)).Scan(&most)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDB_Write_Full: whoever finds no space is told so by its code, and so is everybody
// whose commit that took along; reading goes on, and writing as soon as there is room.
func TestDB_Write_Full(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	limit(t, db, 2)
	large := strings.Repeat("x", 100_000)
	if err := db.Write(t.Context(), insert(t.Context(), large)); !problem.Is(err, problem.NoSpace) {
		t.Errorf("alone: got %v, want that there is no space", err)
	}
	wrapped := func(tx *engine.Tx) error {
		return engine.Error(insert(t.Context(), large)(tx))
	}
	if err := db.Write(t.Context(), wrapped); !problem.Is(err, problem.NoSpace) {
		t.Errorf("as a store returns it: got %v, want that there is no space", err)
	}

	hiding := func(tx *engine.Tx) error {
		_ = insert(t.Context(), large)(tx)
		return insert(t.Context(), "small")(tx)
	}
	if err := db.Write(t.Context(), hiding); !problem.Is(err, problem.NoSpace) || MustCount(t, db) != 0 {
		t.Errorf("hidden: got %v and %d notes, want that there is no space and none", err, MustCount(t, db))
	}
	silent := func(tx *engine.Tx) error { _ = insert(t.Context(), large)(tx); return nil }
	if err := db.Write(t.Context(), silent); !problem.Is(err, problem.NoSpace) {
		t.Errorf("silent: got %v, want that there is no space", err)
	}

	release := hold(t, db)
	errs := make([]error, 12)
	var started, done sync.WaitGroup
	for i := range errs {
		text := fmt.Sprint(i)
		if i%4 == 0 {
			text += large
		}
		started.Add(1)
		done.Go(func() { started.Done(); errs[i] = db.Write(t.Context(), insert(t.Context(), text)) })
	}
	started.Wait()
	_ = release() // the holding job may be of a group that found no space
	done.Wait()
	kept := 0
	for i, err := range errs {
		if err == nil {
			kept++
		}
		if i%4 == 0 && err == nil || err != nil && !problem.Is(err, problem.NoSpace) {
			t.Errorf("job %d: got %v, want that there is no space", i, err)
		}
	}
	if got := MustCount(t, db); got != kept {
		t.Errorf("got %d notes, want the %d that were reported as written", got, kept)
	}
	limit(t, db, 0)
	if err := db.Write(t.Context(), insert(t.Context(), large)); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// TestDB_Write_FullSilently: a job that keeps to itself that there is no space takes along who waits to share its
// transaction, who is told so and does not wait for ever.
func TestDB_Write_FullSilently(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	limit(t, db, 2)
	running, letGo, errs := make(chan struct{}), make(chan struct{}), make(chan error, 2)
	go func() {
		errs <- db.Write(context.Background(), func(tx *engine.Tx) error {
			_ = insert(context.Background(), strings.Repeat("x", 100_000))(tx)
			close(running)
			<-letGo
			return nil
		})
	}()
	<-running
	go func() { errs <- db.Write(context.Background(), insert(context.Background(), "waits")) }()
	db.AwaitWaiting(1)
	close(letGo)
	for range 2 {
		select {
		case err := <-errs:
			if !problem.Is(err, problem.NoSpace) {
				t.Errorf("got %v, want that there is no space", err)
			}
		case <-time.After(time.Minute):
			t.Fatal("a job waits for a transaction that is over")
		}
	}
}
