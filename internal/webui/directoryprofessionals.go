package webui

import (
	"strconv"
	"strings"

	"guiche/internal/directory"
	"guiche/internal/problem"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// professionals serves GET and POST /cadastros/executantes.
func (s *deskHandlers) professionals(c echo.Context) error {
	search, err := searched(c)
	if err != nil {
		return err
	}
	found, err := s.Directory.ListProfessionals(c.Request().Context(), search.Text)
	if err != nil {
		return err
	}
	view := page.DirectoryListView{Path: professionalsPath, Caption: "Executantes, pelo nome",
		SearchLabel: "Nome, conselho ou especialidade", Search: search.Text,
		Count: count(len(found), "executante", "executantes"), New: component.Link{Href: professionalsPath + "/novo", Text: "Novo executante"},
		Columns:   []string{"Nome", "Conselho", "Especialidades"},
		EmptyText: "Cadastre quem faz os procedimentos, com pelo menos uma especialidade."}
	_, marked, err := s.marksAlone(c.Request().Context())
	if err != nil {
		return err
	}
	for _, p := range found {
		view.Rows = append(view.Rows, page.DirectoryRow{Href: professionalsPath + "/" + p.UID.String(), Name: p.Name,
			Cells:    []string{registration(p), specialtyNames(p)},
			Disabled: !p.Active, Local: marked && p.SyncState != directory.Listed})
	}
	return s.showDirectory(c, "Executantes", view)
}

// registration is the number in the council as it is read: "CRM 97120 SP".
func registration(p directory.Professional) string {
	return strings.Join(strings.Fields(p.Council+" "+p.CouncilNumber+" "+p.State), " ")
}

// specialtyNames lists the specialties in one cell of the table.
func specialtyNames(p directory.Professional) string {
	names := make([]string, len(p.Specialties))
	for i, s := range p.Specialties {
		names[i] = s.Name
	}
	return strings.Join(names, ", ")
}

// typedProfessional is what a professional's form sent.
type typedProfessional struct {
	directory.TypedProfessional
	rows bool // only the rows were changed, nothing is stored yet
}

// readProfessional reads the form as it was typed, unchecked: a press on "add a row"
// shows the form again with whatever is in it.
func readProfessional(c echo.Context) (typedProfessional, error) {
	f, err := posted(c)
	if err != nil {
		return typedProfessional{}, err
	}
	t := typedProfessional{rows: f.RowsChanged(), TypedProfessional: directory.TypedProfessional{ID: f.Raw("id"), Name: f.Raw("nome"),
		Council: f.Raw("siglaConselho"), CouncilNumber: f.Raw("numeroConselho"), State: f.Raw("uf")}}
	for _, row := range f.Rows("especialidades", "nome", "id", "cbo") {
		t.Specialties = append(t.Specialties, directory.TypedSpecialty{ID: row.Raw("id"), Name: row.Raw("nome"), CBO: row.Raw("cbo")})
	}
	return t, nil
}

// newProfessional serves GET /cadastros/executantes/novo.
func (s *deskHandlers) newProfessional(c echo.Context) error {
	return s.showProfessional(c, directory.Professional{}, directory.TypedProfessional{}, nil)
}

// addProfessional serves POST /cadastros/executantes/novo.
func (s *deskHandlers) addProfessional(c echo.Context) error {
	typed, err := readProfessional(c)
	if err != nil {
		return err
	}
	if typed.rows {
		return s.showProfessional(c, directory.Professional{}, typed.TypedProfessional, nil)
	}
	professional, err := typed.Read()
	if err == nil {
		err = s.Directory.AddProfessional(c.Request().Context(), s.actor(c), professional)
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showProfessional(c, directory.Professional{}, typed.TypedProfessional, fields)
	}
	return s.afterwards(c, err, savedWords, professionalsPath)
}

// professional serves GET /cadastros/executantes/{uid}.
func (s *deskHandlers) professional(c echo.Context) error {
	p, err := named(c, s.Directory.Professional)
	if err != nil {
		return err
	}
	typed := directory.TypedProfessional{Name: p.Name, Council: p.Council, CouncilNumber: p.CouncilNumber, State: p.State}
	for _, sp := range p.Specialties {
		typed.Specialties = append(typed.Specialties, directory.TypedSpecialty{ID: strconv.Itoa(sp.ID), Name: sp.Name, CBO: sp.CBO})
	}
	return s.showProfessional(c, p, typed, nil)
}

// changeProfessional serves POST /cadastros/executantes/{uid}.
func (s *deskHandlers) changeProfessional(c echo.Context) error {
	known, err := named(c, s.Directory.Professional)
	if err != nil {
		return err
	}
	typed, err := readProfessional(c)
	if err != nil {
		return err
	}
	if typed.rows {
		return s.showProfessional(c, known, typed.TypedProfessional, nil)
	}
	changed, err := typed.Read()
	if err == nil {
		changed.UID = known.UID
		err = s.Directory.ChangeProfessional(c.Request().Context(), s.actor(c), changed, seenVersion(c))
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showProfessional(c, known, typed.TypedProfessional, fields)
	}
	return s.afterwards(c, err, savedWords, professionalsPath)
}

// showProfessional shows a professional's form with what was typed and one empty row.
func (s *deskHandlers) showProfessional(c echo.Context, known directory.Professional, typed directory.TypedProfessional,
	fields []problem.Field) error {
	view := page.ProfessionalView{DirectoryEntry: page.DirectoryEntry{Heading: "Novo executante", New: known.UID == uuid.Nil,
		Disabled: !known.Active,
		List:     component.Link{Href: professionalsPath, Text: "Executantes"},
		Fields: page.Fields{Values: map[string]string{"nome": typed.Name, "id": typed.ID,
			"siglaConselho": typed.Council, "numeroConselho": typed.CouncilNumber, "uf": typed.State}}}}
	if !view.New {
		view.Heading, view.ID, view.Version = known.Name, known.UID.String(), version.Of(known)
	}
	for i, sp := range append(typed.Specialties[:len(typed.Specialties):len(typed.Specialties)], directory.TypedSpecialty{}) {
		row := page.SpecialtyRow{Row: i, Empty: i == len(typed.Specialties)}
		view.Rows = append(view.Rows, row)
		view.Values[row.Named("id")], view.Values[row.Named("nome")], view.Values[row.Named("cbo")] = sp.ID, sp.Name, sp.CBO
	}
	entry, err := s.entryFrame(c, view.DirectoryEntry, fields)
	if err != nil {
		return err
	}
	view.DirectoryEntry = entry
	return s.render(c, form.Status(fields), page.ProfessionalPage(view))
}
