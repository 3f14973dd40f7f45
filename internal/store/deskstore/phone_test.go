package deskstore_test

import (
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestStore_PhoneLink: a link in place of the one before, found by code, phone and draft,
// and gone with its draft.
func TestStore_PhoneLink(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	link := desk.PhoneLink{Draft: uuid.New(), Owner: ana.User, Session: uuid.New(), Unit: "Centro", Expires: noon.Add(time.Minute)}
	issued, opened, ended := audit.Entry{Event: audit.PhoneCodeIssued}, audit.Entry{Event: audit.PhoneOpened},
		audit.Entry{Event: audit.PhoneEnded}
	before, code, phone, other := desk.SecretHash{1}, desk.SecretHash{2}, desk.SecretHash{3}, desk.SecretHash{4}
	MustDo(t, e.PutPhoneLink(ctx, link, before, noon, issued))
	MustDo(t, e.PutPhoneLink(ctx, link, code, noon, issued))
	if _, err := e.PhoneLinkOfCode(ctx, before); !problem.Is(err, problem.NotFound) {
		t.Errorf("the code before: got %v, want NotFound", err)
	}
	if got, err := e.PhoneLinkOfCode(ctx, code); err != nil || cmp.Diff(link, got) != "" {
		t.Errorf("got %+v, %v", got, err)
	}
	MustDo(t, e.OpenPhoneLink(ctx, code, phone, opened))
	if err := e.OpenPhoneLink(ctx, code, other, opened); !problem.Is(err, problem.Conflict) {
		t.Errorf("used twice: got %v, want Conflict", err)
	}
	MustDo(t, e.AttachFromPhone(ctx, phone, attachment(), admitAll))
	link.Opened, link.Files = true, 1
	if got, err := e.PhoneLink(ctx, ana.User, link.Draft); err != nil || cmp.Diff(link, got) != "" {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := e.PhoneLink(ctx, bia.User, link.Draft); !problem.Is(err, problem.NotFound) {
		t.Errorf("somebody else: got %v, want NotFound", err)
	}
	MustDo(t, e.EndPhoneLink(ctx, bia.User, link.Draft, ended)) // not theirs: nothing happens
	MustDo(t, e.DiscardDraft(ctx, ana.User, link.Draft, desk.AnyVersion, audit.Entry{Event: audit.DraftDiscarded}, ignoreDrop))
	if _, err := e.PhoneLinkOfPhone(ctx, phone); !problem.Is(err, problem.NotFound) {
		t.Errorf("after its draft: got %v, want NotFound", err)
	}
	if err := e.AttachFromPhone(ctx, phone, attachment(), admitAll); !problem.Is(err, problem.NotFound) {
		t.Errorf("a file after its draft: got %v, want NotFound", err)
	}
	want := []audit.Event{audit.PhoneCodeIssued, audit.PhoneCodeIssued, audit.PhoneOpened, audit.DraftDiscarded}
	if got := e.events(t); !slices.Equal(got, want) {
		t.Errorf("trail: got %v, want %v", got, want)
	}
}

// TestStore_PutPhoneLink_Stale: links that ended long ago go with the next one.
func TestStore_PutPhoneLink_Stale(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	for i, stale := range []time.Time{noon, noon.Add(time.Hour)} {
		link := desk.PhoneLink{Draft: uuid.New(), Owner: ana.User, Session: uuid.New(), Expires: noon.Add(time.Minute)}
		MustDo(t, e.PutPhoneLink(ctx, link, desk.SecretHash{byte(i)}, stale, audit.Entry{Event: audit.PhoneCodeIssued}))
	}
	if _, err := e.PhoneLinkOfCode(ctx, desk.SecretHash{0}); !problem.Is(err, problem.NotFound) {
		t.Errorf("got %v, want NotFound", err)
	}
}
