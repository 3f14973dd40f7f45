package client_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/client/faultservice"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
)

// TestClient_Interpret_Plain: of an answer that is no envelope, what can be read is kept
// as text, and its outcome stays unknown.
func TestClient_Interpret_Plain(t *testing.T) {
	p := MustPair(t)
	for name, tt := range map[string]struct {
		status int
		body   string
		want   []string
	}{
		"ProblemJSON": {400, `{"type":"https://x.example/p","title":"Bad Request","status":400,"detail":"O campo numeroCarteira é inválido."}`,
			[]string{"Bad Request: O campo numeroCarteira é inválido."}},
		"ProblemWithErrors": {400, `{"title":"One or more validation errors occurred.","errors":{"NumeroCarteira":["Obrigatório."]}}`,
			[]string{"One or more validation errors occurred.", "numeroCarteira: Obrigatório."}},
		"Message": {422, `{"message":"no contract"}`, []string{"no contract"}},
		"HTML": {413, "<html><head><title>413 Request Entity Too Large</title><style>h1{color:red}</style><script>alert(1)</script></head>" +
			"<body><h1>Corpo grande demais</h1>\r\n<hr><center>nginx</center></body></html>",
			[]string{"413 Request Entity Too Large · Corpo grande demais · nginx"}},
		"Text":         {500, "Object reference not set.\n", []string{"Object reference not set."}},
		"Latin1":       {500, mustEncode(t, charmap.ISO8859_1.NewEncoder().String, "Serviço indisponível"), []string{"Serviço indisponível"}},
		"XML":          {500, `<?xml version="1.0"?><fault><faultstring>Falha no serviço</faultstring></fault>`, []string{"Falha no serviço"}},
		"Envelope":     {500, `{"sucesso":false,"erros":["Falha interna."],"data":null}`, []string{"Falha interna."}},
		"JSONText":     {200, `"fora do ar"`, []string{"fora do ar"}},
		"UnknownShape": {200, `{"resultado":{"texto":"x","n":1}}`, []string{"resultado: n: 1; texto: x"}},
		"Control":      {500, "a\x00b\x1b[31mc", []string{"a b [31mc"}},
		"Binary":       {500, "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00\x00\x00\x01\x00\x08\x06\x00\x00\x00", nil},
		"CutHTML":      {500, cutWithin(64<<10, "<p>Serviço indisponível</p><!--"), []string{"Serviço indisponível"}},
		"Long":         {500, strings.Repeat("não ", 1000), []string{strings.TrimSpace(strings.Repeat("não ", 150)) + "…"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := p.interpretBody(t, tt.status, tt.body)
			var got []string
			for _, e := range o.Answer.Errors {
				got = append(got, joinField(e))
			}
			if diff := cmp.Diff(tt.want, got); o.Kind != authorization.OutcomeUnknown || diff != "" || len(o.Answer.Authorizations) != 0 {
				t.Errorf("%s, text (-want +got):\n%s", o.Kind, diff)
			}
		})
	}
	t.Run("MarkedAsPlain", func(t *testing.T) {
		if e := p.interpretBody(t, 413, "<h1>413</h1>").Answer.Errors; len(e) != 1 || e[0].Code != authorization.CodePlain {
			t.Errorf("got %+v", e)
		}
		if e := p.interpretBody(t, 500, `{"sucesso":false,"erros":["x"]}`).Answer.Errors; len(e) != 1 || e[0].Code != "" {
			t.Errorf("of an envelope: got %+v", e)
		}
	})
	t.Run("CutAnswerHasNone", func(t *testing.T) {
		x := p.exchange(t, 413, "<h1>413")
		x.Complete, x.Failure = false, authorization.FailureCut
		if o := p.MustInterpret(t, x); o.Answer.Errors != nil {
			t.Errorf("got %+v", o.Answer.Errors)
		}
	})
}

// cutWithin is a text of which so many bytes end in the middle of a letter.
func cutWithin(bytes int, begin string) string {
	for len(begin)%2 == bytes%2 {
		begin += " "
	}
	return begin + strings.Repeat("é", bytes)
}

func joinField(e authorization.AnswerError) string {
	if e.Field == "" {
		return e.Message
	}
	return e.Field + ": " + e.Message
}

// zipped compresses, as some services do without being asked.
func zipped(tb testing.TB, s string) string {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil || w.Close() != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// TestClient_Interpret_Zipped: an answer that is compressed unasked reads as any other,
// guides included.
func TestClient_Interpret_Zipped(t *testing.T) {
	p := MustPair(t)
	defer p.service.Add(faultservice.Rule{Name: "zipped", Path: faultservice.SubmitPath, Fault: faultservice.Answer(200,
		zipped(t, strings.ReplaceAll(fullAnswer, `"PDF"`, `"`+pdfBase64+`"`)), "Content-Encoding", "gzip")})()
	o := p.MustInterpret(t, p.Send(t.Context(), dispatch(plainRequest())))
	if diff := diffAnswers(wantFullAnswer(t, o.Answer.GuidePDF), o.Answer); o.Kind != authorization.OutcomeAnswered || diff != "" {
		t.Errorf("%s for %s, answer (-want +got):\n%s", o.Kind, o.Reason, diff)
	}
	t.Run("Refusal", func(t *testing.T) {
		if o := p.interpretBody(t, 422, zipped(t, refusal)); o.Kind != authorization.OutcomeRefused {
			t.Errorf("got %s for %s", o.Kind, o.Reason)
		}
	})
	t.Run("PlainText", func(t *testing.T) {
		errs := p.interpretBody(t, 500, zipped(t, "<p>fora do ar</p>")).Answer.Errors
		if len(errs) != 1 || errs[0].Message != "fora do ar" {
			t.Errorf("got %+v", errs)
		}
	})
	t.Run("Broken", func(t *testing.T) {
		whole := zipped(t, oneEntry)
		for name, body := range map[string]string{"Cut": whole[:len(whole)-9], "Header": "\x1f\x8bnada",
			"Sum": whole[:len(whole)-8] + "12345678"} {
			if o := p.interpretBody(t, 200, body); o.Kind != authorization.OutcomeUnknown || o.Reason != "gzip_invalido" {
				t.Errorf("%s: got %s for %s", name, o.Kind, o.Reason)
			}
		}
	})
	t.Run("Tokens", func(t *testing.T) {
		s := MustTokenService(t, func(s *tokenService, w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, zipped(t, `{"access_token":"`+s.next()+`","token_type":"Bearer","expires_in":54000}`))
		})
		if err := search(t, MustClient(t, s.URL, newFolder(t), withAuth(login(), &movable{}))); err != nil {
			t.Error(err)
		}
	})
	t.Run("SearchResult", func(t *testing.T) {
		defer p.service.Add(faultservice.Rule{Name: "list", Path: "/api/v2/credenciais", Fault: faultservice.Answer(200,
			zipped(t, `{"sucesso":true,"erros":[],"data":{"items":[{"id":"01970000-0000-7000-8000-0000000000aa","nome":"Vale"}]}}`),
			"Content-Encoding", "gzip")})()
		found, err := p.SearchCredentials(t.Context(), "v")
		if err != nil || len(found) != 1 || found[0].Name != "Vale" {
			t.Errorf("got %v, %v", found, err)
		}
	})
}
