package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/engine"
)

// signalling runs the signals of a process of its own, and returns what it hears.
func signalling(t *testing.T, url string) (*postgres.DB, *postgres.Signals, <-chan string) {
	t.Helper()
	db := opened(t, func(o *postgres.Options) { o.URL = url })
	signals, heard := db.Signals(), make(chan string, 1000)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		signals.Run(ctx, func(word string) { heard <- word })
		close(ended)
	}()
	t.Cleanup(func() { stop(); <-ended })
	return db, signals, heard
}

// mustHear tells words, each another one, until one is heard: a process may begin to listen a little later.
func mustHear(t *testing.T, from *postgres.Signals, heard <-chan string, name string) {
	t.Helper()
	tick, over := time.NewTicker(5*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for n := 0; ; n++ {
		from.Tell(fmt.Sprint(name, n))
		select {
		case word := <-heard:
			if strings.HasPrefix(word, name) {
				return
			}
		case <-tick.C:
		case <-over:
			t.Fatal("nothing is heard")
		}
	}
}

// TestSignals: what one process tells the others hear, itself it does not, and after their connections were
// ended they hear again.
func TestSignals(t *testing.T) {
	url := postgrestest.Database(t)
	db, first, own := signalling(t, url)
	_, second, heard := signalling(t, url)
	mustHear(t, first, heard, "a")
	mustHear(t, second, own, "b")
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
		rows, err := tx.Query(t.Context(), `SELECT pg_terminate_backend(pid)::int FROM pg_stat_activity WHERE query LIKE 'LISTEN%'
			AND datname = current_database()`)
		if err != nil {
			return err
		}
		return rows.Close()
	}))
	mustHear(t, first, heard, "c")
	for len(own) > 0 {
		if word := <-own; word[0] != 'b' {
			t.Errorf("it heard %s of itself", word)
		}
	}
}

// TestSignals_Pooler: who would listen through a pooler does not: what others tell would come to whoever has
// the connection then.
func TestSignals_Pooler(t *testing.T) {
	db := opened(t, func(o *postgres.Options) { o.URL = postgrestest.Pooled(t) })
	err := db.Signals().Listen(t.Context(), func(string) { t.Error("something is heard") })
	if !errors.Is(err, postgres.ErrPooled) {
		t.Errorf("got %v, want that it does not listen", err)
	}
}
