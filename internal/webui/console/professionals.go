package console

import (
	"net/url"
	"slices"
	"strconv"
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

// professionals is the register of executing professionals with their specialties.
func (k *console) professionals() register[service.Professional] {
	return register[service.Professional]{
		console: k, path: professionalsPath, fresh: professionalsPath + "/novo", origin: "/executantes", heading: "Novo profissional",
		object: audit.ObjectServiceProfessional, added: audit.ServiceProfessionalAdded, changed: audit.ServiceProfessionalChanged,
		saved: "Guardado. Vale para o próximo pedido.",
		list: page.ConsoleListView{Page: layout.Page{Title: "Profissionais"}, Caption: "Profissionais executantes, pelo nome", Purpose: "quem faz os procedimentos; todo pedido diz quem e em que especialidade",
			Searched: "Nome, conselho ou especialidade", New: component.Link{Href: professionalsPath + "/novo", Text: "Novo profissional"},
			Columns: []string{"Nome", "Conselho", "Especialidades"}, Nothing: "Crie quem faz os procedimentos, com pelo menos uma especialidade."},
		search: k.Admin.Professionals, get: k.Admin.Professional, check: k.Admin.CheckProfessional, put: k.Admin.PutProfessional,
		entry: func(p service.Professional) entry {
			return entry{p.ID, p.Name, p.Disabled, []string{councilWords(p), specialtyNames(p)}}
		},
		with:  func(p service.Professional, id uuid.UUID) service.Professional { p.ID = id; return p },
		sheet: professionalSheet, read: readProfessional, draw: drawProfessional, followed: followedProfessional,
	}
}

func (k *console) professionalRoutes() []Route {
	r := k.professionals()
	return append(r.routes(), k.switches(r.path+"/:uid", r.object,
		switching{audit.ServiceProfessionalDisabled, "Profissional desativado. Saiu das listas."}, switching{audit.ServiceProfessionalEnabled, "Profissional reativado."},
		r.switchable(func(p service.Professional, disabled bool) service.Professional { p.Disabled = disabled; return p }))...)
}

func councilWords(p service.Professional) string {
	return tidy(p.Council + " " + p.Number + " " + p.State)
}

func specialtyNames(p service.Professional) string {
	var names []string
	for _, s := range p.Specialties {
		if !s.Disabled {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		return "nenhuma: ainda não serve para pedidos"
	}
	return strings.Join(names, ", ")
}

func specialtyRow(i int) page.SpecialtyRow { return page.SpecialtyRow{Row: i} }

func professionalSheet(p service.Professional) sheet {
	s := sheet{texts: map[string]string{"nome": p.Name, "siglaConselho": p.Council, "numeroConselho": p.Number, "uf": p.State}, rows: len(p.Specialties)}
	for i, sp := range p.Specialties {
		row := specialtyRow(i)
		s.texts[row.Named("id")], s.texts[row.Named("nome")], s.texts[row.Named("cbo")] = strconv.Itoa(sp.ID), sp.Name, sp.CBO
		s.texts[row.Named("ativo")] = authorization.Flag(!sp.Disabled)
	}
	return s
}

// readProfessional reads a professional's form over what is kept; specialties that
// the form does not know stay as they are.
func readProfessional(sent url.Values, kept service.Professional) (service.Professional, sheet) {
	f, p := form.New(sent), kept
	p.Name, p.Council, p.Number, p.State = f.Line("nome"), f.Raw("siglaConselho"), f.Line("numeroConselho"), f.Raw("uf")
	p.Specialties = nil
	rows := f.Rows("especialidades", "nome", "id", "cbo")
	for _, row := range rows {
		sp := service.Specialty{ID: readNumber(row.Raw("id")), Name: row.Line("nome"), CBO: codeMarks.Replace(row.Raw("cbo"))}
		if specialtyOf(kept, row.Raw("id")) >= 0 {
			sp.Disabled = !row.Checked("ativo")
		}
		p.Specialties = append(p.Specialties, sp)
	}
	for _, s := range kept.Specialties {
		if !slices.ContainsFunc(p.Specialties, func(q service.Specialty) bool { return q.ID == s.ID }) {
			p.Specialties = append(p.Specialties, s)
		}
	}
	s := professionalSheet(p)
	s.only = f.RowsChanged()
	for i, row := range rows { // what is no number stays as it was typed
		s.texts[specialtyRow(i).Named("id")] = row.Raw("id")
	}
	return p, s
}

// codeMarks are what people type between the digits of a CBO: 2251-20.
var codeMarks = strings.NewReplacer(" ", "", ".", "", "-", "")

// readNumber reads the number of a specialty, 0 for what is none.
func readNumber(typed string) int {
	n, err := strconv.ParseInt(strings.TrimSpace(typed), 10, 32)
	if err != nil {
		return 0
	}
	return int(n)
}

// specialtyOf finds a specialty by its number as a form sent it.
func specialtyOf(p service.Professional, number string) int {
	return slices.IndexFunc(p.Specialties, func(s service.Specialty) bool { return strconv.Itoa(s.ID) == strings.TrimSpace(number) })
}

func drawProfessional(e page.DirectoryEntry, s sheet, kept service.Professional) templ.Component {
	e.Service = "profissionalExecutanteId"
	view := page.ProfessionalView{DirectoryEntry: e}
	for i := range s.rows + 1 {
		row := specialtyRow(i)
		row.Empty, row.Known = i == s.rows, specialtyOf(kept, s.texts[row.Named("id")]) >= 0
		view.Rows = append(view.Rows, row)
	}
	return page.ProfessionalPage(view)
}

func followedProfessional(p service.Professional) page.ReplicaEntryView {
	view := page.ReplicaEntryView{Purpose: "profissional executante", Parts: "Especialidades", Columns: []string{"Especialidade", "especialidadeExecutanteId", "CBO"},
		Facts: []component.Copyable{{Label: "profissionalExecutanteId", Value: p.ID.String()}}, Nothing: "Nenhuma: ainda não serve para pedidos."}
	if council := councilWords(p); council != "" {
		view.Facts = append(view.Facts, component.Copyable{Label: "Conselho", Value: council})
	}
	for _, s := range p.Specialties {
		view.Rows = append(view.Rows, page.ConsoleRow{Name: s.Name, Cells: []string{strconv.Itoa(s.ID), s.CBO}, State: stateOf(s.Disabled)})
	}
	return view
}
