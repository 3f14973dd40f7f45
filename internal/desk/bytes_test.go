package desk_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"guiche/internal/blob/files"
	"guiche/internal/blob/sweep"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/deskstore"

	"github.com/google/uuid"
)

// stored lists the files of the desk, by name.
func (f *fixture) stored(tb testing.TB) (names []string) {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(f.dir, "blobs", "??", "*"))
	MustDo(tb, err)
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	slices.Sort(names)
	return names
}

// named lists what any text of the database names that looks like a file's name,
// whatever column it stands in.
func (f *fixture) named(tb testing.TB) (names []string) {
	tb.Helper()
	for _, text := range f.db.Texts(tb, 2*sha256.Size) {
		if _, err := hex.DecodeString(text); err == nil {
			names = append(names, text)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// sweep removes what nothing names.
func (f *fixture) sweep(tb testing.TB) {
	tb.Helper()
	s := sweep.New(sweep.Config{Files: f.config.Blobs.(*files.Store), Rows: deskstore.BlobNames(f.db), Logger: slog.New(slog.DiscardHandler)})
	MustDo(tb, s.Sweep(context.Background()))
}

// TestDesk_Bytes: whatever people attach, take out, throw away, send and copy, and in
// whatever order, the folder holds exactly what rows name.
func TestDesk_Bytes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("Seed", seed), func(t *testing.T) {
			t.Parallel()
			f := MustDesk(t, small)
			run := attaching{f, rand.New(rand.NewPCG(seed, 1)), nil, nil}
			for range 40 {
				run.step(t)
			}
			f.sweep(t)
			if got, want := f.stored(t), f.named(t); !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("got %d files %v, want the %d that rows name: %v", len(got), got, len(want), want)
			}
		})
	}
}

// attaching is people who work with files in no order at all.
type attaching struct {
	*fixture
	random *rand.Rand
	drafts []uuid.UUID
	cases  []uuid.UUID
}

func (a *attaching) step(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	switch n := a.random.IntN(12); {
	case len(a.drafts) == 0 || n == 0:
		a.drafts = append(a.drafts, a.MustDraft(t, ana, nil).UID)
	case n < 6: // some of these pass a limit or are no pictures
		name := []string{"a.png", "b.png", "c.pdf"}[a.random.IntN(3)]
		_, err := a.Attach(ctx, ana, a.draft(), name, picture(t, a.random.IntN(6)))
		if problem.CodeOf(err) == problem.Internal {
			t.Fatal(err)
		}
	case n < 8:
		a.detach(t)
	case n < 9:
		MustDo(t, a.DiscardDraft(ctx, ana, a.takeDraft()))
	case n < 11:
		uid, err := a.Submit(ctx, ana, a.takeDraft())
		MustDo(t, err)
		MustDo(t, a.Withdraw(ctx, ana, uid))
		a.cases = append(a.cases, uid)
	case len(a.cases) > 0:
		copied, err := a.CopyToDraft(ctx, ana, a.cases[a.random.IntN(len(a.cases))])
		MustDo(t, err)
		a.drafts = append(a.drafts, copied.UID)
	}
}

func (a *attaching) draft() uuid.UUID { return a.drafts[a.random.IntN(len(a.drafts))] }

func (a *attaching) takeDraft() uuid.UUID {
	i := a.random.IntN(len(a.drafts))
	uid := a.drafts[i]
	a.drafts = slices.Delete(a.drafts, i, i+1)
	return uid
}

func (a *attaching) detach(t *testing.T) {
	t.Helper()
	d, err := a.Draft(t.Context(), ana, a.draft())
	MustDo(t, err)
	if len(d.Attachments) > 0 {
		MustDo(t, a.RemoveAttachment(t.Context(), ana, d.UID, d.Attachments[0].UID))
	}
}

// MustCopyOfFiles is the desk that starts on the files as a kill leaves them now.
func (f *fixture) MustCopyOfFiles(tb testing.TB) *fixture {
	tb.Helper()
	next := &fixture{dir: tb.TempDir(), place: f.db.AsKilled(tb), log: f.log, clock: f.clock, service: f.service}
	MustDo(tb, os.CopyFS(next.dir, os.DirFS(f.dir)))
	next.MustOpen(tb)
	return next
}

// TestDesk_Bytes_Interrupted: what was thrown away when the process was killed goes with
// the next sweep, not after a week.
func TestDesk_Bytes_Interrupted(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(t *testing.T, f *fixture, d desk.Draft, attachment uuid.UUID){
		"Discarded": func(t *testing.T, f *fixture, d desk.Draft, _ uuid.UUID) {
			MustDo(t, f.DiscardDraft(t.Context(), ana, d.UID))
		},
		"TakenOut": func(t *testing.T, f *fixture, d desk.Draft, attachment uuid.UUID) {
			MustDo(t, f.RemoveAttachment(t.Context(), ana, d.UID, attachment))
		},
		"Refused": func(t *testing.T, f *fixture, d desk.Draft, attachment uuid.UUID) {
			MustDo(t, f.RemoveAttachment(t.Context(), ana, d.UID, attachment))
			if _, err := f.Attach(t.Context(), ana, d.UID, "pedido.pdf", picture(t, 2)); err == nil {
				t.Fatal("got no error for a picture that claims to be a PDF")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := MustDesk(t)
			d := f.MustDraft(t, ana, nil)
			a, err := f.Attach(t.Context(), ana, d.UID, "pedido.png", picture(t, 1))
			MustDo(t, err)
			act(t, f, d, a.UID)
			if len(f.stored(t)) == 0 {
				t.Fatal("the bytes are gone before anybody removed them")
			}
			next := f.MustCopyOfFiles(t)
			next.sweep(t)
			if got := next.stored(t); len(got) != 0 {
				t.Errorf("got %v, want no files", got)
			}
		})
	}
}

// TestDesk_Quota: what a user's drafts keep, text and files, stays within the quota,
// however many are saved at once. What is thrown away or shortened makes room at once.
func TestDesk_Quota(t *testing.T) {
	t.Parallel()
	const quota = 50_000
	f, ctx := MustDesk(t, func(c *desk.Config) { c.Quota = quota }), t.Context()
	form := func(size int) desk.Form {
		return desk.Form{Values: map[string]string{"observacoes": strings.Repeat("x", size)}}
	}
	drafts, errs := make([]uuid.UUID, 8), make([]error, 8)
	var working sync.WaitGroup
	for i := range drafts {
		drafts[i] = uuid.New()
		working.Go(func() { _, errs[i] = f.SaveDraft(ctx, ana, drafts[i], form(20_000), 0) })
	}
	working.Wait()
	var saved []uuid.UUID
	for i, err := range errs {
		switch {
		case err == nil:
			saved = append(saved, drafts[i])
		case !problem.Is(err, problem.TooLarge):
			t.Errorf("got %v, want TooLarge", err)
		}
	}
	if len(saved) != 2 {
		t.Fatalf("got %d drafts of 20,000 bytes, want 2", len(saved))
	}
	if _, err := f.Attach(ctx, ana, saved[0], "a.png", padded(t, 12_000)); !problem.Is(err, problem.TooLarge) {
		t.Errorf("a file beside the text: got %v, want TooLarge", err)
	}
	if _, err := f.SaveDraft(ctx, bia, uuid.New(), form(20_000), 0); err != nil {
		t.Errorf("another user: %v", err)
	}
	if _, err := f.SaveDraft(ctx, ana, saved[0], form(10), 1); err != nil {
		t.Errorf("a shorter text: %v", err)
	}
	if _, err := f.Attach(ctx, ana, saved[0], "a.png", padded(t, 12_000)); err != nil {
		t.Errorf("after it was shortened: %v", err)
	}
	MustDo(t, f.DiscardDraft(ctx, ana, saved[1]))
	if _, err := f.SaveDraft(ctx, ana, uuid.New(), form(20_000), 0); err != nil {
		t.Errorf("after one was thrown away: %v", err)
	}
}
