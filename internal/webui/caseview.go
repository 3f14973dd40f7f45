package webui

import (
	"context"
	"fmt"
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// caseView shapes a case for its page; guide is the place of the PDF to show.
func (s *deskHandlers) caseView(e echo.Context, c desk.Case, guide int) (page.CaseView, error) {
	ctx, may := e.Request().Context(), s.actor(e).May(permission.DecideUnknown)
	damaged, err := s.Desk.Damaged(ctx, c, guide)
	away := problem.Passing(err) // the guide: all else is shown
	if err != nil && !away {
		return page.CaseView{}, err
	}
	view := page.CaseView{
		UID: c.UID.String(), Name: c.BeneficiaryName, Situation: caseSituation(&c.CaseSummary), Tally: tally(c), Origin: s.originWords(c),
		Subtitle: joined(" · ", c.Names.Credential, c.Request.BeneficiaryPlan, s.when(c.CreatedAt)),
		Refresh:  refreshed(c), State: stateWord(c.CaseState), Request: requestFacts(c), RequestTitle: "O pedido",
		Files: s.caseFiles(ctx, c, damaged), Timeline: s.timeline(c),
		Guides: s.guides(ctx, c, guide, damaged), Past: s.pastAnswers(ctx, c, damaged),
		Errors: reasons(c), Followed: s.followWords(c), Reply: replyHint(c, may), Notes: page.CaseNotes{Events: len(c.Events)},
	}
	if g := currentGuide(view.Guides); g != nil && away {
		g.Warning = page.FileWarning{Hidden: true, Text: "Esta guia não pode ser mostrada agora: o lugar onde os arquivos ficam " +
			"não responde. Nada se perdeu; abra o caso de novo em instantes."}
	}
	view.Main, view.Actions = actions(c, view.Guides, may)
	view.Record = recordView(c.Record)
	if c.HasReceipt() {
		view.Receipt = "/casos/" + c.UID.String() + "/comprovante"
	}
	if c.CanReview() {
		view.Main, view.Actions = nil, deniedActions(c, view.Guides)
		if view.Denied, err = s.deniedView(ctx, c, may); err != nil {
			return page.CaseView{}, err
		}
	}
	if err := s.addService(ctx, s.actor(e), c, &view); err != nil {
		return page.CaseView{}, err
	}
	advise(c, &view)
	s.addAnswer(c, &view)
	if c.State == desk.Unknown {
		s.addDoubt(c, &view)
	}
	return view, nil
}

// advise says what is to be done next where that is not what the situation alone says.
func advise(c desk.Case, view *page.CaseView) {
	if c.Origin == desk.OriginPerson && c.Group == authorization.Ready && !c.HasGuide {
		view.Situation.Advice = "Encaminhe para o atendimento. Não há guia em PDF: peça-a à operadora."
	}
	if g := currentGuide(view.Guides); g != nil && g.Warning.Lost && c.Group == authorization.Ready {
		view.Situation.Advice = "Encaminhe para o atendimento. A guia em PDF está danificada no Guichê: peça-a à operadora, ou espere que " +
			"seja restaurada."
	}
	if said := view.Situation.Advice; view.Reply.Text != "" && askedOfAnother(said) != said {
		view.Situation.Advice, view.Reply = askedOfAnother(said), page.Hint{}
	}
	if done := doneAdvice(c); done != "" {
		view.Situation.Advice, view.Reply = done, page.Hint{}
	}
}

// addAnswer shows what the operator said: of each of several authorizations, or of the only one, and of what was asked for.
func (s *deskHandlers) addAnswer(c desk.Case, view *page.CaseView) {
	switch {
	case c.Answer != nil && len(c.Answer.Authorizations) > 1:
		view.Authorizations = s.authorizations(c)
	case c.Answer != nil && len(c.Answer.Authorizations) == 1:
		a := c.Answer.Authorizations[0]
		view.Facts, view.MoreFacts, view.Validity = authorizationFacts(a), moreFacts(a, c.ProviderGuide), s.validity(a)
		if view.Denied != nil {
			view.Facts = deniedFacts(a)
		}
		view.Procedures = results(c.Lines(), a)
	default:
		view.Procedures = results(c.Lines(), authorization.Authorization{})
	}
}

// addDoubt shows of a case of which nobody knows what became what was sent, and the number by which the operator finds it.
func (s *deskHandlers) addDoubt(c desk.Case, view *page.CaseView) {
	view.Procedures = nil // they stand in what was sent
	if n := len(c.Attempts); n > 0 {
		view.RequestTitle, view.SentAt, view.Sent = "O que foi enviado", s.when(c.Attempts[n-1].StartedAt), s.sentWords(c)
	}
	view.Quote = component.Copyable{Label: "Guia do prestador", Shown: component.GroupDigits(c.ProviderGuide), Value: c.ProviderGuide}
	view.QuoteAdvice = "Não reenvie antes de falar com a operadora: um segundo envio pode gerar duas guias e uma glosa por duplicidade."
}

// originWords says whose word the situation is, and how old it is.
func (s *deskHandlers) originWords(c desk.Case) string {
	words := s.when(c.At) + " (" + s.ago(c.At) + ")"
	switch c.Origin {
	case desk.OriginOperator:
		return "Resposta da operadora: " + words + ". Pode ter mudado depois disso."
	case desk.OriginService:
		return "Resposta do serviço de autorização: " + words + "."
	case desk.OriginPerson:
		if d, ok := c.LastDecision(); ok {
			return "Registro manual de " + d.By.Name + ": " + words + "."
		}
		return "Registrado à mão: " + words + "."
	}
	return "Informado pelo Guichê: " + words + "."
}

// requestFacts lists what was sent, who sent it, and the cases that it is related to.
func requestFacts(c desk.Case) []page.Fact {
	r := c.Request
	f := facts(beneficiaryFacts(r))
	f = append(f, partyFacts(r, c.Names)...)
	if c.State == desk.Unknown {
		f = append(f, askedFacts(r)...)
	}
	f = append(f, otherFacts(r)...)
	f.add("Enviado por", c.Sender.Name)
	f = append(f, page.Fact{Term: "Guia do prestador", Value: c.ProviderGuide, Code: true})
	return append(f, relatedCases(c)...)
}

// relatedCases lead to the case that this one was copied from, and to its copies. Only a
// correction takes another's place.
func relatedCases(c desk.Case) []page.Fact {
	var f []page.Fact
	add := func(term, text string, uid uuid.UUID) {
		f = append(f, page.Fact{Term: term, Link: component.Link{Href: "/casos/" + uid.String(), Text: text}})
	}
	switch c.Copy {
	case desk.Correction:
		add("Corrige", "pedido anterior", c.Previous)
	case desk.Repetition:
		add("Repete", "pedido anterior", c.Previous)
	}
	if c.ResendOf != uuid.Nil {
		add("Reenvia", "pedido anterior", c.ResendOf)
	}
	for _, d := range c.Decisions {
		if d.Resent != uuid.Nil {
			add("Reenviado em", "pedido posterior", d.Resent)
		}
	}
	for _, later := range c.Corrections {
		add("Substituído por", "pedido posterior", later)
	}
	for _, later := range c.Repetitions {
		add("Repetido em", "pedido posterior", later)
	}
	return f
}

// caseFiles links to the attachments through the case's own address, where the same
// permission is checked again.
func (s *deskHandlers) caseFiles(ctx context.Context, c desk.Case, damaged []blob.Ref) []page.FileLink {
	var links []page.FileLink
	later := sentLater(c)
	for _, a := range c.Attachments {
		links = append(links, page.FileLink{Href: "/casos/" + c.UID.String() + "/anexos/" + a.UID.String(), Name: a.Name,
			Size:    joined(" · ", document.FormatSize(a.Size), later[a.UID]),
			Warning: unlessDamaged(a.Blob, damaged, func() page.FileWarning { return s.attachedWarning(ctx, a) })})
	}
	return links
}

// guides lists the PDFs, of which one is on the screen.
func (s *deskHandlers) guides(ctx context.Context, c desk.Case, current int, damaged []blob.Ref) []page.Guide {
	all := c.Guides()
	var shown []page.Guide
	for i, g := range all {
		label := guideLabel(g, all)
		shown = append(shown, page.Guide{Index: strconv.Itoa(i), Label: label, Title: "Guia em PDF: " + label,
			Detail: guideDetail(g), Current: i == current,
			Warning: unlessDamaged(g.Blob, damaged, func() page.FileWarning { return pdfWarning(s.Desk.Inspect(ctx, g.Blob)) })})
	}
	return shown
}

// guideLabel names a PDF on its tab. The combined file says how many guides it holds, where
// they came one by one as well.
func guideLabel(g desk.Guide, all []desk.Guide) string {
	switch g.Kind {
	case desk.GuideAll:
		single := 0
		for _, other := range all {
			if other.Kind == desk.GuideSingle {
				single++
			}
		}
		if single == 0 {
			return "Todas"
		}
		return fmt.Sprintf("Todas (%d)", single)
	case desk.GuideReceipt:
		return "Recibo"
	}
	return "Guia " + strconv.Itoa(g.Number)
}

// guideDetail says what the PDF is; a guide that has no number of the operator yet is
// called by the name of its form.
func guideDetail(g desk.Guide) string {
	switch {
	case g.Kind == desk.GuideAll:
		return "Todas as guias num só arquivo"
	case g.Kind == desk.GuideReceipt:
		return "Recibo do serviço"
	case g.Guide != "":
		return "Guia nº " + g.Guide
	}
	return "Guia SP/SADT"
}

// fieldLabels are the words of the form for the specification's names.
var fieldLabels = map[string]string{
	"credencialId": "Operadora", "numeroCarteira": "Carteira", "validadeCarteira": "Validade", "nomeBeneficiario": "Nome do beneficiário",
	"planoBeneficiario": "Plano", "nomeRecemNascido": "Recém-nascido", "dataNascimentoRecemNascido": "Nascimento", "unidadeId": "Unidade",
	"pontoAtendimentoId": "Ponto de atendimento", "nomeSolicitante": "Solicitante", "ufSolicitante": "UF",
	"crmSolicitante":           "Número no conselho",
	"siglaConselhoSolicitante": "Conselho", "profissionalExecutanteId": "Executante", "especialidadeExecutanteId": "Especialidade",
	"tipoAcidente": "Indicação de acidente", "regimeAtendimento": "Caráter do atendimento", "tipoAtendimento": "Tipo de atendimento",
	"observacoes": "Observações", "indicacaoClinica": "Indicação clínica", "anexos": "Anexos",
	"procedimentos": "Procedimentos", "guiaPrestador": "Guia do prestador",
	"validadeSenha": "Validade da senha", "dataAutorizacao": "Data da autorização", "pdfGuia": "Todas as guias", "pdfRecibo": "Recibo",
	"pdfGuiaAutorizacao": "Guia em PDF",
}

// fieldLabel names a field for a person; a procedure or an attachment by its
// place.
func fieldLabel(path string) string {
	if label, ok := fieldLabels[path]; ok || path == "" {
		return label
	}
	var place int
	if n, _ := fmt.Sscanf(path, "procedimentos[%d]", &place); n == 1 {
		return "Procedimento " + strconv.Itoa(place+1)
	}
	if n, _ := fmt.Sscanf(path, "anexos[%d]", &place); n == 1 {
		return "Anexo " + strconv.Itoa(place+1)
	}
	return path
}

// labelled puts a label before a value; both are left out when the value is empty.
func labelled(label, value string) string {
	if value == "" {
		return ""
	}
	return label + value
}

// joined joins what is not empty.
func joined(separator string, parts ...string) string {
	var b []byte
	for _, p := range parts {
		if p == "" {
			continue
		}
		if len(b) > 0 {
			b = append(b, separator...)
		}
		b = append(b, p...)
	}
	return string(b)
}
