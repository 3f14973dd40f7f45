package webui

import (
	"net/url"
	"strings"

	"guiche/internal/directory"
	"guiche/internal/problem"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// shownProcedures is how many the list shows at once.
const shownProcedures = 50

// procedures serves GET and POST /cadastros/procedimentos.
func (s *deskHandlers) procedures(c echo.Context) error {
	search, err := searched(c)
	if err != nil {
		return err
	}
	offset := (search.Page - 1) * shownProcedures
	found, total, err := s.Directory.ListProcedures(c.Request().Context(), search.Text, offset, shownProcedures)
	if err != nil {
		return err
	}
	view := page.DirectoryListView{Path: proceduresPath, Caption: "Procedimentos, pelo código",
		SearchLabel: "Código, nome ou outro nome", Search: search.Text,
		Count: count(total, "procedimento", "procedimentos"), New: component.Link{Href: proceduresPath + "/novo", Text: "Novo procedimento"},
		Columns: []string{"Código", "Nome", "Outros nomes"}, EmptyText: "Cadastre os procedimentos que a clínica pede."}
	for _, p := range found {
		view.Rows = append(view.Rows, page.DirectoryRow{Href: procedurePath(p.Code), Name: p.Code,
			Cells: []string{p.Name, strings.Join(p.Aliases, ", ")}, Disabled: !p.Active})
	}
	view.Pages = page.PagesOf(search.Page, shownProcedures, total)
	return s.showDirectory(c, "Procedimentos", view)
}

// procedurePath is the address of a procedure. Codes are typed by people and may hold a
// slash, so the code is escaped.
func procedurePath(code string) string { return proceduresPath + "/" + url.PathEscape(code) }

// readProcedure reads the procedure form, other names one a line; what is wrong with the
// values is found when they are stored.
func readProcedure(c echo.Context) (directory.Procedure, error) {
	f, err := posted(c)
	if err != nil {
		return directory.Procedure{}, err
	}
	return directory.Procedure{Code: f.Raw("codigo"), Name: f.Raw("nome"), Aliases: f.Lines("sinonimos")}, nil
}

// newProcedure serves GET /cadastros/procedimentos/novo.
func (s *deskHandlers) newProcedure(c echo.Context) error {
	return s.showProcedure(c, nil, directory.Procedure{}, nil)
}

// addProcedure serves POST /cadastros/procedimentos/novo.
func (s *deskHandlers) addProcedure(c echo.Context) error {
	typed, err := readProcedure(c)
	if err != nil {
		return err
	}
	err = s.Directory.AddProcedure(c.Request().Context(), s.actor(c), typed)
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showProcedure(c, nil, typed, fields)
	}
	return s.afterwards(c, err, savedWords, proceduresPath)
}

// procedure serves GET /cadastros/procedimentos/{codigo}.
func (s *deskHandlers) procedure(c echo.Context) error {
	known, err := s.procedureOf(c)
	if err != nil {
		return err
	}
	return s.showProcedure(c, &known, known, nil)
}

// procedureOf is the procedure that the address names by its escaped code, a
// problem.NotFound error when the code cannot be read or is not known.
func (s *deskHandlers) procedureOf(c echo.Context) (directory.Procedure, error) {
	code, err := url.PathUnescape(c.Param("codigo"))
	if err != nil {
		return directory.Procedure{}, problem.New(problem.NotFound, "")
	}
	return s.Directory.Procedure(c.Request().Context(), code)
}

// changeProcedure serves POST /cadastros/procedimentos/{codigo}.
func (s *deskHandlers) changeProcedure(c echo.Context) error {
	known, err := s.procedureOf(c)
	if err != nil {
		return err
	}
	typed, err := readProcedure(c)
	if err != nil {
		return err
	}
	typed.Code = known.Code
	err = s.Directory.ChangeProcedure(c.Request().Context(), s.actor(c), typed, seenVersion(c))
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showProcedure(c, &known, typed, fields)
	}
	return s.afterwards(c, err, savedWords, proceduresPath)
}

// showProcedure shows a procedure's form with what was typed; known is nil for a
// new one.
func (s *deskHandlers) showProcedure(c echo.Context, known *directory.Procedure, typed directory.Procedure, fields []problem.Field) error {
	e := page.DirectoryEntry{Heading: "Novo procedimento", New: known == nil,
		List:   component.Link{Href: proceduresPath, Text: "Procedimentos"},
		Fields: page.Fields{Values: map[string]string{"codigo": typed.Code, "nome": typed.Name, "sinonimos": strings.Join(typed.Aliases, "\n")}}}
	if known != nil {
		e.Heading, e.Detail, e.Disabled, e.Version = "Procedimento "+known.Code, known.Name, !known.Active, version.Of(*known)
	}
	e, err := s.entryFrame(c, e, fields)
	if err != nil {
		return err
	}
	return s.render(c, form.Status(fields), page.ProcedurePage(page.ProcedureView{DirectoryEntry: e}))
}
