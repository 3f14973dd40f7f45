package desk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// MustSubmitFiles sends off a draft with pictures attached.
func (f *fixture) MustSubmitFiles(tb testing.TB, n int) uuid.UUID {
	tb.Helper()
	draft := f.MustDraft(tb, ana, nil)
	for i := range n {
		_, err := f.Attach(tb.Context(), ana, draft.UID, fmt.Sprintf("pedido %d.png", i+1), picture(tb, i))
		MustDo(tb, err)
	}
	uid, err := f.Submit(tb.Context(), ana, draft.UID)
	MustDo(tb, err)
	return uid
}

// TestDesk_RunDamaged: a missing, shortened or changed attachment is found before anything
// leaves, and the case says which it is; its copy has the others.
func TestDesk_RunDamaged(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(path string) error{
		"Missing": os.Remove,
		"Shortened": func(path string) error {
			return os.Truncate(path, 40)
		},
		"Empty": func(path string) error {
			return os.Truncate(path, 0)
		},
		"Changed": func(path string) error {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			data[len(data)-1]++
			return os.WriteFile(path, data, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			uid := f.MustSubmitFiles(t, 3)
			MustDo(t, harm(filepath.Join(f.dir, filepath.FromSlash(f.MustCase(t, uid).Attachments[1].Blob.Path()))))
			f.MustRun(t)
			if got := f.MustBecome(t, uid, desk.Refused); got.Reason != desk.ReasonDamaged || got.Origin != desk.OriginDesk {
				t.Errorf("got reason %q by %q, want that an attachment is damaged here", got.Reason, got.Origin)
			}
			if n := len(f.service.Sent()); n != 0 {
				t.Errorf("sent %d times, want 0", n)
			}
			c := f.MustCase(t, uid)
			if len(c.Fields) != 1 || c.Fields[0].Path != "anexos[1]" || c.Fields[0].Code != desk.CodeDamaged ||
				!bytes.Contains([]byte(c.Fields[0].Message), []byte("“pedido 2.png”")) {
				t.Errorf("fields: got %+v, want the second attachment", c.Fields)
			}
			if c.NextStep() != desk.StepAttach || c.Attempts[0].SentBytes != 0 {
				t.Errorf("got step %d after %+v", c.NextStep(), c.Attempts)
			}
			copied, err := f.CopyToDraft(t.Context(), ana, uid)
			MustDo(t, err)
			var names []string
			for _, a := range copied.Attachments {
				names = append(names, a.Name)
			}
			if diff := cmp.Diff([]string{"pedido 1.png", "pedido 3.png"}, names); diff != "" || copied.Copy != desk.Correction {
				t.Errorf("copy %q: -want +got\n%s", copied.Copy, diff)
			}
			told, err := f.Refusals(t.Context(), ana, copied)
			if err != nil || len(told) != 1 || told[0].Path != "anexos" {
				t.Errorf("beside the draft's fields: got %+v, %v", told, err)
			}
		})
	}
}

// exhausted are files of a process that has no descriptors left for a while.
type exhausted struct {
	desk.Blobs
	left atomic.Int32
}

func (b *exhausted) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	if b.left.Add(-1) >= 0 {
		return nil, fmt.Errorf("blob: open: %w", syscall.EMFILE)
	}
	return b.Blobs.Open(ctx, ref)
}

// TestDesk_RunWithoutDescriptors: what could not be opened for a while is no damage and no
// doubt.
func TestDesk_RunWithoutDescriptors(t *testing.T) {
	t.Parallel()
	blobs := &exhausted{}
	f := MustDesk(t, func(c *desk.Config) { blobs.Blobs = c.Blobs; c.Blobs = blobs })
	uid := f.MustSubmitFiles(t, 1)
	blobs.left.Store(1)
	f.MustRun(t)
	f.MustSettle(t, 1)
	if c := f.MustCase(t, uid); c.State != desk.Queued || c.UnknownOutcome || c.Reason != string(authorization.FailureLocal) {
		t.Errorf("got %+v, doubt %v, want it in the queue without doubt", c.CaseState, c.UnknownOutcome)
	}
	f.clock.Advance(time.Minute)
	f.MustBecome(t, uid, desk.Answered)
	if n := len(f.service.Sent()); n != 1 {
		t.Errorf("sent %d times, want 1", n)
	}
}

// TestDesk_CopyToDraft_WithoutDescriptors: a photo that cannot be opened for a while is
// neither left out of a copy nor copied as it is.
func TestDesk_CopyToDraft_WithoutDescriptors(t *testing.T) {
	t.Parallel()
	blobs := &exhausted{}
	f := MustDesk(t, func(c *desk.Config) { blobs.Blobs = c.Blobs; c.Blobs = blobs })
	uid := f.MustSubmitFiles(t, 1)
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Answered)
	blobs.left.Store(1)
	if _, err := f.CopyToDraft(t.Context(), ana, uid); !errors.Is(err, syscall.EMFILE) {
		t.Errorf("got %v", err)
	}
	if copied, err := f.CopyToDraft(t.Context(), ana, uid); err != nil || len(copied.Attachments) != 1 {
		t.Errorf("afterwards: got %d attachments, %v", len(copied.Attachments), err)
	}
}

// TestDesk_Damaged: the guide that is about to be shown is read, the others are as they are
// known to be.
func TestDesk_Damaged(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustAnswerWithGuides(t, "%PDF 1", "%PDF 2")
	c := f.MustCase(t, uid)
	first := c.Guides()[0].Blob
	check := func(shown int, want ...blob.Ref) {
		t.Helper()
		if got, err := f.Damaged(ctx, c, shown); err != nil || !slices.Equal(got, want) {
			t.Errorf("guide %d: got %q, %v, want %q", shown, got, err, want)
		}
	}
	check(0)
	MustDo(t, os.WriteFile(filepath.Join(f.dir, filepath.FromSlash(first.Path())), []byte("%PDF x"), 0o600))
	check(-1)
	check(2)
	check(1)
	check(0, first)
}

// TestDesk_RunDamagedRow: a case whose state is damaged while its request is on the wire
// ends as damaged, what came back is kept, and its place on the wire is free for others.
func TestDesk_RunDamagedRow(t *testing.T) {
	t.Parallel()
	f := MustDesk(t, func(c *desk.Config) { c.Slots = desk.Slots{All: 1, PerCredential: 1} })
	bad := f.MustSubmit(t, ana, nil)
	var once sync.Once
	f.service.onSend = func(context.Context, authorization.Dispatch) {
		once.Do(func() {
			MustDo(t, f.db.Write(t.Context(), func(tx *engine.Tx) error {
				_, err := tx.Exec(t.Context(), `UPDATE submission_state SET changed_at = changed_at + 1`)
				return err
			}))
		})
	}
	f.MustRun(t)
	eventually(t, func() string {
		if n := f.count(t, `SELECT COUNT(*) FROM submission_state WHERE state = 'unknown'`); n != 1 {
			return "it has not ended"
		}
		return ""
	})
	good := f.MustSubmit(t, ana, nil)
	f.MustBecome(t, good, desk.Answered)
	if _, err := f.Case(t.Context(), ana, bad, 0); !problem.Is(err, problem.Damaged) {
		t.Errorf("got %v, want that the case is damaged", err)
	}
	if n := f.count(t, `SELECT COUNT(*) FROM exchange WHERE body <> ''`); n != 2 {
		t.Errorf("%d raw answers are kept, want both", n)
	}
}
