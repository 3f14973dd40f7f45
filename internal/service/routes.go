package service

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"guiche/internal/problem"
)

// route is one operation. An empty scope wants any valid credential, public wants
// none.
type route struct {
	method string
	path   string
	scope  Scope
	serve  func(w http.ResponseWriter, c *call) error
}

// call is a request whose sender is known.
type call struct {
	*http.Request
	caller
}

// routes is the whole surface of the service.
func (s *Service) routes() []route {
	return []route{
		{http.MethodPost, "/api/v1/auth/login", public, s.login},
		{http.MethodPost, "/api/v1/auth/refresh", public, s.refresh},
		{http.MethodPost, "/oauth/token", public, s.issueToken},
		{http.MethodGet, "/api/v2/credenciais", ReadCredentials, s.searchCredentials},
		{http.MethodGet, "/api/v2/unidades", ReadRegisters, s.listUnits},
		{http.MethodGet, "/api/v2/profissionais-executantes", ReadRegisters, s.listProfessionals},
		{http.MethodGet, "/api/v2/recursos", "", s.listFeatures},
		{http.MethodPost, "/api/v2/autorizar/sp-sadt", CreateAuthorizations, s.authorize},
		{http.MethodGet, "/api/v2/autorizacoes", ReadAuthorizations, s.findByGuide},
		{http.MethodGet, "/api/v2/autorizacoes/{guiaId}", ReadAuthorizations, s.readAuthorization},
		{http.MethodPost, "/api/v2/autorizacoes/{guiaId}/anexos", ChangeAuthorizations, s.perform(attaching)},
		{http.MethodPost, "/api/v2/autorizacoes/{guiaId}/biometria", ChangeAuthorizations, s.perform(collecting)},
		{http.MethodPost, "/api/v2/autorizacoes/{guiaId}/cancelamento", ChangeAuthorizations, s.perform(cancelling)},
		{http.MethodGet, "/api/v1/elegibilidade", ReadEligibility, s.checkEligibility},
		{http.MethodPost, "/api/v1/solicitacao", CreateAuthorizations, s.submitRequest},
		{http.MethodGet, "/api/openapi.yaml", public, s.describe},
	}
}

// Handler returns the HTTP interface, rooted at {base_url}.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	byPath := map[string][]route{}
	for _, rt := range s.routes() {
		byPath[rt.path] = append(byPath[rt.path], rt)
	}
	for pattern, routes := range byPath {
		mux.Handle(pattern, s.dispatch(routes))
	}
	mux.HandleFunc("/", s.unknownPath)
	return s.observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path.Clean(r.URL.Path) && r.URL.Path != path.Clean(r.URL.Path)+"/" {
			s.unknownPath(w, r) // the mux would redirect, without an envelope
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

func (s *Service) unknownPath(w http.ResponseWriter, r *http.Request) {
	s.refuse(w, r, problem.New(problem.NotFound, "Endereço desconhecido."))
}

// dispatch serves the routes of one path in the order of checks of row 8: HTTP
// method, who calls, what they may, how often.
func (s *Service) dispatch(routes []route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(routes, func(rt route) bool {
			return rt.method == r.Method || rt.method == http.MethodGet && r.Method == http.MethodHead
		})
		if i < 0 {
			s.refuse(w, r, methodRefused(routes))
			return
		}
		from, err := s.admit(r, routes[i].scope)
		if err == nil {
			err = routes[i].serve(w, &call{Request: r, caller: from})
		}
		if err != nil {
			s.refuse(w, r, err)
		}
	})
}

func methodRefused(routes []route) *refusal {
	var allowed []string
	for _, rt := range routes {
		allowed = append(allowed, rt.method)
		if rt.method == http.MethodGet {
			allowed = append(allowed, http.MethodHead)
		}
	}
	return (&refusal{status: http.StatusMethodNotAllowed, code: codeMethod, message: "Este endereço não aceita este método."}).
		with("Allow", strings.Join(allowed, ", "))
}
