package s3_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/blobtest"
	"guiche/internal/blob/s3"
	"guiche/internal/blob/s3test"
	"guiche/internal/problem"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

func farAhead() time.Time { return time.Now().Add(1000 * time.Hour) }

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.After(time.Minute); !holds(); {
		select {
		case <-end:
			t.Fatalf("not in time: %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// run lets a store do what it does beside the requests, until stop is called.
func run(t *testing.T, s *s3.Store) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Run(ctx)
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

// TestStore_Run: while the bucket is out of reach that is known and told at once, and so is
// its coming back.
func TestStore_Run(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s := p.open(t)
	ref, hold := blobtest.MustPut(t, s, "x")
	defer hold.End()
	run(t, s)
	if err := s.Room(); err != nil {
		t.Errorf("got %v", err)
	}
	p.Fail(s3test.Cut)
	if _, err := s.Open(t.Context(), ref); !errors.Is(err, blob.ErrUnreachable) {
		t.Errorf("got %v", err)
	}
	eventually(t, "the trouble is known", func() bool { return s.Trouble() != nil })
	checkTrouble(t, "Room", s.Room(), "não responde", "cannot be reached")
	p.Fail(nil)
	eventually(t, "it is over", func() bool { return s.Room() == nil })
	blobtest.CheckContent(t, s, "x")
}

// TestStore_Run_Deletes: what was deleted leaves the bucket, also after a process was killed
// before it did; what is put again meanwhile stays.
func TestStore_Run_Deletes(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s := p.open(t)
	gone, hold := blobtest.MustPut(t, s, "gone")
	hold.End()
	again, hold := blobtest.MustPut(t, s, "again")
	hold.End()
	for _, ref := range []blob.Ref{gone, again} {
		if err := s.Delete(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
	}
	_, hold = blobtest.MustPut(t, s, "again")
	defer hold.End()
	stop := run(t, s)
	eventually(t, "what was deleted leaves", func() bool { return !exists(p.object(gone)) })
	stop()
	blobtest.CheckContent(t, s, "again")

	killed, hold := blobtest.MustPut(t, s, "killed")
	hold.End()
	s.Settle(s.TakeReleased(9)...)
	if err := errors.Join(s.Delete(t.Context(), killed), s.Close()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first one is killed before it asks
		next := p.open(t)
		if got := next.TakeReleased(9); len(got) != 1 || got[0] != killed {
			t.Errorf("the next process asks about %v, want %v", got, killed)
		}
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
	}
	last := p.open(t)
	if err := last.Delete(t.Context(), killed); err != nil {
		t.Fatal(err)
	}
	run(t, last)
	eventually(t, "it leaves the bucket", func() bool { return !exists(p.object(killed)) })
	eventually(t, "nothing is left to be removed", func() bool {
		left, err := os.ReadDir(p.dir + "/blobs/removing")
		return err == nil && len(left) == 0
	})
}

// TestStore_Run_NotOurs: what another installation has claimed is not touched.
func TestStore_Run_NotOurs(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s := p.open(t)
	ref, hold := blobtest.MustPut(t, s, "x")
	hold.End()
	if err := p.bucket(t).Claim(t.Context(), "another"); err != nil {
		t.Fatal(err)
	}
	stop := run(t, s)
	eventually(t, "it is known", func() bool { return s.Trouble() != nil })
	checkTrouble(t, "Room", s.Room(), "outra instalação", "another installation")
	if err := s.Delete(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	stop()
	if !exists(p.object(ref)) {
		t.Error("it was removed from another installation's bucket")
	}
}

// TestStore_DeleteUnsettled: while a removal may still happen, the same bytes are not put.
func TestStore_DeleteUnsettled(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	now := atomic.Pointer[time.Time]{}
	set := func(at time.Time) { now.Store(&at) }
	set(time.Now())
	s := p.openWith(t, s3.Options{Clock: func() time.Time { return *now.Load() }})
	ref, hold := blobtest.MustPut(t, s, "x")
	hold.End()
	var told atomic.Int64
	p.Fail(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodDelete {
			return false
		}
		told.Add(1)
		panic(http.ErrAbortHandler)
	})
	if err := s.Delete(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	stop := run(t, s)
	eventually(t, "the bucket was told", func() bool { return told.Load() >= 3 })
	stop()
	p.Fail(nil)
	if _, err := s.Put(t.Context(), strings.NewReader("x")); !problem.Is(err, problem.Busy) {
		t.Errorf("got %v, want Busy", err)
	}
	set(now.Load().Add(2 * time.Minute))
	_, hold = blobtest.MustPut(t, s, "x")
	defer hold.End()
	blobtest.CheckContent(t, s, "x")
}

// TestStore_Outage: small blobs that must be kept are taken while the bucket is away, read, and
// brought there later; large ones wait as long as their sender does.
func TestStore_Outage(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s, next := p.open(t), p.open
	p.Fail(s3test.Cut)
	var left blob.Batch
	ctx, hold := s.Hold(t.Context())
	defer hold.End()
	if _, err := s.Put(left.In(ctx), strings.NewReader("a guide")); err != nil || len(left.Contents()) != 1 {
		t.Fatalf("got %v, %d left to the batch", err, len(left.Contents()))
	}
	blobtest.CheckContent(t, s, "a guide")
	if _, err := s.Sync([]blob.Ref{blobtest.RefOf("a guide")}); !errors.Is(err, blob.ErrUnreachable) {
		t.Errorf("Sync: got %v", err)
	}
	blobtest.CheckContent(t, next(t), "a guide")

	patient, cancel := context.WithCancel(t.Context())
	defer cancel()
	large, stored := strings.Repeat("guiche.\n", 1<<15), make(chan error, 1)
	before := p.Requests()
	go func() {
		_, err := s.Put(blob.WaitForSpace(ctx, patient), strings.NewReader(large))
		stored <- err
	}()
	eventually(t, "it was tried twice", func() bool { return p.Requests() > before+3 })
	p.Fail(nil)
	if err := <-stored; err != nil {
		t.Errorf("the large one: %v", err)
	}
	blobtest.CheckContent(t, s, large)
	if gone, err := s.Sync([]blob.Ref{blobtest.RefOf("a guide")}); err != nil || len(gone) > 0 {
		t.Errorf("Sync: got %v, %v", gone, err)
	}
	if ref := blobtest.RefOf("a guide"); !exists(p.object(ref)) || exists(p.local(ref)) {
		t.Error("the guide is not in the bucket alone")
	}
	p.Fail(s3test.Cut)
	cancel()
	if _, err := s.Put(blob.WaitForSpace(ctx, patient), strings.NewReader(large+"!")); !errors.Is(err, blob.ErrUnreachable) {
		t.Errorf("whose sender has gone: got %v", err)
	}
}

// TestStore_Sync_Gone: what is neither in the folder nor in the bucket is named, for the
// database has its bytes.
func TestStore_Sync_Gone(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s := p.open(t)
	var left blob.Batch
	ctx, hold := s.Hold(t.Context())
	defer hold.End()
	for _, content := range []string{"lost", "cut short"} {
		if _, err := s.Put(left.In(ctx), strings.NewReader(content)); err != nil {
			t.Fatal(err)
		}
	}
	lost, short := blobtest.RefOf("lost"), blobtest.RefOf("cut short")
	if err := errors.Join(os.Remove(p.local(lost)), os.Truncate(p.local(short), 3)); err != nil {
		t.Fatal(err)
	}
	blobtest.CheckGone(t, s, short)
	if gone, err := s.Sync([]blob.Ref{lost, short}); err != nil || len(gone) != 2 {
		t.Errorf("got %v, %v, want both", gone, err)
	}
}

// TestStore_Move: the files of an installation that kept all of them in its folder are read
// there, and moved to the bucket beside the requests.
func TestStore_Move(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	ref := blobtest.RefOf("of before")
	err := errors.Join(os.MkdirAll(p.dir+"/blobs/"+string(ref[:2]), 0o700), os.WriteFile(p.local(ref), []byte("of before"), 0o600),
		os.Chtimes(p.local(ref), time.Time{}, time.Now().Add(-time.Hour)))
	if err != nil {
		t.Fatal(err)
	}
	s := p.open(t)
	blobtest.CheckContent(t, s, "of before")
	run(t, s)
	eventually(t, "it is moved", func() bool { return exists(p.object(ref)) && !exists(p.local(ref)) })
	blobtest.CheckContent(t, s, "of before")
}

// TestStore_Spool: no more is on its way at once than there may be.
func TestStore_Spool(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s := p.openWith(t, s3.Options{Spool: 1 << 20})
	_, hold := blobtest.MustPut(t, s, strings.Repeat("x", 3<<20)) // one alone is never too large
	defer hold.End()
	first := holdBack(t, s, 900<<10)
	_, err := s.Put(t.Context(), strings.NewReader(strings.Repeat("y", 500<<10)))
	checkBusy(t, err, "ao mesmo tempo")
	if err := first(); err != nil {
		t.Errorf("the one that was there: %v", err)
	}
	_, hold = blobtest.MustPut(t, s, strings.Repeat("y", 500<<10))
	hold.End()
}

func checkBusy(t *testing.T, err error, sentence string) {
	t.Helper()
	var p *problem.Error
	if !errors.As(err, &p) || p.Code != problem.Busy || !strings.Contains(p.Message, sentence) {
		t.Errorf("got %v, want Busy with %q", err, sentence)
	}
}

// holdBack begins to put so many bytes; what it returns sends the last one and waits.
func holdBack(t *testing.T, s *s3.Store, size int) (finish func() error) {
	t.Helper()
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := s.Put(t.Context(), r)
		done <- err
	}()
	_, err := w.Write(make([]byte, size))
	if err == nil {
		_, err = w.Write(nil) // is read once all before it is counted
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() error {
		_ = w.Close()
		return <-done
	}
}

// keepVersions has the bucket keep what is removed.
func keepVersions(t *testing.T, p place) {
	t.Helper()
	client, err := minio.New(strings.TrimPrefix(p.URL, "http://"),
		&minio.Options{Creds: credentials.NewStaticV4(s3test.Key, s3test.Secret, ""), Region: "us-east-1"})
	if err == nil {
		err = client.EnableVersioning(t.Context(), s3test.Bucket)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestBucket_BringBack: what was removed from a bucket that keeps versions comes back.
func TestBucket_BringBack(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	keepVersions(t, p)
	b, s := p.bucket(t), p.open(t)
	ref, hold := blobtest.MustPut(t, s, "x")
	defer hold.End()
	if err := b.Delete(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	blobtest.CheckGone(t, s, ref)
	if back, err := b.BringBack(t.Context(), ref); err != nil || !back {
		t.Errorf("got %t, %v", back, err)
	}
	blobtest.CheckContent(t, s, "x")
	if back, err := b.BringBack(t.Context(), blobtest.RefOf("never put")); err != nil || back {
		t.Errorf("what never was: got %t, %v", back, err)
	}
}
