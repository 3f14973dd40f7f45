package client_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/client/faultservice"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
)

var everything = client.Features{Status: true, LookUp: true, Attachments: true, Biometrics: true, Cancellation: true, Eligibility: true}

// TestClient_Acts_OnTheWire holds the requests of row 18 as literal JSON.
func TestClient_Acts_OnTheWire(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(p pair) error
		path string
		body string
	}{
		"Attachments": {func(p pair) error {
			_, err := p.AddAttachments(t.Context(), authorization.Act{GuideID: "g-1"}, []authorization.Attachment{
				p.MustAttachment(t, "laudo.pdf", "application/pdf", []byte("laudo")), p.MustAttachment(t, "b.png", "image/png", []byte("b"))})
			return err
		}, "/api/v2/autorizacoes/g-1/anexos",
			`{"anexos":[{"base64":"bGF1ZG8=","name":"laudo.pdf","contentType":"application/pdf"},{"base64":"Yg==","name":"b.png",` +
				`"contentType":"image/png"}]}`},
		"Biometrics": {func(p pair) error {
			_, err := p.Biometrics(t.Context(), authorization.Act{GuideID: "g-1"},
				[]authorization.Capture{{Kind: "iris", Device: "d", Data: []byte("x")}})
			return err
		}, "/api/v2/autorizacoes/g-1/biometria", `{"biometrias":[{"tipo":"iris","conteudo":"eA==","dispositivo":"d"}]}`},
		"Cancel": {func(p pair) error {
			_, err := p.Cancel(t.Context(), authorization.Act{GuideID: "g-1"}, "Desistência")
			return err
		}, "/api/v2/autorizacoes/g-1/cancelamento", `{"motivo":"Desistência"}`},
	} {
		t.Run(name, func(t *testing.T) {
			p := MustPair(t, withFeatures(everything))
			p.service.Add(faultservice.Rule{Fault: faultservice.Answer(200,
				`{"sucesso":true,"erros":[],"data":{"guiaId":"g-1","statusAutorizacao":"R","sucesso":true}}`)})
			if err := c.do(p); err != nil {
				t.Fatal(err)
			}
			e := only(t, p.service, faultservice.Received)
			var got, want any
			if err := errors.Join(json.Unmarshal(e.Body, &got), json.Unmarshal([]byte(c.body), &want)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); e.Method != "POST" || e.Path != c.path || diff != "" {
				t.Errorf("got %s %s, body (-want +got):\n%s", e.Method, e.Path, diff)
			}
		})
	}
}

// TestClient_Acts_Refused: a refusal's own words reach the person; nothing is
// sent twice, whatever came back.
func TestClient_Acts_Refused(t *testing.T) {
	refused := func(status int) faultservice.Fault {
		return faultservice.Answer(status, `{"sucesso":false,"erros":["Não dá."],"errosDetalhados":[{"codigo":"x",`+
			`"campo":"motivo","mensagem":"Não dá."}],"data":null}`)
	}
	for name, c := range map[string]struct {
		fault faultservice.Fault
		code  problem.Code
		words string
	}{
		"NotFound": {refused(404), problem.NotFound, "Não dá."},
		"Conflict": {refused(409), problem.Conflict, "Não dá."},
		"Invalid":  {refused(422), problem.Invalid, "Não dá."},
		"Failure":  {refused(502), problem.Unavailable, "Não dá."},
		"HTML":     {faultservice.HTML(200), problem.Unavailable, "não entende"},
		"Cut":      {faultservice.Cut(10), problem.Unavailable, "Consulte a situação"},
		"NoAnswer": {faultservice.HangUp(), problem.Unavailable, "Consulte a situação"},
		"NoObject": {faultservice.Answer(200, `{"sucesso":true,"data":[]}`), problem.Unavailable, "não entende"},
	} {
		t.Run(name, func(t *testing.T) {
			p := MustPair(t, withFeatures(everything))
			p.service.Add(faultservice.Rule{Fault: c.fault})
			_, err := p.Cancel(t.Context(), authorization.Act{GuideID: "g-1"}, "segredo")
			var shown *problem.Error
			if !errors.As(err, &shown) || shown.Code != c.code || !strings.Contains(shown.Message, c.words) ||
				strings.Contains(err.Error(), "segredo") {
				t.Errorf("got %v, want %s saying %q", err, c.code, c.words)
			}
			var fields []problem.Field
			if c.words == "Não dá." {
				fields = []problem.Field{{Path: "motivo", Code: "x", Message: "Não dá."}}
			}
			if !slices.Equal(problem.FieldsOf(err), fields) {
				t.Errorf("got the fields %+v, want %+v", problem.FieldsOf(err), fields)
			}
			if e := only(t, p.service, faultservice.Received); e.Method != "POST" {
				t.Errorf("got %s, want one POST", e.Method)
			}
		})
	}
}

// TestClient_Acts_RefusedQuietly: what a service writes for the name of a field or a code is told to the person, and
// stands in no log.
func TestClient_Acts_RefusedQuietly(t *testing.T) {
	p := MustPair(t, withFeatures(everything))
	p.service.Add(faultservice.Rule{Fault: faultservice.Answer(422, `{"sucesso":false,"data":null,"errosDetalhados":[`+
		`{"codigo":"1005","campo":"anexos[0].base64","mensagem":"Ilegível."},`+
		`{"codigo":"beneficiária suspensa: segredo","campo":"99990000111122223333","mensagem":"Carteira suspensa."}]}`)})
	_, err := p.Cancel(t.Context(), authorization.Act{GuideID: "g-1"}, "")
	if err == nil {
		t.Fatal("a refusal is no error")
	}
	text := err.Error()
	if strings.Contains(text, "segredo") || strings.Contains(text, "9999") || !strings.Contains(text, "anexos[0].base64 1005") {
		t.Errorf("the log would say %q", text)
	}
	want := []problem.Field{{Path: "anexos[0].base64", Code: "1005", Message: "Ilegível."}, {Message: "Carteira suspensa."}}
	if got := problem.FieldsOf(err); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestClient_Status_ReadsEveryName(t *testing.T) {
	for _, name := range []string{"situacaoAutorizacao", "statusAutorizacao", "situacao"} {
		p := MustPair(t, withFeatures(everything))
		p.service.Add(faultservice.Rule{Fault: faultservice.Answer(200, `{"sucesso":true,"erros":[],"data":{"guiaId":"g-1","`+name+
			`":"Z","pdfGuiaAutorizacao":"JVBERi0xLjQK"}}`)})
		got, err := p.Status(t.Context(), "g-1")
		if err != nil || got.Status != authorization.PartiallyAuthorized || string(p.blobs.MustRead(t, got.GuidePDF)) != "%PDF-1.4\n" {
			t.Errorf("%s: got %+v, %v, want Z with its PDF", name, got, err)
		}
	}
}

// TestClient_Status_Busy: a service that asks to wait says for how long.
func TestClient_Status_Busy(t *testing.T) {
	for name, tc := range map[string]struct {
		fault faultservice.Fault
		after time.Duration
		code  problem.Code
	}{
		"Rate": {faultservice.Answer(429, `{"sucesso":false,"erros":["Espere."],"data":null}`, "Retry-After", "90"),
			90 * time.Second, problem.Throttled},
		"NoEnvelope": {faultservice.Answer(429, "slow down"), 0, problem.Unavailable},
		"Space": {faultservice.Answer(503, `{"sucesso":false,"erros":["Cheio."],"data":null}`, "Retry-After", "7"),
			7 * time.Second, problem.Unavailable},
	} {
		p := MustPair(t, withFeatures(everything))
		p.service.Add(faultservice.Rule{Fault: tc.fault})
		_, err := p.Status(t.Context(), "g-1")
		var busy *authorization.Busy
		if !errors.As(err, &busy) || busy.After != tc.after || !problem.Is(err, tc.code) {
			t.Errorf("%s: got %v, want to wait %s", name, err, tc.after)
		}
	}
	t.Run("UntilADate", func(t *testing.T) {
		now := time.Date(2026, 11, 20, 17, 2, 0, 0, time.UTC)
		for clock, date := range map[string]string{"program": "", "service": "Fri, 20 Nov 2026 15:02:00 GMT"} {
			p := MustPair(t, withFeatures(everything), func(cfg *client.Config) { cfg.Clock = func() time.Time { return now } })
			until := now.Add(90 * time.Second)
			if at, err := http.ParseTime(date); err == nil {
				until = at.Add(90 * time.Second)
			}
			p.service.Add(faultservice.Rule{Fault: faultservice.Answer(429, "slow down",
				"Date", date, "Retry-After", until.Format(http.TimeFormat))})
			var busy *authorization.Busy
			if _, err := p.Status(t.Context(), "g-1"); !errors.As(err, &busy) || busy.After != 90*time.Second {
				t.Errorf("got %v, want to wait 90 s by the clock of the %s", err, clock)
			}
		}
	})
	p := MustPair(t, withFeatures(everything))
	p.service.Add(faultservice.Rule{Fault: faultservice.Answer(503, `{"sucesso":false,"erros":[],"data":null}`)})
	var busy *authorization.Busy
	if _, err := p.Status(t.Context(), "g-1"); err == nil || errors.As(err, &busy) {
		t.Errorf("a bare 503: got %v, want an error that does not ask to wait", err)
	}
}

// TestClient_NotAnnounced: what a service does not announce is refused here, and
// nothing is asked.
func TestClient_NotAnnounced(t *testing.T) {
	p := MustPair(t, withFeatures(client.Features{}))
	for name, do := range map[string]func() error{
		"Status":              func() error { _, err := p.Status(t.Context(), "g-1"); return err },
		"FindByProviderGuide": func() error { _, err := p.FindByProviderGuide(t.Context(), "26112010000012300001"); return err },
		"AddAttachments": func() error {
			_, err := p.AddAttachments(t.Context(), authorization.Act{GuideID: "g-1"}, nil)
			return err
		},
		"Biometrics": func() error { _, err := p.Biometrics(t.Context(), authorization.Act{GuideID: "g-1"}, nil); return err },
		"Cancel":     func() error { _, err := p.Cancel(t.Context(), authorization.Act{GuideID: "g-1"}, ""); return err },
		"Eligibility": func() error {
			_, err := p.Eligibility(t.Context(), authorization.EligibilityQuestion{})
			return err
		},
	} {
		if err := do(); !problem.Is(err, problem.Unavailable) || !strings.Contains(err.Error(), "not announced") {
			t.Errorf("%s: got %v, want that it is not announced", name, err)
		}
	}
	if n := p.service.Count(faultservice.Received, ""); n != 0 {
		t.Errorf("the service was asked %d times, want 0", n)
	}
}

// TestClient_FindByProviderGuide is the look-up of row 18.
func TestClient_FindByProviderGuide(t *testing.T) {
	const number = "26112010000012300001"
	for name, c := range map[string]struct {
		status int
		body   string
		want   authorization.Answer
		code   problem.Code // "" for an answer
	}{
		"Found": {200, `{"sucesso":true,"erros":[],"data":{"items":[{"numeroAutorizacao":1,"sucesso":true,"guiaId":"g-1",` +
			`"statusAutorizacao":"A","senha":"77"},7]}}`,
			authorization.Answer{Success: true, Authorizations: []authorization.Authorization{{Number: 1, Success: true,
				GuideID: "g-1", Status: "A", Senha: "77"}}}, ""},
		"OneNumberTwice": {200, `{"sucesso":true,"erros":[],"data":{"items":[{"numeroAutorizacao":1},{"numeroAutorizacao":1}]}}`,
			authorization.Answer{Success: true, Authorizations: []authorization.Authorization{{Number: 1, Success: true},
				{Number: 2, Success: true}}}, ""},
		"NeverArrived": {200, `{"sucesso":true,"erros":[],"data":{"items":[]}}`, authorization.Answer{Success: true}, ""},
		"RefusedAsAWhole": {200, `{"sucesso":false,"erros":["Carteira suspensa."],"data":{"items":[]}}`,
			authorization.Answer{Errors: []authorization.AnswerError{{Message: "Carteira suspensa."}}}, ""},
		"NoneAsNull":     {200, `{"sucesso":true,"erros":[],"data":{"items":null}}`, authorization.Answer{Success: true}, ""},
		"StillAnswered":  {409, `{"sucesso":false,"erros":["Ainda não."],"data":null}`, authorization.Answer{}, problem.Conflict},
		"QuestionFailed": {200, `{"sucesso":false,"erros":["Guia não encontrada."],"data":null}`, authorization.Answer{}, problem.Unavailable},
		"NoData":         {200, `{"sucesso":true,"erros":[],"data":null}`, authorization.Answer{}, problem.Unavailable},
		"OtherShape": {200, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"situacao":"A"}]}}`,
			authorization.Answer{}, problem.Unavailable},
		"ItemsAsText": {200, `{"sucesso":true,"erros":[],"data":{"items":"g-1"}}`, authorization.Answer{}, problem.Unavailable},
		"OtherItems":  {200, `{"sucesso":true,"erros":[],"data":{"items":["g-1"]}}`, authorization.Answer{}, problem.Unavailable},
		"TooMany": {200, `{"sucesso":true,"erros":[],"data":{"items":[{}` + strings.Repeat(",{}", 1000) + `]}}`,
			authorization.Answer{}, problem.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			p := MustPair(t, withFeatures(everything))
			p.service.Add(faultservice.Rule{Fault: faultservice.Answer(c.status, c.body)})
			got, err := p.FindByProviderGuide(t.Context(), number)
			if c.code != "" {
				if !problem.Is(err, c.code) {
					t.Errorf("got %v, want %s", err, c.code)
				}
				return
			}
			equal := cmp.Comparer(func(a, b authorization.LocalTime) bool { return a == b })
			if diff := cmp.Diff(c.want, got, equal); err != nil || diff != "" {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
			e := only(t, p.service, faultservice.Received)
			if e.Method != "GET" || e.Path != "/api/v2/autorizacoes" || e.RawQuery != "guiaPrestador="+number ||
				e.Header.Get("Accept") != "application/json" {
				t.Errorf("asked %s %s?%s as %q", e.Method, e.Path, e.RawQuery, e.Header.Get("Accept"))
			}
		})
	}
}

// TestClient_Status_Quantities: what is no whole number of a usual size is none.
func TestClient_Status_Quantities(t *testing.T) {
	for text, want := range map[string]int{"3": 3, `"3"`: 3, `"3,0"`: 3, "2.5": 0, "3e9": 0, "-3e9": 0,
		"2147483647": 2147483647, `"três"`: 0, "null": 0} {
		p := MustPair(t, withFeatures(everything))
		p.service.Add(faultservice.Rule{Fault: faultservice.Answer(200,
			`{"sucesso":true,"erros":[],"data":{"guiaId":"g-1","situacao":"A","procedimentos":[{"codigoProcedimento":"1",`+
				`"quantidadeAutorizada":`+text+`}]}}`)})
		got, err := p.Status(t.Context(), "g-1")
		if err != nil || len(got.Procedures) != 1 || got.Procedures[0].Authorized != want {
			t.Errorf("%s: got %+v, %v, want %d", text, got.Procedures, err, want)
		}
	}
}
