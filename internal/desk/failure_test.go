package desk_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

var errDisk = errors.New("the disk is gone")

// brokenStore is a store of which one operation fails.
type brokenStore struct {
	desk.Store
	broken string
}

func (s brokenStore) fails(operation string) error {
	if s.broken == operation {
		return errDisk
	}
	return nil
}

func (s brokenStore) Cases(ctx context.Context, reach permission.Reach, q desk.Query) ([]desk.CaseSummary, error) {
	if err := s.fails("Cases"); err != nil {
		return make([]desk.CaseSummary, 1), err
	}
	return s.Store.Cases(ctx, reach, q)
}

func (s brokenStore) Draft(ctx context.Context, owner, uid uuid.UUID) (desk.Draft, error) {
	if err := s.fails("Draft"); err != nil {
		return desk.Draft{}, err
	}
	return s.Store.Draft(ctx, owner, uid)
}

func (s brokenStore) DraftBytes(ctx context.Context, owner uuid.UUID) (int64, error) {
	if err := s.fails("DraftBytes"); err != nil {
		return 0, err
	}
	return s.Store.DraftBytes(ctx, owner)
}

func (s brokenStore) AppendAudit(ctx context.Context, entry audit.Entry) error {
	if err := s.fails("AppendAudit"); err != nil {
		return err
	}
	return s.Store.AppendAudit(ctx, entry)
}

func (s brokenStore) AppendAuditOnce(ctx context.Context, entry audit.Entry, since time.Time) error {
	if err := s.fails("AppendAuditOnce"); err != nil {
		return err
	}
	return s.Store.AppendAuditOnce(ctx, entry, since)
}

func (s brokenStore) Repeats(ctx context.Context, q desk.RepeatQuery) ([]desk.Repeat, error) {
	if err := s.fails("Repeats"); err != nil {
		return nil, err
	}
	return s.Store.Repeats(ctx, q)
}

// brokenDirectory is a directory of which one operation fails.
type brokenDirectory struct {
	desk.Directory
	broken string
}

func (d brokenDirectory) Indication(ctx context.Context, credential uuid.UUID) (string, error) {
	if d.broken == "Indication" {
		return "", errDisk
	}
	return d.Directory.Indication(ctx, credential)
}

func (d brokenDirectory) Rules(ctx context.Context, credential uuid.UUID) (authorization.Rules, error) {
	if d.broken == "Rules" {
		return authorization.Rules{}, errDisk
	}
	return d.Directory.Rules(ctx, credential)
}

func (d brokenDirectory) ProcedureName(ctx context.Context, code string) (string, error) {
	if d.broken == "ProcedureName" {
		return "", errDisk
	}
	return d.Directory.ProcedureName(ctx, code)
}

func (d brokenDirectory) CredentialName(ctx context.Context, credential uuid.UUID) (string, error) {
	if d.broken == "CredentialName" {
		return "", errDisk
	}
	return d.Directory.CredentialName(ctx, credential)
}

func (d brokenDirectory) SeeCredentials(ctx context.Context, seen []authorization.Credential) error {
	if d.broken == "SeeCredentials" {
		return errDisk
	}
	return d.Directory.SeeCredentials(ctx, seen)
}

// brokenBlobs store files of which one operation fails afterwards.
type brokenBlobs struct {
	desk.Blobs
	broken string
}

func (b brokenBlobs) Put(ctx context.Context, r io.Reader) (blob.Info, error) {
	if b.broken == "Put" {
		return blob.Info{}, errDisk
	}
	return b.Blobs.Put(ctx, r)
}

func (b brokenBlobs) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	if b.broken == "Open" {
		return nil, errDisk
	}
	file, err := b.Blobs.Open(ctx, ref)
	if err == nil && strings.HasPrefix(b.broken, "Read") {
		return &unreadable{file, len(strings.TrimPrefix(b.broken, "Read"))}, nil
	}
	return file, err
}

// unreadable is a file that can be opened, and read as far as so many bytes.
type unreadable struct {
	io.ReadSeekCloser
	left int
}

func (u *unreadable) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, errDisk
	}
	n, err := u.ReadSeekCloser.Read(p)
	u.left -= n
	return n, err
}

// TestDesk_Failures: what storage says is said on, wrapped, and nothing is done.
func TestDesk_Failures(t *testing.T) {
	t.Parallel()
	store := func(operation string) func(*desk.Config) {
		return func(c *desk.Config) { c.Store = brokenStore{c.Store, operation} }
	}
	register := func(operation string) func(*desk.Config) {
		return func(c *desk.Config) { c.Directory = brokenDirectory{c.Directory, operation} }
	}
	blobs := func(operation string) func(*desk.Config) {
		return func(c *desk.Config) { c.Blobs = brokenBlobs{c.Blobs, operation} }
	}
	none := func(f *fixture) (uuid.UUID, uuid.UUID) { return uuid.Nil, uuid.Nil }
	draft := func(f *fixture) (uuid.UUID, uuid.UUID) { return f.MustDraft(t, ana, nil).UID, uuid.Nil }
	attached := func(f *fixture) (uuid.UUID, uuid.UUID) {
		d := f.MustDraft(t, ana, nil)
		a, err := f.Attach(t.Context(), ana, d.UID, "a.png", picture(t, 1))
		MustDo(t, err)
		return d.UID, a.UID
	}
	cases := map[string]struct {
		broken  func(*desk.Config)
		prepare func(f *fixture) (draft, attachment uuid.UUID) // before it breaks
		do      func(ctx context.Context, f *fixture, draft, attachment uuid.UUID) error
	}{
		"Cases": {store("Cases"), none, func(ctx context.Context, f *fixture, _, _ uuid.UUID) error {
			page, err := f.Cases(ctx, ana, desk.Query{})
			if len(page.Cases) > 0 {
				t.Errorf("got %d cases of a list that failed", len(page.Cases))
			}
			return err
		}},
		"SubmitWithoutDraft": {store("Draft"), draft, func(ctx context.Context, f *fixture, draft, _ uuid.UUID) error {
			return second(f.Submit(ctx, ana, draft))
		}},
		"SubmitWithoutRules": {register("Rules"), draft, func(ctx context.Context, f *fixture, draft, _ uuid.UUID) error {
			return second(f.Submit(ctx, ana, draft))
		}},
		"ReviewWithoutIndication": {register("Indication"), func(f *fixture) (uuid.UUID, uuid.UUID) {
			return f.MustDraft(t, ana, map[string]string{"indicacaoClinica": ""}).UID, uuid.Nil
		}, func(ctx context.Context, f *fixture, draft, _ uuid.UUID) error {
			return second(f.Review(ctx, ana, draft))
		}},
		"ReviewWithoutNames": {register("CredentialName"), draft, func(ctx context.Context, f *fixture, draft, _ uuid.UUID) error {
			return second(f.Review(ctx, ana, draft))
		}},
		"ReviewWithoutRepeats": {store("Repeats"), draft, func(ctx context.Context, f *fixture, draft, _ uuid.UUID) error {
			return second(f.Review(ctx, ana, draft))
		}},
		"FindUnaudited": {store("AppendAudit"), none, func(ctx context.Context, f *fixture, _, _ uuid.UUID) error {
			return second(f.FindCredentials(ctx, ana, "vale"))
		}},
		"FindUnremembered": {register("SeeCredentials"), none, func(ctx context.Context, f *fixture, _, _ uuid.UUID) error {
			return second(f.FindCredentials(ctx, ana, "vale"))
		}},
		"AttachUnstored": {blobs("Put"), draft, func(ctx context.Context, f *fixture, draft, _ uuid.UUID) error {
			return second(f.Attach(ctx, ana, draft, "a.png", picture(t, 1)))
		}},
		"AttachUnread": {blobs("Open"), draft, func(ctx context.Context, f *fixture, draft, _ uuid.UUID) error {
			return second(f.Attach(ctx, ana, draft, "a.png", picture(t, 1)))
		}},
		"AttachWithoutDraft": {store("Draft"), draft, func(ctx context.Context, f *fixture, draft, _ uuid.UUID) error {
			return second(f.Attach(ctx, ana, draft, "a.png", picture(t, 1)))
		}},
		"AttachUncounted": {store("DraftBytes"), draft, func(ctx context.Context, f *fixture, draft, _ uuid.UUID) error {
			return second(f.Attach(ctx, ana, draft, "a.png", picture(t, 1)))
		}},
		"SaveUnnamed": {register("ProcedureName"), draft, func(ctx context.Context, f *fixture, _, _ uuid.UUID) error {
			form := fullForm()
			form.Procedures[0].Name = ""
			return second(f.SaveDraft(ctx, ana, MustUID(t), form, 0))
		}},
		"OpenUnread": {blobs("Open"), attached, func(ctx context.Context, f *fixture, draft, attachment uuid.UUID) error {
			return second(f.DraftAttachment(ctx, ana, draft, attachment, desk.FileOpen))
		}},
		"OpenUnaudited": {store("AppendAuditOnce"), attached, func(ctx context.Context, f *fixture, draft, attachment uuid.UUID) error {
			return second(f.DraftAttachment(ctx, ana, draft, attachment, desk.FileOpen))
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			draft, attachment := c.prepare(f)
			f.MustOpen(t, c.broken)
			err := c.do(t.Context(), f, draft, attachment)
			if !errors.Is(err, errDisk) {
				t.Fatalf("got %v, want the failure", err)
			}
			if problem.CodeOf(err) != problem.Internal {
				t.Errorf("got code %s: a failure is nothing that a person did", problem.CodeOf(err))
			}
		})
	}
}

// TestNew_Defaults: a desk made of the required parts alone works.
func TestNew_Defaults(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	d, err := desk.New(desk.Config{Store: f.config.Store, Blobs: f.config.Blobs, Directory: f.config.Directory, Service: f.service})
	MustDo(t, err)
	if got := d.Limits(); got.MaxFiles != 10 || got.MaxFile != 15<<20 || got.MaxTotal != 60<<20 {
		t.Errorf("limits: got %+v, want those of row 10", got)
	}
	uid := f.MustSubmit(t, ana, nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	f.MustBecome(t, uid, desk.Answered)
	cancel()
	MustDo(t, <-ended)
}

// TestDesk_RunQuietly: a desk that stops does not call its own end a failure.
func TestDesk_RunQuietly(t *testing.T) {
	t.Parallel()
	f := MustDesk(t, func(c *desk.Config) { c.Logger = slog.New(slog.DiscardHandler) })
	var logged strings.Builder
	f.config.Logger = slog.New(slog.NewTextHandler(&logged, nil))
	d, err := desk.New(f.config)
	MustDo(t, err)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Run(ctx) }()
		cancel()
		MustDo(t, <-ended)
	}
	if logged.Len() > 0 {
		t.Errorf("got %s, want nothing logged", logged.String())
	}
}

// TestDesk_CasesPaging: a page without a size has the default one.
func TestDesk_CasesPaging(t *testing.T) {
	t.Parallel()
	asked := &limits{}
	f := MustDesk(t, func(c *desk.Config) { asked.Store = c.Store; c.Store = asked })
	for want, limit := range map[int]int{desk.DefaultPage: 0, 1: 1, desk.MaxPage: desk.MaxPage + 1} {
		if _, err := f.Cases(t.Context(), ana, desk.Query{Limit: limit}); err != nil || asked.last != want+1 {
			t.Errorf("limit %d: asked for %d, %v, want %d and one more", limit, asked.last, err, want)
		}
	}
	if _, err := f.Cases(t.Context(), ana, desk.Query{Limit: -1}); err != nil || asked.last != desk.DefaultPage+1 {
		t.Errorf("limit -1: asked for %d, %v", asked.last, err)
	}
}

// limits notes how many cases were asked for.
type limits struct {
	desk.Store
	last int
}

func (l *limits) Cases(ctx context.Context, reach permission.Reach, q desk.Query) ([]desk.CaseSummary, error) {
	l.last = q.Limit
	return l.Store.Cases(ctx, reach, q)
}

// TestForm_Request_Messages: what cannot be read gets the sentence of its field.
func TestForm_Request_Messages(t *testing.T) {
	t.Parallel()
	form := fullForm()
	wrong := map[string]string{
		"credencialId":              "Escolha a operadora.",
		"unidadeId":                 "Escolha a unidade.",
		"pontoAtendimentoId":        "Escolha o ponto de atendimento.",
		"profissionalExecutanteId":  "Escolha o executante.",
		"especialidadeExecutanteId": "Escolha a especialidade do executante.",
		"validadeCarteira":          "Informe a validade da carteira como DD/MM/AAAA.",
		"pacienteNoLocal":           "Marque sim ou não.",
	}
	for field := range wrong {
		form.Values[field] = "x"
	}
	form.Values["atendimentoRN"], form.Values["dataNascimentoRecemNascido"] = "S", "31/02/2026"
	wrong["dataNascimentoRecemNascido"] = "Nascimento: esta data não existe. Confira dia, mês e ano."
	_, fields := form.Request(MustDesk(t).clock.Now(), authorization.Rules{})
	for field, want := range wrong {
		found := 0
		for _, f := range fields {
			if f.Path == field {
				found++
				if f.Message != want {
					t.Errorf("%s: got %q, want %q", field, f.Message, want)
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: got %d problems, want 1", field, found)
		}
	}
}

// TestDesk_EarliestSenha: the list shows the senha that ends first; one without an
// end does not count.
func TestDesk_EarliestSenha(t *testing.T) {
	t.Parallel()
	for name, days := range map[string][3]int{"EarliestFirst": {1, 20, 0}, "EarliestLast": {0, 20, 1}, "EarliestBetween": {20, 1, 0}} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			o := answered("A", "A", "A")
			for i, day := range days {
				o.Answer.Authorizations[i].SenhaValidUntil = authorization.LocalTime{}
				if day > 0 {
					o.Answer.Authorizations[i].SenhaValidUntil = authorization.DateOf(2026, time.December, day)
				}
			}
			f.service.Script(o)
			uid := f.MustSubmit(t, ana, nil)
			f.MustRun(t)
			f.MustBecome(t, uid, desk.Answered)
			if got := f.MustCase(t, uid).SenhaValidUntil; got != authorization.DateOf(2026, time.December, 1) {
				t.Errorf("got %s, want 2026-12-01", got)
			}
		})
	}
}
