package api_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/simulated"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

var errNotOffered = errors.New("the operator behind it cannot do that")

// PollStatus implements service.StatusPoller.
func (a *asked) PollStatus(ctx context.Context, at service.OpenAuthorization) (service.Update, error) {
	a.follow.Add(1)
	if f, ok := a.Operator.(service.StatusPoller); ok {
		return f.PollStatus(ctx, at)
	}
	return service.Update{}, errNotOffered
}

// AddAttachments implements service.AttachmentTaker.
func (a *asked) AddAttachments(ctx context.Context, at service.OpenAuthorization, added []authorization.Attachment) (service.Update, error) {
	a.mu.Lock()
	a.attached = added
	a.mu.Unlock()
	return a.act(ctx, at, func() (service.Update, error) {
		if t, ok := a.Operator.(service.AttachmentTaker); ok {
			return t.AddAttachments(ctx, at, added)
		}
		return service.Update{}, errNotOffered
	})
}

// CheckBiometrics implements service.BiometricChecker.
func (a *asked) CheckBiometrics(ctx context.Context, at service.OpenAuthorization, captures []service.Capture) (service.Update, error) {
	a.mu.Lock()
	a.captured = captures
	a.mu.Unlock()
	return a.act(ctx, at, func() (service.Update, error) {
		if t, ok := a.Operator.(service.BiometricChecker); ok {
			return t.CheckBiometrics(ctx, at, captures)
		}
		return service.Update{}, errNotOffered
	})
}

// Cancel implements service.Canceller.
func (a *asked) Cancel(ctx context.Context, at service.OpenAuthorization, reason string) (service.Update, error) {
	a.mu.Lock()
	a.reason = reason
	a.mu.Unlock()
	return a.act(ctx, at, func() (service.Update, error) {
		if t, ok := a.Operator.(service.Canceller); ok {
			return t.Cancel(ctx, at, reason)
		}
		return service.Update{}, errNotOffered
	})
}

// act counts an act and does what before says first.
func (a *asked) act(ctx context.Context, at service.OpenAuthorization, then func() (service.Update, error)) (service.Update, error) {
	a.acts.Add(1)
	a.mu.Lock()
	before := a.before
	a.mu.Unlock()
	if before != nil {
		if err := before(ctx, at.OperatorRequest); err != nil {
			return service.Update{}, err
		}
	}
	return then()
}

// CheckEligibility implements service.EligibilityChecker.
func (a *asked) CheckEligibility(ctx context.Context, r service.EligibilityRequest) (service.Eligibility, error) {
	a.mu.Lock()
	a.eligibility = r
	a.mu.Unlock()
	if c, ok := a.Operator.(service.EligibilityChecker); ok {
		return c.CheckEligibility(ctx, r)
	}
	return service.Eligibility{}, errNotOffered
}

// doBefore sets what every decision and act waits for.
func (a *asked) doBefore(f func(ctx context.Context, r service.OperatorRequest) error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.before = f
}

// runDue asks operators everything that is due.
func (e *env) runDue() {
	e.tb.Helper()
	e.must(e.service.RunDue(e.tb.Context()))
}

// MustAuthorize asks for an authorization and returns its guiaId and code.
func (e *env) MustAuthorize(card string) (guideID, status string) {
	e.tb.Helper()
	r := e.post(body(map[string]any{"numeroCarteira": card}), nil)
	if r.status != http.StatusOK || r.entry() == nil {
		e.tb.Fatalf("card %s: status %d: %s", card, r.status, r.text)
	}
	return r.entry()["guiaId"].(string), r.entry()["situacaoAutorizacao"].(string)
}

func guidePath(guideID string) string { return "/api/v2/autorizacoes/" + guideID }

// act posts to one of the addresses of row 18.
func (e *env) act(guideID, kind, body string, header http.Header) reply {
	e.tb.Helper()
	return e.send(http.MethodPost, guidePath(guideID)+"/"+kind, bytes.NewReader([]byte(body)), header)
}

// standsAt reads an authorization and checks its code.
func (e *env) standsAt(guideID string, want authorization.Status) reply {
	e.tb.Helper()
	r := e.get(guidePath(guideID))
	if got, _ := r.data()["statusAutorizacao"].(string); r.status != http.StatusOK || got != string(want) {
		e.tb.Fatalf("got %d %q, want 200 %q: %s", r.status, got, want, r.text)
	}
	return r
}

// Bodies of the acts.
const (
	someAttachment = `{"anexos":[{"base64":"JVBERi0xLjQK","name":"laudo.pdf","contentType":"application/pdf"}]}`
	someCapture    = `{"biometrias":[{"tipo":"digital","conteudo":"Y2FwdHVyYS1zZWNyZXRh","dispositivo":"leitor-1"}]}`
	someReason     = `{"motivo":"Paciente desistiu"}`
)

// transitions reads the schema's table of row 19, "KR" each.
func (e *env) transitions() []string {
	e.tb.Helper()
	return e.texts(`SELECT before || after FROM status_transition ORDER BY before, after`)
}

// history returns every code that an authorization ever had, in order.
func (e *env) history(guideID string) []string {
	e.tb.Helper()
	return e.texts(`SELECT s.after FROM authorization_status s JOIN authorization_entry e ON e.id = s.entry_id
		WHERE lower(hex(e.uid)) = replace(?, '-', '') ORDER BY s.id`, guideID)
}

func (e *env) texts(query string, args ...any) (all []string) {
	e.tb.Helper()
	e.must(e.db.Read(e.tb.Context(), func(tx *sqlite.Tx) error {
		all = nil
		rows, err := tx.Query(e.tb.Context(), query, args...)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			all = append(all, text)
		}
		return rows.Err()
	}))
	return all
}

// catalogue lists the cards of the simulated operator.
func catalogue() []string {
	var cards []string
	for _, example := range simulated.New(simulated.Config{}).Catalogue() {
		cards = append(cards, example.Card)
	}
	return cards
}

// otherKey is the key of another partner.
func (e *env) otherKey() string {
	e.tb.Helper()
	p := access.DeskProfile()
	p.ID, p.Name = uuid.New(), "Outro parceiro"
	e.must(e.admin.PutProfile(e.tb.Context(), p))
	key, err := e.admin.MintKey(e.tb.Context(), p.ID, 0)
	e.must(err)
	return key
}

// accept sends a request that is decided afterwards.
func (e *env) accept(card string, header http.Header) reply {
	e.tb.Helper()
	return e.submit(body(map[string]any{"numeroCarteira": card}), header)
}

func (e *env) submit(request string, header http.Header) reply {
	e.tb.Helper()
	return e.send(http.MethodPost, "/api/v1/solicitacao", bytes.NewReader([]byte(`{"solicitacao":`+request+`}`)), header)
}
