package unsynced_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/internal/store/unsynced"
)

var errDisk = errors.New("the disk is gone")

// broken are files and names of which one operation fails.
type broken struct {
	unsynced.Files
	operation string
}

func (b broken) fails(operation string) error {
	if b.operation == operation {
		return errDisk
	}
	return nil
}

func (b broken) Put(ctx context.Context, r io.Reader) (blob.Info, error) {
	if err := b.fails("Put"); err != nil {
		return blob.Info{}, err
	}
	return b.Files.Put(ctx, r)
}

func (b broken) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	if err := b.fails("Open"); err != nil {
		return nil, err
	}
	file, err := b.Files.Open(ctx, ref)
	if err == nil && b.operation == "Read" {
		return unreadable{file}, nil
	}
	return file, err
}

func (b broken) Sync(refs []blob.Ref) (gone []blob.Ref, err error) {
	if err := b.fails("Sync"); err != nil {
		return nil, err
	}
	return b.Files.Sync(refs)
}

func (b broken) NamedBlobs(_ context.Context, refs []blob.Ref) ([]blob.Ref, error) {
	return refs, b.fails("NamedBlobs")
}

// unreadable is a file that can be opened and not be read.
type unreadable struct{ io.ReadSeekCloser }

func (unreadable) Read([]byte) (int, error) { return 0, errDisk }

// TestSyncer_Disk: what the disk does not do is said, and the bytes stay in the database.
func TestSyncer_Disk(t *testing.T) {
	for operation, tc := range map[string]struct {
		do   func(s *unsynced.Syncer, ctx context.Context) error
		lost bool // the file is gone before
	}{
		"Sync":       {(*unsynced.Syncer).Sync, false},
		"Open":       {(*unsynced.Syncer).Restore, false},
		"Read":       {(*unsynced.Syncer).Restore, false},
		"NamedBlobs": {(*unsynced.Syncer).Restore, true},
		"Put":        {(*unsynced.Syncer).Restore, true},
	} {
		t.Run(operation, func(t *testing.T) {
			e := mustEnv(t)
			ref := e.put(t, "a resposta")
			if tc.lost {
				MustDo(t, os.Remove(e.file(ref)))
			}
			b := broken{e.blobs, operation}
			s := unsynced.New(unsynced.Config{DB: e.db, Files: b, Names: b, Logger: slog.New(slog.DiscardHandler)})
			if err := tc.do(s, t.Context()); !errors.Is(err, errDisk) {
				t.Errorf("got %v, want what the disk said", err)
			}
			if !e.has(t, ref) {
				t.Error("the bytes are no longer in the database")
			}
		})
	}
}

// TestFailures: every query that fails is an error.
func TestFailures(t *testing.T) {
	e := mustEnv(t)
	ref := e.put(t, "a resposta")
	MustDo(t, os.Remove(e.file(ref)))
	MustDo(t, e.db.Close())
	syncer := func(do func(s *unsynced.Syncer, ctx context.Context) error) storetest.Operation {
		return storetest.Operation{Tables: "unsynced_blob", Do: func(ctx context.Context, db engine.DB) error {
			b := broken{Files: e.blobs}
			return do(unsynced.New(unsynced.Config{DB: db, Files: b, Names: b, Logger: slog.New(slog.DiscardHandler)}), ctx)
		}}
	}
	e.db.CheckFailures(t, map[string]storetest.Operation{
		"Restore": syncer((*unsynced.Syncer).Restore),
		"Sync":    syncer((*unsynced.Syncer).Sync),
		"Write": {Tables: "unsynced_blob", Do: func(ctx context.Context, db engine.DB) error {
			var batch blob.Batch
			ctx = batch.In(ctx)
			if _, err := e.blobs.Put(ctx, strings.NewReader("outra")); err != nil {
				return err
			}
			return db.Write(ctx, func(tx *engine.Tx) error { return unsynced.Write(ctx, tx) })
		}},
	})
}
