package deskstore_test

import (
	"slices"
	"testing"

	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// asked remembers what a quota was asked about.
type asked struct{ kept []int64 }

func (a *asked) admit(kept int64) error {
	a.kept = append(a.kept, kept)
	return nil
}

// TestStore_SaveDraft_Quota: what the owner's drafts would keep is asked about when a text
// grows, and only then.
func TestStore_SaveDraft_Quota(t *testing.T) {
	e, ctx, uid := mustEnv(t), t.Context(), uuid.New()
	form := func(name string) desk.Form { return desk.Form{Values: map[string]string{"nomeBeneficiario": name}} }
	var quota asked
	for version, name := range []string{"abc", "abcdef", "ab"} {
		_, err := e.SaveDraft(ctx, ana.User, uid, form(name), version, quota.admit)
		MustDo(t, err)
		kept, err := e.DraftBytes(ctx, ana.User)
		MustDo(t, err)
		if last := quota.kept[len(quota.kept)-1]; name != "ab" && last != kept {
			t.Errorf("%s: asked about %d bytes, want the %d that are kept then", name, last, kept)
		}
	}
	if n := len(slices.Compact(quota.kept)); n != 2 { // a transaction may run again
		t.Errorf("asked about %d sums, want two: nobody is asked about a text that shrinks", n)
	}
	copied := desk.Draft{UID: uuid.New(), Owner: ana.User, Form: form("abcdefgh")}
	MustDo(t, e.AddDraft(ctx, copied, entry, quota.admit))
	kept, err := e.DraftBytes(ctx, ana.User)
	if last := quota.kept[len(quota.kept)-1]; last != kept || err != nil {
		t.Errorf("a copy: asked about %d bytes, %v, want %d", last, err, kept)
	}
	full := problem.New(problem.NoSpace, "")
	err = e.AddDraft(ctx, desk.Draft{UID: uuid.New(), Owner: ana.User}, entry, func(int64) error { return full })
	if drafts, listErr := e.Drafts(ctx, ana.User); !problem.Is(err, problem.NoSpace) || len(drafts) != 2 || listErr != nil {
		t.Errorf("beyond the quota: got %v and %d drafts, %v, want two as before", err, len(drafts), listErr)
	}
}

// TestStore_Attach_Refused: a file that storage does not take leaves nothing behind.
func TestStore_Attach_Refused(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	empty := attachment()
	empty.Size = 0
	if err := e.Attach(ctx, ana.User, uuid.New(), empty, admitAll); err == nil {
		t.Error("attached: got no error")
	}
	copied := desk.Draft{UID: uuid.New(), Owner: ana.User, Attachments: []desk.Attachment{empty}}
	if err := e.AddDraft(ctx, copied, entry, anyQuota); err == nil {
		t.Error("copied: got no error")
	}
	if drafts, err := e.Drafts(ctx, ana.User); len(drafts) != 0 || err != nil {
		t.Errorf("got %d drafts, %v, want none", len(drafts), err)
	}
}

// TestStore_Cases_BehindNothing: nothing comes behind a case that is not there, not even
// those whose patients wait.
func TestStore_Cases_BehindNothing(t *testing.T) {
	e := mustEnv(t)
	e.submit(t)
	got, err := e.Cases(t.Context(), all, desk.Query{Limit: 10, Before: uuid.New(), Today: e.now.AddDate(0, 0, -1)})
	if len(got) != 0 || err != nil {
		t.Errorf("got %d cases, %v, want none", len(got), err)
	}
}
