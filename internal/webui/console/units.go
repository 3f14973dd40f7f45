package console

import (
	"net/url"
	"slices"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/a-h/templ"
	"github.com/google/uuid"
)

// units is the register of units with their points of care.
func (k *console) units() register[service.Unit] {
	return register[service.Unit]{
		console: k, path: unitsPath, fresh: unitsPath + "/nova", origin: "/unidades", heading: "Nova unidade",
		object: audit.ObjectServiceUnit, added: audit.ServiceUnitAdded, changed: audit.ServiceUnitChanged,
		saved: "Guardado. Vale para o próximo pedido.",
		list: page.ConsoleListView{Page: layout.Page{Title: "Unidades"}, Caption: "Unidades, pelo nome", Purpose: "onde a clínica atende; todo pedido diz em que unidade e ponto",
			Searched: "Nome da unidade ou do ponto", New: component.Link{Href: unitsPath + "/nova", Text: "Nova unidade"},
			Columns: []string{"Unidade", "Pontos de atendimento"}, Nothing: "Crie a unidade em que a clínica atende, com os pontos de atendimento dela."},
		search: k.Admin.Units, get: k.Admin.Unit, check: k.Admin.CheckUnit, put: k.Admin.PutUnit,
		entry: func(u service.Unit) entry { return entry{u.ID, u.Name, u.Disabled, []string{pointNames(u)}} },
		with:  func(u service.Unit, id uuid.UUID) service.Unit { u.ID = id; return u },
		sheet: unitSheet, read: readUnit, draw: drawUnit, followed: followedUnit,
	}
}

func (k *console) unitRoutes() []Route {
	r := k.units()
	return append(r.routes(), k.switches(r.path+"/:uid", r.object,
		switching{audit.ServiceUnitDisabled, "Unidade desativada. Saiu das listas."}, switching{audit.ServiceUnitEnabled, "Unidade reativada."},
		r.switchable(func(u service.Unit, disabled bool) service.Unit { u.Disabled = disabled; return u }))...)
}

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

func pointRow(i int) page.PointRow { return page.PointRow{Row: i} }

func unitSheet(u service.Unit) sheet {
	s := sheet{texts: map[string]string{"nome": u.Name}, rows: len(u.Points)}
	for i, p := range u.Points {
		row := pointRow(i)
		s.texts[row.Named("nome")], s.texts[row.Named("id")], s.texts[row.Named("ativo")] = p.Name, p.ID.String(), authorization.Flag(!p.Disabled)
	}
	return s
}

// readUnit reads a unit's form over what is kept; points that the form does not
// know stay as they are.
func readUnit(sent url.Values, kept service.Unit) (service.Unit, sheet) {
	f, u := form.New(sent), kept
	u.Name, u.Points = f.Line("nome"), nil
	for _, row := range f.Rows("pontosAtendimento", "nome", "id") {
		p := service.CarePoint{ID: uuid.Must(uuid.NewV7()), Name: row.Line("nome")}
		if i := pointOf(kept, row.Raw("id")); i >= 0 {
			p.ID, p.Disabled = kept.Points[i].ID, !row.Checked("ativo")
		}
		u.Points = append(u.Points, p)
	}
	for _, p := range kept.Points {
		if !slices.ContainsFunc(u.Points, func(q service.CarePoint) bool { return q.ID == p.ID }) {
			u.Points = append(u.Points, p)
		}
	}
	s := unitSheet(u)
	s.only = f.RowsChanged()
	return u, s
}

// pointOf finds a point by its identifier as a form sent it.
func pointOf(u service.Unit, id string) int {
	return slices.IndexFunc(u.Points, func(p service.CarePoint) bool { return p.ID.String() == id })
}

func drawUnit(e page.DirectoryEntry, s sheet, kept service.Unit) templ.Component {
	e.Service = "unidadeId"
	view := page.UnitView{DirectoryEntry: e}
	for i := range s.rows + 1 {
		row := pointRow(i)
		row.Known = pointOf(kept, s.texts[row.Named("id")]) >= 0
		view.Points = append(view.Points, row)
	}
	return page.UnitPage(view)
}

func followedUnit(u service.Unit) page.ReplicaEntryView {
	view := page.ReplicaEntryView{Purpose: "unidade da clínica", Facts: []component.Copyable{{Label: "unidadeId", Value: u.ID.String()}},
		Parts: "Pontos de atendimento", Columns: []string{"Ponto", "pontoAtendimentoId"}, Nothing: "Nenhum: a unidade ainda não serve para pedidos."}
	for _, p := range u.Points {
		view.Rows = append(view.Rows, page.ConsoleRow{Name: p.Name, Cells: []string{p.ID.String()}, State: stateOf(p.Disabled)})
	}
	return view
}
