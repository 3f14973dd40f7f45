package api

import (
	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/wire"

	"github.com/google/uuid"
)

// findByGuide serves GET /api/v2/autorizacoes?guiaPrestador= (row 18).
func (a *API) findByGuide(c *call) (response, error) {
	values, err := parameters(c)
	if err != nil {
		return response{}, err
	}
	number := values.Get("guiaPrestador")
	if number == "" {
		return response{}, invalid(problem.Field{Path: "guiaPrestador", Code: authorization.CodeRequired,
			Message: "Informe a guia do prestador."})
	}
	found, err := a.service.FindByGuide(c.Context(), c.caller.ProfileID, number)
	return response{stream: func(out *wire.Writer) { out.Found(found.Authorizations, found.Errors) }}, err
}

// readAuthorization serves GET /api/v2/autorizacoes/{guiaId} (row 18).
func (a *API) readAuthorization(c *call) (response, error) {
	id, err := guideID(c)
	if err != nil {
		return response{}, err
	}
	found, err := a.service.Authorization(c.Context(), c.caller.ProfileID, id)
	return response{stream: func(out *wire.Writer) { out.Single(found) }}, err
}

// guideID is the authorization that the address names.
func guideID(c *call) (uuid.UUID, error) {
	text := c.PathValue("guiaId")
	if !isUUID(text) {
		return uuid.Nil, service.ErrNoAuthorization
	}
	return uuid.Parse(text)
}
