package desk_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func TestDesk_Submit(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	name := "Zoë 👩🏽‍⚕️ e\u0301" + strings.Repeat("ã", 5000)
	d := f.MustDraft(t, ana, map[string]string{"nomeBeneficiario": name + "\x00", "observacoes": "urgente"})
	a, err := f.Attach(ctx, ana, d.UID, "pedido.png", picture(t, 1))
	MustDo(t, err)
	r, err := f.Review(ctx, ana, d.UID)
	MustDo(t, err)
	uid, err := f.Submit(ctx, ana, d.UID)
	MustDo(t, err)
	c := f.MustCase(t, uid)

	t.Run("AsItWasReviewed", func(t *testing.T) {
		want := r.Request
		want.ProviderGuide = c.Request.ProviderGuide
		if diff := cmp.Diff(c.Request, want, cmpTimes); diff != "" {
			t.Errorf("request: got, want\n%s", diff)
		}
		if c.BeneficiaryName != name || c.Names != r.Names || c.CardNumber != "0310004577824821" || !c.PatientPresent {
			t.Errorf("summary: got %+v", c.CaseSummary)
		}
		if len(c.Attachments) != 1 || c.Attachments[0] != a {
			t.Errorf("attachments: got %+v, want %+v", c.Attachments, a)
		}
	})
	t.Run("Queued", func(t *testing.T) {
		want := desk.CaseState{State: desk.Queued, Group: authorization.Waiting, Origin: desk.OriginDesk, At: f.clock.Now()}
		if diff := cmp.Diff(c.CaseState, want); diff != "" {
			t.Errorf("standing: got, want\n%s", diff)
		}
		if c.Sender != (desk.Author{User: anaID, Name: "Ana Prado"}) || !c.Deadline.Equal(f.clock.Now().Add(30*time.Minute)) {
			t.Errorf("got sender %+v, deadline %v", c.Sender, c.Deadline)
		}
	})
	t.Run("DraftEnds", func(t *testing.T) {
		if _, err := f.Draft(ctx, ana, d.UID); !problem.Is(err, problem.NotFound) {
			t.Errorf("draft: got %v, want not found", err)
		}
		if _, err := f.SaveDraft(ctx, ana, d.UID, d.Form, d.Version); !problem.Is(err, problem.Conflict) {
			t.Errorf("a save on its way: got %v, want conflict", err)
		}
		if got, err := f.CaseOf(ctx, ana, d.UID); got != uid || err != nil {
			t.Errorf("case of the draft: got %v, %v, want %v", got, err, uid)
		}
	})
	t.Run("Again", func(t *testing.T) {
		if got, err := f.Submit(ctx, ana, d.UID); got != uid || err != nil {
			t.Errorf("got %v, %v, want %v", got, err, uid)
		}
		if _, err := f.Submit(ctx, bia, d.UID); !problem.Is(err, problem.NotFound) {
			t.Errorf("by another person: got %v, want not found", err)
		}
	})
	t.Run("Trail", func(t *testing.T) {
		f.wantTrail(t,
			audit.Entry{Actor: biaID, Event: audit.AccessDenied, Object: audit.ObjectDraft, ObjectID: d.UID, Detail: "alcance=pessoa"},
			audit.Entry{Actor: celiaID, Event: audit.CaseViewed, Object: audit.ObjectCase, ObjectID: uid},
			audit.Entry{Actor: anaID, Event: audit.RequestSubmitted, Object: audit.ObjectCase, ObjectID: uid})
	})
	t.Run("ErrNotClinical", func(t *testing.T) {
		if _, err := f.Submit(ctx, admin, d.UID); !problem.Is(err, problem.Forbidden) {
			t.Errorf("got %v, want forbidden", err)
		}
	})
}

// TestDesk_SubmitSeen: only what was reviewed is sent, and what was sent is found whatever was.
func TestDesk_SubmitSeen(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	d := f.MustDraft(t, ana, nil)
	for want, seen := range map[error]desk.Seen{
		desk.ErrOtherVersion: {Version: d.Version + 1, Revision: desk.AnyVersion},
		desk.ErrOtherFiles:   {Version: d.Version, Revision: d.Revision + 1},
	} {
		if _, err := f.SubmitSeen(ctx, ana, d.UID, seen); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	uid, err := f.SubmitSeen(ctx, ana, d.UID, desk.Seen{Version: d.Version, Revision: d.Revision})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := f.SubmitSeen(ctx, ana, d.UID, desk.Seen{Version: d.Version + 1}); again != uid || err != nil {
		t.Errorf("again: got %v, %v, want %v", again, err, uid)
	}
}

func TestDesk_SubmitTwice(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	d := f.MustDraft(t, ana, nil)
	var cases sync.Map
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			uid, err := f.Submit(context.Background(), ana, d.UID)
			if err != nil {
				t.Error(err)
			}
			cases.Store(uid, true)
		})
	}
	all.Wait()
	var uid uuid.UUID
	distinct := 0
	cases.Range(func(key, _ any) bool { uid = key.(uuid.UUID); distinct++; return true })
	if distinct != 1 {
		t.Fatalf("50 presses: got %d cases, want 1", distinct)
	}
	f.MustBecome(t, uid, desk.Answered)
	if got := len(f.service.Sent()); got != 1 {
		t.Errorf("sent: got %d, want 1", got)
	}
	if got := f.count(t, `SELECT COUNT(*) FROM submission`); got != 1 {
		t.Errorf("rows: got %d, want 1", got)
	}
}

// count runs a query for one number. What the trail was told stands in its chain before.
func (f *fixture) count(tb testing.TB, query string, args ...any) (n int) {
	tb.Helper()
	MustDo(tb, f.trail.Link(context.Background()))
	MustDo(tb, f.db.Read(context.Background(), func(tx *engine.Tx) error {
		return tx.QueryRow(context.Background(), query, args...).Scan(&n)
	}))
	return n
}

// changing is a store under which somebody changes the draft between its check
// and its end.
type changing struct {
	desk.Store
	change func()
}

func (c *changing) Submit(ctx context.Context, s desk.Submission, e audit.Entry) (uuid.UUID, error) {
	c.change()
	return c.Store.Submit(ctx, s, e)
}

func TestDesk_SubmitChanged(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*fixture, desk.Draft) error{
		"Form": func(f *fixture, d desk.Draft) error {
			d.Form.Values["nomeContato"] = "outra aba"
			return second(f.SaveDraft(context.Background(), ana, d.UID, d.Form, d.Version))
		},
		"Attachment": func(f *fixture, d desk.Draft) error {
			return second(f.Attach(context.Background(), ana, d.UID, "a.png", picture(t, 1)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := &changing{}
			f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
			d := f.MustDraft(t, ana, nil)
			store.change = func() { MustDo(t, change(f, d)) }
			if _, err := f.Submit(t.Context(), ana, d.UID); !problem.Is(err, problem.Conflict) {
				t.Fatalf("got %v, want conflict", err)
			}
			if got := f.count(t, `SELECT COUNT(*) FROM submission`); got != 0 {
				t.Errorf("submissions: got %d, want none", got)
			}
			store.change = func() {}
			if _, err := f.Submit(t.Context(), ana, d.UID); err != nil {
				t.Errorf("confirmed again: got %v", err)
			}
		})
	}
}

func TestDesk_SubmitNumbers(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	seen := map[string]bool{}
	var installation, last string
	for i := range 5 {
		uid := f.MustSubmit(t, ana, map[string]string{"numeroCarteira": string(rune('1' + i))})
		guide := f.MustCase(t, uid).ProviderGuide
		if len(guide) != 20 || !strings.HasPrefix(guide, "261120140200") || seen[guide] {
			t.Errorf("got %q, want 20 digits of 14:02 in São Paulo, none twice", guide)
		}
		seen[guide] = true
		if installation == "" {
			installation = guide[12:15]
		}
		got, next := guide[12:], installation+"0000"+string(rune('1'+i))
		later := f.db.Shared() && strings.HasPrefix(got, installation) && got > last && got < installation+"00100"
		if got != next && !later {
			t.Errorf("installation and counter: got %q, want %q, or a later one where transactions run again", got, next)
		}
		last = got
	}
}

func TestProviderGuide(t *testing.T) {
	zone := time.FixedZone("", -3*60*60)
	for _, tc := range []struct {
		at           time.Time
		installation int
		counter      int64
		want         string
	}{
		{time.Date(2026, 11, 20, 17, 2, 9, 999, time.UTC).In(zone), 7, 42, "26112014020900700042"},
		{time.Date(2027, 1, 1, 1, 0, 0, 0, time.UTC).In(zone), 999, 100_000, "26123122000099900000"},
		{time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), 0, 123_456_789, "00010100000000056789"},
	} {
		if got := desk.ProviderGuide(tc.at, tc.installation, tc.counter); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

// TestDesk_SubmitStarts: while the desk runs, the first attempt is committed with its
// submission, so that the disk is waited for once before the request leaves.
func TestDesk_SubmitStarts(t *testing.T) {
	t.Parallel()
	store := &claimless{runs: make(chan struct{})}
	f := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store })
	stop := f.MustRun(t)
	<-store.runs
	uid := f.MustSubmit(t, ana, nil)
	f.MustBecome(t, uid, desk.Answered)
	if _, err := f.Submit(t.Context(), ana, uuid.New()); err == nil {
		t.Error("a draft that is none was sent")
	}
	stop()
	if sent := f.service.sent; len(sent) != 1 || sent[0].Line == nil || f.service.lines.Load() != 0 {
		t.Errorf("%d connections stay open of those that were made ahead", f.service.lines.Load())
	}
	if uid = f.MustSubmit(t, ana, nil); f.MustCase(t, uid).State != desk.Queued {
		t.Error("an attempt began at a desk that does not run")
	}
}

// claimless is a store in which nothing is claimed from the queue.
type claimless struct {
	desk.Store
	runs chan struct{} // closed when the desk looks at the queue
	once sync.Once
}

func (c *claimless) Claim(context.Context, uuid.UUID, desk.Recipient, desk.Slots) ([]desk.Claim, error) {
	c.once.Do(func() { close(c.runs) })
	return nil, nil
}
