package desk_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"

	"github.com/google/uuid"
)

// sessions are those that are open, and counts guesses.
type sessions struct {
	open    map[uuid.UUID]permission.Actor
	guesses int
	refuse  error
}

func (s *sessions) SessionActor(_ context.Context, session uuid.UUID) (permission.Actor, error) {
	actor, ok := s.open[session]
	if !ok {
		return actor, problem.New(problem.Unauthorized, "")
	}
	return actor, nil
}

func (s *sessions) CountGuess(context.Context) error {
	s.guesses++
	return s.refuse
}

// phoneFixture is a desk with a draft of ana's, to which a phone may send.
type phoneFixture struct {
	*fixture
	sessions *sessions
	session  uuid.UUID
	draft    uuid.UUID
}

func mustPhoneDesk(t *testing.T) phoneFixture {
	t.Helper()
	p := phoneFixture{session: uuid.New(), draft: uuid.New()}
	p.sessions = &sessions{open: map[uuid.UUID]permission.Actor{p.session: ana}}
	p.fixture = MustDesk(t, func(c *desk.Config) { c.Accounts = p.sessions })
	return p
}

func (p phoneFixture) mustAsk(t *testing.T) (code string) {
	t.Helper()
	code, link, err := p.AskForPhone(t.Context(), ana, desk.PhoneLink{Draft: p.draft, Session: p.session, Unit: "Centro"})
	MustDo(t, err)
	if !link.Expires.Equal(p.clock.Now().Add(10 * time.Minute)) {
		t.Errorf("it ends at %v", link.Expires)
	}
	return code
}

func (p phoneFixture) mustOpenPhone(t *testing.T) (phone string) {
	t.Helper()
	phone, link, err := p.OpenPhone(t.Context(), p.mustAsk(t))
	if err != nil || link.Unit != "Centro" || !link.Opened {
		t.Fatalf("got %+v, %v", link, err)
	}
	return phone
}

// TestDesk_AttachFromPhone: files come into the draft, once each, and are counted.
func TestDesk_AttachFromPhone(t *testing.T) {
	t.Parallel()
	p, ctx := mustPhoneDesk(t), t.Context()
	phone := p.mustOpenPhone(t)
	for _, n := range []int{1, 2, 2} { // the last one is repeated
		_, err := p.AttachFromPhone(ctx, phone, "pedido.png", picture(t, n))
		MustDo(t, err)
	}
	draft, err := p.Draft(ctx, ana, p.draft)
	if err != nil || len(draft.Attachments) != 2 {
		t.Fatalf("got %d attachments, %v, want 2", len(draft.Attachments), err)
	}
	if link, err := p.PhoneLink(ctx, ana, p.draft); err != nil || link.Files != 2 {
		t.Errorf("got %+v, %v, want 2 files", link, err)
	}
	_, err = p.AttachFromPhone(ctx, phone, "virus.pdf", strings.NewReader("MZ"))
	if !problem.Is(err, problem.Unsupported) && !problem.Is(err, problem.Invalid) {
		t.Errorf("a file of another kind: %v", err)
	}
}

// TestDesk_PhoneEnds: what ends a link, ends it for the very next file.
func TestDesk_PhoneEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, p phoneFixture){
		"Time":      func(_ *testing.T, p phoneFixture) { p.clock.Advance(10 * time.Minute) },
		"Button":    func(t *testing.T, p phoneFixture) { MustDo(t, p.EndPhone(t.Context(), ana, p.draft)) },
		"Session":   func(_ *testing.T, p phoneFixture) { delete(p.sessions.open, p.session) },
		"Rights":    func(_ *testing.T, p phoneFixture) { p.sessions.open[p.session] = admin },
		"Discarded": func(t *testing.T, p phoneFixture) { MustDo(t, p.DiscardDraft(t.Context(), ana, p.draft)) },
		"OtherCode": func(t *testing.T, p phoneFixture) { p.mustAsk(t) },
	} {
		t.Run(name, func(t *testing.T) {
			p, ctx := mustPhoneDesk(t), t.Context()
			phone := p.mustOpenPhone(t)
			_, err := p.AttachFromPhone(ctx, phone, "a.png", picture(t, 1))
			MustDo(t, err)
			end(t, p)
			if _, err := p.Phone(ctx, phone); !problem.Is(err, problem.NotFound) {
				t.Errorf("got %v, want NotFound", err)
			}
			if _, err := p.AttachFromPhone(ctx, phone, "b.png", picture(t, 2)); !problem.Is(err, problem.NotFound) {
				t.Errorf("a file: got %v, want NotFound", err)
			}
		})
	}
	t.Run("WhileItComes", func(t *testing.T) {
		p, ctx := mustPhoneDesk(t), t.Context()
		phone := p.mustOpenPhone(t)
		ending := &onRead{Reader: picture(t, 1), do: func() { MustDo(t, p.EndPhone(ctx, ana, p.draft)) }}
		if _, err := p.AttachFromPhone(ctx, phone, "b.png", ending); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v, want NotFound", err)
		}
		if _, err := p.Draft(ctx, ana, p.draft); !problem.Is(err, problem.NotFound) {
			t.Errorf("the draft: got %v, want none", err)
		}
	})
}

// onRead does something before the first byte is read.
type onRead struct {
	io.Reader
	do func()
}

func (r *onRead) Read(b []byte) (int, error) {
	if r.do != nil {
		r.do()
		r.do = nil
	}
	return r.Reader.Read(b)
}

// TestDesk_OpenPhone_Denied: a code that is used, late or wrong says so, counts as a guess
// and is in the trail.
func TestDesk_OpenPhone_Denied(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		try  func(t *testing.T, p phoneFixture) (code string)
		told string
		want audit.Entry
	}{
		"Wrong": {func(*testing.T, phoneFixture) string { return "segredo" }, "não vale",
			audit.Entry{Object: audit.ObjectPhone, Detail: "codigo=desconhecido"}},
		"Used": {func(t *testing.T, p phoneFixture) string {
			code := p.mustAsk(t)
			_, _, err := p.OpenPhone(t.Context(), code)
			MustDo(t, err)
			return code
		}, "já foi usado", audit.Entry{Object: audit.ObjectDraft, Detail: "codigo=usado"}},
		"Late": {func(t *testing.T, p phoneFixture) string {
			code := p.mustAsk(t)
			p.clock.Advance(10 * time.Minute)
			return code
		}, "venceu", audit.Entry{Object: audit.ObjectDraft, Detail: "codigo=vencido"}},
		"Replaced": {func(t *testing.T, p phoneFixture) string {
			code := p.mustAsk(t)
			p.mustAsk(t)
			return code
		}, "não vale", audit.Entry{Object: audit.ObjectPhone, Detail: "codigo=desconhecido"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := mustPhoneDesk(t)
			code := tc.try(t, p)
			phone, _, err := p.OpenPhone(t.Context(), code)
			var told *problem.Error
			if phone != "" || !errors.As(err, &told) || !strings.Contains(told.Message, tc.told) || p.sessions.guesses != 1 {
				t.Errorf("got %q, %v, %d guesses", phone, err, p.sessions.guesses)
			}
			links, err := p.trail.List(t.Context(), auditlog.Filter{})
			MustDo(t, err)
			if got := links[0].Entry; got.Event != audit.AccessDenied || got.Object != tc.want.Object || got.Detail != tc.want.Detail {
				t.Errorf("trail: got %+v", got)
			}
		})
	}
	t.Run("TooMany", func(t *testing.T) {
		p := mustPhoneDesk(t)
		p.sessions.refuse = problem.New(problem.Throttled, "Espere.")
		if _, _, err := p.OpenPhone(t.Context(), "segredo"); !problem.Is(err, problem.Throttled) {
			t.Errorf("got %v, want Throttled", err)
		}
		p.mustOpenPhone(t) // a good one still gets in
	})
}

// TestDesk_AskForPhone_Denied: a code is for one's own open draft.
func TestDesk_AskForPhone_Denied(t *testing.T) {
	t.Parallel()
	p, ctx := mustPhoneDesk(t), t.Context()
	_, err := p.SaveDraft(ctx, ana, p.draft, desk.Form{Values: map[string]string{"nomeBeneficiario": "x"}}, 0)
	MustDo(t, err)
	ask := func(a permission.Actor) error {
		_, _, err := p.AskForPhone(ctx, a, desk.PhoneLink{Draft: p.draft, Session: p.session})
		return err
	}
	if err := ask(bia); !problem.Is(err, problem.NotFound) {
		t.Errorf("somebody else: %v", err)
	}
	if err := ask(admin); !problem.Is(err, problem.Forbidden) {
		t.Errorf("without the right: %v", err)
	}
	MustDo(t, p.DiscardDraft(ctx, ana, p.draft))
	if err := ask(ana); !problem.Is(err, problem.Conflict) {
		t.Errorf("discarded: %v", err)
	}
}

// TestDesk_AttachOnce: a file that comes again is the one that is there, even where there is
// room for no other; another name or other bytes make another file.
func TestDesk_AttachOnce(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t, small), t.Context()
	d := f.MustDraft(t, ana, nil)
	var first desk.Attachment
	for i, file := range []struct {
		name string
		n    int
	}{{"a.png", 1}, {"b.png", 1}, {"a.png", 2}, {"a.png", 1}} {
		a, err := f.AttachOnce(ctx, ana, d.UID, file.name, picture(t, file.n))
		MustDo(t, err)
		if i == 0 {
			first = a
		} else if i == 3 && a != first {
			t.Errorf("again: got %+v, want %+v", a, first)
		}
	}
	if after, err := f.Draft(ctx, ana, d.UID); err != nil || len(after.Attachments) != 3 {
		t.Errorf("got %d attachments, %v, want 3", len(after.Attachments), err)
	}
	if _, err := f.AttachOnce(ctx, ana, d.UID, "c.png", picture(t, 3)); !problem.Is(err, problem.TooLarge) {
		t.Errorf("a fourth: got %v, want TooLarge", err)
	}
}
