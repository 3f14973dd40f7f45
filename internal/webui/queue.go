package webui

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// unknownGroup is the word of the filter for requests sent without an answer.
const unknownGroup = "sem-resposta"

// endingList is the word of the list of senhas that end soon, allDrafts that of all drafts.
const (
	endingList = "vencendo"
	allDrafts  = "todos"
)

// queue serves GET /fila: what needs somebody first.
func (s *deskHandlers) queue(c echo.Context) error {
	query, err := queueQuery(c)
	if err != nil {
		return err
	}
	var view page.QueueView
	frame, err := s.around(c, "Fila", layout.QueueTab, func() error {
		view, err = s.queueView(c, query)
		return err
	})
	if err != nil {
		return err
	}
	frame.Simulated = view.Simulated
	if isHTMX(c) { // what is told once waits for a page that a person opens
		view.Page = frame
		return s.render(c, http.StatusOK, page.QueueRenewed(view))
	}
	if err := s.tellOnce(c, &frame); err != nil {
		return err
	}
	frame.Tour = s.openTour(c, frame.Tour)
	view.Page = frame
	return s.render(c, http.StatusOK, page.QueuePage(view))
}

// nextCase serves GET /fila/proximo?depois=: the case that somebody looks at next, or the
// queue where none waits for anybody.
func (s *deskHandlers) nextCase(c echo.Context) error {
	after, err := optionalUID(c.QueryParam("depois"))
	if err != nil {
		return err
	}
	next, err := s.Desk.Next(c.Request().Context(), s.actor(c), after)
	if err != nil {
		return err
	}
	if next != uuid.Nil {
		return redirect(c, "/casos/"+next.String())
	}
	return s.redirectTelling(c, "/fila", "Nenhum pedido depende de você agora.")
}

// optionalUID reads an identifier of an address, the zero one where there is none.
func optionalUID(text string) (uuid.UUID, error) {
	if text == "" {
		return uuid.Nil, nil
	}
	uid, err := uuid.Parse(text)
	if err != nil {
		return uuid.Nil, problem.New(problem.NotFound, "")
	}
	return uid, nil
}

// queueQuery reads ?grupo= and ?antes=.
func queueQuery(c echo.Context) (q desk.Query, err error) {
	if slug := c.QueryParam("grupo"); slug == unknownGroup {
		q.Unknown = true
	} else if slug != "" {
		if q.Group = groupOf(slug); q.Group == 0 {
			return q, problem.New(problem.NotFound, "")
		}
	}
	q.Before, err = optionalUID(c.QueryParam("antes"))
	return q, err
}

// groupOf is the group of an address of the queue, 0 for a slug that none has.
func groupOf(slug string) authorization.Group {
	for _, g := range authorization.Groups() {
		if g.Info().Slug == slug {
			return g
		}
	}
	return 0
}

// queueView gathers one page of the queue. The counters cover all that the person may
// see, not only this page, so they stay the same while somebody pages on.
func (s *deskHandlers) queueView(c echo.Context, q desk.Query) (page.QueueView, error) {
	ctx, actor := c.Request().Context(), s.actor(c)
	at := s.present()
	view := page.QueueView{Address: c.Request().URL.RequestURI(), Day: longDay(at.now), Updated: at.now.Format("15:04"),
		Newest: q.Before == uuid.Nil, Order: queueOrder, Unitless: unitless(s.current(c))}
	found, err := s.queueCases(c, q, &view)
	if err != nil {
		return view, err
	}
	view.Cases = make([]page.CaseRow, 0, len(found.Cases))
	for i := range found.Cases {
		view.Cases = append(view.Cases, s.caseRow(&found.Cases[i], at))
		view.Simulated = view.Simulated || found.Cases[i].Simulated
	}
	if found.Next != uuid.Nil {
		view.Older = queueAddress(c.QueryParam("grupo"), found.Next.String())
	}
	counts, err := s.Desk.Counts(ctx, actor)
	if err != nil {
		return view, err
	}
	view.Counters, view.Unknowns = s.counters(counts, q.Group), unknowns(counts.Unknown)
	if q.Unknown && view.Unknowns != nil {
		view.Unknowns.Action = component.Link{} // it leads here
	}
	if view.Ending, err = s.ending(c); err != nil {
		return view, err
	}
	view.Drafts, view.Open, err = s.draftRows(c)
	return view, err
}

// What the order of the rows is.
const (
	queueOrder  = "Pedidos que estão na fila: primeiro os sem resposta, os de pacientes no balcão e os que dependem de você"
	endingOrder = "Pedidos a atender cuja senha vence em 7 dias, a que vence primeiro no alto"
)

// mostEnding is how many cases the list of senhas that end soon shows.
const mostEnding = 200

// queueCases are the cases of the list that was asked for, which it names.
func (s *deskHandlers) queueCases(c echo.Context, q desk.Query, view *page.QueueView) (found desk.Page, err error) {
	ctx, actor := c.Request().Context(), s.actor(c)
	switch {
	case c.QueryParam("senhas") == endingList:
		view.Group, view.Order = "Senhas a vencer em 7 dias", endingOrder
		found.Cases, err = s.Desk.Ending(ctx, actor, soonDays, mostEnding)
		return found, err
	case q.Unknown:
		view.Group = component.Unknown.Label
	case q.Group != 0:
		view.Group = q.Group.Info().Label
	}
	q.Beside = desk.Beside{EndingDays: soonDays, EndingLimit: shownBeside}
	return s.Desk.Cases(ctx, actor, q)
}

// shownBeside is how many drafts, and how many senhas that end soon, stand beside the queue.
const shownBeside = 5

// ending are the cases to be attended whose senha ends first.
func (s *deskHandlers) ending(c echo.Context) (rows []page.EndingRow, err error) {
	found, err := s.Desk.Ending(c.Request().Context(), s.actor(c), soonDays, shownBeside)
	for _, e := range found {
		if e.Damaged {
			continue
		}
		distance, _ := s.distance(e.SenhaValidUntil)
		day, _, _ := strings.Cut(e.SenhaValidUntil.Date(), "/20")
		rows = append(rows, page.EndingRow{Href: "/casos/" + e.UID.String(), Name: e.BeneficiaryName, Procedure: e.ProcedureName,
			Day: day, Distance: distance})
	}
	return rows, err
}

// queueAddress is the page of older cases; the chosen group goes along.
func queueAddress(group, before string) string {
	values := url.Values{"antes": {before}}
	if group != "" {
		values.Set("grupo", group)
	}
	return "/fila?" + values.Encode()
}

// counters shows every group, those with no case too, so that each stays in its place.
// The chosen one leads back to the whole queue.
func (s *deskHandlers) counters(counts desk.Counts, current authorization.Group) []page.Counter {
	var all []page.Counter
	for _, g := range authorization.Groups() {
		info, tally := g.Info(), counts.Groups[g]
		counter := page.Counter{Slug: info.Slug, Tone: component.GroupTone(g), Icon: info.Icon, Label: info.Label, Count: tally.Count,
			Href: "/fila?grupo=" + info.Slug, Current: g == current}
		if counter.Current {
			counter.Href = "/fila"
		}
		switch {
		case tally.Count == 0:
			counter.Detail = "nenhum"
		case g == authorization.Closed:
			counter.Detail = "hoje"
		default:
			counter.Detail = s.oldest(tally.Oldest)
		}
		all = append(all, counter)
	}
	return all
}

// oldest says how long the oldest of a group has waited.
func (s *deskHandlers) oldest(at time.Time) string {
	ago := s.ago(at)
	if ago == justNow {
		return ago
	}
	return "mais antigo " + ago
}

// unknowns warns of requests sent without an answer, nil when there are none: sent again
// unchecked, such a request may be authorized twice.
func unknowns(tally desk.GroupCount) *component.Notice {
	if tally.Count == 0 {
		return nil
	}
	words := fmt.Sprintf("%d pedidos enviados sem resposta clara.", tally.Count)
	if tally.Count == 1 {
		words = "1 pedido enviado sem resposta clara."
	}
	return &component.Notice{Tone: component.ToneAttention, Icon: "question-diamond", Strong: words,
		Text:   "Confira com a operadora antes de reenviar.",
		Action: component.Link{Href: "/fila?grupo=" + unknownGroup, Text: "Conferir agora"}}
}

// casePath is the address of a case.
func casePath(uid uuid.UUID) string {
	path := append(make([]byte, 0, 43), "/casos/"...)
	for i, part := range [...][]byte{uid[:4], uid[4:6], uid[6:8], uid[8:10], uid[10:]} {
		if i > 0 {
			path = append(path, '-')
		}
		path = hex.AppendEncode(path, part)
	}
	return string(path)
}

// caseRow shows what a clerk needs to recognise a case and to see what to do next,
// without opening it; of the card only a part is shown.
func (s *deskHandlers) caseRow(c *desk.CaseSummary, at present) page.CaseRow {
	path := casePath(c.UID)
	if c.Damaged {
		return page.CaseRow{Href: path, Name: "Caso danificado",
			Situation: component.DamagedCase, Step: "Falar com a administração"}
	}
	row := page.CaseRow{Href: path, Arrived: at.moment(c.CreatedAt),
		AtDesk: c.PatientPresent, Where: "agendado", Name: c.BeneficiaryName, Operator: c.Credential, Card: shortCard(c.CardNumber),
		Procedure: shortened(c.ProcedureName), Codes: c.ProcedureCode, Situation: caseSituation(c),
		Origin: c.Origin.Label() + ", " + at.ago(c.At)}
	if c.PatientPresent {
		row.Where = "no balcão"
	}
	if c.Procedures > 1 {
		row.Codes += " · mais " + strconv.Itoa(c.Procedures-1)
	}
	if !c.SenhaValidUntil.IsZero() {
		row.Until = c.SenhaValidUntil.Date()
		row.UntilDetail, row.UntilSoon = at.distance(c.SenhaValidUntil)
	}
	switch {
	case c.Authorizations > 1:
		row.Origin = fmt.Sprintf("%d de %d autorizados · %s", c.Authorized, c.Authorizations, row.Origin)
	case c.Items > 1 && c.ItemsAuthorized > 0 && c.ItemsAuthorized < c.Items:
		row.Origin = fmt.Sprintf("%d de %d itens · %s", c.ItemsAuthorized, c.Items, row.Origin)
	}
	if !c.ReviewedAt.IsZero() {
		row.Origin = "reanálise pedida em " + s.day(c.ReviewedAt) + ", " + at.ago(c.ReviewedAt)
	}
	step := c.NextStep()
	row.Step, row.StepUrgent = s.stepWord(c, step), step.Waits()
	if c.CanConclude() {
		row.Concludes = c.Standing()
	}
	if step == desk.StepPrint && c.GuideLost {
		row.Step = guideWarningWords
	}
	return row
}

// mostOfName is how many letters of a procedure's name stand in two lines.
const mostOfName = 38

// shortened cuts a long name at the end of a word.
func shortened(name string) string {
	if len(name) <= mostOfName {
		return name // no letter has less than a byte
	}
	letters := 0
	for at := range name {
		if letters == mostOfName {
			return beforeSpace(name[:at])
		}
		letters++
	}
	return name
}

// beforeSpace ends a text at its last word's beginning.
func beforeSpace(cut string) string {
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;-(") + "…"
}

// shortCard shows enough of a card to tell two people apart.
func shortCard(card string) string {
	if !strings.ContainsFunc(card, func(r rune) bool { return r >= utf8.RuneSelf }) && len(card) > 8 {
		return card[:4] + " …" + card[len(card)-4:]
	}
	r := []rune(card)
	if len(r) <= 8 {
		return card
	}
	return string(r[:4]) + " …" + string(r[len(r)-4:])
}

// draftRows lists the person's latest drafts, or all where that is asked for, and counts
// them. One without a name or an operator yet is shown all the same, and a credential that the
// directory no longer knows does not hide it.
func (s *deskHandlers) draftRows(c echo.Context) (rows []page.DraftRow, all int, err error) {
	ctx := c.Request().Context()
	drafts, err := s.Desk.Drafts(ctx, s.actor(c))
	all = len(drafts)
	if c.QueryParam("rascunhos") != allDrafts {
		drafts = drafts[:min(all, shownBeside)]
	}
	for _, d := range drafts {
		row := page.DraftRow{ID: "rascunho-" + d.UID.String(), Href: "/nova/" + d.UID.String(),
			Name: d.BeneficiaryName, When: s.moment(d.UpdatedAt), Discard: "Descartar o rascunho de " + d.BeneficiaryName}
		if row.Name == "" {
			row.Name, row.Discard = "Sem nome ainda", "Descartar o rascunho sem nome"
		}
		if id, err := uuid.Parse(d.CredentialID); err == nil {
			if known, err := s.Directory.Credential(ctx, id); err == nil {
				row.Detail = known.Name
			}
		}
		if row.Detail == "" && d.CardNumber != "" {
			row.Detail = "carteira " + shortCard(d.CardNumber)
		}
		rows = append(rows, row)
	}
	return rows, all, err
}
