package s3_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/blobtest"
	"guiche/internal/blob/s3"
	"guiche/internal/blob/s3test"
)

const owner = "0198a1b2-0000-7000-8000-000000000001"

// place is a server and a folder of this machine.
type place struct {
	*s3test.Server
	dir string
}

// patience lets a busy machine finish three tries with their pauses; a test of a slow store has its own.
const patience = time.Minute

func (p place) config(tb testing.TB) s3.Config {
	tb.Helper()
	location, err := s3.ParseLocation(p.Place())
	if err != nil {
		tb.Fatal(err)
	}
	return s3.Config{Location: location, Key: s3test.Key, Secret: s3test.Secret, Patience: patience}
}

// bucket is the desk's part of the bucket.
func (p place) bucket(tb testing.TB) *s3.Bucket {
	tb.Helper()
	b, err := s3.New(p.config(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return b.Of("desk")
}

// open opens a store on the folder, as each process does.
func (p place) open(tb testing.TB) *s3.Store {
	tb.Helper()
	return p.openWith(tb, s3.Options{})
}

func (p place) openWith(tb testing.TB, o s3.Options) *s3.Store {
	tb.Helper()
	o.Bucket, o.Owner, o.Dir, o.Logger = p.bucket(tb), owner, p.dir, slog.New(slog.DiscardHandler)
	s, err := s3.Open(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// object is the file that the server keeps of a blob.
func (p place) object(ref blob.Ref) string { return p.File("guiche/desk/" + ref.Path()) }

// local is the file of a blob on its way.
func (p place) local(ref blob.Ref) string {
	return filepath.Join(p.dir, filepath.FromSlash(ref.Path()))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// start starts a server and claims its bucket; ok is false where no server can be had.
func start(tb testing.TB) (p place, ok bool) {
	tb.Helper()
	p = place{s3test.Start(tb), tb.TempDir()}
	if p.Server == nil {
		return p, false
	}
	if err := p.bucket(tb).Claim(tb.Context(), owner); err != nil {
		tb.Fatal(err)
	}
	return p, true
}

// TestStore_Contract: objects keep what every store promises.
func TestStore_Contract(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	if server == nil {
		return
	}
	blobtest.Run(t, func(tb testing.TB) blobtest.Place {
		if err := os.RemoveAll(server.File("guiche")); err != nil {
			tb.Fatal(err)
		}
		p := place{server, tb.TempDir()}
		return blobtest.Place{
			Open: func(tb testing.TB) blobtest.Store { return p.open(tb) },
			Damage: func(ref blob.Ref, change func([]byte) []byte) {
				content, err := os.ReadFile(p.object(ref))
				if err == nil {
					err = os.WriteFile(p.object(ref), change(content), 0o600)
				}
				if err != nil {
					tb.Fatal(err)
				}
			},
			Now: time.Now,
		}
	})
}
