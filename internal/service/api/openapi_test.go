package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/api"
	"guiche/internal/service/servicetest"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestOpenAPI(t *testing.T) {
	doc := servicetest.Description(t)
	if err := doc.Validate(t.Context()); err != nil {
		t.Errorf("openapi.yaml: %v", err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("version: got %s, want 3.1", doc.OpenAPI)
	}
	t.Run("EveryRoute", func(t *testing.T) {
		described := 0
		for _, item := range doc.Paths.Map() {
			described += len(item.Operations())
		}
		routes := MustEnv(t, limits{}).API.Operations()
		if len(routes) != described {
			t.Errorf("%d operations are described, %d are served", described, len(routes))
		}
		for _, r := range routes {
			if servicetest.Described(doc, r.Method, r.Path) == nil {
				t.Errorf("%s %s is not described", r.Method, r.Path)
			}
		}
	})
	t.Run("EveryScope", func(t *testing.T) {
		for _, r := range MustEnv(t, limits{}).API.Operations() {
			if got, want := security(servicetest.Described(doc, r.Method, r.Path)), wantedSecurity(r); got != want {
				t.Errorf("%s %s: got %q, want %q", r.Method, r.Path, got, want)
			}
		}
		flow := doc.Components.SecuritySchemes["oauth"].Value.Flows.ClientCredentials
		for _, scope := range access.Scopes() {
			if flow.Scopes[string(scope)] == "" || len(flow.Scopes) != len(access.Scopes()) {
				t.Errorf("scopes: got %v, want those of row 25 with a word about each", flow.Scopes)
			}
		}
	})
	t.Run("EveryOperationHasCurl", func(t *testing.T) {
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				if !strings.Contains(op.Description, "curl ") || !strings.Contains(op.Description, strings.SplitN(path, "{", 2)[0]) {
					t.Errorf("%s %s has no curl example of its address", method, path)
				}
			}
		}
	})
	t.Run("EveryStatus", func(t *testing.T) {
		codes := doc.Components.Schemas["Situacao"].Value.Enum
		if len(codes) != len(authorization.Statuses()) {
			t.Errorf("got %d codes, want %d", len(codes), len(authorization.Statuses()))
		}
		for _, code := range codes {
			if !authorization.Status(code.(string)).Known() {
				t.Errorf("%q is no code of specification 3", code)
			}
		}
	})
	t.Run("EveryCode", func(t *testing.T) {
		for name, options := range map[string][]authorization.Option{
			"ufSolicitante": authorization.States(), "tipoAcidente": authorization.AccidentTypes(),
			"regimeAtendimento": authorization.CareRegimes(), "tipoAtendimento": authorization.CareTypes(),
		} {
			var described, known []string
			for _, code := range doc.Components.Schemas["Pedido"].Value.Properties[name].Value.Enum {
				described = append(described, code.(string))
			}
			for _, o := range options {
				known = append(known, o.Code)
			}
			if got, want := strings.Join(described, " "), strings.Join(known, " "); got != want {
				t.Errorf("%s: got %s, want %s", name, got, want)
			}
		}
	})
	t.Run("EveryRefusal", func(t *testing.T) {
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				if !slices.ContainsFunc(slices.Collect(maps.Keys(op.Responses.Map())), func(code string) bool { return code[0] == '4' }) {
					t.Errorf("%s %s has no refusal of its own", method, path)
				}
			}
		}
	})
	t.Run("EveryWait", func(t *testing.T) { // whatever reads data may find it out of reach
		for path, item := range doc.Paths.Map() {
			for method, op := range item.Operations() {
				if wait := op.Responses.Value("503"); path != "/api/openapi.yaml" && (wait == nil || wait.Value.Headers["Retry-After"] == nil) {
					t.Errorf("%s %s does not say how long to wait", method, path)
				}
			}
		}
	})
	t.Run("EveryRequiredProperty", func(t *testing.T) {
		for name, schema := range doc.Components.Schemas {
			checkRequired(t, name, schema)
		}
	})
	t.Run("EveryCapture", func(t *testing.T) {
		var kinds []string
		for _, kind := range doc.Components.Schemas["Biometria"].Value.Properties["tipo"].Value.Enum {
			kinds = append(kinds, kind.(string))
		}
		if got, want := strings.Join(kinds, " "), strings.Join(service.CaptureKinds(), " "); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// checkRequired: a property that is required is described beside the word, for programs
// that make types out of each schema by itself.
func checkRequired(t *testing.T, name string, schema *openapi3.SchemaRef) {
	t.Helper()
	if schema == nil || schema.Value == nil {
		return
	}
	s := schema.Value
	for _, required := range s.Required {
		if s.Properties[required] == nil {
			t.Errorf("%s: %s is required and not described", name, required)
		}
	}
	for _, part := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf, openapi3.SchemaRefs{s.If, s.Then, s.Items}) {
		checkRequired(t, name, part)
	}
}

// security writes what an operation asks of its caller: "chave sessao oauth(scope)".
func security(op *openapi3.Operation) string {
	var all []string
	if op.Security == nil {
		return "not said"
	}
	for _, way := range *op.Security {
		for name, scopes := range way {
			if len(scopes) > 0 {
				name += "(" + strings.Join(scopes, " ") + ")"
			}
			all = append(all, name)
		}
	}
	return strings.Join(all, " ")
}

func wantedSecurity(o api.Operation) string {
	switch {
	case o.Public:
		return ""
	case o.Scope == "":
		return "chave sessao oauth"
	}
	return "chave sessao oauth(" + string(o.Scope) + ")"
}

func TestAPI_DescribesItself(t *testing.T) {
	e := MustEnv(t, limits{})
	res, err := http.Get(e.Server.URL + "/api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK || res.ContentLength != int64(len(api.OpenAPI())) ||
		!strings.HasPrefix(res.Header.Get("Content-Type"), "application/yaml") {
		t.Errorf("got %d, %d bytes of %s, want the description without a key", res.StatusCode, res.ContentLength, res.Header.Get("Content-Type"))
	}
}
