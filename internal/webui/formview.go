package webui

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// answerPatience is how long the page waits for the operator before it says
// "Enviando…" and updates itself.
const answerPatience = 3 * time.Second

// formState is what the form page shows.
type formState struct {
	draft     desk.Draft
	problems  []problem.Field
	review    *desk.Review
	state     *page.DraftState // nil: as the draft says
	search    string           // of the credential search without a script
	searching bool
	who       string // in "Quem é?", for its search without a script
	asking    bool
	finding   bool              // procedures by the words of their rows, without a script
	newRow    bool              // one more procedure was asked for
	refused   []page.Attachment // files that were not accepted
	choices   *formChoices      // nil: as they are now
	attached  bool              // the attachments were changed, and the focus stays with them
	phone     *phoneShown       // a link that was just made
	objected  bool              // problems are what was objected to in the case that is corrected

	eligibility *page.Eligibility // what the operator said of the card, without a script
}

// showForm renders the whole form page: what is typed, what is wrong with it, refused
// files beside accepted ones, and the review once there is one.
func (s *deskHandlers) showForm(c echo.Context, status int, f formState) error {
	frame, err := s.frame(c, formTitle, layout.NewTab)
	if err != nil {
		return err
	}
	view, err := s.formContent(c, f)
	if err != nil {
		return err
	}
	return s.renderForm(c, status, f, frame, view)
}

// renderForm answers with the form and what stands around it.
func (s *deskHandlers) renderForm(c echo.Context, status int, f formState, frame layout.Page, view page.FormView) error {
	frame.Simulated = s.Desk.Simulated()
	frame.Failed = len(f.problems) > 0 || (f.state != nil && f.state.Refused != "")
	view.Page = frame
	allowCamera(c.Response().Header())
	return s.render(c, status, page.FormPage(view))
}

// formContent is the form without what stands around it.
func (s *deskHandlers) formContent(c echo.Context, f formState) (view page.FormView, err error) {
	view = page.FormView{
		UID: f.draft.UID.String(), Fields: page.Fields{Values: f.draft.Form.Values, Problems: problems(f.problems)},
		Who: f.who, NewRow: f.newRow, AtFiles: f.attached, Objected: f.objected && len(f.problems) > 0,
		Attachments: append(s.attachments(c.Request().Context(), f.draft.Attachments), f.refused...),
		Limits:      s.uploadWords(), MaxFile: s.Desk.Limits().MaxFile,
		AsksEligibility: s.Desk.Offers().Eligibility, Eligibility: f.eligibility,
	}
	if f.searching {
		list := s.searchInForm(c, f.search)
		view.Credential.Search, view.Credential.Found = f.search, &list
	}
	if f.asking {
		list, err := s.whoInForm(c, f.who)
		if err != nil {
			return view, err
		}
		view.WhoFound = &list
	}
	if f.state != nil {
		view.State = *f.state
	} else if view.State, err = s.draftState(c, f.draft); err != nil {
		return view, err
	}
	err = s.together(c, func() error { return s.fillForm(c, f, &view) })
	if err == nil && f.finding {
		err = s.findProcedures(c, view.Procedures)
	}
	return view, err
}

const formTitle = "Nova autorização"

// fillForm adds to a form what is read for it.
func (s *deskHandlers) fillForm(c echo.Context, f formState, view *page.FormView) error {
	ctx, actor, choices := c.Request().Context(), s.actor(c), f.choices
	if choices == nil {
		now, err := s.choices(ctx, actor)
		if err != nil {
			return err
		}
		choices = &now
	}
	view.Units, view.CarePoints, view.Professionals, view.Specialties = choices.units, choices.carePoints, choices.professionals,
		choices.specialties
	chosen, err := s.chosen(ctx, f.draft)
	if err != nil {
		return err
	}
	chosen.Search, chosen.Found = view.Credential.Search, view.Credential.Found
	view.Credential = chosen
	view.Procedures = s.procedureRows(ctx, f.draft.Form.Procedures)
	if view.Missing, err = s.missingNotice(ctx, s.current(c), *choices); err != nil {
		return err
	}
	if f.draft.Previous != uuid.Nil {
		view.Origin = component.Link{Href: "/casos/" + f.draft.Previous.String(), Text: "um pedido anterior"}
		view.OriginWords, view.Repeats = copyWords[f.draft.Copy], f.draft.Copy == desk.Repetition
	}
	if view.Phone, err = s.phoneView(c, f); err != nil {
		return err
	}
	if f.review != nil {
		view.Review = s.reviewPanel(*f.review, view.Credential)
	}
	view.Series, err = s.series(ctx, actor, f.draft)
	return err
}

// series shows what a repetition goes on from, nil of any other draft.
func (s *deskHandlers) series(ctx context.Context, actor permission.Actor, d desk.Draft) (*page.SeriesView, error) {
	series, err := s.Desk.Series(ctx, actor, d)
	if err != nil || series.Case == uuid.Nil {
		return nil, ignoringPassing(err)
	}
	view := &page.SeriesView{Asked: component.Link{Href: "/casos/" + series.Case.String(), Text: "Último pedido em " + s.day(series.Asked)}}
	if series.Senha != "" {
		view.Senha = "senha " + series.Senha
		if !series.SenhaValidUntil.IsZero() {
			view.Senha += ", válida até " + series.SenhaValidUntil.Date()
		}
	}
	if !series.Next.IsZero() {
		view.Next = "No mesmo intervalo, o próximo seria em " + s.day(series.Next) + "."
	}
	view.Items = sessionItems(series.Items)
	return view, nil
}

// copyWords say what a draft is to the case that it was copied from.
var copyWords = map[desk.CopyKind]string{desk.Correction: "cópia corrigida de", desk.Repetition: "repete"}

// chosen is the credential that the form names.
func (s *deskHandlers) chosen(ctx context.Context, d desk.Draft) (page.Credential, error) {
	var out page.Credential
	if id, err := uuid.Parse(d.Form.Values["credencialId"]); err == nil {
		known, err := s.Directory.Credential(ctx, id)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return out, err
		}
		out = page.Credential{Name: known.Name, ProviderCode: known.ProviderCode, Biometrics: known.Biometrics,
			How: known.BiometricsHow}
	}
	return out, nil
}

// procedureRows marks the rows whose name comes from the directory.
func (s *deskHandlers) procedureRows(ctx context.Context, rows []desk.ProcedureRow) []page.ProcedureRow {
	shown := make([]page.ProcedureRow, len(rows))
	for i, r := range rows {
		known, err := s.Directory.Procedure(ctx, r.Code)
		shown[i] = page.ProcedureRow{Code: r.Code, Name: r.Name, Quantity: r.Quantity, Known: err == nil && known.Name == r.Name}
	}
	return shown
}

// attachments shows the files of a draft in the order in which they were added.
func (s *deskHandlers) attachments(ctx context.Context, files []desk.Attachment) []page.Attachment {
	shown := make([]page.Attachment, len(files))
	for i, a := range files {
		shown[i] = attachment(a)
		shown[i].Warning = s.draftWarning(ctx, a)
	}
	return shown
}

// attachment shows one file; only images are marked, since only they have a preview.
func attachment(a desk.Attachment) page.Attachment {
	return page.Attachment{ID: a.UID.String(), Name: a.Name, Size: document.FormatSize(a.Size),
		Image: strings.HasPrefix(a.ContentType, "image/")}
}

// uploadWords states the limits beside the file field, so that nobody learns of them
// from a refusal.
func (s *deskHandlers) uploadWords() string {
	limits := s.Desk.Limits()
	return fmt.Sprintf("PDF, JPG ou PNG, até %s cada, %d ao todo", document.FormatSize(limits.MaxFile), limits.MaxFiles)
}

// draftState is what autosave shows: when it was saved, and what is still to do
// before sending.
func (s *deskHandlers) draftState(c echo.Context, d desk.Draft) (page.DraftState, error) {
	state := s.savedState(d)
	if err := s.latestCases(c, d, &state); err != nil { // a look that is told to the trail
		return state, err
	}
	err := s.together(c, func() error { return s.compareDraft(c, d, &state) })
	return state, err
}

// savedState is what a draft says of itself.
func (s *deskHandlers) savedState(d desk.Draft) page.DraftState {
	state := page.DraftState{UID: d.UID.String(), Version: d.Version, Checks: s.checks(d), Summary: ""}
	if !d.UpdatedAt.IsZero() {
		state.Saved = d.UpdatedAt.In(s.Zone).Format("15:04")
	}
	return state
}

// compareDraft adds to the state of a draft what its operator, and earlier requests, say of it.
func (s *deskHandlers) compareDraft(c echo.Context, d desk.Draft, state *page.DraftState) error {
	ctx := c.Request().Context()
	foreseen, err := s.foreseen(ctx, s.actor(c), d)
	if err != nil {
		return err
	}
	state.Checks = append(state.Checks, foreseen...)
	credential, err := s.chosen(ctx, d)
	if err != nil {
		return err
	}
	if credential.Biometrics {
		state.Checks = append(state.Checks, s.biometricsCheck(credential.How))
	}
	var parts []string
	if credential.Name != "" {
		parts = append(parts, credential.Name)
	}
	if n := askedFor(d.Form); n > 0 {
		parts = append(parts, count(n, "procedimento", "procedimentos"))
	}
	if n := len(d.Attachments); n > 0 {
		parts = append(parts, count(n, "anexo", "anexos"))
	}
	state.Summary = strings.Join(parts, " · ")
	return nil
}

// askedFor counts the procedures of a form: a row that holds words to search by, and no code yet, is none.
func askedFor(f desk.Form) (n int) {
	for _, row := range f.Procedures {
		code, name := strings.TrimSpace(row.Code), strings.TrimSpace(row.Name)
		if code != "" && (name != "" || !strings.ContainsFunc(code, unicode.IsLetter)) {
			n++
		}
	}
	return n
}

// checks lists what a clerk looks at before sending.
func (s *deskHandlers) checks(d desk.Draft) []page.CheckItem {
	values := d.Form.Values
	item := func(done bool, title, missing string) page.CheckItem {
		if done {
			return page.CheckItem{Tone: component.ToneSuccess, Title: title}
		}
		return page.CheckItem{Title: missing}
	}
	asked := askedFor(d.Form)
	items := []page.CheckItem{
		item(values["credencialId"] != "", "Operadora escolhida", "Escolha a operadora"),
		item(values["nomeBeneficiario"] != "" && values["numeroCarteira"] != "", "Beneficiário e carteira", "Nome e carteira do beneficiário"),
		item(asked > 0, count(asked, "procedimento", "procedimentos"), "Pelo menos um procedimento"),
		item(len(d.Attachments) > 0, count(len(d.Attachments), "anexo", "anexos"), "Pedido médico"),
	}
	if until, err := authorization.ParseTypedDate(values["validadeCarteira"], s.now()); err == nil {
		if s.Desk.CardExpired(until) {
			items = append(items, page.CheckItem{Tone: component.ToneAttention, Title: "Carteira vencida em " + until.Date()})
		} else {
			items = append(items, page.CheckItem{Tone: component.ToneSuccess, Title: "Carteira válida até " + until.Date()})
		}
	}
	return items
}

// foreseenTitles head the warnings that stand beside the form already; the others are told of
// by its own lines.
var foreseenTitles = map[desk.WarningKind]string{desk.WarnRepeated: "Pedido repetido", desk.WarnOften: "Costuma voltar",
	desk.WarnQuantity: "Quantidade incomum", desk.WarnCardUnlike: "Carteira incomum"}

// foreseen lists what the review will warn of; nothing while that cannot be told.
func (s *deskHandlers) foreseen(ctx context.Context, actor permission.Actor, d desk.Draft) (items []page.CheckItem, err error) {
	warnings, err := s.Desk.Foresee(ctx, actor, d)
	for _, w := range warnings {
		title, ok := foreseenTitles[w.Kind]
		if !ok {
			continue
		}
		item := page.CheckItem{Tone: component.ToneAttention, Title: title, Detail: w.Message}
		if w.Case != uuid.Nil {
			item.Link = component.Link{Href: "/casos/" + w.Case.String(), Text: "Ver pedido"}
		}
		items = append(items, item)
	}
	return items, ignoringPassing(err)
}

// count says how many: "1 anexo", "3 anexos".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
