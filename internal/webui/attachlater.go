package webui

import (
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// addAttachments serves POST /casos/{uid}/anexos: files that the operator lacks.
func (s *deskHandlers) addAttachments(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	f := form.New(nil)
	err = s.Desk.AddAttachments(c.Request().Context(), s.actor(c), uid, func(keep desk.KeepFile) (desk.LaterFiles, error) {
		fields := url.Values{}
		err := s.walkUpload(c, fields, func(part *multipart.Part) error { return keep(part.FileName(), part) })
		about := form.New(fields).Cancellation()
		return desk.LaterFiles{Authorization: about.Authorization, Answers: about.Answers}, err
	})
	if p, ok := asProblem(err); ok && refusesFile(p.Code) && len(p.Fields) == 0 {
		err = problem.InvalidFields([]problem.Field{{Path: "anexo", Code: authorization.CodeFormat, Message: p.Message}})
	}
	if f.Add(problem.FieldsOf(err)...); f.Invalid() {
		return s.showAttach(c, uid, f)
	}
	if problem.Is(err, problem.Conflict) {
		return s.tooLate(c, uid, err)
	}
	if err != nil {
		return err
	}
	return s.afterAct(c, uid)
}

// refusesFile reports whether an error says what is wrong with a file.
func refusesFile(code problem.Code) bool {
	return code == problem.Invalid || code == problem.TooLarge || code == problem.Unsupported
}

// showAttach shows a case again with what is wrong with the files, which are chosen anew.
func (s *deskHandlers) showAttach(c echo.Context, uid uuid.UUID, f *form.Form) error {
	found, err := s.Desk.Case(c.Request().Context(), s.actor(c), uid, 0)
	if err != nil {
		return err
	}
	view, err := s.caseView(c, found, found.OnScreen(0))
	if err != nil {
		return err
	}
	if view.Service.Attach != nil {
		view.Service.Attach.Problems = problems(f.Problems())
	}
	return s.showView(c, http.StatusUnprocessableEntity, view, found)
}

// addAttaching shows the form for what the operator lacks, as what is to be done next; where the
// service does not take it, what can be done instead.
func (s *deskHandlers) addAttaching(c desk.Case, view *page.CaseView) {
	if c.NextStep() != desk.StepAttach || c.State != desk.Answered {
		return
	}
	places := s.Desk.Attachable(c)
	if len(places) == 0 {
		if !s.Desk.Offers().Attachments {
			view.Situation.Advice += " Se o entregar no portal da operadora, registre o retorno."
		}
		return
	}
	limits := s.Desk.Limits()
	view.Service.Attach = &page.AttachView{Operator: c.Names.Credential, Answers: strconv.Itoa(len(c.Answers)),
		Place: strconv.Itoa(places[0]), Again: fileNames(c.FilesInDoubt(places[0])),
		Limits: fmt.Sprintf("PDF, JPG ou PNG, até %s cada", document.FormatSize(limits.MaxFile))}
	view.Situation.Advice = "A operadora pede um documento. Envie-o aqui mesmo: ele vai junto a este pedido."
	leadWith(view, page.Action{Href: "#anexar", Text: sendAttachment, Icon: "paperclip", Primary: true})
}

// leadWith makes an action the first thing to be done about a case; what was the first so far comes behind.
func leadWith(view *page.CaseView, next page.Action) {
	if view.Main != nil {
		other := *view.Main
		other.Primary = false
		view.Actions = append(view.Actions, other)
	}
	view.Main = &next
}

// sentLater says of the files that went to the operator after the request what became of that.
func sentLater(c desk.Case) map[uuid.UUID]string {
	all := map[uuid.UUID]string{}
	for _, act := range c.Acts {
		for _, f := range act.Files {
			all[f.UID] = laterWords[act.State]
		}
	}
	return all
}

var laterWords = map[desk.ActState]string{desk.ActUnderWay: "a caminho da operadora", desk.ActDone: "enviado depois",
	desk.ActRefused: "não aceito", desk.ActUnsent: "não enviado", desk.ActDoubtful: "envio em dúvida"}
