package client_test

import (
	"errors"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/client/faultservice"
	"guiche/internal/problem"
)

// TestClient_Act_Doubt: what may have been done is told apart from what was not.
func TestClient_Act_Doubt(t *testing.T) {
	said := func(code string) string {
		return `{"sucesso":false,"erros":["Não."],"errosDetalhados":[{"codigo":"` + code + `","campo":"","mensagem":"Não."}],"data":null}`
	}
	for name, tc := range map[string]struct {
		fault    faultservice.Fault
		doubtful bool
		code     problem.Code
	}{
		"Busy":      {faultservice.Answer(409, said("em_processamento")), true, problem.Conflict},
		"OtherBody": {faultservice.Answer(409, said("corpo_diferente")), true, problem.Conflict},
		"Status":    {faultservice.Answer(409, said("situacao")), false, problem.Conflict},
		"No":        {faultservice.Answer(200, said("x")), false, problem.Conflict},
		"NoItem":    {faultservice.Answer(200, `{"sucesso":false,"erros":["Não."],"data":{}}`), false, problem.Conflict},
		"Wrong":     {faultservice.Answer(422, said("dominio")), false, problem.Invalid},
		"Plain404":  {faultservice.HTML(404), false, problem.Unavailable},
		"Rate":      {faultservice.Answer(429, said("x")), false, problem.Throttled},
		"Wait":      {faultservice.Answer(503, said("x"), "Retry-After", "5"), false, problem.Unavailable},
		"Access":    {faultservice.Answer(401, said("x")), false, problem.Unavailable},
		"Bare503":   {faultservice.Answer(503, said("x")), true, problem.Unavailable},
		"Failed":    {faultservice.Answer(502, said("x")), true, problem.Unavailable},
		"Elsewhere": {faultservice.Redirect(302, "/"), true, problem.Unavailable},
		"HTML":      {faultservice.HTML(200), true, problem.Unavailable},
		"Cut":       {faultservice.Cut(10), true, problem.Unavailable},
		"HangUp":    {faultservice.HangUp(), true, problem.Unavailable},
		"NoObject":  {faultservice.Answer(200, `{"sucesso":true,"data":[]}`), true, problem.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			p := MustPair(t, withFeatures(everything))
			p.service.Add(faultservice.Rule{Fault: tc.fault})
			_, err := p.Cancel(t.Context(), authorization.Act{GuideID: "g-1"}, "")
			var doubtful *authorization.Doubtful
			if got := errors.As(err, &doubtful); got != tc.doubtful || !problem.Is(err, tc.code) {
				t.Errorf("got %v (doubtful: %t), want %s (doubtful: %t)", err, got, tc.code, tc.doubtful)
			}
		})
	}
	t.Run("NoService", func(t *testing.T) {
		p := MustPair(t, withFeatures(everything))
		_ = p.service.Close()
		_, err := p.Cancel(t.Context(), authorization.Act{GuideID: "g-1"}, "")
		var doubtful *authorization.Doubtful
		if errors.As(err, &doubtful) || !problem.Is(err, problem.Unavailable) {
			t.Errorf("got %v, want that nothing was sent", err)
		}
	})
}

// TestClient_Act_Key: the key goes out only where the service honours it.
func TestClient_Act_Key(t *testing.T) {
	for want, features := range map[string]client.Features{
		"chave-1": {Cancellation: true, Idempotency: true}, "": {Cancellation: true},
	} {
		p := MustPair(t, withFeatures(features))
		p.service.Add(faultservice.Rule{Fault: faultservice.Answer(200, `{"sucesso":true,"erros":[],"data":{"situacao":"X"}}`)})
		if _, err := p.Cancel(t.Context(), authorization.Act{GuideID: "g-1", Key: "chave-1"}, ""); err != nil {
			t.Fatal(err)
		}
		if got := only(t, p.service, faultservice.Received).Header.Get("Idempotency-Key"); got != want {
			t.Errorf("key: got %q, want %q", got, want)
		}
	}
}
