package faultservice

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The paths that the service knows.
const (
	SearchPath   = "/api/v2/credenciais"
	SubmitPath   = "/api/v2/autorizar/sp-sadt"
	FeaturesPath = "/api/v2/recursos"
	LookUpPath   = "/api/v2/autorizacoes"
)

// DefaultCredentials is what a search finds when Config.Credentials says nothing.
const DefaultCredentials = `[` +
	`{"id":"7b6f5a10-0c3a-4c7e-9d51-0a4a3c1f2e01","nome":"Operadora Horizonte","codigoPrestador":"10001",` +
	`"credencialElegibilityId":"7b6f5a10-0c3a-4c7e-9d51-0a4a3c1f2e02"},` +
	`{"id":"7b6f5a10-0c3a-4c7e-9d51-0a4a3c1f2e03","nome":"Saúde Litoral","codigoPrestador":"20002",` +
	`"credencialElegibilityId":"7b6f5a10-0c3a-4c7e-9d51-0a4a3c1f2e04","exigeBiometria":true}]`

// answer is a complete answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func jsonAnswer(status int, body string) answer {
	return answer{status, http.Header{"Content-Type": {"application/json; charset=utf-8"}}, []byte(body)}
}

func refusal(status int, code, message string) answer {
	return jsonAnswer(status, fmt.Sprintf(
		`{"sucesso":false,"erros":[%q],"errosDetalhados":[{"codigo":%q,"campo":"","mensagem":%q}],"data":null}`, message, code, message))
}

// Authorize answers with one authorization of status A that names the request's
// guiaPrestador.
func Authorize(e Entry) (int, []byte) {
	guide, _ := json.Marshal(e.Guide) // a string always encodes
	return http.StatusOK, []byte(`{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":true,` +
		`"validadeSenha":"2027-12-31T00:00:00","procedimentos":[],"erros":[],"numeroGuia":"G1","senha":"S1","protocolo":"P1",` +
		`"situacaoAutorizacao":"A","guiaId":"7b6f5a10-0c3a-4c7e-9d51-0a4a3c1f2e05","guiaPrestador":` + string(guide) +
		`,"guiaParceiro":"","numeroSolicitacao":"","pdfGuiaAutorizacao":"","dataAutorizacao":"2026-11-20T10:00:00"}]}}`)
}

// work does what the specification says and returns the answer.
func (s *Service) work(e Entry) answer {
	route := e.Method + " " + e.Path
	switch {
	case s.cfg.Key != "" && e.Header.Get("X-Api-Key") != s.cfg.Key:
		return refusal(http.StatusUnauthorized, "nao_autenticado", "Chave ausente ou desconhecida.")
	case route == "GET "+SearchPath:
		return jsonAnswer(http.StatusOK, `{"sucesso":true,"erros":[],"data":{"items":`+s.cfg.Credentials+`}}`)
	case route == "GET "+FeaturesPath && s.cfg.Features != nil:
		words := strings.Join(s.cfg.Features, `","`)
		return jsonAnswer(http.StatusOK, `{"sucesso":true,"erros":[],"data":{"recursos":["`+words+`"]}}`)
	case route == "POST "+SubmitPath:
		return s.authorize(e)
	case route == "GET "+LookUpPath && s.announces("consulta-por-guia"):
		return s.lookUp(e)
	}
	return refusal(http.StatusNotFound, "nao_encontrado", "Endereço desconhecido.")
}

// authorize acts on a request once, or again for every one without a key.
func (s *Service) authorize(e Entry) answer {
	if !e.Complete {
		return refusal(http.StatusBadRequest, "ilegivel", "O pedido chegou incompleto.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	keyed := e.Key != "" && s.announces("idempotencia")
	if first, ok := s.first[e.Key]; ok && keyed {
		s.note(Replayed, e)
		return first
	}
	s.note(Acted, e)
	status, body := s.cfg.Answer(e)
	a := jsonAnswer(status, string(body))
	if keyed {
		s.first[e.Key] = a
	}
	if s.announces("consulta-por-guia") {
		s.known[e.Guide] = a
	}
	return a
}

func (s *Service) announces(feature string) bool { return slices.Contains(s.cfg.Features, feature) }

// lookUp tells of the authorizations of a guiaPrestador: none when it was never acted on.
func (s *Service) lookUp(e Entry) answer {
	query, _ := url.ParseQuery(e.RawQuery) // what cannot be read names no guide
	s.mu.Lock()
	known := s.known[query.Get("guiaPrestador")]
	s.mu.Unlock()
	var found struct {
		Data struct {
			Authorizations json.RawMessage `json:"autorizacoes"`
		} `json:"data"`
	}
	items := "[]"
	if json.Unmarshal(known.body, &found) == nil && found.Data.Authorizations != nil {
		items = string(found.Data.Authorizations)
	}
	return jsonAnswer(http.StatusOK, `{"sucesso":true,"erros":[],"data":{"items":`+items+`}}`)
}

func (s *Service) note(event Event, e Entry) {
	e.Event, e.At = event, s.cfg.Clock()
	s.ledger.append(e)
}
