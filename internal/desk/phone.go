package desk

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"time"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// phoneLife is how long a phone may send files to a draft, counted from its code.
const phoneLife = 10 * time.Minute

// SecretHash is the SHA-256 of a code or of a phone's secret: all that is kept of them.
type SecretHash [sha256.Size]byte

// PhoneLink lets one phone, without a login, send files to one draft and do nothing else.
// It begins as a code that is good once.
type PhoneLink struct {
	Draft   uuid.UUID
	Owner   uuid.UUID
	Session uuid.UUID // that the code was asked for in: the link ends with it
	Unit    string    // the name that the phone shows
	Expires time.Time
	Opened  bool // by a phone: the code is used up
	Files   int  // that came
}

// PhoneStore keeps the links. One that is not there is a problem.NotFound error.
type PhoneStore interface {
	// PutPhoneLink adds a link in place of the draft's one before, and forgets all that
	// ended before stale.
	PutPhoneLink(ctx context.Context, l PhoneLink, code SecretHash, stale time.Time, entry audit.Entry) error
	// PhoneLink returns the link of the owner's draft.
	PhoneLink(ctx context.Context, owner, draft uuid.UUID) (PhoneLink, error)
	PhoneLinkOfCode(ctx context.Context, code SecretHash) (PhoneLink, error)
	PhoneLinkOfPhone(ctx context.Context, phone SecretHash) (PhoneLink, error)
	// OpenPhoneLink uses the code up; problem.Conflict when another phone did.
	OpenPhoneLink(ctx context.Context, code, phone SecretHash, entry audit.Entry) error
	// EndPhoneLink forgets the link of the owner's draft, if there is one.
	EndPhoneLink(ctx context.Context, owner, draft uuid.UUID, entry audit.Entry) error
	// AttachFromPhone is Attach to the draft of a link, unless that has ended meanwhile.
	AttachFromPhone(ctx context.Context, phone SecretHash, a Attachment, admit func(present []Attachment, kept int64) error) error
}

// Accounts is what the desk asks about people who are not logged in where they act;
// package account satisfies it.
type Accounts interface {
	// SessionActor returns who is logged in in a session, as they are now;
	// problem.Unauthorized once it has ended.
	SessionActor(ctx context.Context, session uuid.UUID) (permission.Actor, error)
	// CountGuess counts a wrong secret against the address that it came from;
	// problem.Throttled when that has sent too many.
	CountGuess(ctx context.Context) error
}

// noAccounts is a desk without people.
type noAccounts struct{}

func (noAccounts) SessionActor(context.Context, uuid.UUID) (permission.Actor, error) {
	return permission.Actor{}, problem.New(problem.Unauthorized, "")
}

func (noAccounts) CountGuess(context.Context) error { return nil }

var (
	errPhoneUsed = problem.New(problem.Conflict, "Este código já foi usado por um celular. Peça outro no computador.")
	errPhoneLate = problem.New(problem.Invalid, "Este código venceu: ele vale por 10 minutos. Peça outro no computador.")
	errPhoneCode = problem.New(problem.Invalid, "Este código não vale, ou o envio já foi encerrado no computador. Peça outro lá.")
	errPhoneOver = problem.New(problem.NotFound, "O envio por este celular terminou. Para mandar mais, peça outro código no computador.")
)

// AskForPhone returns a link for a draft of the person, and the code that opens it once,
// within ten minutes. The draft's link before it ends.
func (d *Desk) AskForPhone(ctx context.Context, a permission.Actor, l PhoneLink) (code string, link PhoneLink, err error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return "", l, err
	}
	if err := d.ownDraft(ctx, a, l.Draft); err != nil {
		return "", l, err
	}
	l.Owner, l.Expires, l.Opened, l.Files = a.User, d.now().Add(phoneLife), false, 0
	code = newSecret()
	entry := d.entry(a, audit.PhoneCodeIssued, audit.ObjectDraft, l.Draft)
	return code, l, d.config.Store.PutPhoneLink(ctx, l, hashOf(code), d.now().Add(-24*time.Hour), entry)
}

// ownDraft returns an error unless files may be added to the draft: that of somebody else
// is problem.NotFound, one that was sent or discarded problem.Conflict. It need not exist
// yet.
func (d *Desk) ownDraft(ctx context.Context, a permission.Actor, draft uuid.UUID) error {
	owner, err := d.config.Store.DraftOwner(ctx, draft)
	switch {
	case err != nil || draft == uuid.Nil:
		return orNotFound(err)
	case owner == uuid.Nil:
		return nil // the first file may come before the first letter
	case owner != a.User:
		return d.draftDenied(ctx, a, draft, notFound())
	}
	_, err = d.config.Store.Draft(ctx, a.User, draft)
	if problem.Is(err, problem.NotFound) {
		return problem.New(problem.Conflict, "Este rascunho já foi enviado ou descartado.")
	}
	return err
}

func orNotFound(err error) error {
	if err == nil {
		return notFound()
	}
	return err
}

// PhoneLink returns the link of a draft of the person while it stands; problem.NotFound
// otherwise.
func (d *Desk) PhoneLink(ctx context.Context, a permission.Actor, draft uuid.UUID) (PhoneLink, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return PhoneLink{}, err
	}
	link, err := d.config.Store.PhoneLink(ctx, a.User, draft)
	if err == nil && !d.now().Before(link.Expires) {
		err = errPhoneOver
	}
	return link, err
}

// EndPhone ends the link of a draft of the person; without one nothing happens.
func (d *Desk) EndPhone(ctx context.Context, a permission.Actor, draft uuid.UUID) error {
	if err := a.Require(permission.SeePatients); err != nil {
		return err
	}
	return d.config.Store.EndPhoneLink(ctx, a.User, draft, d.entry(a, audit.PhoneEnded, audit.ObjectDraft, draft))
}

// OpenPhone uses a code up and returns the secret of the phone that presented it. A code
// that is used, late or wrong says so, counts as a guess and stands in the audit trail.
func (d *Desk) OpenPhone(ctx context.Context, code string) (phone string, link PhoneLink, err error) {
	link, err = d.config.Store.PhoneLinkOfCode(ctx, hashOf(code))
	switch {
	case problem.Is(err, problem.NotFound):
		err = errPhoneCode
	case err == nil && link.Opened:
		err = errPhoneUsed
	case err == nil:
		err = d.stands(ctx, link, errPhoneLate)
	}
	if err == nil {
		phone = newSecret()
		entry := audit.Entry{At: d.now(), Actor: link.Owner, Event: audit.PhoneOpened, Object: audit.ObjectDraft, ObjectID: link.Draft}
		err = d.config.Store.OpenPhoneLink(ctx, hashOf(code), hashOf(phone), entry)
		if problem.Is(err, problem.Conflict) {
			err = errPhoneUsed // of two at once, one is late
		}
	}
	if err != nil {
		return "", link, d.codeDenied(ctx, link, err)
	}
	link.Opened = true
	return phone, link, nil
}

// Phone returns the link of a phone while it stands: problem.NotFound once it has ended.
func (d *Desk) Phone(ctx context.Context, phone string) (PhoneLink, error) {
	link, err := d.config.Store.PhoneLinkOfPhone(ctx, hashOf(phone))
	if problem.Is(err, problem.NotFound) {
		return PhoneLink{}, errPhoneOver
	}
	if err != nil {
		return PhoneLink{}, err
	}
	return link, d.stands(ctx, link, errPhoneOver)
}

// stands returns over when the link's time or the session that it was asked for in has
// ended, or its owner may no longer see patients.
func (d *Desk) stands(ctx context.Context, link PhoneLink, over error) error {
	if !d.now().Before(link.Expires) {
		return over
	}
	owner, err := d.config.Accounts.SessionActor(ctx, link.Session)
	if problem.Is(err, problem.Unauthorized) || err == nil && !owner.May(permission.SeePatients) {
		return over
	}
	return err
}

// AttachFromPhone is Attach to the draft of a phone's link, for its owner. A file that is
// there already is that one: a phone repeats what it got no answer to.
func (d *Desk) AttachFromPhone(ctx context.Context, phone, name string, r io.Reader) (Attachment, error) {
	link, err := d.Phone(ctx, phone)
	if err != nil {
		return Attachment{}, err
	}
	owner, err := d.config.Accounts.SessionActor(ctx, link.Session)
	if err != nil {
		return Attachment{}, err
	}
	stored, err := d.attach(ctx, owner, link.Draft, incoming{name: name, content: r, once: true,
		store: func(ctx context.Context, a Attachment, admit func([]Attachment, int64) error) error {
			return d.config.Store.AttachFromPhone(ctx, hashOf(phone), a, admit)
		}})
	if problem.Is(err, problem.NotFound) || problem.Is(err, problem.Conflict) {
		err = errPhoneOver // ended while the file came
	}
	return stored, err
}

// codeDenied returns the error of a code that does not stand. The audit trail tells that
// it was tried, and for which draft where that is known.
func (d *Desk) codeDenied(ctx context.Context, link PhoneLink, refused error) error {
	words := map[error]string{errPhoneCode: "codigo=desconhecido", errPhoneUsed: "codigo=usado", errPhoneLate: "codigo=vencido"}
	detail, ok := words[refused]
	if !ok {
		return refused
	}
	ctx = context.WithoutCancel(ctx)
	entry := audit.Entry{At: d.now(), Event: audit.AccessDenied, Object: audit.ObjectPhone, Detail: detail}
	if link.Draft != uuid.Nil {
		entry.Object, entry.ObjectID = audit.ObjectDraft, link.Draft
	}
	if err := d.config.Store.AppendAudit(ctx, entry); err != nil {
		return err
	}
	if err := d.config.Accounts.CountGuess(ctx); err != nil {
		return err
	}
	return refused
}

// newSecret returns 32 random bytes in the alphabet of addresses and cookies.
func newSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func hashOf(secret string) SecretHash { return sha256.Sum256([]byte(secret)) }
