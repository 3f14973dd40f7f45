package s3_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/blobtest"
	"guiche/internal/blob/s3"
	"guiche/internal/problem"
)

// process is one of several that store in one bucket: it has a folder and a clock of its own.
type process struct {
	*s3.Store
	place
	ahead atomic.Int64 // of the time
}

func (p place) process(tb testing.TB) *process {
	tb.Helper()
	own := &process{place: place{p.Server, tb.TempDir()}}
	own.Store = own.openWith(tb, s3.Options{Shared: true, Clock: func() time.Time { return time.Now().Add(time.Duration(own.ahead.Load())) }})
	return own
}

func (p *process) mark(ref blob.Ref) string { return p.File("guiche/desk/removing/" + string(ref)) }

// mustDelete has a blob removed that no row names, and waits until the bucket was told something.
func (p *process) mustDelete(t *testing.T, ref blob.Ref, what string, told func() bool) {
	t.Helper()
	if err := p.Delete(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	stop := run(t, p.Store)
	defer stop()
	eventually(t, what, told)
}

// mustPut stores a blob and lets it go.
func (p *process) mustPut(t *testing.T, content string) blob.Ref {
	t.Helper()
	ref, hold := blobtest.MustPut(t, p.Store, content)
	hold.End()
	p.Settle(p.TakeReleased(9)...)
	return ref
}

// TestStore_Shared_Put: what one process stored another one reads at once, also what a single process
// would leave to its folder.
func TestStore_Shared_Put(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	one, other := p.process(t), p.process(t)
	batch := new(blob.Batch)
	if _, err := one.Put(batch.In(t.Context()), strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	blobtest.CheckContent(t, other.Store, "x")
	if n := len(batch.Contents()); n != 0 {
		t.Errorf("got %d blobs left to the database", n)
	}
}

// TestStore_Shared_Delete: what no row names is asked about again after an hour, and removed then; a
// process that comes later goes on with it.
func TestStore_Shared_Delete(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	one, other := p.process(t), p.process(t)
	ref := one.mustPut(t, "x")
	for _, process := range []*process{one, other} { // neither may remove it yet
		process.mustDelete(t, ref, "it is marked, and asked about again", func() bool {
			again := process.TakeReleased(9)
			return len(again) == 1 && again[0] == ref && exists(p.object(ref)) && exists(process.mark(ref))
		})
		blobtest.CheckContent(t, process.Store, "x")
	}
	other.ahead.Store(int64(61 * time.Minute))
	other.mustDelete(t, ref, "it leaves with its mark", func() bool { return !exists(p.object(ref)) && !exists(other.mark(ref)) })
}

// TestStore_Shared_PutAgain: what another process stored meanwhile stays.
func TestStore_Shared_PutAgain(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	one, other := p.process(t), p.process(t)
	ref := one.mustPut(t, "x")
	marked := func() bool { return exists(one.mark(ref)) }
	one.mustDelete(t, ref, "it is marked", marked)
	_, hold := blobtest.MustPut(t, other.Store, "x")
	defer hold.End()
	if marked() {
		t.Error("it is marked still")
	}
	one.ahead.Store(int64(2 * time.Hour))
	one.mustDelete(t, ref, "it is marked anew", marked)
	blobtest.CheckContent(t, other.Store, "x")
}

// TestStore_Shared_PutDuringRemoval: while another process may be removing the same bytes, they are
// stored once more before anybody relies on them.
func TestStore_Shared_PutDuringRemoval(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	one, other := p.process(t), p.process(t)
	ref := one.mustPut(t, "x")
	one.mustDelete(t, ref, "it is marked", func() bool { return exists(one.mark(ref)) })
	put := func() error {
		ctx, hold := other.Hold(context.Background())
		defer hold.End()
		_, err := other.Put(ctx, strings.NewReader("x"))
		return err
	}
	other.ahead.Store(int64(time.Hour))
	for range 2 {
		if err := put(); !problem.Passing(err) {
			t.Fatalf("got %v, want it to pass", err)
		}
	}
	if err := p.bucket(t).Delete(t.Context(), ref); err != nil { // the other one did
		t.Fatal(err)
	}
	other.ahead.Store(int64(time.Hour + 2*time.Minute))
	if err := put(); err != nil {
		t.Fatal(err)
	}
	blobtest.CheckContent(t, one.Store, "x")
}
