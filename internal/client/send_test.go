package client_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/client/faultservice"
	"guiche/internal/requestid"
)

const goldenFull = `{"credencialId":"11111111-2222-4333-8444-000000000001","numeroCarteira":"00012345678900017",` +
	`"validadeCarteira":"2027-12-31T00:00:00","nomeBeneficiario":"Ana \"Nina\" d'Ávila <& Cia>","planoBeneficiario":"Plano Ouro",` +
	`"atendimentoRN":"S","nomeRecemNascido":"RN de Ana","dataNascimentoRecemNascido":"2026-11-19T00:00:00","pacienteNoLocal":"S",` +
	`"unidadeId":"11111111-2222-4333-8444-000000000002","pontoAtendimentoId":"11111111-2222-4333-8444-000000000003",` +
	`"nomeSolicitante":"João Conceição","ufSolicitante":"SP","crmSolicitante":"123456","siglaConselhoSolicitante":"CRM",` +
	`"profissionalExecutanteId":"11111111-2222-4333-8444-000000000004","especialidadeExecutanteId":225,"tipoAcidente":"0",` +
	`"guiaPrestador":"26112010000012300001","regimeAtendimento":"U","tipoAtendimento":"23","observacoes":"linha 1\nlinha 2 😀",` +
	`"indicacaoClinica":"dor torácica","retorno":"S",` +
	`"anexos":[{"base64":"UEVESURPMQ==","name":"pedido \"1\".pdf","contentType":"application/pdf"},` +
	`{"base64":"","name":"vazio.png","contentType":"image/png"},` +
	`{"base64":"+/8=","name":"ção.jpg","contentType":"image/jpeg"}],` +
	`"procedimentos":[{"nomeProcedimento":"Hemograma","codigoProcedimento":"40304361","quantidade":2},` +
	`{"nomeProcedimento":"US abdome","codigoProcedimento":"40901122","quantidade":1}],` +
	`"nomeContato":"Ana","dddContato":"11","telefoneContato":"999990000","emailContato":"ana@example.org"}`

const goldenDefaults = `{"credencialId":"11111111-2222-4333-8444-000000000001","numeroCarteira":"123",` +
	`"nomeBeneficiario":"Ana","planoBeneficiario":"","atendimentoRN":"N","nomeRecemNascido":"","dataNascimentoRecemNascido":null,` +
	`"pacienteNoLocal":"N","unidadeId":"11111111-2222-4333-8444-000000000002","pontoAtendimentoId":"11111111-2222-4333-8444-000000000003",` +
	`"nomeSolicitante":"João","ufSolicitante":"SP","crmSolicitante":"1","siglaConselhoSolicitante":"CRM",` +
	`"profissionalExecutanteId":"11111111-2222-4333-8444-000000000004","especialidadeExecutanteId":7,"tipoAcidente":"9",` +
	`"guiaPrestador":"26112010000012300002","regimeAtendimento":"E","tipoAtendimento":"05","observacoes":null,"retorno":"N",` +
	`"anexos":[],"procedimentos":[{"nomeProcedimento":"Hemograma","codigoProcedimento":"40304361","quantidade":1}],` +
	`"nomeContato":"","dddContato":"","telefoneContato":"","emailContato":""}`

func TestClient_Send_Body(t *testing.T) {
	t.Run("EveryField", func(t *testing.T) {
		p := MustPair(t)
		r := fullRequest()
		r.Attachments = []authorization.Attachment{
			p.MustAttachment(t, `pedido "1".pdf`, "application/pdf", []byte("PEDIDO1")),
			p.MustAttachment(t, "vazio.png", "image/png", nil),
			p.MustAttachment(t, "ção.jpg", "image/jpeg", []byte{0xfb, 0xff}),
		}
		p.Send(t.Context(), dispatch(r))
		wantBody(t, p.service, goldenFull)
	})
	t.Run("Defaults", func(t *testing.T) {
		p := MustPair(t)
		p.Send(t.Context(), dispatch(plainRequest()))
		wantBody(t, p.service, goldenDefaults)
	})
	t.Run("EmptyIndicationStaysEmpty", func(t *testing.T) {
		p := MustPair(t)
		r := plainRequest()
		r.ClinicalIndication, r.Notes = ptr(""), ptr("")
		p.Send(t.Context(), dispatch(r))
		contains(t, string(only(t, p.service, faultservice.Received).Body), `"observacoes":"","indicacaoClinica":"","retorno"`)
	})
	t.Run("NewbornFieldsOnlyForNewborns", func(t *testing.T) {
		p := MustPair(t)
		r := fullRequest()
		r.Newborn = false
		p.Send(t.Context(), dispatch(r))
		contains(t, string(only(t, p.service, faultservice.Received).Body),
			`"atendimentoRN":"N","nomeRecemNascido":"","dataNascimentoRecemNascido":null`)
	})
	t.Run("AttachmentsAsStrings", func(t *testing.T) {
		p := MustPair(t, func(cfg *client.Config) { cfg.AttachmentShape = client.AttachmentString })
		r := plainRequest()
		r.Attachments = []authorization.Attachment{
			p.MustAttachment(t, "a.pdf", "application/pdf", []byte("A")), p.MustAttachment(t, "b.pdf", "application/pdf", []byte("BB")),
		}
		p.Send(t.Context(), dispatch(r))
		contains(t, string(only(t, p.service, faultservice.Received).Body), `"anexos":["QQ==","QkI="],"procedimentos"`)
	})
}

func wantBody(t *testing.T, s *faultservice.Service, want string) {
	t.Helper()
	if got := string(only(t, s, faultservice.Received).Body); got != want {
		t.Errorf("body on the wire:\n got %s\nwant %s", got, want)
	}
}

func TestClient_Send_Headers(t *testing.T) {
	header := func(t *testing.T, options ...func(*client.Config)) http.Header {
		t.Helper()
		p := MustPair(t, options...)
		p.Send(t.Context(), dispatch(plainRequest()))
		return only(t, p.service, faultservice.Received).Header
	}
	t.Run("Specification", func(t *testing.T) {
		h := header(t)
		for name, want := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json", "X-Api-Key": "chave-1",
			"Content-Length": strconv.Itoa(len(goldenDefaults)), "Transfer-Encoding": "", "Connection": "",
			"Expect": "", "Accept-Encoding": "", "Idempotency-Key": "",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	})
	t.Run("KeyOnlyWhereAnnounced", func(t *testing.T) {
		if got := header(t, withFeatures(client.Features{Idempotency: true})).Get("Idempotency-Key"); got != "chave-do-pedido" {
			t.Errorf("Idempotency-Key: got %q, want the dispatch's", got)
		}
	})
	t.Run("RequestID", func(t *testing.T) {
		const id = "0198a000-0000-4000-8000-00000000000a"
		p := MustPair(t)
		p.Send(requestid.With(t.Context(), id), dispatch(plainRequest()))
		if got := only(t, p.service, faultservice.Received).Header.Get("X-Request-Id"); got != id {
			t.Errorf("X-Request-Id: got %q, want %q", got, id)
		}
		if got := header(t).Values("X-Request-Id"); len(got) > 0 {
			t.Errorf("without an id: got X-Request-Id %q, want none", got)
		}
	})
	t.Run("BasePathIsKept", func(t *testing.T) {
		p := MustPair(t)
		c := MustClient(t, p.service.URL()+"/porta/", p.blobs)
		c.Send(t.Context(), dispatch(plainRequest()))
		if got, want := only(t, p.service, faultservice.Received).Path, "/porta/api/v2/autorizar/sp-sadt"; got != want {
			t.Errorf("path: got %q, want %q", got, want)
		}
	})
}

func TestClient_Send_Exchange(t *testing.T) {
	p := MustPair(t)
	x := p.Send(t.Context(), dispatch(plainRequest()))
	if x.HTTPStatus != 200 || x.Failure != "" || !x.Complete || x.ContentType != "application/json; charset=utf-8" {
		t.Fatalf("exchange: got %+v, want a complete 200", x)
	}
	if x.SentBytes <= int64(len(goldenDefaults)) {
		t.Errorf("sent: got %d bytes, want more than the body's %d", x.SentBytes, len(goldenDefaults))
	}
	_, want := faultservice.Authorize(only(t, p.service, faultservice.Acted))
	if got := p.blobs.MustRead(t, x.Body); !bytes.Equal(got, want) || x.BodySize != int64(len(want)) {
		t.Errorf("stored answer: got %d bytes %q, want %q", x.BodySize, got, want)
	}
	if x.EndedAt.Before(x.StartedAt) || x.StartedAt.IsZero() {
		t.Errorf("times: got %v to %v", x.StartedAt, x.EndedAt)
	}
}

func TestClient_Send_LargeAttachment(t *testing.T) {
	service := MustService(t, faultservice.Config{KeepBody: 64 << 20})
	p := pair{service: service, blobs: newFolder(t)}
	p.Client = MustClient(t, service.URL(), p.blobs)
	want := noise(20<<20 + 1)
	r := plainRequest()
	r.Attachments = []authorization.Attachment{p.MustAttachment(t, "exame.pdf", "application/pdf", want)}
	if x := p.Send(t.Context(), dispatch(r)); x.HTTPStatus != 200 {
		t.Fatalf("exchange: got %+v, want 200", x)
	}
	var body struct{ Anexos []struct{ Base64 string } }
	if err := json.Unmarshal(only(t, service, faultservice.Received).Body, &body); err != nil {
		t.Fatalf("body on the wire is not JSON: %v", err)
	}
	got, err := base64.StdEncoding.DecodeString(body.Anexos[0].Base64)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("attachment on the wire: got %d bytes, error %v, want the %d bytes chosen", len(got), err, len(want))
	}
}

func TestClient_Send_BadAttachment(t *testing.T) {
	file := []byte("o pedido médico")
	tests := map[string]func(*authorization.Attachment){
		"Missing": func(a *authorization.Attachment) { a.Blob = "00" },
		"Shorter": func(a *authorization.Attachment) { a.Size++ },
		"Longer":  func(a *authorization.Attachment) { a.Size-- },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			p := MustPair(t)
			good, bad := p.MustAttachment(t, "a.pdf", "application/pdf", file), p.MustAttachment(t, "b.pdf", "application/pdf", file)
			spoil(&bad)
			r := plainRequest()
			r.Attachments = []authorization.Attachment{good, bad}
			x := p.Send(t.Context(), dispatch(r))
			if x.Failure != authorization.FailureLocal || x.SentBytes != 0 || x.HTTPStatus != 0 {
				t.Errorf("exchange: got %+v, want a local failure with nothing sent", x)
			}
			if got := len(p.service.Ledger()); got != 0 {
				t.Errorf("ledger: got %d entries, want none", got)
			}
			if got := p.MustInterpret(t, x).Kind; got != authorization.OutcomeRetry {
				t.Errorf("outcome: got %s, want %s", got, authorization.OutcomeRetry)
			}
		})
	}
}

func TestClient_Send_Renewal(t *testing.T) {
	send := func(t *testing.T, auth client.Authorizer) (pair, authorization.Exchange) {
		t.Helper()
		service, blobs := MustService(t, faultservice.Config{Key: "nova"}), newFolder(t)
		p := pair{MustClient(t, service.URL(), blobs, func(cfg *client.Config) { cfg.Auth = auth }), service, blobs}
		return p, p.Send(t.Context(), dispatch(plainRequest()))
	}
	t.Run("OneRepetition", func(t *testing.T) {
		p, x := send(t, &renewable{keys: []string{"velha", "nova"}})
		if x.HTTPStatus != 200 || p.service.Count(faultservice.Received, "") != 2 || p.service.Count(faultservice.Acted, "") != 1 {
			t.Errorf("got %+v and %d requests, want 200 after the second", x, p.service.Count(faultservice.Received, ""))
		}
	})
	t.Run("NeverASecond", func(t *testing.T) {
		p, x := send(t, &renewable{keys: []string{"velha", "errada", "nova"}})
		if x.HTTPStatus != 401 || p.service.Count(faultservice.Received, "") != 2 {
			t.Errorf("got %+v and %d requests, want 401 after two", x, p.service.Count(faultservice.Received, ""))
		}
		if got := p.MustInterpret(t, x).Kind; got != authorization.OutcomeHeld {
			t.Errorf("outcome: got %s, want %s", got, authorization.OutcomeHeld)
		}
	})
	t.Run("KeysToo", func(t *testing.T) { // a key has nothing to renew, and is tried once more
		p, x := send(t, client.APIKey("velha"))
		if x.HTTPStatus != 401 || p.service.Count(faultservice.Received, "") != 2 {
			t.Errorf("got %+v and %d requests, want 401 after two", x, p.service.Count(faultservice.Received, ""))
		}
	})
	t.Run("NoCredentials", func(t *testing.T) {
		p, x := send(t, &renewable{})
		if x.Failure != authorization.FailureLocal || x.SentBytes != 0 || len(p.service.Ledger()) != 0 {
			t.Errorf("got %+v, want a local failure with nothing sent", x)
		}
	})
}

// renewable is an Authorizer with a list of keys.
type renewable struct {
	keys []string
}

func (r *renewable) Authorize(req *http.Request) error {
	if len(r.keys) == 0 {
		return context.DeadlineExceeded
	}
	req.Header.Set("x-api-key", r.keys[0])
	return nil
}

func (r *renewable) Renew(context.Context, *http.Request) (bool, error) {
	if len(r.keys) < 2 {
		return false, nil
	}
	r.keys = r.keys[1:]
	return true, nil
}

// TestClient_Send_Ready: who asks last whether it may begin, and may not, sends no byte.
func TestClient_Send_Ready(t *testing.T) {
	for name, ready := range map[string]error{"Ready": nil, "Not": errors.New("the lease ran out")} {
		t.Run(name, func(t *testing.T) {
			p, asked := MustPair(t), 0
			d := dispatch(plainRequest())
			d.Ready = func() error { asked++; return ready }
			x := p.Send(t.Context(), d)
			if sent := x.SentBytes > 0; sent != (ready == nil) || asked != 1 {
				t.Errorf("got %d bytes sent, asked %d times", x.SentBytes, asked)
			}
			o, err := p.Interpret(t.Context(), x)
			if retried := o.Kind == authorization.OutcomeRetry; err != nil || retried != (ready != nil) {
				t.Errorf("got %s, %v", o.Kind, err)
			}
		})
	}
}
