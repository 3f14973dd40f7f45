package desk_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func TestDesk_SaveDraft(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	t.Run("OK", func(t *testing.T) {
		form := fullForm()
		form.Values["nomeBeneficiario"] = "  Zoë 👩🏽‍⚕️ e\u0301\u202e \x00 "
		form.Values["versao"] = "17"
		uid := MustUID(t)
		saved, err := f.SaveDraft(ctx, ana, uid, form, 0)
		MustDo(t, err)
		got, err := f.Draft(ctx, ana, uid)
		MustDo(t, err)
		if diff := cmp.Diff(got, saved); diff != "" {
			t.Errorf("read again: got, want\n%s", diff)
		}
		delete(form.Values, "versao")
		if diff := cmp.Diff(got.Form, form); diff != "" || got.Version != 1 || got.Owner != anaID {
			t.Errorf("form: got, want (version %d)\n%s", got.Version, diff)
		}
	})
	t.Run("NextSave", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		f.clock.Advance(time.Minute)
		d.Form.Values["nomeContato"] = "Outra"
		got, err := f.SaveDraft(ctx, ana, d.UID, d.Form, d.Version)
		MustDo(t, err)
		if got.Version != 2 || !got.UpdatedAt.Equal(f.clock.Now()) || !got.CreatedAt.Equal(d.CreatedAt) {
			t.Errorf("got version %d of %v, created %v", got.Version, got.UpdatedAt, got.CreatedAt)
		}
	})
	t.Run("AnswerLost", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		got, err := f.SaveDraft(ctx, ana, d.UID, d.Form, 0)
		if err != nil || got.Version != 1 {
			t.Errorf("the same again: got version %d, %v, want 1", got.Version, err)
		}
	})
	t.Run("ErrTwoTabs", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		other := fullForm()
		other.Values["nomeContato"] = "da outra aba"
		newer, err := f.SaveDraft(ctx, ana, d.UID, other, 1)
		MustDo(t, err)
		stale := fullForm()
		stale.Values["nomeContato"] = "desta aba"
		got, err := f.SaveDraft(ctx, ana, d.UID, stale, 1)
		if !problem.Is(err, problem.Conflict) {
			t.Fatalf("got %v, want conflict", err)
		}
		kept, err := f.Draft(ctx, ana, d.UID)
		MustDo(t, err)
		for who, d := range map[string]desk.Draft{"told": got, "kept": kept} {
			if diff := cmp.Diff(d, newer); diff != "" {
				t.Errorf("%s: got, want the newer one\n%s", who, diff)
			}
		}
	})
	t.Run("ErrOtherUser", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		for _, version := range []int{0, 1} {
			if got, err := f.SaveDraft(ctx, bia, d.UID, fullForm(), version); !problem.Is(err, problem.NotFound) || got.UID != uuid.Nil {
				t.Errorf("version %d: got %v, %v, want not found", version, got.UID, err)
			}
		}
		if _, err := f.Draft(ctx, celia, d.UID); !problem.Is(err, problem.NotFound) {
			t.Errorf("supervision reads: got %v, want not found", err)
		}
	})
	t.Run("ErrUnknown", func(t *testing.T) {
		for uid, version := range map[uuid.UUID]int{MustUID(t): 3, uuid.Nil: 0} {
			if _, err := f.SaveDraft(ctx, ana, uid, fullForm(), version); !problem.Is(err, problem.NotFound) {
				t.Errorf("got %v, want not found", err)
			}
		}
	})
	t.Run("ErrNotClinical", func(t *testing.T) {
		if _, err := f.SaveDraft(ctx, admin, MustUID(t), fullForm(), 0); !problem.Is(err, problem.Forbidden) {
			t.Errorf("got %v, want forbidden", err)
		}
	})
}

// TestDesk_SaveDraft_Names: a known code gets its name, unless another one was typed.
func TestDesk_SaveDraft_Names(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	form := fullForm()
	form.Procedures = []desk.ProcedureRow{
		{Code: "40901122", Quantity: "1"}, {Code: "40901122", Name: "Ultrassom", Quantity: "1"}, {Code: "1", Quantity: "1"}, {Quantity: "1"},
	}
	MustDo(t, f.config.Directory.(*directory.Directory).PutProcedures(t.Context(),
		directory.Procedure{Code: "40901122", Name: "US - Abdome total", Active: true}))
	draft, err := f.SaveDraft(t.Context(), ana, MustUID(t), form, 0)
	MustDo(t, err)
	for i, want := range []string{"US - Abdome total", "Ultrassom", "", ""} {
		if got := draft.Form.Procedures[i].Name; got != want {
			t.Errorf("row %d: got %q, want %q", i, got, want)
		}
	}
	if _, err := f.DraftOpened(t.Context(), admin, draft.UID); !problem.Is(err, problem.Forbidden) {
		t.Errorf("asked by administração: got %v, want that it is refused", err)
	}
	for uid, want := range map[uuid.UUID]bool{draft.UID: true, uuid.New(): false} {
		if got, err := f.DraftOpened(t.Context(), bia, uid); got != want || err != nil {
			t.Errorf("opened: got %v, %v, want %v", got, err, want)
		}
	}
}

func TestDesk_DiscardDraft(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	d := f.MustDraft(t, ana, nil)
	_, err := f.Attach(ctx, ana, d.UID, "pedido.png", picture(t, 1))
	MustDo(t, err)
	if err := f.DiscardDraft(ctx, bia, d.UID); !problem.Is(err, problem.NotFound) {
		t.Fatalf("by another person: got %v, want not found", err)
	}
	MustDo(t, f.DiscardDraft(ctx, ana, d.UID))
	if _, err := f.Draft(ctx, ana, d.UID); !problem.Is(err, problem.NotFound) {
		t.Errorf("read: got %v, want not found", err)
	}
	for _, version := range []int{0, 1} {
		if _, err := f.SaveDraft(ctx, ana, d.UID, d.Form, version); !problem.Is(err, problem.Conflict) {
			t.Errorf("a save on its way (version %d): got %v, want conflict", version, err)
		}
	}
	if _, err := f.Attach(ctx, ana, d.UID, "pedido.png", picture(t, 1)); !problem.Is(err, problem.Conflict) {
		t.Errorf("a file on its way: got %v, want conflict", err)
	}
	if err := f.DiscardDraft(ctx, ana, d.UID); !problem.Is(err, problem.NotFound) {
		t.Errorf("again: got %v, want not found", err)
	}
	f.wantTrail(t, audit.Entry{Actor: anaID, Event: audit.DraftDiscarded, Object: audit.ObjectDraft, ObjectID: d.UID},
		audit.Entry{Actor: biaID, Event: audit.AccessDenied, Object: audit.ObjectDraft, ObjectID: d.UID, Detail: "alcance=pessoa"})
}

// meanwhile is a store in which something happens right after a draft was read.
type meanwhile struct {
	desk.Store
	happens func()
}

func (m *meanwhile) Draft(ctx context.Context, owner, uid uuid.UUID) (desk.Draft, error) {
	d, err := m.Store.Draft(ctx, owner, uid)
	if happens := m.happens; happens != nil {
		m.happens = nil
		happens()
	}
	return d, err
}

// TestDesk_LeaveDraft: a draft that another one takes the place of goes if it holds only whom it is for, and stays if
// anything else came into it, also at the last moment.
func TestDesk_LeaveDraft(t *testing.T) {
	t.Parallel()
	store := &meanwhile{}
	f, ctx := MustDesk(t, func(c *desk.Config) { store.Store = c.Store; c.Store = store }), t.Context()
	who := desk.Form{Values: map[string]string{"nomeBeneficiario": "Lia Prado", "numeroCarteira": "1"}}
	for name, tt := range map[string]struct {
		happens func(uid uuid.UUID) error
		stays   bool
	}{
		"Nothing": {func(uuid.UUID) error { return nil }, false},
		"Typed": {func(uid uuid.UUID) error {
			more := desk.Form{Values: map[string]string{"nomeBeneficiario": "Lia Prado", "observacoes": "em jejum"}}
			_, err := f.SaveDraft(ctx, ana, uid, more, 1)
			return err
		}, true},
		"Attached": {func(uid uuid.UUID) error {
			_, err := f.AttachOnce(ctx, ana, uid, "pedido.png", picture(t, 1))
			return err
		}, true},
		"Discarded": {func(uid uuid.UUID) error { return f.DiscardDraft(ctx, ana, uid) }, false},
	} {
		uid := MustUID(t)
		_, err := f.SaveDraft(ctx, ana, uid, who, 0)
		MustDo(t, err)
		store.happens = func() { MustDo(t, tt.happens(uid)) }
		MustDo(t, f.LeaveDraft(ctx, ana, uid))
		if _, err := f.Draft(ctx, ana, uid); problem.Is(err, problem.NotFound) == tt.stays {
			t.Errorf("%s: got %v, want it to stay %v", name, err, tt.stays)
		}
	}
}

// wantTrail holds the whole audit trail against the entries, newest first.
func (f *fixture) wantTrail(t *testing.T, want ...audit.Entry) {
	t.Helper()
	links, err := f.trail.List(t.Context(), auditlog.Filter{})
	MustDo(t, err)
	var got []audit.Entry
	for _, l := range links {
		l.Entry.At = time.Time{}
		got = append(got, l.Entry)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("audit trail: got, want\n%s", diff)
	}
	MustDo(t, f.trail.Verify(t.Context()))
}

func TestDesk_Drafts(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	first := f.MustDraft(t, ana, map[string]string{"nomeBeneficiario": " Lia "})
	f.clock.Advance(time.Minute)
	second := f.MustDraft(t, ana, nil)
	f.MustDraft(t, bia, nil)
	f.MustSubmit(t, ana, nil)
	f.clock.Advance(time.Minute)
	_, err := f.Attach(ctx, ana, first.UID, "a.png", picture(t, 1))
	MustDo(t, err)

	got, err := f.Drafts(ctx, ana)
	MustDo(t, err)
	want := []desk.DraftSummary{
		{UID: first.UID, BeneficiaryName: "Lia", CardNumber: "0310 0045.7782-4821", CredentialID: serenoID.String(),
			Attachments: 1, UpdatedAt: f.clock.Now()},
		{UID: second.UID, BeneficiaryName: "Maria Aparecida Silveira", CardNumber: "0310 0045.7782-4821",
			CredentialID: serenoID.String(), UpdatedAt: second.UpdatedAt},
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got, want: her open ones, latest change first\n%s", diff)
	}
}

func TestDesk_CopyToDraft(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	d := f.MustDraft(t, ana, map[string]string{"observacoes": "conferir"})
	_, err := f.Attach(ctx, ana, d.UID, "pedido.png", picture(t, 1))
	MustDo(t, err)
	first, err := f.Submit(ctx, ana, d.UID)
	MustDo(t, err)
	if _, err := f.CopyToDraft(ctx, ana, first); !problem.Is(err, problem.Conflict) {
		t.Fatalf("while queued: got %v, want conflict", err)
	}
	f.service.Script(answered(authorization.AwaitingAttachment))
	f.MustRun(t)
	f.MustBecome(t, first, desk.Answered)

	if _, err := f.CopyToDraft(ctx, bia, first); !problem.Is(err, problem.NotFound) {
		t.Errorf("from another unit: got %v, want not found", err)
	}
	copied, err := f.CopyToDraft(ctx, ana, first)
	MustDo(t, err)
	if copied.Previous != first || len(copied.Attachments) != 1 || copied.Form.Values["observacoes"] != "conferir" {
		t.Errorf("copy: got %+v", copied)
	}
	original := f.MustCase(t, first)
	if got, want := copied.Attachments[0].Attachment, original.Attachments[0].Attachment; got != want {
		t.Errorf("attachment: got %+v, want %+v", got, want)
	}
	second, err := f.Submit(ctx, ana, copied.UID)
	MustDo(t, err)
	f.MustBecome(t, second, desk.Answered)
	again, original := f.MustCase(t, second), f.MustCase(t, first)
	if again.Previous != first || again.Copy != desk.Correction || !slices.Equal(original.Corrections, []uuid.UUID{second}) ||
		original.Repetitions != nil {
		t.Errorf("link: got %s of %v, corrected by %v, repeated by %v", again.Copy, again.Previous, original.Corrections, original.Repetitions)
	}
	again.Request.ProviderGuide = original.Request.ProviderGuide
	if diff := cmp.Diff(again.Request, original.Request, cmpTimes); diff != "" {
		t.Errorf("asked again: got, want\n%s", diff)
	}
}

// TestDesk_Refusals: what a service told of the fields stands beside those of the
// copy until something of it is changed.
func TestDesk_Refusals(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	refused := outcome(authorization.OutcomeRefused, "http_422")
	refused.Fields = []problem.Field{{Path: "anexos", Code: "obrigatorio", Message: "Falta o anexo."}}
	f.service.Script(refused)
	first, err := f.Submit(ctx, ana, f.MustDraft(t, ana, nil).UID)
	MustDo(t, err)
	f.MustRun(t)
	f.MustBecome(t, first, desk.Refused)
	check := func(what string, d desk.Draft, want []problem.Field) {
		t.Helper()
		got, err := f.Refusals(ctx, ana, d)
		if diff := cmp.Diff(got, want); diff != "" || err != nil {
			t.Errorf("%s: %v, got, want\n%s", what, err, diff)
		}
	}
	copied, err := f.CopyToDraft(ctx, ana, first)
	MustDo(t, err)
	check("a fresh copy", copied, refused.Fields)
	check("a draft of nothing", f.MustDraft(t, ana, nil), nil)
	_, err = f.Attach(ctx, ana, copied.UID, "pedido.png", picture(t, 1))
	MustDo(t, err)
	changed, err := f.Draft(ctx, ana, copied.UID)
	MustDo(t, err)
	check("with a file", changed, nil)
	copied.Previous = uuid.New()
	check("of a case that is not there", copied, nil)

	copied.Previous = first
	elsewhere := ana
	elsewhere.Units = bia.Units
	if got, err := f.Refusals(ctx, elsewhere, copied); got != nil || err != nil {
		t.Errorf("of a case where the person works no longer: got %v, %v, want none", got, err)
	}
	if got := f.count(t, `SELECT COUNT(*) FROM audit_entry WHERE event = ?`, string(audit.AccessDenied)); got != 0 {
		t.Errorf("%d refused acts in the trail of somebody who opened their own draft", got)
	}
}
