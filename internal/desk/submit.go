package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/requestid"

	"github.com/google/uuid"
)

// Submission is what one press of "Enviar" commits: the request as it will be
// sent, but for the guiaPrestador that the store numbers it with.
type Submission struct {
	UID            uuid.UUID
	Token          uuid.UUID // the draft's identifier
	Revision       int       // of the draft that was checked
	Sender         Author
	Request        authorization.Request
	Names          Names
	Attachments    []Attachment
	Previous       uuid.UUID // the case it was copied from, or zero
	Copy           CopyKind  // what it is to that case
	Simulated      bool      // it goes to simulated operators
	IdempotencyKey string
	At             time.Time // in the desk's zone, for the number
	Deadline       time.Time
	RequestID      string // of the browser's request
}

// SubmissionStore turns drafts into submissions.
type SubmissionStore interface {
	// CaseOf returns the case that a draft became; problem.NotFound when it became
	// none or was somebody else's.
	CaseOf(ctx context.Context, sender, token uuid.UUID) (uuid.UUID, error)
	// Submit commits the submission as Queued, the end of its draft and the audit
	// entry together, and returns the case: that of an earlier Submit with the same
	// token, if there was one. problem.Conflict when the draft changed meanwhile.
	Submit(ctx context.Context, s Submission, entry audit.Entry) (uuid.UUID, error)
	// SubmitAndStart is Submit, and where Claim would now give a slot to this submission
	// and to no other, it is committed as Sending, as by Claim, and its first attempt is
	// returned.
	SubmitAndStart(ctx context.Context, s Submission, entry audit.Entry, start Start) (uuid.UUID, *Claim, error)
	// Repeats lists submissions with the card and one of the codes that were neither
	// refused, withdrawn nor resent, newest first.
	Repeats(ctx context.Context, q RepeatQuery) ([]Repeat, error)
}

// CaseOf returns the case that a draft of the person became; problem.NotFound
// when it became none.
func (d *Desk) CaseOf(ctx context.Context, a permission.Actor, draft uuid.UUID) (uuid.UUID, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return uuid.Nil, err
	}
	return d.config.Store.CaseOf(ctx, a.User, draft)
}

// Why a draft is not the one that was reviewed.
var (
	ErrOtherVersion = errors.New("desk: another version of the draft was reviewed")
	ErrOtherFiles   = errors.New("desk: the draft was reviewed with other files")
)

// Seen is a draft as it was reviewed. Its revision changes with its attachments, too.
type Seen struct{ Version, Revision int }

// AnyVersion stands for a number of Seen that is not known.
const AnyVersion = -1

// SeenAny is a draft that is sent as it is.
var SeenAny = Seen{AnyVersion, AnyVersion}

// is says why a draft is another one, nil if it is not.
func (s Seen) is(d Draft) error {
	switch {
	case s.Version != AnyVersion && s.Version != d.Version:
		return ErrOtherVersion
	case s.Revision != AnyVersion && s.Revision != d.Revision:
		return ErrOtherFiles
	}
	return nil
}

// Submit is SubmitSeen of the draft as it is.
func (d *Desk) Submit(ctx context.Context, a permission.Actor, draft uuid.UUID) (uuid.UUID, error) {
	return d.SubmitSeen(ctx, a, draft, SeenAny)
}

// SubmitSeen confirms a draft: when it returns, the request is on disk and will be
// sent, once. Pressing again returns the same case. What is wrong with the draft
// is problem.Invalid as in Review; one that changed while it was being confirmed
// is problem.Conflict; ErrOtherVersion and ErrOtherFiles say that another one was reviewed.
func (d *Desk) SubmitSeen(ctx context.Context, a permission.Actor, draft uuid.UUID, seen Seen) (uuid.UUID, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return uuid.Nil, err
	}
	found, err := d.config.Store.Draft(ctx, a.User, draft)
	if problem.Is(err, problem.NotFound) {
		uid, err := d.config.Store.CaseOf(ctx, a.User, draft) // an earlier press sent it
		return uid, d.draftDenied(ctx, a, draft, err)
	}
	if err != nil {
		return uuid.Nil, err
	}
	if err := seen.is(found); err != nil {
		return uuid.Nil, err
	}
	if err := d.config.Space(); err != nil {
		return uuid.Nil, err
	}
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	if err := d.cleanDraft(ctx, &found, hold); err != nil {
		return uuid.Nil, err
	}
	review, err := d.review(ctx, a, found)
	if err != nil {
		return uuid.Nil, err
	}
	s, err := d.submission(ctx, a, found, review)
	if err != nil {
		return uuid.Nil, err
	}
	return d.send(ctx, s, d.entry(a, audit.RequestSubmitted, audit.ObjectCase, s.UID))
}

// send commits a submission, and has its first attempt made at once where it may be.
func (d *Desk) send(ctx context.Context, s Submission, entry audit.Entry) (uuid.UUID, error) {
	attempt, leave := d.first.enter()
	defer leave()
	start, holds := d.start()
	if attempt == nil || !holds {
		uid, err := d.config.Store.Submit(ctx, s, entry)
		if err == nil {
			d.wakeUp()
		}
		return uid, err
	}
	line := d.config.Service.Connect() // while the disk is waited for
	uid, first, err := d.config.Store.SubmitAndStart(ctx, s, entry, start)
	if err == nil && first != nil {
		first.Dispatch.Line = line
		attempt(*first)
		return uid, nil
	}
	line.Close()
	if err != nil {
		return uuid.Nil, err
	}
	d.wakeUp()
	return uid, nil
}

// Simulated reports whether what is submitted now goes to simulated operators.
func (d *Desk) Simulated() bool { return d.config.Simulated() }

func (d *Desk) submission(ctx context.Context, a permission.Actor, draft Draft, r Review) (Submission, error) {
	uid, err := uuid.NewV7()
	if err != nil {
		return Submission{}, fmt.Errorf("desk: submit: %w", err)
	}
	key, err := uuid.NewRandom()
	if err != nil {
		return Submission{}, fmt.Errorf("desk: submit: %w", err)
	}
	now := d.now()
	return Submission{
		UID: uid, Token: draft.UID, Revision: draft.Revision, Sender: authorOf(a),
		Request: r.Request, Names: r.Names, Attachments: r.Attachments,
		Previous: draft.Previous, Copy: draft.Copy, Simulated: d.Simulated(),
		IdempotencyKey: key.String(), At: now.In(d.config.Zone), Deadline: now.Add(d.deadline()), RequestID: requestid.From(ctx),
	}, nil
}

// Sizes of the parts of a guiaPrestador after its YYMMDDHHMMSS.
const (
	installations = 1_000   // three digits
	serials       = 100_000 // five digits
)

// ProviderGuide returns the desk's guiaPrestador (interface.md, row 7): 20 digits,
// YYMMDDHHMMSS of the wall clock in at's zone, three digits of the installation
// and the last five of its counter.
func ProviderGuide(at time.Time, installation int, counter int64) string {
	return fmt.Sprintf("%s%03d%05d", at.Format("060102150405"), installation%installations, counter%serials)
}
