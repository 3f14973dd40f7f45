package api

import (
	"net/http"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/wire"

	"github.com/google/uuid"
)

// findByGuide serves GET /api/v2/autorizacoes?guiaPrestador= (row 18).
func (a *API) findByGuide(w http.ResponseWriter, c *call) error {
	values, err := parameters(c)
	if err != nil {
		return err
	}
	number := values.Get("guiaPrestador")
	if number == "" {
		return invalid(problem.Field{Path: "guiaPrestador", Code: authorization.CodeRequired, Message: "Informe a guia do prestador."})
	}
	found, err := a.service.FindByGuide(c.Context(), c.Profile.ID, number)
	if err != nil {
		return err
	}
	return a.stream(c.Context(), w, func(out *wire.Writer) { out.Found(found.Authorizations, found.Errors) })
}

// readAuthorization serves GET /api/v2/autorizacoes/{guiaId} (row 18).
func (a *API) readAuthorization(w http.ResponseWriter, c *call) error {
	id, err := guideID(c)
	if err != nil {
		return err
	}
	found, err := a.service.Authorization(c.Context(), c.Profile.ID, id)
	if err != nil {
		return err
	}
	return a.stream(c.Context(), w, func(out *wire.Writer) { out.Single(found) })
}

// guideID is the authorization that the address names.
func guideID(c *call) (uuid.UUID, error) {
	text := c.PathValue("guiaId")
	if !isUUID(text) {
		return uuid.Nil, service.ErrNoAuthorization
	}
	return uuid.Parse(text)
}
