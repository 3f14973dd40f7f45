package bucketstore_test

import (
	"context"
	"sync"
	"testing"

	"guiche/internal/store/bucketstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

const place = "s3://clinica/guiche?endpoint=https://s3.example"

// TestStore_Put: processes that start at once agree on one name, which stays where the place changes.
func TestStore_Put(t *testing.T) {
	db := storetest.Open(t, migrations.Desk, nil)
	s := bucketstore.New(db)
	if m, err := s.Find(t.Context()); err != nil || m != (bucketstore.Mark{}) {
		t.Fatalf("got %v, %v, want none yet", m, err)
	}
	got := make([]bucketstore.Mark, 8)
	var starting sync.WaitGroup
	for i := range got {
		process := db.Again(t)
		starting.Go(func() {
			var err error
			if got[i], err = bucketstore.New(process).Put(t.Context(), bucketstore.Mark{Place: place, Installation: uuid.New()}); err != nil {
				t.Error(err)
			}
		})
	}
	starting.Wait()
	for _, m := range got {
		if m != got[0] || m.Place != place || m.Installation == uuid.Nil {
			t.Errorf("got %v, want what the others got: %v", m, got[0])
		}
	}
	moved, err := s.Put(t.Context(), bucketstore.Mark{Place: place + "2", Installation: uuid.New()})
	if err != nil || moved.Place != place+"2" || moved.Installation != got[0].Installation {
		t.Errorf("got %v, %v, want another place and the same name", moved, err)
	}
	if m, err := s.Find(t.Context()); err != nil || m != moved {
		t.Errorf("got %v, %v, want %v", m, err, moved)
	}
}

func TestStore_Failures(t *testing.T) {
	db := storetest.Open(t, migrations.Desk, nil)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db.CheckFailures(t, map[string]storetest.Operation{
		"Find": {Tables: "bucket", Do: func(ctx context.Context, db engine.DB) error {
			_, err := bucketstore.New(db).Find(ctx)
			return err
		}},
		"Put": {Tables: "bucket", Do: func(ctx context.Context, db engine.DB) error {
			_, err := bucketstore.New(db).Put(ctx, bucketstore.Mark{Place: place, Installation: uuid.New()})
			return err
		}},
	})
}
