package service_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// plan connects an operator that answers {"situacao", "senha", "guia"} over HTTP,
// and knows requests by an identifier of ours.
type plan struct{ url string }

// Authorize implements service.Operator: what is sent carries the identifier by
// which LookUp asks.
func (p plan) Authorize(ctx context.Context, r service.OperatorRequest) (service.Decision, error) {
	sent, err := json.Marshal(map[string]any{"carteira": r.Request.CardNumber, "prestador": r.Credential.ProviderCode,
		"itens": len(r.Request.Procedures)})
	if err != nil {
		return service.Decision{}, err
	}
	return p.ask(ctx, http.MethodPut, r.ID, string(sent))
}

// LookUp implements service.Operator.
func (p plan) LookUp(ctx context.Context, r service.OperatorRequest) (service.Decision, error) {
	return p.ask(ctx, http.MethodGet, r.ID, "")
}

func (p plan) ask(ctx context.Context, method string, id uuid.UUID, body string) (service.Decision, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.url+"/pedidos/"+id.String(), strings.NewReader(body))
	if err != nil {
		return service.Decision{}, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return service.Decision{}, err // whether the operator decided stays open: the service looks it up
	}
	defer func() { _ = res.Body.Close() }()
	var told struct{ Situacao, Senha, Guia string }
	switch err := json.NewDecoder(res.Body).Decode(&told); {
	case res.StatusCode == http.StatusNotFound:
		return service.Decision{}, service.ErrNotKnown
	case res.StatusCode != http.StatusOK:
		return service.Decision{}, fmt.Errorf("plan: status %d", res.StatusCode)
	case err != nil:
		return service.Decision{}, fmt.Errorf("plan: %w", err)
	}
	return service.Decision{Authorizations: []authorization.Authorization{{
		Status: authorization.Status(told.Situacao), Success: told.Situacao == "A", Senha: told.Senha, GuideNumber: told.Guia,
	}}}, nil
}

// The least that a connector must do: decide, and tell later what was decided.
// The service does the rest.
func ExampleOperator() {
	known := map[string]bool{}
	operator := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && !known[r.URL.Path] {
			http.NotFound(w, r)
			return
		}
		known[r.URL.Path] = true
		_, _ = fmt.Fprint(w, `{"situacao":"A","senha":"778201","guia":"4410"}`)
	}))
	defer operator.Close()

	var connector service.Operator = plan{operator.URL}
	request := service.OperatorRequest{ID: uuid.New(), Request: authorization.Request{CardNumber: "0310004512063345"}}
	_, err := connector.LookUp(context.Background(), request)
	fmt.Println("before:", err)
	decided, err := connector.Authorize(context.Background(), request)
	fmt.Println("decided:", decided.Authorizations[0].Status, decided.Check(), err)
	found, err := connector.LookUp(context.Background(), request)
	fmt.Println("found:", found.Authorizations[0].GuideNumber, err)
	// Output:
	// before: service: the operator tells nothing about this request
	// decided: A <nil> <nil>
	// found: 4410 <nil>
}
