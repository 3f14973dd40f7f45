package deskstore_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// filled is a database with a submission in each of the states that are asked for.
type filled struct {
	db       *storetest.Database // closed
	draft    desk.Draft
	first    int64 // the number of answered
	queued   desk.Submission
	held     desk.Submission
	answered desk.Submission
	claim    desk.Claim // sending, its exchange kept
	lease    uuid.UUID
	link     desk.PhoneLink // opened
}

var answer = authorization.Answer{
	Errors: []authorization.AnswerError{{Message: "x"}},
	Authorizations: []authorization.Authorization{
		{Status: "A", GuideID: "g", Procedures: []authorization.ProcedureResult{{Code: "1"}},
			Errors: []authorization.AnswerError{{Message: "y"}}},
	},
}

func settlement(to desk.State, event desk.EventKind) desk.Settlement {
	return desk.Settlement{Event: event, CaseState: desk.CaseState{State: to, Group: desk.GroupOf(to, ""),
		Origin: desk.OriginService, At: time.Now()}}
}

func mustFill(t *testing.T) (f filled) {
	t.Helper()
	ctx := t.Context()
	f.db, f.lease = storetest.Open(t, migrations.Desk, nil), uuid.New()
	s := newStore(f.db)
	claim := func() desk.Claim {
		claims, err := s.Claim(ctx, f.lease, embedded, wide(1))
		MustDo(t, err)
		return claims[0]
	}
	f.answered = MustSubmit(t, s)
	f.first = mustID(t, f.db, "submission", f.answered.UID)
	done := settlement(desk.Answered, desk.EventAnswered)
	done.Status, done.Origin, done.Answer = "A", desk.OriginOperator, &answer
	done.Group = desk.GroupOf(desk.Answered, "A")
	MustDo(t, queueAside(s.Settle(ctx, claim(), done)))
	f.held = MustSubmit(t, s)
	hold := settlement(desk.Queued, desk.EventHeld)
	hold.Alert, hold.Due = desk.AlertHeld, time.Now()
	MustDo(t, queueAside(s.Settle(ctx, claim(), hold)))
	MustSubmit(t, s)
	f.claim = claim()
	MustDo(t, s.KeepExchange(ctx, f.claim, authorization.Exchange{}))
	f.queued = MustSubmit(t, s)
	var err error
	f.draft, err = s.SaveDraft(ctx, uuid.New(), uuid.New(), desk.Form{Values: map[string]string{"nomeBeneficiario": "x"}}, 0, anyQuota)
	MustDo(t, err)
	MustDo(t, s.Attach(ctx, f.draft.Owner, f.draft.UID, attachment(), admitAll))
	f.draft, err = s.Draft(ctx, f.draft.Owner, f.draft.UID)
	MustDo(t, err)
	f.link = desk.PhoneLink{Draft: f.draft.UID, Owner: f.draft.Owner, Session: uuid.New(), Expires: time.Now()}
	MustDo(t, s.PutPhoneLink(ctx, f.link, desk.SecretHash{1}, time.Time{}, entry))
	MustDo(t, s.OpenPhoneLink(ctx, desk.SecretHash{1}, desk.SecretHash{2}, entry))
	MustDo(t, f.db.Close())
	return f
}

func attachment() desk.Attachment {
	return desk.Attachment{UID: uuid.New(), Attachment: authorization.Attachment{Name: "a.png", ContentType: "image/png", Size: 1,
		Blob: "0123456789012345678901234567890123456789012345678901234567890123"}}
}

func newStore(db engine.DB) *deskstore.Store {
	return deskstore.New(db, auditlog.New(db, audit.Key{1}))
}

// TestStore_Failures: every query that fails is an error.
func TestStore_Failures(t *testing.T) {
	f := mustFill(t)
	on := func(tables string, do func(ctx context.Context, s *deskstore.Store) error) storetest.Operation {
		return storetest.Operation{Tables: tables, Do: func(ctx context.Context, db engine.DB) error { return do(ctx, newStore(db)) }}
	}
	again := f.queued
	again.UID, again.Token, again.IdempotencyKey, again.Sender = uuid.New(), f.draft.UID, uuid.NewString(),
		desk.Author{User: f.draft.Owner, Name: "Bia"}
	again.Revision, again.Attachments = f.draft.Revision, []desk.Attachment{attachment()}
	answered := settlement(desk.Answered, desk.EventAnswered)
	answered.Status, answered.Answer, answered.Group = "A", &answer, desk.GroupOf(desk.Answered, "A")
	refused := settlement(desk.Refused, desk.EventRefused)
	refused.Answer, refused.Fields = &authorization.Answer{}, []problem.Field{{Path: "numeroCarteira"}}
	f.db.CheckFailures(t, map[string]storetest.Operation{
		"Draft": on("draft draft_attachment", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.Draft(ctx, f.draft.Owner, f.draft.UID))
		}),
		"Drafts": on("draft draft_attachment", func(ctx context.Context,
			s *deskstore.Store) error {
			return second(s.Drafts(ctx, f.draft.Owner))
		}),
		"SaveDraft": on("draft draft_attachment", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.SaveDraft(ctx, f.draft.Owner, f.draft.UID, f.draft.Form, f.draft.Version, anyQuota))
		}),
		"PutPhoneLink": on("phone_link audit_entry", func(ctx context.Context, s *deskstore.Store) error {
			return s.PutPhoneLink(ctx, f.link, desk.SecretHash{3}, time.Time{}, entry)
		}),
		"PhoneLink": on("phone_link", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.PhoneLink(ctx, f.link.Owner, f.link.Draft))
		}),
		"EndPhoneLink": on("phone_link audit_entry", func(ctx context.Context, s *deskstore.Store) error {
			return s.EndPhoneLink(ctx, f.link.Owner, f.link.Draft, entry)
		}),
		"AttachFromPhone": on("phone_link draft draft_attachment", func(ctx context.Context, s *deskstore.Store) error {
			return s.AttachFromPhone(ctx, desk.SecretHash{2}, attachment(), admitAll)
		}),
		"SaveNewDraft": on("draft", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.SaveDraft(ctx, f.draft.Owner, uuid.New(), f.draft.Form, 0, anyQuota))
		}),
		"AddDraft": on("draft draft_attachment audit_entry", func(ctx context.Context, s *deskstore.Store) error {
			return s.AddDraft(ctx, desk.Draft{UID: uuid.New(), Owner: f.draft.Owner, Form: f.draft.Form,
				Attachments: []desk.Attachment{attachment()}}, entry, anyQuota)
		}),
		"DraftOwner": on("draft", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.DraftOwner(ctx, f.draft.UID))
		}),
		"DraftBytes": on("draft draft_attachment", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.DraftBytes(ctx, f.draft.Owner))
		}),
		"DiscardDraft": on("draft draft_attachment audit_entry", func(ctx context.Context, s *deskstore.Store) error {
			return s.DiscardDraft(ctx, f.draft.Owner, f.draft.UID, desk.AnyVersion, entry, ignoreDrop)
		}),
		"Attach": on("draft draft_attachment", func(ctx context.Context, s *deskstore.Store) error {
			return s.Attach(ctx, f.draft.Owner, f.draft.UID, attachment(), admitAll)
		}),
		"Detach": on("draft draft_attachment", func(ctx context.Context, s *deskstore.Store) error {
			return s.Detach(ctx, f.draft.Owner, f.draft.UID, f.draft.Attachments[0].UID, ignoreDrop)
		}),
		"AttachmentPlace": on("draft_attachment submission_attachment", func(ctx context.Context, s *deskstore.Store) error {
			_, _, err := s.AttachmentPlace(ctx, f.draft.Attachments[0].UID)
			return err
		}),
		"CaseOf": on("submission", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.CaseOf(ctx, f.queued.Sender.User, f.queued.Token))
		}),
		"Submit": on("draft draft_attachment desk_person installation submission submission_procedure submission_attachment submission_state "+
			"submission_event case_summary queue_case queue_count filter_value audit_entry", func(ctx context.Context,
			s *deskstore.Store) error {
			return second(s.Submit(ctx, again, entry))
		}),
		"Withdraw": on("submission submission_state case_summary queue_case queue_count desk_person submission_event audit_entry",
			func(ctx context.Context, s *deskstore.Store) error {
				return s.Withdraw(ctx, desk.Author{User: f.draft.Owner, Name: "Bia"}, f.queued.UID, entry)
			}),
		"Repeats": on("submission submission_procedure submission_state submission_attachment attempt exchange submission_event",
			func(ctx context.Context, s *deskstore.Store) error {
				return second(s.Repeats(ctx, desk.RepeatQuery{Codes: []string{"1"}}))
			}),
		"Claim": on("submission submission_state attempt submission_event submission_procedure submission_attachment",
			func(ctx context.Context, s *deskstore.Store) error {
				return second(s.Claim(ctx, uuid.New(), embedded, wide(1)))
			}),
		"KeepExchange": on("exchange attempt submission", func(ctx context.Context, s *deskstore.Store) error {
			return s.KeepExchange(ctx, f.claim, authorization.Exchange{})
		}),
		"Settle": on("submission submission_state case_summary queue_case queue_count history submission_event answer authorization "+
			"authorization_procedure answer_error",
			func(ctx context.Context, s *deskstore.Store) error {
				return queueAside(s.Settle(ctx, f.claim, answered))
			}),
		"SettleFields": on("answer_error",
			func(ctx context.Context, s *deskstore.Store) error {
				return queueAside(s.Settle(ctx, f.claim, refused))
			}),
		"TakeOver": on("lease submission submission_state attempt exchange", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.TakeOver(ctx, uuid.New(), true))
		}),
		"Release": on("submission_state submission_event case_summary",
			func(ctx context.Context, s *deskstore.Store) error { return second(s.Release(ctx)) }),
		"Expire": on("submission_state", func(ctx context.Context, s *deskstore.Store) error { return second(s.Expire(ctx)) }),
		"Case": on("submission submission_state submission_procedure submission_attachment answer authorization authorization_procedure "+
			"answer_error attempt submission_event desk_person", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.Case(ctx, all, f.answered.UID))
		}),
		"Cases": on("queue_case damage", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.Cases(ctx, all, desk.Query{Limit: 10}))
		}),
		"CasesAfter": on("submission case_summary queue_case", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.Cases(ctx, all, desk.Query{Limit: 10, Before: f.queued.UID}))
		}),
		"Counts": on("queue_count queue_case damage", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.Counts(ctx, all, time.Time{}))
		}),
		"CountsOfUnits": on("queue_count filter_value", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.Counts(ctx, permission.Reach{Units: []uuid.UUID{uuid.New()}}, time.Time{}))
		}),
		"CheckLists": on("submission submission_state submission_procedure case_summary queue_case queue_count history filter_value",
			func(ctx context.Context, s *deskstore.Store) error { return second(s.CheckLists(ctx, nil)) }),
		"RepairLists": on("submission case_summary queue_case queue_count filter_value", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.RepairLists(ctx, []checksum.Row{{Table: "case_summary", Key: []any{f.first}}}))
		}),
		"Ending": on("queue_case", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.Ending(ctx, all, authorization.DateOf(2026, 1, 1), authorization.DateOf(2028, 1, 1), 9))
		}),
		"Conclude": on("submission submission_state case_summary queue_case queue_count desk_person submission_event audit_entry",
			func(ctx context.Context, s *deskstore.Store) error {
				return s.Conclude(ctx, f.answered.UID, desk.Event{Kind: desk.EventConcluded, Actor: desk.Author{User: f.draft.Owner, Name: "Bia"}},
					entry)
			}),
		"AddNote": on("submission desk_person submission_event case_note audit_entry",
			func(ctx context.Context, s *deskstore.Store) error {
				return s.AddNote(ctx, f.answered.UID, desk.Event{Kind: desk.EventNoted, Actor: desk.Author{User: f.draft.Owner, Name: "Bia"},
					Note: desk.Inquiry{Note: "avisada"}}, -1, entry)
			}),
		"Review": on("submission submission_event case_summary desk_person case_note audit_entry",
			func(ctx context.Context, s *deskstore.Store) error {
				return s.Review(ctx, f.answered.UID, desk.Event{Kind: desk.EventReviewed, Actor: desk.Author{User: f.draft.Owner, Name: "Bia"},
					Note: desk.Inquiry{Contact: "Central"}}, -1, entry)
			}),
		"ReturnReviews": on("queue_case", func(ctx context.Context, s *deskstore.Store) error { return s.ReturnReviews(ctx) }),
		"FillQueue":     on("queue_pending", func(ctx context.Context, s *deskstore.Store) error { return s.FillQueue(ctx) }),
		"CaseState": on("submission_state submission", func(ctx context.Context, s *deskstore.Store) error {
			return second(s.CaseState(ctx, all, f.queued.UID))
		}),
		"Alerts":    on("submission_state", func(ctx context.Context, s *deskstore.Store) error { return second(s.Alerts(ctx)) }),
		"Unsettled": on("submission_state", func(ctx context.Context, s *deskstore.Store) error { return second(s.Unsettled(ctx)) }),
		"AppendAuditOnce": on("audit_entry", func(ctx context.Context, s *deskstore.Store) error {
			return s.AppendAuditOnce(ctx, entry, time.Time{})
		}),
		"AppendAudit": on("audit_entry", func(ctx context.Context, s *deskstore.Store) error {
			return s.AppendAudit(ctx, entry)
		}),
	})
}

func second[T any](_ T, err error) error { return err }
