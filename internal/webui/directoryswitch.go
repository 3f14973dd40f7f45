package webui

import (
	"context"
	"net/http"

	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// switches are the routes that take entries of the directory out of the form and
// put them back.
func (s *deskHandlers) switches() []route {
	var all []route
	for _, r := range []struct {
		list, entry string
		turn        func(c echo.Context, active bool) error
		again       func(c echo.Context, fields []problem.Field) error // nil where nothing is refused
	}{
		{unitsPath, "/:uid", s.turning(s.Directory.SwitchUnit), s.unitAgain},
		{professionalsPath, "/:uid", s.turning(s.Directory.SwitchProfessional), nil},
		{proceduresPath, "/:codigo", s.turnProcedure, nil},
		{credentialsPath, "/:uid", s.turning(s.Directory.SwitchCredential), nil},
	} {
		handler := func(active bool, words string) echo.HandlerFunc {
			return func(c echo.Context) error {
				err := r.turn(c, active)
				if fields := problem.FieldsOf(err); len(fields) > 0 && r.again != nil {
					return r.again(c, fields)
				}
				return s.afterwards(c, err, words, r.list)
			}
		}
		all = append(all,
			route{http.MethodPost, r.list + r.entry + "/desativar", permission.ManageDirectory, handler(false, disabledWords)},
			route{http.MethodPost, r.list + r.entry + "/reativar", permission.ManageDirectory, handler(true, enabledWords)})
	}
	return all
}

// turning switches the entry that an address names by its identifier.
func (s *deskHandlers) turning(turn func(ctx context.Context, by permission.Actor, entry uuid.UUID,
	active bool) error) func(echo.Context, bool) error {
	return func(c echo.Context, active bool) error {
		uid, err := paramUID(c, "uid")
		if err != nil {
			return err
		}
		return turn(c.Request().Context(), s.actor(c), uid, active)
	}
}

// turnProcedure serves POST /cadastros/procedimentos/{codigo}/desativar and /reativar;
// procedures are known by their code and not by an identifier, so turning does not do.
func (s *deskHandlers) turnProcedure(c echo.Context, active bool) error {
	known, err := s.procedureOf(c)
	if err != nil {
		return err
	}
	return s.Directory.SwitchProcedure(c.Request().Context(), s.actor(c), known.Code, active)
}
