package deskstore_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
)

// ignoreDrop is for tests that are not about the bytes.
func ignoreDrop(...blob.Ref) {}

// cmpEmpty takes nil for empty.
var cmpEmpty = cmpopts.EquateEmpty()

func typed(name string) desk.Form {
	return desk.Form{Values: map[string]string{"nomeBeneficiario": name},
		Procedures: []desk.ProcedureRow{{Code: "1", Name: "Um", Quantity: "x"}}}
}

// TestStore_SaveDraft: a version at a time, and nothing typed elsewhere is lost.
func TestStore_SaveDraft(t *testing.T) {
	e, ctx, uid := mustEnv(t), t.Context(), uuid.New()
	first, err := e.SaveDraft(ctx, ana.User, uid, typed("a"), 0, anyQuota)
	MustDo(t, err)
	e.pass(time.Minute)
	second, err := e.SaveDraft(ctx, ana.User, uid, typed("b"), 1, anyQuota)
	MustDo(t, err)
	want := desk.Draft{UID: uid, Owner: ana.User, Form: typed("a"), Version: 1, Revision: 1, CreatedAt: noon, UpdatedAt: noon}
	if diff := cmp.Diff(want, first, cmpEmpty); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
	want.Form, want.Version, want.Revision, want.UpdatedAt = typed("b"), 2, 2, e.now
	if diff := cmp.Diff(want, second, cmpEmpty); diff != "" {
		t.Errorf("second (-want +got):\n%s", diff)
	}
	stored, err := e.Draft(ctx, ana.User, uid)
	if diff := cmp.Diff(want, stored, cmpEmpty); err != nil || diff != "" {
		t.Errorf("stored, error %v (-want +got):\n%s", err, diff)
	}
	t.Run("SameAgain", func(t *testing.T) {
		got, err := e.SaveDraft(ctx, ana.User, uid, typed("b"), 1, anyQuota) // the answer to the save before was lost
		if diff := cmp.Diff(want, got, cmpEmpty); err != nil || diff != "" {
			t.Errorf("error %v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("OtherTab", func(t *testing.T) {
		got, err := e.SaveDraft(ctx, ana.User, uid, typed("c"), 1, anyQuota)
		if diff := cmp.Diff(want, got, cmpEmpty); !problem.Is(err, problem.Conflict) || diff != "" {
			t.Errorf("error %v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("SomebodyElse", func(t *testing.T) {
		for _, version := range []int{0, 2} {
			if _, err := e.SaveDraft(ctx, bia.User, uid, typed("c"), version, anyQuota); !problem.Is(err, problem.NotFound) {
				t.Errorf("version %d: got %v, want NotFound", version, err)
			}
		}
	})
	t.Run("NotOpened", func(t *testing.T) {
		if _, err := e.SaveDraft(ctx, ana.User, uuid.New(), typed("c"), 1, anyQuota); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v, want NotFound", err)
		}
	})
}

// TestStore_Drafts lists the owner's open drafts, the latest change first.
func TestStore_Drafts(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	older, newer := uuid.New(), uuid.New()
	for _, uid := range []uuid.UUID{older, newer} {
		_, err := e.SaveDraft(ctx, ana.User, uid, typed("a"), 0, anyQuota)
		MustDo(t, err)
		e.pass(time.Minute)
	}
	file := attachment()
	MustDo(t, e.Attach(ctx, ana.User, older, file, admitAll))
	_, err := e.SaveDraft(ctx, bia.User, uuid.New(), typed("b"), 0, anyQuota)
	MustDo(t, err)
	drafts, err := e.Drafts(ctx, ana.User)
	if err != nil || len(drafts) != 2 || drafts[0].UID != older || drafts[1].UID != newer || len(drafts[0].Attachments) != 1 ||
		drafts[0].Attachments[0] != file {
		t.Errorf("got %+v, %v, want the one with the new file first", drafts, err)
	}
}

func admitAll([]desk.Attachment, int64) error { return nil }

func anyQuota(int64) error { return nil }

// TestStore_Attach adds and removes files, opening the draft if need be.
func TestStore_Attach(t *testing.T) {
	e, ctx, uid := mustEnv(t), t.Context(), uuid.New()
	first, second := attachment(), attachment()
	MustDo(t, e.Attach(ctx, ana.User, uid, first, admitAll))
	e.pass(time.Minute)
	refused := errors.New("too many")
	err := e.Attach(ctx, ana.User, uid, second, func(present []desk.Attachment, _ int64) error {
		if !slices.Equal(present, []desk.Attachment{first}) {
			t.Errorf("present: got %v", present)
		}
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("got %v, want the refusal", err)
	}
	MustDo(t, e.Attach(ctx, ana.User, uid, second, admitAll))
	d, err := e.Draft(ctx, ana.User, uid)
	if err != nil || !slices.Equal(d.Attachments, []desk.Attachment{first, second}) || d.Version != 0 || d.Revision != 2 ||
		!d.UpdatedAt.Equal(e.now) {
		t.Errorf("got %+v, %v", d, err)
	}
	MustDo(t, e.Detach(ctx, ana.User, uid, first.UID, ignoreDrop))
	if d, err = e.Draft(ctx, ana.User, uid); err != nil || !slices.Equal(d.Attachments, []desk.Attachment{second}) || d.Revision != 3 {
		t.Errorf("detached: got %+v, %v", d, err)
	}
	for name, err := range map[string]error{
		"DetachAgain":     e.Detach(ctx, ana.User, uid, first.UID, ignoreDrop),
		"DetachForeign":   e.Detach(ctx, bia.User, uid, second.UID, ignoreDrop),
		"AttachToForeign": e.Attach(ctx, bia.User, uid, attachment(), admitAll),
	} {
		if !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: got %v, want NotFound", name, err)
		}
	}
}

// TestStore_AddDraft stores a copy as it is, linked to its case.
func TestStore_AddDraft(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	want := desk.Draft{UID: uuid.New(), Owner: ana.User, Form: typed("a"), Previous: uuid.New(),
		Attachments: []desk.Attachment{attachment(), attachment()}}
	MustDo(t, e.AddDraft(ctx, want, audit.Entry{Event: audit.CaseCopied}, anyQuota))
	want.Version, want.Revision, want.CreatedAt, want.UpdatedAt = 1, 1, noon, noon
	got, err := e.Draft(ctx, ana.User, want.UID)
	if diff := cmp.Diff(want, got, cmpEmpty); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	if events := e.events(t); !slices.Equal(events, []audit.Event{audit.CaseCopied}) {
		t.Errorf("trail: got %v", events)
	}
}

// TestStore_AddDraft_Whole: a copy of which a file cannot be written is not written at all.
func TestStore_AddDraft_Whole(t *testing.T) {
	e, ctx, file := mustEnv(t), t.Context(), attachment()
	d := desk.Draft{UID: uuid.New(), Owner: ana.User, Form: typed("a"), Attachments: []desk.Attachment{file, file}}
	if err := e.AddDraft(ctx, d, entry, anyQuota); err == nil || errors.Is(err, engine.ErrAborted) {
		t.Errorf("got %v, want that the file is there already", err)
	}
	if _, err := e.Draft(ctx, ana.User, d.UID); !problem.Is(err, problem.NotFound) || len(e.events(t)) > 0 {
		t.Errorf("got %v and %v in the trail, want nothing", err, e.events(t))
	}
}

// TestStore_DiscardDraft: what it held is gone, and a save on its way opens it no
// more.
func TestStore_DiscardDraft(t *testing.T) {
	e, ctx, uid := mustEnv(t), t.Context(), uuid.New()
	_, err := e.SaveDraft(ctx, ana.User, uid, typed("a"), 0, anyQuota)
	MustDo(t, err)
	MustDo(t, e.Attach(ctx, ana.User, uid, attachment(), admitAll))
	if err := e.DiscardDraft(ctx, bia.User, uid, desk.AnyVersion, entry, ignoreDrop); !problem.Is(err, problem.NotFound) {
		t.Errorf("somebody else: got %v, want NotFound", err)
	}
	MustDo(t, e.DiscardDraft(ctx, ana.User, uid, desk.AnyVersion, audit.Entry{Event: audit.DraftDiscarded}, ignoreDrop))
	for name, err := range map[string]error{
		"Draft":   second(e.Draft(ctx, ana.User, uid)),
		"Discard": e.DiscardDraft(ctx, ana.User, uid, desk.AnyVersion, entry, ignoreDrop),
	} {
		if !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: got %v, want NotFound", name, err)
		}
	}
	for name, err := range map[string]error{
		"Save":   second(e.SaveDraft(ctx, ana.User, uid, typed("b"), 1, anyQuota)),
		"Attach": e.Attach(ctx, ana.User, uid, attachment(), admitAll),
	} {
		if !problem.Is(err, problem.Conflict) {
			t.Errorf("%s: got %v, want Conflict", name, err)
		}
	}
	if events := e.events(t); !slices.Equal(events, []audit.Event{audit.DraftDiscarded}) {
		t.Errorf("trail: got %v", events)
	}
}
