package api_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/service/servicetest"
)

// actions are the actions of an authorization that each is allowed in, by the card
// that leads to it.
var actions = map[string]string{"anexos": "999909", "biometria": "999930", "cancelamento": "1"}

// mustAct sends a body as each action and returns the answers.
func (e *env) mustAct(text string) map[string]reply {
	e.tb.Helper()
	all := map[string]reply{}
	for kind, card := range actions {
		id, _ := e.MustAuthorize(card)
		all[kind] = e.Act(id, kind, text, nil)
	}
	return all
}

// TestAPI_Bodies: what is no JSON object is refused by every operation that reads one,
// with this problem first. Of a request all that it lacks is said too.
func TestAPI_Bodies(t *testing.T) {
	e := MustEnv(t, limits{})
	for text, want := range map[string]struct {
		status int
		field  string
	}{
		"[]": {422, " tipo"}, "null": {422, " tipo"}, `"x"`: {422, " tipo"}, "7": {422, " tipo"},
		"": {400, " ilegivel"}, "{": {400, " ilegivel"}, "{} {}": {400, " ilegivel"},
	} {
		answers := e.mustAct(text)
		for path, operation := range map[string]string{
			"login": "/api/v1/auth/login", "refresh": "/api/v1/auth/refresh", "authorize": authorizePath, "accept": "/api/v1/solicitacao",
		} {
			answers[path] = e.Send(http.MethodPost, operation, strings.NewReader(text), nil)
		}
		for name, r := range answers {
			checkRefusal(t, r, want.status)
			request := want.status == 422 && (name == "authorize" || name == "accept")
			if got := r.Fields(); got[0] != want.field || (len(got) > 1) != request {
				t.Errorf("%s of %q: got %q, want %q", name, text, got, want.field)
			}
		}
	}
}

// TestAPI_Solicitacao: the member that holds a request is named where it is missing or
// is no object.
func TestAPI_Solicitacao(t *testing.T) {
	e := MustEnv(t, limits{})
	for text, want := range map[string]string{
		`{}`: "solicitacao obrigatorio", `{"solicitacao":null}`: "solicitacao tipo", `{"solicitacao":[]}`: "solicitacao tipo",
		`{"solicitacao":"x"}`: "solicitacao tipo",
	} {
		r := e.Send(http.MethodPost, "/api/v1/solicitacao", strings.NewReader(text), nil)
		checkRefusal(t, r, http.StatusUnprocessableEntity)
		if got := r.Fields(); got[0] != want || got[1] != "solicitacao.credencialId obrigatorio" {
			t.Errorf("%s: got %q, want %q first", text, got, want)
		}
	}
}

// TestAPI_Nulls is row 5: null is an explicit nothing, and never of another type.
func TestAPI_Nulls(t *testing.T) {
	e := MustEnv(t, limits{})
	for name, want := range map[string]string{
		"especialidadeExecutanteId": "especialidadeExecutanteId obrigatorio", "procedimentos": "procedimentos obrigatorio",
		"credencialId": "credencialId obrigatorio", "numeroCarteira": "numeroCarteira obrigatorio", "atendimentoRN": "atendimentoRN dominio",
	} {
		r := e.Post(body(map[string]any{name: nil}), nil)
		checkRefusal(t, r, http.StatusUnprocessableEntity)
		if got := r.Fields(); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, given := range []map[string]any{{"anexos": nil}, {"validadeCarteira": nil}, {"validadeCarteira": ""}, {"anexos": []any{}}} {
		e.Clock.Move(1e9)
		if r := e.Post(body(given), nil); r.Status != http.StatusOK {
			t.Errorf("%v: got %d %q, want 200", given, r.Status, r.Fields())
		}
	}
}

// TestAPI_Types: a value of another type is named with the type that it should have.
func TestAPI_Types(t *testing.T) {
	e := MustEnv(t, limits{})
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"numeroCarteira":            {7, "numeroCarteira deve ser um texto."},
		"credencialId":              {true, "credencialId deve ser um texto."},
		"validadeCarteira":          {[]any{}, "validadeCarteira deve ser um texto."},
		"atendimentoRN":             {true, "atendimentoRN deve ser um texto."},
		"especialidadeExecutanteId": {"1", "especialidadeExecutanteId deve ser um número inteiro."},
		"procedimentos":             {"x", "procedimentos deve ser uma lista."},
		"anexos":                    {map[string]any{}, "anexos deve ser uma lista."},
	} {
		r := e.Post(body(map[string]any{name: c.value}), nil)
		checkRefusal(t, r, http.StatusUnprocessableEntity)
		if said, _ := r.Body["erros"].([]any); !slices.Contains(said, any(c.want)) {
			t.Errorf("%s: got %q, want %q among them", name, said, c.want)
		}
	}
}

// TestAPI_IdempotencyKey is row 11: one key of 1 to 255 characters.
func TestAPI_IdempotencyKey(t *testing.T) {
	e := MustEnv(t, limits{})
	for name, c := range map[string]struct {
		keys   []string
		status int
	}{
		"none": {nil, 200}, "one character": {[]string{"k"}, 200}, "the longest": {[]string{strings.Repeat("k", 255)}, 200},
		"the longest, accented": {[]string{strings.Repeat("ç", 255)}, 200},
		"empty":                 {[]string{""}, 422}, "too long": {[]string{strings.Repeat("k", 256)}, 422}, "two": {[]string{"a", "b"}, 422},
		"the same twice": {[]string{"a", "a"}, 422},
	} {
		h := http.Header{}
		if c.keys != nil {
			h["Idempotency-Key"] = c.keys
		}
		e.Clock.Move(1e9)
		id, _ := e.MustAuthorize("1")
		e.Clock.Move(1e9)
		for what, r := range map[string]reply{"request": e.Post(body(nil), h), "action": e.Act(id, "cancelamento", "{}", h)} {
			if c.status == http.StatusOK && r.Status == http.StatusConflict && what == "action" {
				continue // the request of the same key came first
			}
			if r.Status != c.status || c.status != http.StatusOK && !slices.Equal(r.Fields(), []string{"Idempotency-Key limite"}) {
				t.Errorf("%s, %s: got %d %q, want %d", name, what, r.Status, r.Fields(), c.status)
			}
		}
	}
}

// putting notes the texts that are stored.
type putting struct {
	blob.Store
	mu  sync.Mutex
	all []string
}

func (p *putting) Put(ctx context.Context, r io.Reader) (blob.Info, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return blob.Info{}, err
	}
	p.mu.Lock()
	p.all = append(p.all, string(text))
	p.mu.Unlock()
	return p.Store.Put(ctx, strings.NewReader(string(text)))
}

// count is how often a text was stored since it was asked last.
func (p *putting) count(text string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, kept := range p.all {
		if kept == text {
			n++
		}
	}
	p.all = nil
	return n
}

// TestAPI_KeepsAttachmentsOnly: of a body nothing is stored but what stands where the
// content of an attachment stands.
func TestAPI_KeepsAttachmentsOnly(t *testing.T) {
	e := MustEnv(t, limits{})
	stored := &putting{}
	e.WrapBlobs = func(s blob.Store) blob.Store { stored.Store = s; return stored }
	e.Restart()
	object := func(name string) map[string]any { return map[string]any{name: "QUJD"} }
	for name, c := range map[string]struct {
		changes map[string]any
		want    int
	}{
		"none":         {nil, 0},
		"a text":       {map[string]any{"anexos": []any{"QUJD"}}, 1},
		"base64":       {map[string]any{"anexos": []any{object("base64")}}, 1},
		"conteudo":     {map[string]any{"anexos": []any{object("conteudo")}}, 1},
		"a name":       {map[string]any{"anexos": []any{object("name")}}, 0},
		"a type":       {map[string]any{"anexos": []any{object("contentType")}}, 0},
		"not a list":   {map[string]any{"anexos": "QUJD"}, 0},
		"deeper":       {map[string]any{"anexos": []any{map[string]any{"base64": object("base64")}}}, 0},
		"another list": {map[string]any{"outros": []any{"QUJD", object("base64")}}, 0},
		"no index":     {map[string]any{"anexos": map[string]any{"x": "QUJD"}}, 0},
	} {
		e.Clock.Move(1e9)
		e.Post(body(c.changes), nil)
		if got := stored.count("ABC"); got != c.want {
			t.Errorf("%s: stored %d times, want %d", name, got, c.want)
		}
		e.Clock.Move(1e9)
		e.Submit(body(c.changes), nil)
		if got := stored.count("ABC"); got != c.want {
			t.Errorf("%s, to be decided afterwards: stored %d times, want %d", name, got, c.want)
		}
	}
	for _, beside := range []string{`"anexos":["QUJD"]`, `"outra":{"anexos":["QUJD"]}`, `"outra":"QUJD"`} {
		e.Clock.Move(1e9)
		text := `{` + beside + `,"solicitacao":` + body(nil) + `}`
		if r := e.Send(http.MethodPost, "/api/v1/solicitacao", strings.NewReader(text), nil); r.Status != http.StatusAccepted {
			t.Errorf("%s: got %d %q, want 202", beside, r.Status, r.Fields())
		}
		if got := stored.count("ABC"); got != 0 {
			t.Errorf("%s beside the request: stored %d times", beside, got)
		}
	}
}

// TestAPI_Captures: every capture that cannot be taken is named, and none is stored.
func TestAPI_Captures(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999930")
	many := strings.TrimSuffix(strings.Repeat(`{"tipo":"facial","conteudo":"QUJD"},`, 11), ",")
	for text, want := range map[string][]string{
		`{}`:                            {"biometrias obrigatorio"},
		`{"biometrias":null}`:           {"biometrias obrigatorio"},
		`{"biometrias":[]}`:             {"biometrias obrigatorio"},
		`{"biometrias":"x"}`:            {"biometrias tipo"},
		`{"biometrias":[7]}`:            {"biometrias[0] tipo"},
		`{"biometrias":[` + many + `]}`: {"biometrias limite"},
		`{"biometrias":[{"tipo":"facial","conteudo":"QUJD"},{"tipo":"x","conteudo":"?"},{"tipo":"iris"},{"tipo":"voz","base64":7}]}`: {
			"biometrias[1].tipo dominio", "biometrias[1].conteudo formato", "biometrias[2].conteudo obrigatorio", "biometrias[3].base64 tipo"},
		`{"biometrias":[{"conteudo":"QUJD"}]}`:                                                     {"biometrias[0].tipo dominio"},
		`{"biometrias":[{"tipo":"facial","conteudo":"QUJDRA?"},{"tipo":"voz","conteudo":"QUJD"}]}`: {"biometrias[0].conteudo formato"},
	} {
		r := e.Act(id, "biometria", text, nil)
		checkRefusal(t, r, http.StatusUnprocessableEntity)
		if got := r.Fields(); !slices.Equal(got, want) {
			t.Errorf("%.80s: got %q, want %q", text, got, want)
		}
	}
	if got := e.Operator.Acted.Load(); got != 0 {
		t.Errorf("the operator was told %d times", got)
	}
	if r := e.Act(id, "biometria", `{"biometrias":[{"tipo":"facial","base64":"QUJD","dispositivo":"D1"}]}`, nil); r.Status != http.StatusOK {
		t.Fatalf("got %d %q", r.Status, r.Fields())
	}
	if c := e.Operator.Captured; len(c) != 1 || c[0].Kind != "facial" || c[0].Device != "D1" || string(c[0].Data) != "ABC" {
		t.Errorf("told: got %d captures", len(c))
	}
}

// TestAPI_Cancellation: the reason may be left out, and is at most 500 characters
// without the white space around it.
func TestAPI_Cancellation(t *testing.T) {
	e := MustEnv(t, limits{})
	for text, want := range map[string]struct {
		status int
		reason string
	}{
		`{}`:                       {200, ""},
		`{"motivo":null}`:          {200, ""},
		`{"motivo":"  Desistiu "}`: {200, "Desistiu"},
		`{"motivo":"` + strings.Repeat("ç", 500) + `"}`:        {200, strings.Repeat("ç", 500)},
		`{"motivo":"` + strings.Repeat("ç", 501) + `"}`:        {422, "motivo limite"},
		`{"motivo":"\n  ` + strings.Repeat("ç", 500) + ` \t"}`: {200, strings.Repeat("ç", 500)},
		`{"motivo":7}`: {422, "motivo tipo"},
	} {
		e.Clock.Move(1e9)
		id, _ := e.MustAuthorize("1")
		r := e.Act(id, "cancelamento", text, nil)
		if got := e.Operator.Reason; r.Status != want.status || want.status == 200 && got != want.reason ||
			want.status != 200 && !slices.Equal(r.Fields(), []string{want.reason}) {
			t.Errorf("%.30s: got %d %q, reason %.20q, want %+v", text, r.Status, r.Fields(), got, want)
		}
	}
}

// TestAPI_Pages: the numbers of a page are held to their bounds.
func TestAPI_Pages(t *testing.T) {
	e := MustEnv(t, limits{})
	for query, want := range map[string]string{
		"Pagina=1": "", "Pagina=1000000": "", "Pagina=1000001": "Pagina limite", "Pagina=0": "Pagina limite", "Pagina=": "Pagina limite",
		"TamanhoPagina=1": "", "TamanhoPagina=0": "TamanhoPagina limite", "TamanhoPagina=201": "TamanhoPagina limite",
		"Pagina=-1&TamanhoPagina=x": "Pagina limite, TamanhoPagina limite",
	} {
		r := e.Get("/api/v2/credenciais?" + query)
		if got := strings.Join(r.Fields(), ", "); got != want || (want == "") != (r.Status == http.StatusOK) {
			t.Errorf("%s: got %d %q, want %q", query, r.Status, got, want)
		}
	}
	if r := e.Get("/api/v2/credenciais?TamanhoPagina=1"); r.Data()["pagina"] != 1.0 || r.Data()["tamanhoPagina"] != 1.0 ||
		len(r.Entries("items")) != 1 || r.Data()["total"] != 3.0 {
		t.Errorf("the first page of one: got %s", r.Text)
	}
}

// TestAPI_EligibilityQuery: each parameter that cannot be taken is named once.
func TestAPI_EligibilityQuery(t *testing.T) {
	e := MustEnv(t, limits{})
	id := "credencialId=" + eligibilityID.String()
	for query, want := range map[string]string{
		"":                                "credencialId obrigatorio, numeroCarteira obrigatorio",
		"credencialId=x&numeroCarteira=1": "credencialId formato",
		id:                                "numeroCarteira obrigatorio",
		id + "&numeroCarteira=1&validadeCarteira=31/12/2027":    "validadeCarteira formato",
		"credencialId=" + unitID.String() + "&numeroCarteira=1": "credencialId dominio",
	} {
		r := e.Get("/api/v1/elegibilidade?" + query)
		checkRefusal(t, r, http.StatusUnprocessableEntity)
		if got := strings.Join(r.Fields(), ", "); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
	if r := e.Get("/api/v1/elegibilidade?" + id + "&numeroCarteira=0310004512063345&validadeCarteira=2027-12-31"); r.Status != http.StatusOK {
		t.Errorf("got %d %q, want 200", r.Status, r.Fields())
	}
	if got := e.Operator.Eligibility; got.CardNumber != "0310004512063345" || got.CardValidity.Date() != "31/12/2027" ||
		got.Credential.ID != servicetest.CredentialID {
		t.Errorf("told: got card validity %v of %v", got.CardValidity, got.Credential.ID)
	}
}
