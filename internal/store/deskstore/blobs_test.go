package deskstore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/store/deskstore"

	"github.com/google/uuid"
)

// TestStore_Attach_Kept: admit learns of all that the owner's drafts keep, in the
// transaction that adds to it.
func TestStore_Attach_Kept(t *testing.T) {
	e, ctx, first, second := mustEnv(t), t.Context(), uuid.New(), uuid.New()
	const empty = int64(len("{}")) // a draft without text
	a, b := attachment(), attachment()
	told := func(want int64) func([]desk.Attachment, int64) error {
		return func(_ []desk.Attachment, kept int64) error {
			if kept != want {
				t.Errorf("told of %d bytes, want %d", kept, want)
			}
			return nil
		}
	}
	MustDo(t, e.Attach(ctx, ana.User, first, a, told(empty)))
	MustDo(t, e.Attach(ctx, ana.User, second, b, told(a.Size+2*empty)))
	MustDo(t, e.Attach(ctx, bia.User, uuid.New(), attachment(), told(empty)))
	MustDo(t, e.DiscardDraft(ctx, ana.User, first, desk.AnyVersion, entry, ignoreDrop))
	if kept, err := e.DraftBytes(ctx, ana.User); err != nil || kept != b.Size+empty {
		t.Errorf("got %d, %v, want %d", kept, err, b.Size+empty)
	}
	full := errors.New("full")
	copied := desk.Draft{UID: uuid.New(), Owner: ana.User, Attachments: []desk.Attachment{attachment()}}
	if err := e.AddDraft(ctx, copied, entry, func(int64) error { return full }); !errors.Is(err, full) {
		t.Errorf("a copy: got %v, want the refusal", err)
	}
	if kept, err := e.DraftBytes(ctx, ana.User); err != nil || kept != b.Size+empty {
		t.Errorf("after the refusal: got %d, %v, want %d", kept, err, b.Size+empty)
	}
}

// TestStore_Drop: who forgets names of blobs is told which, before they are gone.
func TestStore_Drop(t *testing.T) {
	e, ctx, draft := mustEnv(t), t.Context(), uuid.New()
	a, b := attachment(), attachment()
	b.Blob = blob.Ref(strings.Repeat("b", 64))
	MustDo(t, e.Attach(ctx, ana.User, draft, a, admitAll))
	MustDo(t, e.Attach(ctx, ana.User, draft, b, admitAll))
	var dropped []blob.Ref
	drop := func(refs ...blob.Ref) { dropped = append(dropped, refs...) }
	MustDo(t, e.Detach(ctx, ana.User, draft, a.UID, drop))
	MustDo(t, e.DiscardDraft(ctx, ana.User, draft, desk.AnyVersion, entry, drop))
	dropped = slices.Compact(dropped) // a transaction may run again
	if want := []blob.Ref{a.Blob, b.Blob}; !slices.Equal(dropped, want) {
		t.Errorf("got %v, want %v", dropped, want)
	}
}

// TestBlobNames_Passing: what only drafts name may cease to be named; what a case names stays.
func TestBlobNames_Passing(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	e.submit(t, func(s *desk.Submission) {
		sent := attachment()
		sent.Blob = blob.Ref(strings.Repeat("f", 64))
		s.Attachments = []desk.Attachment{sent}
	})
	kept := attachment()
	MustDo(t, e.Attach(ctx, ana.User, uuid.New(), kept, admitAll))
	passing, err := deskstore.BlobNames(e.db).Passing(ctx)
	if want := []blob.Ref{kept.Blob}; err != nil || !slices.Equal(passing, want) {
		t.Errorf("got %v, %v, want %v", passing, err, want)
	}
}
