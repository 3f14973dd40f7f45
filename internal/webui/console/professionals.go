package console

import (
	"slices"
	"strconv"
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

// deskProfessionalsPath is where the desk keeps its professionals, below
// Config.DirectoryPath.
const deskProfessionalsPath = "/executantes"

// professionalRegister is the list of professionals, below /servico/profissionais.
var professionalRegister = register[service.Professional]{
	path: professionalsPath, newPath: "/novo", deskPath: deskProfessionalsPath, object: audit.ObjectServiceProfessional,
	added: audit.ServiceProfessionalAdded, changed: audit.ServiceProfessionalChanged, ofDesk: DeskDirectory.ProfessionalIDs,
	off:  switching{audit.ServiceProfessionalDisabled, "Profissional desativado. Saiu das listas."},
	on:   switching{audit.ServiceProfessionalEnabled, "Profissional reativado."},
	list: (*console).professionals,
	head: func(p *service.Professional) head { return head{&p.ID, &p.Name, &p.Disabled} },
	find: (*admin.Admin).Professional, check: (*admin.Admin).CheckProfessional,
	put: (*admin.Admin).PutProfessional, change: (*admin.Admin).ChangeProfessional,
	form: professionalForm, read: readProfessional, show: (*console).showProfessional, replica: (*console).professionalReplica,
}

// professionals serves GET and POST /servico/profissionais.
func (k *console) professionals(c echo.Context) error {
	search, query, err := k.readSearch(c)
	if err != nil {
		return err
	}
	found, err := k.admin.Professionals(c.Request().Context(), query)
	if err != nil {
		return err
	}
	view := page.ConsoleListView{
		Page: layout.Page{Title: "Profissionais"}, Path: professionalsPath, Caption: "Profissionais executantes, pelo nome",
		Purpose: "quem faz os procedimentos; todo pedido diz quem e em que especialidade", SearchLabel: "Nome, conselho ou especialidade",
		New:       component.Link{Href: professionalsPath + "/novo", Text: "Novo profissional"},
		Columns:   []string{"Nome", "Conselho", "Especialidades"},
		EmptyText: "Crie quem faz os procedimentos, com pelo menos uma especialidade.",
	}
	ofDesk, err := k.ofDesk(c, DeskDirectory.ProfessionalIDs)
	if err != nil {
		return err
	}
	for _, p := range found.Items {
		view.Rows = append(view.Rows, page.ConsoleRow{
			Href: professionalPath(p.ID), Name: p.Name, Cells: []string{registration(p), specialtyNames(p)},
			State: k.rowState(p.Disabled, ofDesk, p.ID),
		})
	}
	return k.showList(c, view, search, found.Total, deskProfessionalsPath)
}

// professionalPath is the address of a professional in the console.
func professionalPath(id uuid.UUID) string { return professionalsPath + "/" + id.String() }

// registration is a professional's registration with the council: "CRM 104552 SP".
func registration(p service.Professional) string {
	return strings.Join(strings.Fields(p.Council+" "+p.Number+" "+p.State), " ")
}

// specialtyNames lists the specialties of a professional that are in use.
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

// specialtiesField is the name of the rows of specialties.
const specialtiesField = "especialidades"

// professionalForm is the form of a professional as they are kept.
func professionalForm(p service.Professional) *form.Form {
	f := form.New(nil)
	f.Set("nome", p.Name)
	f.Set("siglaConselho", p.Council)
	f.Set("numeroConselho", p.Number)
	f.Set("uf", p.State)
	for i, s := range p.Specialties {
		fillSpecialty(f.AddRow(specialtiesField, i), s, strconv.Itoa(s.ID))
	}
	return f
}

// fillSpecialty fills a row; number is what was typed, which may be no number.
func fillSpecialty(row form.Row, s service.Specialty, number string) {
	row.Set("id", number)
	row.Set("nome", s.Name)
	row.Set("cbo", s.CBO)
	row.SetChecked("ativo", !s.Disabled)
}

// readProfessional reads a professional's form over what is kept. Specialties that
// the form does not know stay as they are, and are shown with it.
func readProfessional(f *form.Form, kept service.Professional) service.Professional {
	p := kept
	p.Name, p.Council, p.Number, p.State = f.Line("nome"), f.Raw("siglaConselho"), f.Line("numeroConselho"), f.Raw("uf")
	p.Specialties = nil
	for _, row := range f.Rows(specialtiesField, "nome", "id", "cbo") {
		s := service.Specialty{ID: readNumber(row.Raw("id")), Name: row.Line("nome"), CBO: codeMarks.Replace(row.Raw("cbo"))}
		if specialtyOf(kept, row.Raw("id")) >= 0 {
			s.Disabled = !row.Checked("ativo")
		}
		fillSpecialty(row, s, row.Raw("id"))
		p.Specialties = append(p.Specialties, s)
	}
	for _, s := range kept.Specialties {
		if !slices.ContainsFunc(p.Specialties, func(q service.Specialty) bool { return q.ID == s.ID }) {
			fillSpecialty(f.AddRow(specialtiesField, len(p.Specialties)), s, strconv.Itoa(s.ID))
			p.Specialties = append(p.Specialties, s)
		}
	}
	return p
}

// codeMarks are what people type between the digits of a CBO: 2251-20.
var codeMarks = strings.NewReplacer(" ", "", ".", "", "-", "")

// readNumber reads the number of a specialty, 0 for what is no number.
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

// showProfessional shows a professional's form with one empty row.
func (k *console) showProfessional(c echo.Context, kept service.Professional, f *form.Form) error {
	e, err := k.completeEntry(c, professionalEntry(kept), f, kept)
	if err != nil {
		return err
	}
	view := page.ProfessionalView{DirectoryEntry: e}
	for i := 0; ; i++ {
		row := page.SpecialtyRow{Row: i}
		_, typed := e.Values[row.Named("nome")]
		row.Empty, row.Known = !typed, specialtyOf(kept, e.Values[row.Named("id")]) >= 0
		view.Rows = append(view.Rows, row)
		if !typed {
			break
		}
	}
	return k.web.Render(c, form.Status(f.Problems()), page.ProfessionalPage(view))
}

// professionalEntry is the frame of the form, for a new professional when kept has no
// identifier. An existing one shows it, as partners send it.
func professionalEntry(kept service.Professional) page.DirectoryEntry {
	e := page.DirectoryEntry{
		Path: professionalsPath + "/novo", List: component.Link{Href: professionalsPath, Text: "Profissionais"}, Heading: "Novo profissional",
		Detail:  "quem faz os procedimentos; todo pedido diz quem e em que especialidade",
		Service: "profissionalExecutanteId", New: kept.ID == uuid.Nil, Disabled: kept.Disabled,
	}
	if !e.New {
		e.Path, e.Heading, e.ID = professionalPath(kept.ID), kept.Name, kept.ID.String()
	}
	return e
}

// professionalReplica shows a professional who comes from the desk.
func (k *console) professionalReplica(p service.Professional) page.ReplicaEntryView {
	view := page.ReplicaEntryView{
		List:   component.Link{Href: professionalsPath, Text: "Profissionais"},
		Notice: k.deskNotice(deskProfessionalsPath + "/" + p.ID.String()), State: stateOf(p.Disabled),
		Purpose: "profissional executante", Parts: "Especialidades", Columns: []string{"Especialidade", "especialidadeExecutanteId", "CBO"},
		Facts:     []component.Copyable{{Label: "profissionalExecutanteId", Value: p.ID.String()}},
		EmptyText: "Nenhuma: ainda não serve para pedidos.",
	}
	if council := registration(p); council != "" {
		view.Facts = append(view.Facts, component.Copyable{Label: "Conselho", Value: council})
	}
	for _, s := range p.Specialties {
		view.Rows = append(view.Rows, page.ConsoleRow{Name: s.Name, Cells: []string{strconv.Itoa(s.ID), s.CBO}, State: stateOf(s.Disabled)})
	}
	return view
}
