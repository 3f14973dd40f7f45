// Package blobtest holds stores of blobs to what blob.Store promises, whatever they keep them in.
package blobtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"guiche/internal/blob"
	"guiche/internal/problem"
)

// Store is all that the program uses of a store.
type Store interface {
	blob.Store
	Released() <-chan struct{}
	TakeReleased(limit int) []blob.Ref
	Settle(refs ...blob.Ref)
	AskAgain(refs ...blob.Ref)
	Adopt() error
	Older(ctx context.Context, before time.Time, limit int, each func([]blob.Ref) error) error
	Unsynced() <-chan struct{}
	Sync(refs []blob.Ref) (gone []blob.Ref, err error)
	Close() error
}

// Place is where the stores of one test keep their blobs.
type Place struct {
	Open   func(tb testing.TB) Store                      // another process's, too
	Damage func(ref blob.Ref, change func([]byte) []byte) // changes the stored bytes
	Now    func() time.Time                               // by the clock that says when a blob was stored
}

// Run holds the stores of a place, new for each test, to the promises.
func Run(t *testing.T, place func(tb testing.TB) Place) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, Place){
		"Put": put, "PutFailing": putFailing, "Large": large, "Seek": seek, "Missing": missing, "Names": names, "Damaged": damaged,
		"Delete": deleted, "Again": again, "Hold": hold, "OtherProcess": otherProcess, "Adopt": adopt, "Older": older, "Batch": batch,
		"Cancelled": cancelled,
	} {
		t.Run(name, func(t *testing.T) { test(t, place(t)) })
	}
}

// RefOf is the name of a content.
func RefOf(content string) blob.Ref {
	sum := sha256.Sum256([]byte(content))
	return blob.Ref(hex.EncodeToString(sum[:]))
}

// MustPut stores a content under a hold.
func MustPut(tb testing.TB, s Store, content string) (blob.Ref, blob.Hold) {
	tb.Helper()
	ctx, hold := s.Hold(tb.Context())
	info, err := s.Put(ctx, strings.NewReader(content))
	if err != nil || info != (blob.Info{Ref: RefOf(content), Size: int64(len(content))}) {
		tb.Fatalf("Put: got %+v, %v", info, err)
	}
	return info.Ref, hold
}

// Read reads a blob from start to end.
func Read(tb testing.TB, s Store, ref blob.Ref) (string, error) {
	tb.Helper()
	f, err := s.Open(tb.Context(), ref)
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(f)
	return string(content), errors.Join(err, f.Close())
}

// CheckContent wants a blob as it was put.
func CheckContent(tb testing.TB, s Store, want string) {
	tb.Helper()
	got, err := Read(tb, s, RefOf(want))
	if err != nil || got != want {
		tb.Errorf("Open: got %d bytes, %v, want the %d that were put", len(got), err, len(want))
	}
	info, err := s.Stat(tb.Context(), RefOf(want))
	if err != nil || info != (blob.Info{Ref: RefOf(want), Size: int64(len(want))}) {
		tb.Errorf("Stat: got %+v, %v", info, err)
	}
}

// CheckGone wants no such blob.
func CheckGone(tb testing.TB, s Store, ref blob.Ref) {
	tb.Helper()
	if _, err := s.Stat(tb.Context(), ref); !problem.Is(err, problem.NotFound) {
		tb.Errorf("Stat: got %v, want NotFound", err)
	}
	if _, err := s.Open(tb.Context(), ref); !problem.Is(err, problem.NotFound) {
		tb.Errorf("Open: got %v, want NotFound", err)
	}
}

func checkDelete(tb testing.TB, s Store, ref blob.Ref, want error) {
	tb.Helper()
	if err := s.Delete(tb.Context(), ref); !errors.Is(err, want) {
		tb.Errorf("Delete: got %v, want %v", err, want)
	}
}

func put(t *testing.T, p Place) {
	s := p.Open(t)
	for name, content := range map[string]string{"Empty": "", "Small": "pedido médico", "Medium": strings.Repeat("0123456789abcdef", 1<<16)} {
		t.Run(name, func(t *testing.T) {
			info, err := s.Put(t.Context(), iotest.HalfReader(strings.NewReader(content)))
			if err != nil || info != (blob.Info{Ref: RefOf(content), Size: int64(len(content))}) {
				t.Fatalf("got %+v, %v", info, err)
			}
			CheckContent(t, s, content)
			CheckContent(t, p.Open(t), content)
		})
	}
}

func putFailing(t *testing.T, p Place) {
	s, broken := p.Open(t), errors.New("the sender went")
	if _, err := s.Put(t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
	CheckGone(t, s, RefOf("half"))
}

func large(t *testing.T, p Place) {
	s, content := p.Open(t), strings.Repeat("0123456789abcdef", 20<<16) // 20 MiB
	_, hold := MustPut(t, s, content)
	defer hold.End()
	CheckContent(t, s, content)
}

func seek(t *testing.T, p Place) {
	s, content := p.Open(t), strings.Repeat("0123456789", 300000)
	ref, hold := MustPut(t, s, content)
	defer hold.End()
	f, err := s.Open(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	for _, step := range []struct {
		offset int64
		whence int
		want   int64
	}{
		{0, io.SeekEnd, 3000000}, {-7, io.SeekEnd, 2999993}, {1234567, io.SeekStart, 1234567}, {3, io.SeekCurrent, 1234572}, {0, io.SeekStart, 0},
	} {
		at, err := f.Seek(step.offset, step.whence)
		if err != nil || at != step.want {
			t.Fatalf("Seek(%d, %d): got %d, %v, want %d", step.offset, step.whence, at, err, step.want)
		}
		piece := make([]byte, 2)
		n, err := io.ReadFull(f, piece)
		if want := content[step.want:min(step.want+2, int64(len(content)))]; string(piece[:n]) != want || len(want) == 2 && err != nil {
			t.Errorf("at %d: got %q, %v, want %q", at, piece[:n], err, want)
		}
	}
	if _, err := f.Seek(-1, io.SeekStart); err == nil {
		t.Error("before the start: got no error")
	}
}

func missing(t *testing.T, p Place) { CheckGone(t, p.Open(t), RefOf("never put")) }

func names(t *testing.T, p Place) {
	s := p.Open(t)
	for _, ref := range []blob.Ref{"", "ab", "../../etc/passwd", blob.Ref(strings.Repeat("A", 64)), blob.Ref(strings.Repeat("a", 65))} {
		_, openErr := s.Open(t.Context(), ref)
		_, statErr := s.Stat(t.Context(), ref)
		for doing, err := range map[string]error{"Open": openErr, "Stat": statErr, "Delete": s.Delete(t.Context(), ref)} {
			if err == nil || problem.Is(err, problem.NotFound) {
				t.Errorf("%s(%q): got %v, want an error about the name", doing, ref, err)
			}
		}
	}
}

func damaged(t *testing.T, p Place) {
	for name, change := range map[string]func([]byte) []byte{
		"Flipped":  func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"Cut":      func(b []byte) []byte { return b[:len(b)-1] },
		"Emptied":  func([]byte) []byte { return nil },
		"Extended": func(b []byte) []byte { return append(b, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			s, content := p.Open(t), name+strings.Repeat(" um arquivo", 1000)
			ref, hold := MustPut(t, s, content)
			defer hold.End()
			p.Damage(ref, change)
			if _, err := Read(t, s, ref); !errors.Is(err, blob.ErrDamaged) {
				t.Errorf("got %v, want ErrDamaged", err)
			}
			_, more := MustPut(t, s, content) // the same bytes mend it
			defer more.End()
			CheckContent(t, s, content)
		})
	}
}

func deleted(t *testing.T, p Place) {
	s := p.Open(t)
	ref, hold := MustPut(t, s, "x")
	checkDelete(t, s, ref, blob.ErrHeld)
	hold.End()
	for range 2 { // one that is gone is no error
		checkDelete(t, s, ref, nil)
	}
	CheckGone(t, s, ref)
}

// again: what was deleted and is put anew stays.
func again(t *testing.T, p Place) {
	s := p.Open(t)
	for range 3 {
		ref, hold := MustPut(t, s, "x")
		CheckContent(t, s, "x")
		hold.End()
		checkDelete(t, s, ref, nil)
	}
	_, hold := MustPut(t, s, "x")
	defer hold.End()
	CheckContent(t, s, "x")
}

func hold(t *testing.T, p Place) {
	s := p.Open(t)
	ref, first := MustPut(t, s, "x")
	_, second := MustPut(t, s, "x")
	first.End()
	first.End() // ending twice lets go once
	checkDelete(t, s, ref, blob.ErrHeld)
	_, added := s.Hold(t.Context())
	added.Add(ref)
	second.End()
	checkDelete(t, s, ref, blob.ErrHeld)
	added.End()
	if got := s.TakeReleased(9); !slices.Equal(got, []blob.Ref{ref}) {
		t.Errorf("got %v to ask about, want %v", got, ref)
	}
	checkDelete(t, s, ref, nil)
}

func otherProcess(t *testing.T, p Place) {
	one, other := p.Open(t), p.Open(t)
	ref, hold := MustPut(t, one, "x")
	checkDelete(t, other, ref, blob.ErrHeld)
	CheckContent(t, other, "x")
	hold.End()
	one.Settle(one.TakeReleased(9)...)
	checkDelete(t, other, ref, nil)
}

func adopt(t *testing.T, p Place) {
	dead := p.Open(t)
	ref, _ := MustPut(t, dead, "x")
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	next := p.Open(t)
	checkDelete(t, next, ref, blob.ErrHeld)
	if err := next.Adopt(); err != nil {
		t.Fatal(err)
	}
	if got := next.TakeReleased(9); !slices.Equal(got, []blob.Ref{ref}) {
		t.Errorf("got %v to ask about, want %v", got, ref)
	}
	checkDelete(t, next, ref, nil)
}

func older(t *testing.T, p Place) {
	s, want := p.Open(t), []blob.Ref(nil)
	for _, content := range []string{"a", "b", "c", "d"} {
		ref, hold := MustPut(t, s, content)
		defer hold.End()
		want = append(want, ref)
	}
	list := func(before time.Time) (all []blob.Ref) {
		if err := s.Older(t.Context(), before, 3, func(refs []blob.Ref) error {
			if len(refs) > 3 {
				t.Errorf("got %d at once, want at most 3", len(refs))
			}
			all = append(all, refs...)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(all)
		return all
	}
	slices.Sort(want)
	if got := list(p.Now().Add(time.Hour)); !slices.Equal(got, want) {
		t.Errorf("before an hour from now: got %v, want %v", got, want)
	}
	if got := list(p.Now().Add(-time.Hour)); len(got) != 0 {
		t.Errorf("before an hour ago: got %v, want none", got)
	}
}

// batch: a small blob is left to the batch, is read at once, and is where it belongs after Sync.
func batch(t *testing.T, p Place) {
	s := p.Open(t)
	var left blob.Batch
	ctx, hold := s.Hold(t.Context())
	defer hold.End()
	for range 2 {
		info, err := s.Put(left.In(ctx), strings.NewReader("a resposta"))
		if err != nil || info.Size != 10 {
			t.Fatalf("got %+v, %v", info, err)
		}
	}
	if got := left.Content(RefOf("a resposta")); !bytes.Equal(got, []byte("a resposta")) || len(left.Contents()) != 2 {
		t.Errorf("left to the batch: %q, %d", got, len(left.Contents()))
	}
	<-s.Unsynced()
	CheckContent(t, s, "a resposta")
	for range 2 {
		if gone, err := s.Sync([]blob.Ref{RefOf("a resposta")}); err != nil || len(gone) > 0 {
			t.Errorf("got %v, %v", gone, err)
		}
		CheckContent(t, s, "a resposta")
	}
	var none blob.Batch
	if _, err := s.Put(none.In(ctx), strings.NewReader(strings.Repeat("guiche.\n", 1<<15))); err != nil || len(none.Contents()) > 0 {
		t.Errorf("a large one: got %v, %d left to the batch", err, len(none.Contents()))
	}
}

func cancelled(t *testing.T, p Place) {
	s := p.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Put(ctx, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want Canceled", err)
	}
	CheckGone(t, s, RefOf("x"))
}
