package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

var errOwn = errors.New("the job's own error")

// hold occupies the writer until release is called; jobs that come meanwhile wait.
// release returns the holding job's own result.
func hold(tb testing.TB, db *sqlite.DB) (release func() error) {
	tb.Helper()
	running, letGo, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- db.Write(context.Background(), func(*engine.Tx) error {
			close(running)
			<-letGo
			return nil
		})
	}()
	<-running
	return func() error {
		close(letGo)
		return <-ended
	}
}

func TestDB_Write(t *testing.T) {
	t.Run("FailedStatementIsOneJobs", func(t *testing.T) {
		db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			if err := insert(t.Context(), "a")(tx); err != nil {
				return err
			}
			if err := insert(t.Context(), "a")(tx); err == nil {
				t.Error("second insert: got no error, want one")
			}
			return insert(t.Context(), "b")(tx) // a job may go on after a statement that failed
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := MustCount(t, db); got != 2 {
			t.Errorf("got %d notes, want 2", got)
		}
	})

	t.Run("ForeignKeysAreChecked", func(t *testing.T) {
		db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO reply (note_id) VALUES (99)`)
			return err
		})
		if err == nil {
			t.Error("got no error, want one")
		}
	})

	t.Run("NowIsFixed", func(t *testing.T) {
		tick := time.Unix(1, 0)
		db, err := sqlite.Open(t.Context(), sqlite.Options{
			Path: filepath.Join(t.TempDir(), "guiche.db"), Migrations: schema,
			Clock: func() time.Time { tick = tick.Add(time.Second + 1); return tick },
		})
		if err != nil {
			t.Fatal(err)
		}
		defer MustClose(t, db)
		var first, second time.Time
		_ = db.Write(t.Context(), func(tx *engine.Tx) error { first = tx.Now; return nil })
		_ = db.Write(t.Context(), func(tx *engine.Tx) error { second = tx.Now; return nil })
		if want := first.Add(time.Second); !second.Equal(want) || second.Location() != time.UTC {
			t.Errorf("got %v after %v, want %v in UTC", second, first, want)
		}
	})

	t.Run("Closed", func(t *testing.T) {
		db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
		MustClose(t, db)
		if err := db.Write(t.Context(), insert(t.Context(), "x")); !errors.Is(err, sqlite.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	})
}

func TestDB_Write_Isolation(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	release := hold(t, db)
	const jobs = 200
	errs := make([]error, jobs)
	var started, done sync.WaitGroup
	for i := range jobs {
		started.Add(1)
		done.Go(func() {
			started.Done()
			errs[i] = db.Write(t.Context(), func(tx *engine.Tx) error {
				if _, err := tx.Exec(t.Context(), `INSERT INTO note (text) VALUES (?)`, fmt.Sprint(i)); err != nil {
					return err
				}
				if i%3 == 0 {
					return errOwn
				}
				return nil
			})
		})
	}
	started.Wait()
	if err := release(); err != nil {
		t.Fatal(err)
	}
	done.Wait()
	kept := 0
	for i, err := range errs {
		want := error(nil)
		if i%3 == 0 {
			want = errOwn
		} else {
			kept++
		}
		if !errors.Is(err, want) {
			t.Errorf("job %d: got %v, want %v", i, err, want)
		}
	}
	if got := MustCount(t, db); got != kept {
		t.Errorf("got %d notes, want %d", got, kept)
	}
}

// A migration's trigger must not do what this one does, but a full disk does the
// same: SQLite takes the whole transaction back.
func TestDB_Write_BrokenTransaction(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `
			CREATE TRIGGER note_full BEFORE INSERT ON note WHEN new.text = 'full'
			BEGIN SELECT RAISE(ROLLBACK, 'no space'); END`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	release := hold(t, db)
	texts := []string{"1", "2", "full", "3", "4"}
	errs := make([]error, len(texts))
	var started, done sync.WaitGroup
	for i, text := range texts {
		started.Add(1)
		done.Go(func() { started.Done(); errs[i] = db.Write(t.Context(), insert(t.Context(), text)) })
	}
	started.Wait()
	_ = release() // the holding job is of the group that breaks
	done.Wait()
	kept := 0
	for i, err := range errs {
		if texts[i] == "full" && err == nil {
			t.Error("broken job: got no error, want one")
		}
		if err == nil {
			kept++
		}
	}
	if got := MustCount(t, db); got != kept {
		t.Errorf("got %d notes, want the %d that were reported as written", got, kept)
	}
	if err := db.Write(t.Context(), insert(t.Context(), "after")); err != nil {
		t.Errorf("write after a broken transaction: %v", err)
	}
}

func TestDB_Write_Panic(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	got := func() (value any) {
		defer func() { value = recover() }()
		_ = db.Write(t.Context(), func(tx *engine.Tx) error {
			if err := insert(t.Context(), "gone")(tx); err != nil {
				t.Error(err)
			}
			panic("in the job")
		})
		return nil
	}()
	if got != "in the job" {
		t.Errorf("got panic %v, want that of the job", got)
	}
	if err := db.Write(t.Context(), insert(t.Context(), "next")); err != nil {
		t.Fatalf("write after a panic: %v", err)
	}
	if got := MustCount(t, db); got != 1 {
		t.Errorf("got %d notes, want 1", got)
	}
}

// TestDB_Write_PanicAmongOthers: a job that shares a transaction takes nobody along.
func TestDB_Write_PanicAmongOthers(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	release := hold(t, db)
	const jobs = 20
	var started, done sync.WaitGroup
	for i := range jobs {
		started.Add(1)
		done.Go(func() {
			defer func() {
				if value := recover(); (value != nil) != (i%5 == 0) {
					t.Errorf("job %d: got panic %v", i, value)
				}
			}()
			started.Done()
			err := db.Write(t.Context(), func(tx *engine.Tx) error {
				if err := insert(t.Context(), fmt.Sprint(i))(tx); err != nil || i%5 > 0 {
					return err
				}
				panic("in the job")
			})
			if err != nil {
				t.Errorf("job %d: %v", i, err)
			}
		})
	}
	started.Wait()
	if err := release(); err != nil {
		t.Fatal(err)
	}
	done.Wait()
	if got, want := MustCount(t, db), jobs-jobs/5; got != want {
		t.Errorf("got %d notes, want %d", got, want)
	}
}

// TestDB_Close_Waiting: who waits is refused, and who writes ends first.
func TestDB_Close_Waiting(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	release := hold(t, db)
	waiting := make(chan error, 1)
	go func() { waiting <- db.Write(context.Background(), insert(context.Background(), "late")) }()
	closed := make(chan error, 1)
	go func() { closed <- db.Close() }()
	if err := <-waiting; !errors.Is(err, sqlite.ErrClosed) {
		t.Errorf("who waits: got %v, want ErrClosed", err)
	}
	select {
	case err := <-closed:
		t.Errorf("it was closed while somebody wrote: %v", err)
	default:
	}
	if err := release(); err != nil {
		t.Errorf("who writes: %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func TestDB_Write_Cancel(t *testing.T) {
	t.Run("WhileWaiting", func(t *testing.T) {
		db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
		release := hold(t, db)
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error)
		go func() {
			result <- db.Write(ctx, func(*engine.Tx) error { t.Error("the job ran"); return nil })
		}()
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		if err := release(); err != nil {
			t.Error(err)
		}
	})

	t.Run("Before", func(t *testing.T) {
		db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 50 { // the writer is ready at the same moment: either way the job must not run
			if err := db.Write(ctx, func(*engine.Tx) error { t.Error("the job ran"); return nil }); !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v, want context.Canceled", err)
			}
		}
	})
}

func TestDB_Write_CancelWithin(t *testing.T) {
	t.Run("StopsAtTheNextStatement", func(t *testing.T) {
		db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
		ctx, cancel := context.WithCancel(t.Context())
		err := db.Write(ctx, func(tx *engine.Tx) error {
			if err := insert(ctx, "first")(tx); err != nil {
				return err
			}
			cancel()
			return insert(ctx, "second")(tx)
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		if got := MustCount(t, db); got != 0 {
			t.Errorf("got %d notes, want 0", got)
		}
	})

	t.Run("AfterTheLastStatementIsKept", func(t *testing.T) {
		db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
		ctx, cancel := context.WithCancel(t.Context())
		err := db.Write(ctx, func(tx *engine.Tx) error {
			defer cancel()
			return insert(ctx, "kept")(tx)
		})
		if err != nil {
			t.Errorf("got %v, want nil", err)
		}
		if got := MustCount(t, db); got != 1 {
			t.Errorf("got %d notes, want 1", got)
		}
	})
}

func TestTx_AfterItsEnd(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	var kept *engine.Tx
	if err := db.Write(t.Context(), func(tx *engine.Tx) error { kept = tx; return nil }); err != nil {
		t.Fatal(err)
	}
	release := hold(t, db)
	if _, err := kept.Exec(t.Context(), `INSERT INTO note (text) VALUES ('smuggled')`); err == nil {
		t.Error("got no error, want one")
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}

// BenchmarkDB_Write compares writers that share commits with the same writers one
// commit each: "gain" is how many times the shared ones are faster.
func BenchmarkDB_Write(b *testing.B) {
	const writers = 64
	db := MustOpen(b, filepath.Join(b.TempDir(), "guiche.db"))
	write := func(prefix string, i int) {
		if err := db.Write(b.Context(), insert(b.Context(), fmt.Sprint(prefix, i))); err != nil {
			b.Error(err)
		}
	}
	var single, grouped time.Duration
	for n := 0; b.Loop(); n++ {
		start := time.Now()
		for i := range writers {
			write("single", n*writers+i)
		}
		single += time.Since(start)
		start = time.Now()
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() { write("grouped", n*writers+i) })
		}
		wg.Wait()
		grouped += time.Since(start)
	}
	b.ReportMetric(single.Seconds()/grouped.Seconds(), "gain")
}
