package webui

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// sendBiometrics serves POST /casos/{uid}/biometria. The photo is read into memory and goes no
// further than to the service.
func (s *deskHandlers) sendBiometrics(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	fields, photo, err := readCapture(c)
	if err != nil {
		return err
	}
	f := form.New(fields)
	given := f.Biometrics()
	given.Photo = photo
	err = s.Desk.SendBiometrics(c.Request().Context(), s.actor(c), uid, given)
	if f.Add(problem.FieldsOf(err)...); f.Invalid() {
		return s.showCollect(c, uid, f)
	}
	if problem.Is(err, problem.Conflict) {
		return s.tooLate(c, uid, err)
	}
	if err != nil {
		return err
	}
	return s.afterAct(c, uid)
}

// readCapture reads a multipart form with at most one photo, all of it in memory.
func readCapture(c echo.Context) (fields url.Values, photo []byte, err error) {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, desk.MaxCapturePhoto+maxFormBytes)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, nil, problem.Wrap(problem.Unreadable, "Não deu para ler a foto enviada.", err)
	}
	fields = url.Values{}
	for room := int64(maxFormBytes); ; {
		part, err := parts.NextPart()
		if err == io.EOF { //nolint:errorlint // a wrapped EOF is a form without its end
			return fields, photo, endOfForm(r, fields)
		}
		if err != nil {
			return nil, nil, partError(err)
		}
		if part.FileName() == "" {
			room, err = readField(part, fields, room)
		} else {
			photo, err = io.ReadAll(io.LimitReader(part, desk.MaxCapturePhoto+1))
		}
		if err != nil {
			return nil, nil, partError(err)
		}
	}
}

// showCollect shows a case again with what is wrong with its biometrics; what was typed or
// taken is given anew.
func (s *deskHandlers) showCollect(c echo.Context, uid uuid.UUID, f *form.Form) error {
	found, err := s.Desk.Case(c.Request().Context(), s.actor(c), uid, 0)
	if err != nil {
		return err
	}
	view, err := s.caseView(c, found, found.OnScreen(0))
	if err != nil {
		return err
	}
	if view.Service.Collect != nil {
		view.Service.Collect.Problems = problems(f.Problems())
	}
	return s.showView(c, http.StatusUnprocessableEntity, view, found)
}

// addCollecting shows how biometrics are collected where the case waits for them, and the form for
// them, as what is to be done next, where the service takes them.
func (s *deskHandlers) addCollecting(ctx context.Context, c desk.Case, view *page.CaseView) error {
	places := s.Desk.Collectable(c)
	if c.Corrected || c.Concluded || len(places) == 0 && c.NextStep() != desk.StepBiometrics {
		return nil
	}
	settings, err := s.Directory.Credential(ctx, c.Request.CredentialID)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	view.Service.CollectHow = settings.BiometricsHow
	if len(places) > 0 {
		addCollectForm(c, places[0], view)
	}
	return nil
}

// addCollectForm shows the form for the biometrics of the authorization at a place.
func addCollectForm(c desk.Case, place int, view *page.CaseView) {
	again := c.Answer.Authorizations[place].Status == authorization.InvalidBiometrics
	view.Service.Collect = &page.CollectView{Operator: c.Names.Credential, Answers: strconv.Itoa(len(c.Answers)),
		Place: strconv.Itoa(place), Again: again, MaxPhoto: document.FormatSize(desk.MaxCapturePhoto)}
	view.Situation.Advice = "Colete a biometria do beneficiário aqui mesmo: ela vai direto à operadora."
	if again {
		view.Situation.Advice = "A operadora não reconheceu a biometria. Colete de novo, com o rosto de frente e boa luz."
	}
	leadWith(view, page.Action{Href: "#biometria", Text: collectBiometrics, Icon: "camera", Primary: true})
}

// addSessions shows the units of a series of sessions: authorized, used and left.
func (s *deskHandlers) addSessions(c desk.Case, view *page.CaseView) {
	items := slices.DeleteFunc(c.Sessions(), func(i desk.Sessions) bool { return i.Authorized <= 1 && i.Used == 0 })
	if len(items) == 0 || c.Group == authorization.Closed && c.Status != authorization.Executed {
		return
	}
	view.Service.Sessions = sessionItems(items)
	told := c.At
	if c.FollowedAt.After(told) {
		told = c.FollowedAt
	}
	view.Service.SessionsTold = "Segundo a operadora, " + s.when(told) + "."
}

// sessionItems put sessions into words.
func sessionItems(sessions []desk.Sessions) (items []page.SeriesItem) {
	for _, i := range sessions {
		items = append(items, page.SeriesItem{Code: i.Code, Name: i.Name, Authorized: count(i.Authorized, "autorizada", "autorizadas"),
			Used: count(i.Used, "usada", "usadas"), Left: count(i.Left(), "resta", "restam"), Open: i.Left() > 0})
	}
	return items
}

// biometricsCheck says before sending how the biometrics of a credential that asks for them are
// given: in the administrator's words, or else in those that hold for all.
func (s *deskHandlers) biometricsCheck(how string) page.CheckItem {
	item := page.CheckItem{Tone: component.ToneAttention, Title: "A operadora pede biometria",
		Detail: "Deixe o beneficiário por perto. A coleta é feita no equipamento ou no portal dela; depois, registre o retorno."}
	switch {
	case how != "":
		item.Detail = how
	case s.Desk.Offers().Biometrics:
		item.Detail = "Deixe o beneficiário por perto. Se ela pedir, a foto ou o token é enviado no próprio pedido, logo depois da resposta."
	}
	return item
}
