package servicetest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/service/access"
	"guiche/internal/service/simulated"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Reply is an answer as it came over the wire.
type Reply struct {
	Status int
	Header http.Header
	Text   string
	Body   map[string]any
}

// Send sends a request; header "x-api-key" is the environment's unless given.
func (e *Env) Send(method, path string, body io.Reader, header http.Header) Reply {
	e.tb.Helper()
	r, err := http.NewRequestWithContext(e.tb.Context(), method, e.Server.URL+path, body)
	e.Must(err)
	r.Header.Set("X-Api-Key", e.Key)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(r.Header, header)
	res, err := e.Server.Client().Do(r)
	if err != nil {
		e.tb.Errorf("%s %s: %v", method, path, err)
		return Reply{}
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		e.tb.Errorf("%s %s: read answer: %v", method, path, err)
	}
	out := Reply{Status: res.StatusCode, Header: res.Header, Text: string(text)}
	if method != http.MethodHead {
		if err := json.Unmarshal(text, &out.Body); err != nil {
			e.tb.Errorf("%s %s: status %d, answer is no JSON object: %v: %.200s", method, path, res.StatusCode, err, text)
		}
	}
	return out
}

// Get sends a request without a body.
func (e *Env) Get(path string) Reply {
	e.tb.Helper()
	return e.Send(http.MethodGet, path, nil, nil)
}

// AuthorizePath is the address of Post.
const AuthorizePath = "/api/v2/autorizar/sp-sadt"

// Post asks for an authorization.
func (e *Env) Post(body string, header http.Header) Reply {
	e.tb.Helper()
	return e.Send(http.MethodPost, AuthorizePath, bytes.NewReader([]byte(body)), header)
}

// Body is a request with every required field, as an object to change.
func Body(changes map[string]any) string {
	b := map[string]any{
		"credencialId": CredentialID, "numeroCarteira": "0310004512063345", "nomeBeneficiario": "HELENA DUARTE CANARIO",
		"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"unidadeId": UnitID, "pontoAtendimentoId": PointID, "profissionalExecutanteId": ProfessionalID, "especialidadeExecutanteId": SpecialtyID,
		"procedimentos": []any{map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1}},
	}
	for k, v := range changes {
		if v == Absent {
			delete(b, k)
			continue
		}
		b[k] = v
	}
	text, err := json.Marshal(b)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Absent leaves a property out.
var Absent = new(int)

// Fields returns campo and codigo of errosDetalhados, "campo codigo" each.
func (r Reply) Fields() []string {
	var all []string
	details, _ := r.Body["errosDetalhados"].([]any)
	for _, d := range details {
		m, _ := d.(map[string]any)
		all = append(all, m["campo"].(string)+" "+m["codigo"].(string))
	}
	return all
}

// Data is data of the envelope.
func (r Reply) Data() map[string]any {
	d, _ := r.Body["data"].(map[string]any)
	return d
}

// Entries are the objects of a list in data.
func (r Reply) Entries(name string) []map[string]any {
	var all []map[string]any
	list, _ := r.Data()[name].([]any)
	for _, item := range list {
		m, _ := item.(map[string]any)
		all = append(all, m)
	}
	return all
}

// Entry is the first authorization of an answer.
func (r Reply) Entry() map[string]any {
	if all := r.Entries("autorizacoes"); len(all) > 0 {
		return all[0]
	}
	return nil
}

// RunDue asks operators everything that is due.
func (e *Env) RunDue() {
	e.tb.Helper()
	e.Must(e.Service.RunDue(e.tb.Context()))
}

// MustAuthorize asks for an authorization and returns its guiaId and code.
func (e *Env) MustAuthorize(card string) (guideID, status string) {
	e.tb.Helper()
	r := e.Post(Body(map[string]any{"numeroCarteira": card}), nil)
	if r.Status != http.StatusOK || r.Entry() == nil {
		e.tb.Fatalf("card %s: status %d: %s", card, r.Status, r.Text)
	}
	return r.Entry()["guiaId"].(string), r.Entry()["situacaoAutorizacao"].(string)
}

// GuidePath is the address of an authorization.
func GuidePath(guideID string) string { return "/api/v2/autorizacoes/" + guideID }

// Act posts to one of the addresses of row 18.
func (e *Env) Act(guideID, kind, body string, header http.Header) Reply {
	e.tb.Helper()
	return e.Send(http.MethodPost, GuidePath(guideID)+"/"+kind, bytes.NewReader([]byte(body)), header)
}

// StandsAt reads an authorization and checks its code.
func (e *Env) StandsAt(guideID string, want authorization.Status) Reply {
	e.tb.Helper()
	r := e.Get(GuidePath(guideID))
	if got, _ := r.Data()["statusAutorizacao"].(string); r.Status != http.StatusOK || got != string(want) {
		e.tb.Fatalf("got %d %q, want 200 %q: %s", r.Status, got, want, r.Text)
	}
	return r
}

// Bodies of the actions.
const (
	SomeAttachment = `{"anexos":[{"base64":"JVBERi0xLjQK","name":"laudo.pdf","contentType":"application/pdf"}]}`
	SomeCapture    = `{"biometrias":[{"tipo":"digital","conteudo":"Y2FwdHVyYS1zZWNyZXRh","dispositivo":"leitor-1"}]}`
	SomeReason     = `{"motivo":"Paciente desistiu"}`
)

// Transitions reads the schema's table of row 19, "KR" each.
func (e *Env) Transitions() []string {
	e.tb.Helper()
	return e.Texts(`SELECT before || after FROM status_transition ORDER BY before, after`)
}

// History returns every code that an authorization ever had, in order.
func (e *Env) History(guideID string) []string {
	e.tb.Helper()
	return e.Texts(`SELECT s.after FROM authorization_status s JOIN authorization_entry e ON e.id = s.entry_id
		WHERE e.uid = ? ORDER BY s.id`, engine.UID(uuid.MustParse(guideID)))
}

// Texts returns the first column of a query to the database.
func (e *Env) Texts(query string, args ...any) (all []string) {
	e.tb.Helper()
	e.Must(e.DB.Read(e.tb.Context(), func(tx *engine.Tx) error {
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

// Catalogue lists the cards of the simulated operator.
func Catalogue() []string {
	var cards []string
	for _, example := range simulated.New(simulated.Config{}).Catalogue() {
		cards = append(cards, example.Card)
	}
	return cards
}

// OtherKey is the key of another partner.
func (e *Env) OtherKey() string {
	e.tb.Helper()
	p := access.DeskProfile()
	p.ID, p.Name = uuid.New(), "Outro parceiro"
	e.Must(e.Admin.PutProfile(e.tb.Context(), p))
	key, err := e.Admin.MintKey(e.tb.Context(), p.ID, 0)
	e.Must(err)
	return key
}

// Accept sends a request that is decided afterwards.
func (e *Env) Accept(card string, header http.Header) Reply {
	e.tb.Helper()
	return e.Submit(Body(map[string]any{"numeroCarteira": card}), header)
}

// Submit sends a request, given as JSON, that is decided afterwards.
func (e *Env) Submit(request string, header http.Header) Reply {
	e.tb.Helper()
	return e.Send(http.MethodPost, "/api/v1/solicitacao", bytes.NewReader([]byte(`{"solicitacao":`+request+`}`)), header)
}

// CheckRefusal holds the envelope of a refusal (rows 4, 5 and 9).
func CheckRefusal(t testing.TB, r Reply, status int) {
	t.Helper()
	if r.Status != status {
		t.Fatalf("status: got %d, want %d: %.300s", r.Status, status, r.Text)
	}
	data, ok := r.Body["data"]
	errs, _ := r.Body["erros"].([]any)
	if r.Body["sucesso"] != false || !ok || data != nil || len(errs) == 0 || len(errs) != len(r.Fields()) {
		t.Errorf("envelope: got %.300s", r.Text)
	}
	for _, text := range errs {
		if s, ok := text.(string); !ok || s == "" {
			t.Errorf("erros: got %v, want texts", errs)
		}
	}
	if r.Header.Get("Content-Type") != "application/json; charset=utf-8" ||
		r.Header.Get("X-Content-Type-Options") != "nosniff" || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers: got %v", r.Header)
	}
}

// Key is a header with an Idempotency-Key.
func Key(text string) http.Header { return http.Header{"Idempotency-Key": {text}} }

// CheckReplay: the first answer byte for byte, and the header that says so.
func CheckReplay(t testing.TB, first, again Reply) {
	t.Helper()
	if again.Status != http.StatusOK || again.Text != first.Text {
		t.Errorf("got %d, %d bytes that differ from the first %d", again.Status, len(again.Text), len(first.Text))
	}
	if first.Header.Get("Idempotency-Replayed") != "" || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("Idempotency-Replayed: got %q then %q", first.Header.Get("Idempotency-Replayed"), again.Header.Get("Idempotency-Replayed"))
	}
}
