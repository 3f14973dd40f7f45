package api_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/service/api"

	"github.com/google/uuid"
)

// TestAPI_Paths is rows 8 and 9: an unknown address or method comes before
// everything else, with an envelope too.
func TestAPI_Paths(t *testing.T) {
	e := MustEnv(t, limits{})
	nobody := http.Header{"X-Api-Key": {"wrong"}}
	for _, path := range []string{"/", "/api", "/api/v2/credenciais/", "/api/v2/autorizacoes/x/y", "//api/v2/credenciais",
		"/api/v2/../v2/credenciais", "/API/v2/credenciais"} {
		checkRefusal(t, e.Send(http.MethodGet, path, nil, nobody), http.StatusNotFound)
	}
	for path, allow := range map[string]string{authorizePath: "POST", "/api/v2/credenciais": "GET, HEAD"} {
		res := e.Send(http.MethodDelete, path, nil, nobody)
		checkRefusal(t, res, http.StatusMethodNotAllowed)
		if got := res.Header.Get("Allow"); got != allow {
			t.Errorf("Allow: got %q, want %q", got, allow)
		}
	}
	if res := e.Send(http.MethodHead, "/api/v2/credenciais", nil, nil); res.Status != http.StatusOK || res.Text != "" {
		t.Errorf("HEAD: got %d %q", res.Status, res.Text)
	}
}

// TestAPI_Order is row 8: of everything that is wrong, the first check speaks.
func TestAPI_Order(t *testing.T) {
	e := MustEnv(t, limits{API: api.Limits{MaxBody: 4096}})
	weak := access.Profile{ID: uuid.New(), Name: "Só lê", Methods: []access.Method{access.MethodAPIKey},
		Scopes: []access.Scope{access.ReadCredentials}, Rate: 60}
	e.Must(e.Admin.PutProfile(t.Context(), weak))
	weakKey, err := e.Admin.MintKey(t.Context(), weak.ID, 0)
	e.Must(err)
	large, syntax := strings.Repeat("{", 5000), `{"a":`
	key, conflicting := "chave-1", body(map[string]any{"guiaPrestador": "g1"})
	if res := e.Post(conflicting, http.Header{"Idempotency-Key": {key}}); res.Status != http.StatusOK {
		t.Fatalf("got %d %s", res.Status, res.Text)
	}
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h[http.CanonicalHeaderKey(pairs[i])] = []string{pairs[i+1]}
		}
		return h
	}
	for _, c := range []struct {
		name, body string
		header     http.Header
		status     int
	}{
		{"unknown key before scope, type, size", large, header("x-api-key", "gch_x", "Content-Type", "text/plain"), 401},
		{"scope before rate, type, size", large, header("x-api-key", weakKey, "Content-Type", "text/plain"), 403},
		{"type before size", large, header("Content-Type", "text/plain"), 415},
		{"size before parse", large, nil, 413},
		{"parse before the key", syntax, header("Idempotency-Key", key), 400},
		{"wrong types before the key", body(map[string]any{"numeroCarteira": 1}), header("Idempotency-Key", key), 422},
		{"a bad key before validation", body(map[string]any{"numeroCarteira": ""}), header("Idempotency-Key", strings.Repeat("k", 256)), 422},
		{"the key before validation", body(map[string]any{"numeroCarteira": ""}), header("Idempotency-Key", key), 409},
		{"guiaPrestador before validation", body(map[string]any{"numeroCarteira": "", "guiaPrestador": "g1"}), nil, 409},
		{"validation before the operator", body(map[string]any{"credencialId": unconnectedID, "numeroCarteira": ""}), nil, 422},
		{"no operator", body(map[string]any{"credencialId": unconnectedID}), nil, 503},
	} {
		t.Run(c.name, func(t *testing.T) { checkRefusal(t, e.Post(c.body, c.header), c.status) })
	}
	if got := e.Operator.Authorized.Load(); got != 1 {
		t.Errorf("the operator was asked %d times, want 1", got)
	}
}

// TestAPI_Authentication is section 5 and rows 8, 9 and 25.
func TestAPI_Authentication(t *testing.T) {
	e := MustEnv(t, limits{})
	admin := e.Admin
	other := access.Profile{ID: uuid.New(), Name: "Outro", Methods: []access.Method{access.MethodAPIKey}, Scopes: access.Scopes()}
	e.Must(admin.PutProfile(t.Context(), other))
	mint := func(idle time.Duration) string {
		key, err := admin.MintKey(t.Context(), other.ID, idle)
		e.Must(err)
		return key
	}
	with := func(keys ...string) reply {
		return e.Send(http.MethodGet, "/api/v2/recursos", nil, http.Header{"X-Api-Key": keys})
	}
	good := mint(0)
	if !strings.HasPrefix(good, "gch_") || with(good).Status != http.StatusOK {
		t.Fatalf("a fresh key does not open: %q", good[:4])
	}
	t.Run("Refused", func(t *testing.T) {
		unknown := "gch_" + strings.Repeat("A", 43) + "00000000"
		for _, keys := range [][]string{{}, {""}, {"x"}, {unknown}, {good + "x"}, {good[:len(good)-1] + "g"}, {good, good}} {
			res := with(keys...)
			checkRefusal(t, res, http.StatusUnauthorized)
			if res.Header.Get("WWW-Authenticate") == "" {
				t.Error("no WWW-Authenticate")
			}
		}
	})
	t.Run("EndsWithoutUse", func(t *testing.T) {
		used, unused := mint(72*time.Hour), mint(72*time.Hour)
		for range 3 {
			e.Clock.Move(71 * time.Hour)
			if got := with(used).Status; got != http.StatusOK {
				t.Fatalf("a key in use: got %d, want 200", got)
			}
		}
		checkRefusal(t, with(unused), http.StatusUnauthorized)
	})
	t.Run("Revoked", func(t *testing.T) {
		revoked := mint(0)
		keys, err := admin.Keys(t.Context(), other.ID)
		e.Must(err)
		e.Must(admin.RevokeKey(t.Context(), keys[0].ID))
		checkRefusal(t, with(revoked), http.StatusUnauthorized)
		if with(good).Status != http.StatusOK {
			t.Error("another key ended with it")
		}
	})
	t.Run("MethodAndScope", func(t *testing.T) {
		other.Scopes = []access.Scope{access.ReadDirectory}
		e.Must(admin.PutProfile(t.Context(), other))
		h := http.Header{"X-Api-Key": {good}}
		for path, want := range map[string]int{
			"/api/v2/recursos": 200, "/api/v2/unidades": 200, "/api/v2/profissionais-executantes": 200,
			"/api/v2/credenciais": 403, "/api/v2/autorizacoes?guiaPrestador=1": 403, "/api/v2/autorizacoes/x": 403,
		} {
			if got := e.Send(http.MethodGet, path, nil, h).Status; got != want {
				t.Errorf("%s: got %d, want %d", path, got, want)
			}
		}
		checkRefusal(t, e.Post(body(nil), h), http.StatusForbidden)
		other.Methods = nil
		e.Must(admin.PutProfile(t.Context(), other))
		checkRefusal(t, with(good), http.StatusForbidden)
		other.Methods, other.Disabled = []access.Method{access.MethodAPIKey}, true
		e.Must(admin.PutProfile(t.Context(), other))
		checkRefusal(t, with(good), http.StatusUnauthorized)
	})
	t.Run("EnsureKeepsWhatIsThere", func(t *testing.T) {
		e.Must(admin.EnsureProfile(t.Context(), access.Profile{ID: other.ID, Name: "x", Methods: other.Methods, Scopes: access.Scopes()}))
		checkRefusal(t, with(good), http.StatusUnauthorized)
	})
}

// TestAPI_Rate is row 10, kept in the store: a restart forgets nothing.
func TestAPI_Rate(t *testing.T) {
	e := MustEnv(t, limits{})
	p := access.DeskProfile()
	p.Rate = 2 // two at once, then one in thirty seconds
	e.Must(e.Admin.PutProfile(t.Context(), p))
	var got []int
	for i := range 4 {
		if i == 2 {
			e.Restart()
		}
		got = append(got, e.Get("/api/v2/recursos").Status)
	}
	if want := []int{200, 200, 429, 429}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	refused := e.Get("/api/v2/recursos")
	checkRefusal(t, refused, http.StatusTooManyRequests)
	if refused.Header.Get("Retry-After") != "30" {
		t.Errorf("Retry-After: got %q, want 30", refused.Header.Get("Retry-After"))
	}
	e.Clock.Move(30 * time.Second)
	if got := []int{e.Get("/api/v2/recursos").Status, e.Get("/api/v2/recursos").Status}; !slices.Equal(got, []int{200, 429}) {
		t.Errorf("after a turn: got %v", got)
	}
}

// TestAPI_Unreadable is rows 9 and 12: what cannot be read at all.
func TestAPI_Unreadable(t *testing.T) {
	e := MustEnv(t, limits{})
	for name, c := range map[string]struct {
		body, field string
		status      int
	}{
		"empty":            {"", "", 400},
		"white space":      {" \n", "", 400},
		"syntax":           {`{"numeroCarteira": }`, "numeroCarteira", 400},
		"cut":              {`{"anexos": ["QUJD`, "anexos[0]", 400},
		"UTF-8":            {"{\"nomeBeneficiario\": \"Jo\xe3o\"}", "nomeBeneficiario", 400},
		"nesting":          {`{"x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, "x" + strings.Repeat("[0]", 63), 400},
		"same name":        {`{"anexos": [{"base64": "QUJD", "base64": "QUJD"}]}`, "anexos[0].base64", 400},
		"something after":  {body(nil) + `{}`, "", 400},
		"too much text":    {`{"observacoes": "` + strings.Repeat("x", 1<<20) + `"}`, "observacoes", 413},
		"an array":         {`[]`, "", 422},
		"null":             {`null`, "", 422},
		"path of 200":      {`{"` + strings.Repeat("n", 300) + `": x}`, strings.Repeat("n", 200), 400},
		"64 levels are ok": {`{"x":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`, "credencialId", 422},
	} {
		t.Run(name, func(t *testing.T) {
			res := e.Post(c.body, nil)
			checkRefusal(t, res, c.status)
			if got, _, _ := strings.Cut(res.Fields()[0], " "); got != c.field {
				t.Errorf("campo: got %q, want %q", got, c.field)
			}
		})
	}
	for name, h := range map[string]http.Header{
		"no type": {"Content-Type": {""}}, "other type": {"Content-Type": {"text/json"}},
		"other charset": {"Content-Type": {"application/json; charset=latin1"}},
		"compressed":    {"Content-Encoding": {"gzip"}},
	} {
		t.Run(name, func(t *testing.T) { checkRefusal(t, e.Post(body(nil), h), http.StatusUnsupportedMediaType) })
	}
	if res := e.Post(body(nil), http.Header{"Content-Type": {"application/json; charset=UTF-8"}}); res.Status != http.StatusOK {
		t.Errorf("UTF-8 said: got %d", res.Status)
	}
}

// TestAPI_AllProblemsAtOnce is rows 1 and 12.
func TestAPI_AllProblemsAtOnce(t *testing.T) {
	e := MustEnv(t, limits{})
	res := e.Post(`{}`, nil)
	checkRefusal(t, res, http.StatusUnprocessableEntity)
	want := []string{
		"credencialId obrigatorio", "numeroCarteira obrigatorio", "nomeBeneficiario obrigatorio", "unidadeId obrigatorio",
		"pontoAtendimentoId obrigatorio", "nomeSolicitante obrigatorio", "ufSolicitante obrigatorio", "crmSolicitante obrigatorio",
		"siglaConselhoSolicitante obrigatorio", "profissionalExecutanteId obrigatorio", "especialidadeExecutanteId obrigatorio",
		"procedimentos obrigatorio",
	}
	if got := res.Fields(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	res = e.Post(body(map[string]any{
		"numeroCarteira": 310004512063345, "validadeCarteira": "31/12/2027", "atendimentoRN": "sim", "especialidadeExecutanteId": "1",
		"credencialId": "x", "nomeContato": true, "anexos": []any{"não é base64", 5, map[string]any{"name": "sem conteúdo"},
			map[string]any{"base64": 1}, ""},
		"procedimentos": []any{map[string]any{"nomeProcedimento": "TSH", "quantidade": 1.5}, "x",
			map[string]any{"nomeProcedimento": "a", "codigoProcedimento": "1", "quantidade": 1000}},
	}), nil)
	checkRefusal(t, res, http.StatusUnprocessableEntity)
	for _, want := range []string{
		"numeroCarteira tipo", "validadeCarteira formato", "atendimentoRN dominio", "especialidadeExecutanteId tipo",
		"credencialId formato", "nomeContato tipo",
		"anexos[0] formato", "anexos[1] tipo", "anexos[2].base64 obrigatorio", "anexos[3].base64 tipo", "anexos[4] obrigatorio",
		"procedimentos[0].quantidade tipo", "procedimentos[0].codigoProcedimento obrigatorio", "procedimentos[1] tipo",
		"procedimentos[2].quantidade limite",
	} {
		if !slices.Contains(res.Fields(), want) {
			t.Errorf("missing %q in %q", want, res.Fields())
		}
	}
}

// TestAPI_Mark is row 12: a byte-order mark before a body is skipped, and what is behind
// it is the same request.
func TestAPI_Mark(t *testing.T) {
	e := MustEnv(t, limits{})
	text := body(map[string]any{"guiaPrestador": "g1"})
	first, again := e.Post("\xef\xbb\xbf"+text, nil), e.Post(text, nil)
	if first.Status != http.StatusOK || again.Text != first.Text {
		t.Errorf("got %d %s, then %d %s", first.Status, first.Text, again.Status, again.Text)
	}
	token := e.Send(http.MethodPost, "/api/v1/auth/login", strings.NewReader("\xef\xbb\xbf{}"), nil)
	checkRefusal(t, token, http.StatusUnprocessableEntity)
}

// TestAPI_Integers is row 12: the value of a number counts, not how it is written, and
// nothing is rounded.
func TestAPI_Integers(t *testing.T) {
	e := MustEnv(t, limits{})
	for text, ok := range map[string]bool{
		"1": true, "1.0": true, "1.000": true, "1e0": true, "1E+0": true, "10e-1": true, "0.1e1": true, "0.01E2": true, "1.0e0": true,
		"100e-2": true, "1" + strings.Repeat("0", 50) + "e-50": true, "0.1e1" + strings.Repeat("0", 400): false,
		"1.5": false, "15e-1": false, "1.0000000000000000000000000001": false, "1e-1": false, "1e-999999999": false, "1e999999999": false,
		"1e99999999999999999999": false, `"1"`: false, "true": false, "[1]": false, "{}": false, "4294967297": false, "4294967297.0": false,
	} {
		for _, field := range []string{"quantidade", "especialidadeExecutanteId"} {
			e.Clock.Move(time.Second)
			sent := strings.Replace(body(nil), `"quantidade":1`, `"quantidade":`+text, 1)
			path := "procedimentos[0].quantidade"
			if field != "quantidade" {
				path, sent = field, strings.Replace(body(nil), `"especialidadeExecutanteId":225120`, `"especialidadeExecutanteId":`+text, 1)
			}
			said := strings.Join(e.Post(sent, nil).Fields(), ", ")
			if read := !strings.Contains(said, path+" tipo"); read != ok {
				t.Errorf("%s %.40s: read %v, want %v: %s", field, text, read, ok, said)
			}
		}
	}
	h := http.Header{"Idempotency-Key": {"numero"}}
	first := e.Post(body(nil), h)
	again := e.Post(strings.Replace(body(nil), `"quantidade":1`, `"quantidade":1.0`, 1), h)
	if first.Status != http.StatusOK || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("1 and 1.0 are other requests: got %d, then %d %s", first.Status, again.Status, again.Text)
	}
	for text, want := range map[string]int{"-0": 422, "0.0": 422, "999.0": 200, "9.99e2": 200, "1e3": 422, "-1.0": 422} {
		e.Clock.Move(time.Second)
		if r := e.Post(strings.Replace(body(nil), `"quantidade":1`, `"quantidade":`+text, 1), nil); r.Status != want ||
			want != 200 && r.Fields()[0] != "procedimentos[0].quantidade limite" {
			t.Errorf("%s: got %d %q, want %d by its value", text, r.Status, r.Fields(), want)
		}
	}
}

// TestAPI_Null is row 12: U+0000 is no text, wherever one is read.
func TestAPI_Null(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("0310004512063345")
	for name := range map[string]bool{
		"numeroCarteira": true, "nomeBeneficiario": true, "planoBeneficiario": true, "observacoes": true, "indicacaoClinica": true,
		"guiaPrestador": true, "nomeSolicitante": true, "crmSolicitante": true, "siglaConselhoSolicitante": true, "emailContato": true,
	} {
		r := e.Post(body(map[string]any{name: "a\x00b"}), nil)
		checkRefusal(t, r, http.StatusUnprocessableEntity)
		if got := r.Fields(); !slices.Equal(got, []string{name + " formato"}) {
			t.Errorf("%s: got %q", name, got)
		}
	}
	zero := "a\x00b"
	for want, r := range map[string]reply{
		"procedimentos[0].nomeProcedimento formato": e.Post(body(map[string]any{"procedimentos": []any{
			map[string]any{"nomeProcedimento": zero, "codigoProcedimento": "40316521", "quantidade": 1}}}), nil),
		"anexos[0].name formato": e.Post(body(map[string]any{"anexos": []any{map[string]any{"base64": "JVBERi0xLjQK", "name": zero}}}), nil),
		"motivo formato":         e.Act(id, "cancelamento", asJSON(map[string]any{"motivo": zero}), nil),
		"usuario formato": e.Send(http.MethodPost, "/api/v1/auth/login",
			strings.NewReader(asJSON(map[string]any{"usuario": zero, "senha": "x"})), nil),
		"Busca formato":         e.Get("/api/v2/credenciais?Busca=a%00b"),
		"guiaPrestador formato": e.Get("/api/v2/autorizacoes?guiaPrestador=%00"),
	} {
		checkRefusal(t, r, http.StatusUnprocessableEntity)
		if !slices.Contains(r.Fields(), want) {
			t.Errorf("got %q, want %s", r.Fields(), want)
		}
	}
}

// TestAPI_Values is row 1 and specification 7.3: one wrong value each.
func TestAPI_Values(t *testing.T) {
	e := MustEnv(t, limits{})
	procedures := func(n, quantity int) []any {
		one := map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": quantity}
		return slices.Repeat([]any{one}, n)
	}
	strict := map[string]any{"credencialId": strictID, "numeroCarteira": "12345678901234567", "validadeCarteira": "2027-12-31T00:00:00"}
	change := func(more map[string]any) map[string]any {
		all := map[string]any{}
		for _, m := range []map[string]any{strict, more} {
			for k, v := range m {
				all[k] = v
			}
		}
		return all
	}
	for name, c := range map[string]struct {
		changes map[string]any
		want    []string
	}{
		"unknown credential":   {map[string]any{"credencialId": uuid.New()}, []string{"credencialId dominio"}},
		"unknown unit":         {map[string]any{"unidadeId": uuid.New()}, []string{"unidadeId dominio"}},
		"unknown point":        {map[string]any{"pontoAtendimentoId": uuid.New()}, []string{"pontoAtendimentoId dominio"}},
		"unknown professional": {map[string]any{"profissionalExecutanteId": uuid.New()}, []string{"profissionalExecutanteId dominio"}},
		"another's specialty":  {map[string]any{"especialidadeExecutanteId": 1}, []string{"especialidadeExecutanteId dominio"}},
		"newborn without": {map[string]any{"atendimentoRN": "S"}, []string{"nomeRecemNascido obrigatorio",
			"dataNascimentoRecemNascido obrigatorio"}},
		"newborn of 2099": {map[string]any{"atendimentoRN": "S", "nomeRecemNascido": "RN", "dataNascimentoRecemNascido": "2099-01-01"},
			[]string{"dataNascimentoRecemNascido dominio"}},
		"quantity 0":            {map[string]any{"procedimentos": procedures(1, 0)}, []string{"procedimentos[0].quantidade limite"}},
		"quantity 999":          {map[string]any{"procedimentos": procedures(1, 999)}, nil},
		"100 procedures":        {map[string]any{"procedimentos": procedures(100, 1)}, nil},
		"101 procedures":        {map[string]any{"procedimentos": procedures(101, 1)}, []string{"procedimentos limite"}},
		"accident":              {map[string]any{"tipoAcidente": "3"}, []string{"tipoAcidente dominio"}},
		"regime 05":             {map[string]any{"regimeAtendimento": "05"}, nil},
		"regime":                {map[string]any{"regimeAtendimento": "06"}, []string{"regimeAtendimento dominio"}},
		"care type 23":          {map[string]any{"tipoAtendimento": "23"}, nil},
		"care type":             {map[string]any{"tipoAtendimento": "12"}, []string{"tipoAtendimento dominio"}},
		"state":                 {map[string]any{"ufSolicitante": "XX"}, []string{"ufSolicitante dominio"}},
		"card of any length":    {map[string]any{"numeroCarteira": "A"}, nil},
		"validity required":     {change(map[string]any{"validadeCarteira": absent}), []string{"validadeCarteira obrigatorio"}},
		"card pattern":          {change(map[string]any{"numeroCarteira": "1"}), []string{"numeroCarteira formato"}},
		"strict, all right":     {strict, nil},
		"20 attachments":        {map[string]any{"anexos": slices.Repeat([]any{"JVBERi0xLjQK"}, 20)}, nil},
		"21 attachments":        {map[string]any{"anexos": slices.Repeat([]any{"JVBERi0xLjQK"}, 21)}, []string{"anexos limite"}},
		"attachments no list":   {map[string]any{"anexos": "QUJD"}, []string{"anexos tipo"}},
		"attachments null":      {map[string]any{"anexos": nil}, nil},
		"time zone is dropped":  {map[string]any{"validadeCarteira": "2027-12-31T00:00:00-03:00"}, nil},
		"identifier with urn":   {map[string]any{"unidadeId": "urn:uuid:" + unitID.String()}, []string{"unidadeId formato"}},
		"integer as huge":       {map[string]any{"especialidadeExecutanteId": 1e10}, []string{"especialidadeExecutanteId tipo"}},
		"notes may be null":     {map[string]any{"observacoes": nil}, nil},
		"notes must be a text":  {map[string]any{"observacoes": 5}, []string{"observacoes tipo"}},
		"unknown property":      {map[string]any{"naoExiste": 5}, nil},
		"other case is unknown": {map[string]any{"numerocarteira": 5}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			e.Clock.Move(time.Second)
			res := e.Post(body(c.changes), nil)
			if c.want == nil {
				if res.Status != http.StatusOK {
					t.Errorf("got %d %q, want 200", res.Status, res.Fields())
				}
				return
			}
			checkRefusal(t, res, http.StatusUnprocessableEntity)
			if got := res.Fields(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestAPI_Sizes is row 10: what is too large is refused with its path, and the
// refusal arrives although the body was still on its way.
func TestAPI_Sizes(t *testing.T) {
	e := MustEnv(t, limits{API: api.Limits{MaxBody: 2 << 20, MaxAttachment: 1 << 20}})
	attached := func(size int) string {
		large := append([]byte("%PDF-1.4"), make([]byte, size-8)...)
		return body(map[string]any{"anexos": []any{"JVBERi0xLjQK", map[string]any{"base64": base64.StdEncoding.EncodeToString(large)}}})
	}
	if res := e.Post(attached(1<<20), nil); res.Status != http.StatusOK {
		t.Fatalf("1 MiB: got %d %s", res.Status, res.Text)
	}
	res := e.Post(attached(1<<20+1), nil)
	checkRefusal(t, res, http.StatusRequestEntityTooLarge)
	if res.Fields()[0] != "anexos[1].base64 grande_demais" {
		t.Errorf("got %q", res.Fields())
	}
	for range 20 {
		checkRefusal(t, e.Post(`{"x":"`+strings.Repeat("x", 3<<20)+`"}`, nil), http.StatusRequestEntityTooLarge)
		unknown := e.Send(http.MethodPost, authorizePath, struct{ io.Reader }{io.LimitReader(zeros{}, 2<<20)}, http.Header{"X-Api-Key": {"x"}})
		checkRefusal(t, unknown, http.StatusUnauthorized)
		chunked := e.Send(http.MethodPost, authorizePath, struct{ io.Reader }{io.MultiReader(strings.NewReader(`{"anexos":["`),
			io.LimitReader(zeros{}, 3<<20))}, nil)
		checkRefusal(t, chunked, http.StatusRequestEntityTooLarge)
	}
}

// zeros is an endless row of the digit 0.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte("0"), len(p)))
	return len(p), nil
}

// TestAPI_CutBody: a body that ends early is no request.
func TestAPI_CutBody(t *testing.T) {
	e := MustEnv(t, limits{})
	conn, err := net.Dial("tcp", e.Server.Listener.Addr().String())
	e.Must(err)
	defer func() { _ = conn.Close() }()
	text := body(nil)
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Type: "+
		"application/json\r\nContent-Length: %d\r\n\r\n%s",
		authorizePath, e.Key, len(text)+10, text)
	e.Must(err)
	e.Must(conn.(*net.TCPConn).CloseWrite())
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	e.Must(err)
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusBadRequest || e.Operator.Authorized.Load() != 0 {
		t.Errorf("got %d, asked %d times", res.StatusCode, e.Operator.Authorized.Load())
	}
}

// TestAPI_ExpectContinue: a sender that asks first is refused before it sends.
func TestAPI_ExpectContinue(t *testing.T) {
	e := MustEnv(t, limits{})
	conn, err := net.Dial("tcp", e.Server.Listener.Addr().String())
	e.Must(err)
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n", authorizePath)
	e.Must(err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	e.Must(err)
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusUnauthorized {
		t.Errorf("got %d, want 401 without a body sent", res.StatusCode)
	}
}
