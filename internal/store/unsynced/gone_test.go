package unsynced_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/store/unsynced"
)

// TestSyncer_Sync_Gone: a file that went while its bytes were in the database is made again,
// or its bytes stay there.
func TestSyncer_Sync_Gone(t *testing.T) {
	for operation, want := range map[string]error{"": nil, "Put": errDisk} {
		t.Run("Fails"+operation, func(t *testing.T) {
			e := mustEnv(t)
			kept, gone := e.put(t, "a primeira"), e.put(t, "a resposta")
			MustDo(t, os.Remove(e.file(gone)))
			b := broken{lacking{e.blobs, gone}, operation}
			s := unsynced.New(unsynced.Config{DB: e.db, Files: b, Names: b, Logger: slog.New(slog.DiscardHandler)})
			if err := s.Sync(t.Context()); !errors.Is(err, want) {
				t.Fatalf("got %v, want %v", err, want)
			}
			if want != nil {
				if !e.has(t, kept) || !e.has(t, gone) {
					t.Error("bytes are no longer in the database")
				}
				return
			}
			if got := e.read(t, gone); got != "a resposta" || e.has(t, gone) {
				t.Errorf("the file holds %q; its bytes in the database: %v", got, e.has(t, gone))
			}
		})
	}
}

// lacking are files of which one is not in place when they are brought to disk.
type lacking struct {
	unsynced.Files
	ref blob.Ref
}

func (l lacking) Sync([]blob.Ref) (gone []blob.Ref, err error) { return []blob.Ref{l.ref}, nil }

// TestSyncer_Run_Log: what the disk does not do is told in the log, and nothing else: of a
// place that cannot be reached its store tells.
func TestSyncer_Run_Log(t *testing.T) {
	for name, tc := range map[string]struct {
		err  error
		told bool
	}{"Whole": {nil, false}, "Disk": {errDisk, true}, "Unreachable": {fmt.Errorf("bucket: %w", blob.ErrUnreachable), false}} {
		t.Run(name, func(t *testing.T) {
			e := mustEnv(t)
			e.put(t, "a resposta")
			var log bytes.Buffer
			s := unsynced.New(unsynced.Config{DB: e.db, Files: failing{e.blobs, tc.err}, Names: broken{},
				Logger: slog.New(slog.NewTextHandler(&log, nil))})
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			s.Run(ctx) // once more, and no longer
			if told := strings.Contains(log.String(), "bring files to disk"); told != tc.told {
				t.Errorf("the log says %q", log.String())
			}
		})
	}
}

// failing are files that cannot be brought to disk, for that reason.
type failing struct {
	unsynced.Files
	err error
}

func (f failing) Sync(refs []blob.Ref) (gone []blob.Ref, err error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.Files.Sync(refs)
}
