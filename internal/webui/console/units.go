package console

import (
	"slices"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/service"
	"guiche/internal/service/admin"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// deskUnitsPath is where the desk keeps its units, below Config.DirectoryPath.
const deskUnitsPath = "/unidades"

// unitRegister is the list of units, below /servico/unidades.
var unitRegister = register[service.Unit]{
	path: unitsPath, newPath: "/nova", deskPath: deskUnitsPath, object: audit.ObjectServiceUnit,
	added: audit.ServiceUnitAdded, changed: audit.ServiceUnitChanged, ofDesk: DeskDirectory.UnitIDs,
	off:  switching{audit.ServiceUnitDisabled, "Unidade desativada. Saiu das listas."},
	on:   switching{audit.ServiceUnitEnabled, "Unidade reativada."},
	list: (*console).units,
	head: func(u *service.Unit) head { return head{&u.ID, &u.Name, &u.Disabled} },
	find: (*admin.Admin).Unit, check: (*admin.Admin).CheckUnit, put: (*admin.Admin).PutUnit, change: (*admin.Admin).ChangeUnit,
	form: unitForm, read: readUnit, show: (*console).showUnit, replica: (*console).unitReplica,
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
