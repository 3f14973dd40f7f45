package webui

import (
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/directory"
	"guiche/internal/problem"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// units serves GET and POST /cadastros/unidades.
func (s *deskHandlers) units(c echo.Context) error {
	search, err := searched(c)
	if err != nil {
		return err
	}
	units, err := s.Directory.ListUnits(c.Request().Context(), search.Text)
	if err != nil {
		return err
	}
	view := page.DirectoryListView{Path: unitsPath, Caption: "Unidades, pelo nome", SearchLabel: "Nome da unidade ou do ponto",
		Search: search.Text,
		Count:  count(len(units), "unidade", "unidades"), New: component.Link{Href: unitsPath + "/nova", Text: "Nova unidade"},
		Columns:   []string{"Unidade", "Pontos de atendimento"},
		EmptyText: "Cadastre a unidade em que a clínica atende, com os pontos de atendimento dela."}
	marked, _, err := s.marksAlone(c.Request().Context())
	if err != nil {
		return err
	}
	for _, u := range units {
		view.Rows = append(view.Rows, page.DirectoryRow{Href: unitsPath + "/" + u.UID.String(), Name: u.Name,
			Cells:    []string{pointNames(u, marked)},
			Disabled: !u.Active, Local: marked && u.SyncState != directory.Listed})
	}
	return s.showDirectory(c, "Unidades", view)
}

// pointNames lists what a unit offers; those that the service does not know are
// marked where the unit is known to it.
func pointNames(u directory.Unit, marked bool) string {
	var names []string
	for _, p := range u.CarePoints {
		switch {
		case !p.Active:
		case marked && u.SyncState == directory.Listed && p.SyncState != directory.Listed:
			names = append(names, p.Name+" (só no Guichê)")
		default:
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return "nenhum: a unidade ainda não serve para pedidos"
	}
	return strings.Join(names, ", ")
}

// typedUnit is what a unit's form sent.
type typedUnit struct {
	directory.TypedUnit
	rows bool // only the rows were changed, nothing is stored yet
}

// readUnit reads the form as it was typed, unchecked: a press on "add a row" shows the
// form again with whatever is in it.
func readUnit(c echo.Context) (typedUnit, error) {
	f, err := posted(c)
	if err != nil {
		return typedUnit{}, err
	}
	t := typedUnit{TypedUnit: directory.TypedUnit{ID: f.Raw("id"), Name: f.Raw("nome"), Phone: f.Raw("telefone")}, rows: f.RowsChanged()}
	for _, row := range f.Rows("pontosAtendimento", "nome", "id") {
		t.CarePoints = append(t.CarePoints, directory.TypedPoint{Name: row.Raw("nome"), ID: row.Raw("id"), Active: row.Checked("ativo")})
	}
	return t, nil
}

// newUnit serves GET /cadastros/unidades/nova.
func (s *deskHandlers) newUnit(c echo.Context) error {
	return s.showUnit(c, directory.Unit{}, directory.TypedUnit{}, nil)
}

// addUnit serves POST /cadastros/unidades/nova.
func (s *deskHandlers) addUnit(c echo.Context) error {
	typed, err := readUnit(c)
	if err != nil {
		return err
	}
	if typed.rows {
		return s.showUnit(c, directory.Unit{}, typed.TypedUnit, nil)
	}
	for i := range typed.CarePoints {
		typed.CarePoints[i].Active = true
	}
	unit, err := typed.Read()
	if err == nil {
		err = s.Directory.AddUnit(c.Request().Context(), s.actor(c), unit)
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showUnit(c, directory.Unit{}, typed.TypedUnit, fields)
	}
	return s.afterwards(c, err, savedWords, unitsPath)
}

// unit serves GET /cadastros/unidades/{uid}.
func (s *deskHandlers) unit(c echo.Context) error { return s.unitAgain(c, nil) }

// unitAgain shows a unit as it is kept, with what was refused of it.
func (s *deskHandlers) unitAgain(c echo.Context, fields []problem.Field) error {
	unit, err := named(c, s.Directory.Unit)
	if err != nil {
		return err
	}
	typed := directory.TypedUnit{Name: unit.Name, Phone: unit.Phone}
	for _, p := range unit.CarePoints {
		typed.CarePoints = append(typed.CarePoints, directory.TypedPoint{ID: p.UID.String(), Name: p.Name, Active: p.Active})
	}
	return s.showUnit(c, unit, typed, fields)
}

// changeUnit serves POST /cadastros/unidades/{uid}.
func (s *deskHandlers) changeUnit(c echo.Context) error {
	unit, err := named(c, s.Directory.Unit)
	if err != nil {
		return err
	}
	typed, err := readUnit(c)
	if err != nil {
		return err
	}
	for i, p := range typed.CarePoints {
		typed.CarePoints[i].Active = p.Active || !knownPoint(unit, p.ID) // a new one starts in use
	}
	if typed.rows {
		return s.showUnit(c, unit, typed.TypedUnit, nil)
	}
	changed, err := typed.Read()
	if err == nil {
		changed.UID = unit.UID
		err = s.Directory.ChangeUnit(c.Request().Context(), s.actor(c), changed, seenVersion(c))
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showUnit(c, unit, typed.TypedUnit, fields)
	}
	return s.afterwards(c, err, savedWords, unitsPath)
}

// knownPoint reports whether the unit already has the care point that the form sent;
// text that is not an identifier belongs to a new row.
func knownPoint(unit directory.Unit, id string) bool {
	uid, err := uuid.Parse(id)
	_, known := unit.CarePoint(uid)
	return err == nil && known
}

// showUnit shows a unit's form with what was typed and one empty row.
func (s *deskHandlers) showUnit(c echo.Context, unit directory.Unit, typed directory.TypedUnit, fields []problem.Field) error {
	view := page.UnitView{DirectoryEntry: page.DirectoryEntry{Heading: "Nova unidade", New: unit.UID == uuid.Nil, Disabled: !unit.Active,
		List:   component.Link{Href: unitsPath, Text: "Unidades"},
		Fields: page.Fields{Values: map[string]string{"nome": typed.Name, "telefone": typed.Phone, "id": typed.ID}}}}
	if !view.New {
		view.Heading, view.ID, view.Version = unit.Name, unit.UID.String(), version.Of(unit)
	}
	for i, p := range append(typed.CarePoints[:len(typed.CarePoints):len(typed.CarePoints)], directory.TypedPoint{}) {
		row := page.PointRow{Row: i, Empty: i == len(typed.CarePoints), Known: knownPoint(unit, p.ID)}
		view.Points = append(view.Points, row)
		view.Values[row.Named("nome")], view.Values[row.Named("id")] = p.Name, p.ID
		view.Values[row.Named("ativo")] = authorization.Flag(p.Active)
	}
	entry, err := s.entryFrame(c, view.DirectoryEntry, fields)
	if err != nil {
		return err
	}
	view.DirectoryEntry = entry
	return s.render(c, form.Status(fields), page.UnitPage(view))
}
