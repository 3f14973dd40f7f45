package webui

import (
	"context"
	"net/http"
	"strings"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// Addresses of the directory.
const (
	unitsPath         = "/cadastros/unidades"
	professionalsPath = "/cadastros/executantes"
	proceduresPath    = "/cadastros/procedimentos"
	credentialsPath   = "/cadastros/credenciais"
)

// What is said after an act on the directory.
const (
	savedWords    = "Guardado. Já vale no formulário."
	disabledWords = "Desativado. Saiu do formulário; os pedidos de antes continuam como estão."
	enabledWords  = "Reativado. Voltou ao formulário."
)

// directory serves GET /cadastros.
func (s *deskHandlers) directory(c echo.Context) error {
	cards, err := s.registerCards(c.Request().Context())
	if err != nil {
		return err
	}
	missing, err := s.directoryMissing(c.Request().Context())
	if err != nil {
		return err
	}
	view := page.DirectoryView{Cards: cards}
	if missing != "" {
		view.Missing = &component.Notice{Tone: component.ToneAttention, Icon: "exclamation-triangle",
			Strong: "O formulário ainda não pode ser enviado.", Text: "Cadastre " + missing + "."}
	}
	if view.Page, err = s.frame(c, "Cadastros", layout.DirectoryTab); err != nil {
		return err
	}
	return s.render(c, http.StatusOK, page.DirectoryPage(view))
}

// registerCards are the four lists of GET /cadastros with how many entries each has,
// disabled ones included, as the lists themselves count them.
func (s *deskHandlers) registerCards(ctx context.Context) ([]page.DirectoryCard, error) {
	units, err := s.Directory.ListUnits(ctx, "")
	if err != nil {
		return nil, err
	}
	professionals, err := s.Directory.ListProfessionals(ctx, "")
	if err != nil {
		return nil, err
	}
	_, procedures, err := s.Directory.ListProcedures(ctx, "", 0, 0)
	if err != nil {
		return nil, err
	}
	credentials, err := s.Directory.ListCredentials(ctx, "")
	if err != nil {
		return nil, err
	}
	return []page.DirectoryCard{
		{Href: unitsPath, Title: "Unidades", Count: count(len(units), "unidade", "unidades"),
			Detail: "Onde a clínica atende, com os pontos de atendimento de cada unidade."},
		{Href: professionalsPath, Title: "Executantes", Count: count(len(professionals), "executante", "executantes"),
			Detail: "Quem faz os procedimentos, com as especialidades e o CBO."},
		{Href: proceduresPath, Title: "Procedimentos", Count: count(procedures, "procedimento", "procedimentos"),
			Detail: "O catálogo que a recepção procura por código, nome ou apelido."},
		{Href: credentialsPath, Title: "Credenciais", Count: count(len(credentials), "credencial", "credenciais"),
			Detail: "As operadoras que o serviço oferece e o que cada uma exige."},
	}, nil
}

// directoryMissing names the lists without which no request can be sent, ""
// for none.
func (s *deskHandlers) directoryMissing(ctx context.Context) (string, error) {
	units, err := s.Directory.Units(ctx)
	if err != nil {
		return "", err
	}
	professionals, err := s.Directory.Professionals(ctx)
	if err != nil {
		return "", err
	}
	points, specialties := 0, 0
	for _, u := range units {
		points += len(u.CarePoints)
	}
	for _, e := range professionals {
		specialties += len(e.Specialties)
	}
	var missing []string
	switch {
	case len(units) == 0:
		missing = append(missing, "unidades")
	case points == 0:
		missing = append(missing, "pontos de atendimento")
	}
	switch {
	case len(professionals) == 0:
		missing = append(missing, "executantes")
	case specialties == 0:
		missing = append(missing, "especialidades dos executantes")
	}
	return strings.Join(missing, " e "), nil
}

// missingNotice tells on the form who has to do what before anything can be sent,
// nil when nothing is missing.
func (s *deskHandlers) missingNotice(ctx context.Context, user account.User, choices formChoices) (*component.Notice, error) {
	if len(choices.carePoints) > 0 && len(choices.specialties) > 0 {
		return nil, nil
	}
	missing, err := s.directoryMissing(ctx)
	if err != nil {
		return nil, err
	}
	notice := component.Notice{Tone: component.ToneAttention, Icon: "exclamation-triangle", Strong: "Ainda não dá para enviar."}
	switch {
	case missing != "":
		notice.Text = "A administração precisa cadastrar " + missing + ". O que você digitar fica no rascunho."
	case choices.noCarePoints:
		notice.Text = "Suas unidades ainda não têm ponto de atendimento. Peça à administração para cadastrar."
	case len(choices.units) == 0:
		notice.Text = "Seu acesso ainda não tem unidade. Peça à administração para escolher as suas."
	default:
		return nil, nil
	}
	if user.May(permission.ManageDirectory) {
		notice.Action = component.Link{Href: "/cadastros", Text: "Abrir cadastros"}
	}
	return &notice, nil
}

// searched reads what a list was searched for, and which page of it; a GET asks
// for the first page of everything.
func searched(c echo.Context) (form.Search, error) {
	values, err := postedValues(c)
	return form.ReadSearch(values), err
}

// showDirectory renders one list of the directory in the common page; the status is
// always 200, since an empty search result is an answer too.
func (s *deskHandlers) showDirectory(c echo.Context, title string, view page.DirectoryListView) (err error) {
	if view.Page, err = s.frame(c, title, layout.DirectoryTab); err != nil {
		return err
	}
	return s.render(c, http.StatusOK, page.DirectoryListPage(view))
}

// entryFrame fills what the forms of all directory share.
func (s *deskHandlers) entryFrame(c echo.Context, e page.DirectoryEntry, fields []problem.Field) (page.DirectoryEntry, error) {
	frame, err := s.frame(c, e.Heading, layout.DirectoryTab)
	frame.Failed = len(fields) > 0
	path := strings.TrimSuffix(c.Request().URL.EscapedPath(), "/reativar") // which may be refused
	e.Page, e.Path, e.Problems = frame, path, problems(fields)
	e.RowAdded = form.New(c.Request().PostForm).RowsChanged()
	e.Version = form.VersionToSend(seenVersion(c), e.Version, fields)
	if !e.New {
		e.Switch = "Desativar tira do formulário na hora; nada é apagado e os pedidos de antes ficam como estão."
		if e.Disabled {
			e.Switch = "Está fora do formulário. Reativar põe de volta na hora."
		}
	}
	return e, err
}

// marksAlone reports which lists mark what the service does not know: only where
// the service is another one, which was asked for its own. The embedded one follows
// the directory.
func (s *deskHandlers) marksAlone(ctx context.Context) (units, professionals bool, err error) {
	state, err := s.Connection.State(ctx)
	if err != nil || state.Embedded {
		return false, false, err
	}
	return s.Directory.Synchronised(ctx, s.Lister())
}

// seenVersion is the version that a posted form was filled over, "" of one that says none.
func seenVersion(c echo.Context) string { return c.Request().PostForm.Get(form.VersionField) }
