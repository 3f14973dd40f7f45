package api

import (
	"net/http"

	"guiche/internal/service/access"
)

// route is one operation. An empty scope wants any valid access, public wants none.
type route struct {
	method string
	path   string
	scope  access.Scope
	serve  func(c *call) (response, error)
}

// public is the scope of routes that need no access.
const public access.Scope = "-"

// routes is the whole surface of the service.
func (a *API) routes() []route {
	return []route{
		{http.MethodPost, "/api/v1/auth/login", public, a.login},
		{http.MethodPost, "/api/v1/auth/refresh", public, a.refresh},
		{http.MethodPost, "/oauth/token", public, a.issueToken},
		{http.MethodGet, "/api/v2/credenciais", access.ReadCredentials, a.searchCredentials},
		{http.MethodGet, "/api/v2/unidades", access.ReadDirectory, a.listUnits},
		{http.MethodGet, "/api/v2/profissionais-executantes", access.ReadDirectory, a.listProfessionals},
		{http.MethodGet, "/api/v2/recursos", "", a.listFeatures},
		{http.MethodPost, "/api/v2/autorizar/sp-sadt", access.CreateAuthorizations, a.authorize},
		{http.MethodGet, "/api/v2/autorizacoes", access.ReadAuthorizations, a.findByGuide},
		{http.MethodGet, "/api/v2/autorizacoes/{guiaId}", access.ReadAuthorizations, a.readAuthorization},
		{http.MethodPost, "/api/v2/autorizacoes/{guiaId}/anexos", access.ChangeAuthorizations, a.act(a.readAttachments)},
		{http.MethodPost, "/api/v2/autorizacoes/{guiaId}/biometria", access.ChangeAuthorizations, a.actOnCaptures},
		{http.MethodPost, "/api/v2/autorizacoes/{guiaId}/cancelamento", access.ChangeAuthorizations, a.act(a.readCancellation)},
		{http.MethodGet, "/api/v1/elegibilidade", access.ReadEligibility, a.checkEligibility},
		{http.MethodPost, "/api/v1/solicitacao", access.CreateAuthorizations, a.accept},
		{http.MethodGet, "/api/openapi.yaml", public, a.describe},
	}
}
