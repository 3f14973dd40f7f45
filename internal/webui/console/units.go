package console

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// deskUnitsPath is where the desk keeps its units, below Config.DirectoryPath.
const deskUnitsPath = "/unidades"

// unitRoutes are the addresses below /servico/unidades. Where a desk keeps the units,
// those that change them lead to the desk's pages.
func (k *console) unitRoutes() []Route {
	const get, post, entry = http.MethodGet, http.MethodPost, unitsPath + "/:uid"
	return append([]Route{
		{get, unitsPath, k.serve((*console).units)},
		{post, unitsPath, k.serve((*console).units)},
		{get, unitsPath + "/nova", k.serve(fresh(deskUnitsPath, (*console).newUnit))},
		{post, unitsPath + "/nova", k.serve(fresh(deskUnitsPath, (*console).addUnit))},
		{get, entry, k.serve((*console).unit)},
		{post, entry, k.serve((*console).changeUnit)},
	}, k.switches(entry, audit.ObjectServiceUnit,
		switching{audit.ServiceUnitDisabled, "Unidade desativada. Saiu das listas."},
		switching{audit.ServiceUnitEnabled, "Unidade reativada."}, (*console).switchUnit)...)
}

// units serves GET and POST /servico/unidades.
func (k *console) units(c echo.Context) error {
	search, query, err := k.readSearch(c)
	if err != nil {
		return err
	}
	found, err := k.admin.Units(c.Request().Context(), query)
	if err != nil {
		return err
	}
	view := page.ConsoleListView{
		Page: layout.Page{Title: "Unidades"}, Path: unitsPath, Caption: "Unidades, pelo nome",
		Purpose: "onde a clínica atende; todo pedido diz em que unidade e ponto", SearchLabel: "Nome da unidade ou do ponto",
		New: component.Link{Href: unitsPath + "/nova", Text: "Nova unidade"}, Columns: []string{"Unidade", "Pontos de atendimento"},
		EmptyText: "Crie a unidade em que a clínica atende, com os pontos de atendimento dela.",
	}
	ofDesk, err := k.ofDesk(c, DeskDirectory.UnitIDs)
	if err != nil {
		return err
	}
	for _, u := range found.Items {
		view.Rows = append(view.Rows, page.ConsoleRow{
			Href: unitPath(u.ID), Name: u.Name, Cells: []string{pointNames(u)}, State: k.rowState(u.Disabled, ofDesk, u.ID),
		})
	}
	return k.showList(c, view, search, found.Total, deskUnitsPath)
}

// unitPath is the address of a unit in the console.
func unitPath(id uuid.UUID) string { return unitsPath + "/" + id.String() }

// pointNames lists the care points that a unit offers.
func pointNames(u service.Unit) string {
	var names []string
	for _, p := range u.Points {
		if !p.Disabled {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return "nenhum: ainda não serve para pedidos"
	}
	return strings.Join(names, ", ")
}

// newUnit serves GET /servico/unidades/nova.
func (k *console) newUnit(c echo.Context) error {
	return k.showUnit(c, service.Unit{}, unitForm(service.Unit{}))
}

// addUnit serves POST /servico/unidades/nova.
func (k *console) addUnit(c echo.Context) error {
	return k.keepUnit(c, service.Unit{}, uuid.Must(uuid.NewV7()), audit.ServiceUnitAdded)
}

// unit serves GET /servico/unidades/{uid}.
func (k *console) unit(c echo.Context) error {
	kept, err := k.unitOf(c)
	if err != nil {
		return err
	}
	ofDesk, err := k.ofDesk(c, DeskDirectory.UnitIDs)
	if err != nil {
		return err
	}
	if ofDesk[kept.ID] {
		return k.showReplica(c, kept.Name, k.unitReplica(kept))
	}
	return k.showUnit(c, kept, unitForm(kept))
}

// changeUnit serves POST /servico/unidades/{uid}.
func (k *console) changeUnit(c echo.Context) error {
	kept, err := k.unitToChange(c)
	if err != nil {
		return err
	}
	return k.keepUnit(c, kept, kept.ID, audit.ServiceUnitChanged)
}

// unitOf is the unit that the address names, a problem.NotFound error for an identifier
// that cannot be read or is not known.
func (k *console) unitOf(c echo.Context) (service.Unit, error) {
	uid, err := param(c, "uid")
	if err != nil {
		return service.Unit{}, err
	}
	return k.admin.Unit(c.Request().Context(), uid)
}

// unitToChange is unitOf with a problem.Conflict error for what comes from the desk.
func (k *console) unitToChange(c echo.Context) (service.Unit, error) {
	kept, err := k.unitOf(c)
	if err != nil {
		return kept, err
	}
	ofDesk, err := k.ofDesk(c, DeskDirectory.UnitIDs)
	if err == nil && ofDesk[kept.ID] {
		err = errFromDesk()
	}
	return kept, err
}

// keepUnit reads a unit's form over what is kept, the zero unit for a new one, checks it, notes the
// intent and keeps it: over what is kept by then.
func (k *console) keepUnit(c echo.Context, kept service.Unit, id uuid.UUID, event audit.Event) error {
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	f := form.New(values)
	readUnit(f, kept)
	if f.RowsChanged() {
		return k.showUnit(c, kept, f)
	}
	change := func(now service.Unit) (service.Unit, error) {
		kept = now
		return k.typedUnit(values, now)
	}
	if _, err = change(kept); err == nil {
		intent := audit.Entry{Event: event, Object: audit.ObjectServiceUnit, ObjectID: id}
		err = k.act(c, intent, func(ctx context.Context) error { return k.putUnit(ctx, kept, id, change) })
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		f.Add(fields...)
		return k.showUnit(c, kept, f)
	}
	if err != nil {
		return err
	}
	return k.web.Afterwards(c, directorySaved, unitPath(id))
}

// typedUnit is what a form makes of a unit, with what of it must not be kept.
func (k *console) typedUnit(values url.Values, kept service.Unit) (service.Unit, error) {
	f := form.New(values)
	u := readUnit(f, kept)
	if err := version.Check(f.Raw(form.VersionField), kept); err != nil {
		return u, err
	}
	return u, k.admin.CheckUnit(u)
}

// putUnit adds a unit, or changes the one that is kept as it stands by then.
func (k *console) putUnit(ctx context.Context, kept service.Unit, id uuid.UUID, change func(service.Unit) (service.Unit, error)) error {
	if kept.ID == id {
		return k.admin.ChangeUnit(ctx, id, change)
	}
	u, err := change(kept)
	if err != nil {
		return err
	}
	u.ID = id
	return k.admin.PutUnit(ctx, u)
}

// pointsField is the name of the rows of care points.
const pointsField = "pontosAtendimento"

// unitForm is the form of a unit as it is kept.
func unitForm(u service.Unit) *form.Form {
	f := form.New(nil)
	f.Set("nome", u.Name)
	for i, p := range u.Points {
		fillPoint(f.AddRow(pointsField, i), p)
	}
	return f
}

// fillPoint fills a row with a care point. The identifier goes along, so that a renamed
// point stays the same point to partners.
func fillPoint(row form.Row, p service.CarePoint) {
	row.Set("nome", p.Name)
	row.Set("id", p.ID.String())
	row.SetChecked("ativo", !p.Disabled)
}

// readUnit reads a unit's form over what is kept. Points that the form does not
// know stay as they are, and are shown with it.
func readUnit(f *form.Form, kept service.Unit) service.Unit {
	u := kept
	u.Name, u.Points = f.Line("nome"), nil
	for _, row := range f.Rows(pointsField, "nome", "id") {
		p := service.CarePoint{ID: uuid.Must(uuid.NewV7()), Name: row.Line("nome")}
		if i := pointOf(kept, row.Raw("id")); i >= 0 {
			p.ID, p.Disabled = kept.Points[i].ID, !row.Checked("ativo")
		}
		fillPoint(row, p)
		u.Points = append(u.Points, p)
	}
	for _, p := range kept.Points {
		if !slices.ContainsFunc(u.Points, func(q service.CarePoint) bool { return q.ID == p.ID }) {
			fillPoint(f.AddRow(pointsField, len(u.Points)), p)
			u.Points = append(u.Points, p)
		}
	}
	return u
}

// pointOf finds a point by its identifier as a form sent it.
func pointOf(u service.Unit, id string) int {
	return slices.IndexFunc(u.Points, func(p service.CarePoint) bool { return p.ID.String() == id })
}

// showUnit shows a unit's form with one empty row.
func (k *console) showUnit(c echo.Context, kept service.Unit, f *form.Form) error {
	e, err := k.completeEntry(c, unitEntry(kept), f, kept)
	if err != nil {
		return err
	}
	view := page.UnitView{DirectoryEntry: e}
	for i := 0; ; i++ {
		row := page.PointRow{Row: i, Known: pointOf(kept, e.Values[page.PointRow{Row: i}.Named("id")]) >= 0}
		_, typed := e.Values[row.Named("nome")]
		row.Empty = !typed
		view.Points = append(view.Points, row)
		if row.Empty {
			break
		}
	}
	return k.web.Render(c, form.Status(f.Problems()), page.UnitPage(view))
}

// unitEntry is the frame of the form, for a new unit when kept has no identifier. An
// existing one shows it, as partners send it.
func unitEntry(kept service.Unit) page.DirectoryEntry {
	e := page.DirectoryEntry{
		Path: unitsPath + "/nova", List: component.Link{Href: unitsPath, Text: "Unidades"}, Heading: "Nova unidade",
		Detail: "onde a clínica atende; todo pedido diz em que unidade e ponto", Service: "unidadeId", New: kept.ID == uuid.Nil,
		Disabled: kept.Disabled,
	}
	if !e.New {
		e.Path, e.Heading, e.ID = unitPath(kept.ID), kept.Name, kept.ID.String()
	}
	return e
}

// unitReplica shows a unit that comes from the desk.
func (k *console) unitReplica(u service.Unit) page.ReplicaEntryView {
	view := page.ReplicaEntryView{
		List: component.Link{Href: unitsPath, Text: "Unidades"}, Notice: k.deskNotice(deskUnitsPath + "/" + u.ID.String()),
		State:   stateOf(u.Disabled),
		Purpose: "unidade da clínica", Facts: []component.Copyable{{Label: "unidadeId", Value: u.ID.String()}},
		Parts: "Pontos de atendimento", Columns: []string{"Ponto", "pontoAtendimentoId"},
		EmptyText: "Nenhum: a unidade ainda não serve para pedidos.",
	}
	for _, p := range u.Points {
		view.Rows = append(view.Rows, page.ConsoleRow{Name: p.Name, Cells: []string{p.ID.String()}, State: stateOf(p.Disabled)})
	}
	return view
}

// switchUnit finds the unit that is to be turned off or on.
func (k *console) switchUnit(c echo.Context) (switchable, error) {
	kept, err := k.unitToChange(c)
	return switchable{id: kept.ID, page: unitPath(kept.ID), turn: func(ctx context.Context, disabled bool) error {
		return k.admin.ChangeUnit(ctx, kept.ID, func(now service.Unit) (service.Unit, error) {
			now.Disabled = disabled
			return now, nil
		})
	}}, err
}
