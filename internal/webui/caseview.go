package webui

import (
	"fmt"
	"slices"
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
)

// caseView shapes a case for its page; guide is the place of the PDF to show.
func (s *deskHandlers) caseView(c desk.Case, guide string) page.CaseView {
	view := page.CaseView{
		UID: c.UID.String(), Name: c.BeneficiaryName, Situation: situation(c.CaseState), Origin: s.originWords(c.CaseState),
		Subtitle: joined(" · ", c.Names.Credential, c.Request.BeneficiaryPlan, s.when(c.CreatedAt)),
		Pending:  c.State.Pending(), State: stateWord(c.CaseState), Request: requestFacts(c), RequestTitle: "O pedido",
		Files: caseFiles(c), Timeline: s.timeline(c), Actions: actions(c), Guides: guides(c, guide),
	}
	switch {
	case c.Answer != nil && len(c.Answer.Authorizations) > 1:
		view.Authorizations = s.authorizations(c)
		view.Errors = errorLines(c.Answer.Errors)
	case c.Answer != nil && len(c.Answer.Authorizations) == 1:
		a := c.Answer.Authorizations[0]
		view.Facts, view.Validity = authorizationFacts(a), s.validity(a)
		view.Errors = append(errorLines(c.Answer.Errors), errorLines(a.Errors)...)
		view.Procedures = results(c.Lines(), a)
	default:
		view.Errors, view.Procedures = refusal(c), results(c.Lines(), authorization.Authorization{})
	}
	if c.State == desk.Unknown {
		view.RequestTitle, view.SentAt = "O que foi enviado", s.when(c.At)
		view.Quote = component.Copyable{Label: "Guia do prestador", Shown: component.GroupDigits(c.ProviderGuide), Value: c.ProviderGuide}
		view.QuoteAdvice = "Não reenvie antes de falar com a operadora: um segundo envio pode gerar duas guias e uma glosa por duplicidade."
	}
	return view
}

// originWords says whose word the situation is, and how old it is.
func (s *deskHandlers) originWords(st desk.CaseState) string {
	words := s.when(st.At) + ", " + s.ago(st.At)
	switch st.Origin {
	case desk.OriginOperator:
		return "Resposta da operadora: " + words + ". Pode ter mudado depois disso."
	case desk.OriginService:
		return "Resposta do serviço de autorização: " + words + "."
	case desk.OriginPerson:
		return "Registrado à mão: " + words + "."
	}
	return "Informado pelo Guichê: " + words + "."
}

// authorizationFacts are the numbers that a clerk copies into other systems. They are
// shown in groups of digits to be read aloud and copied without the spaces.
func authorizationFacts(a authorization.Authorization) []component.Copyable {
	return []component.Copyable{
		{Label: "Senha", Shown: component.GroupDigits(a.Senha), Value: a.Senha},
		{Label: "Guia", Shown: component.GroupDigits(a.GuideNumber), Value: a.GuideNumber},
		{Label: "Protocolo", Shown: component.GroupDigits(a.Protocol), Value: a.Protocol},
	}
}

// validity says until when the senha is valid and how far off that is; it is empty when
// the operator gave no date.
func (s *deskHandlers) validity(a authorization.Authorization) page.Validity {
	if a.SenhaValidUntil.IsZero() {
		return page.Validity{}
	}
	v := page.Validity{Date: a.SenhaValidUntil.Date()}
	v.Distance, v.Soon = s.distance(a.SenhaValidUntil)
	return v
}

// authorizations shows each authorization of the answer on its own. Operators may leave
// the number out: it is then the place in the answer.
func (s *deskHandlers) authorizations(c desk.Case) []page.Authorization {
	var all []page.Authorization
	for i, a := range c.Answer.Authorizations {
		number := a.Number
		if number == 0 {
			number = i + 1
		}
		one := page.Authorization{Title: "Autorização " + strconv.Itoa(number), Situation: component.StatusSituation(a.Status),
			Facts: authorizationFacts(a), Validity: s.validity(a), Errors: errorLines(a.Errors)}
		for _, p := range a.Procedures {
			one.Procedures = append(one.Procedures, result(desk.ProcedureLine{Code: p.Code, Name: p.Name, Asked: p.Quantity,
				Authorized: p.Authorized,
				Executed:   p.Executed, Known: true, Justification: p.Justification, Senha: p.Senha, Protocol: p.Protocol, Mnemonic: p.Mnemonic}, a))
		}
		all = append(all, one)
	}
	return all
}

// results shows the procedures of a case in their order, without repeating the senha and
// protocol of the authorization that stands above them.
func results(lines []desk.ProcedureLine, of authorization.Authorization) []page.ProcedureResult {
	rows := make([]page.ProcedureResult, len(lines))
	for i, l := range lines {
		rows[i] = result(l, of)
	}
	return rows
}

// result shows a procedure; password and protocol only where they are not those
// of its authorization.
func result(l desk.ProcedureLine, of authorization.Authorization) page.ProcedureResult {
	if l.Senha == of.Senha {
		l.Senha = ""
	}
	if l.Protocol == of.Protocol {
		l.Protocol = ""
	}
	row := page.ProcedureResult{Code: l.Code, Name: l.Name, Asked: strconv.Itoa(l.Asked), Justification: l.Justification,
		Extra: joined(" · ", labelled("senha ", l.Senha), labelled("protocolo ", l.Protocol), l.Mnemonic)}
	if l.Known {
		row.Authorized, row.Executed, row.Reduced = strconv.Itoa(l.Authorized), strconv.Itoa(l.Executed), l.Authorized < l.Asked
	}
	return row
}

// errorLines shows the errors of an answer with the labels of our form and the
// operator's own code, which its support asks for.
func errorLines(errors []authorization.AnswerError) []page.ErrorLine {
	var lines []page.ErrorLine
	for _, e := range errors {
		lines = append(lines, page.ErrorLine{Field: fieldLabel(e.Field), Message: e.Message, Code: e.Code})
	}
	return lines
}

// refusal lists why the service did not take a request: each error once, those
// that name a field with the field's label.
func refusal(c desk.Case) []page.ErrorLine {
	var lines []page.ErrorLine
	for _, f := range c.Fields {
		lines = append(lines, page.ErrorLine{Field: fieldLabel(f.Path), Message: f.Message})
	}
	if c.Answer == nil {
		return lines
	}
	for _, l := range errorLines(c.Answer.Errors) {
		if !slices.ContainsFunc(lines, func(known page.ErrorLine) bool { return known.Message == l.Message }) {
			lines = append(lines, l)
		}
	}
	return lines
}

// requestFacts lists what was sent, who sent it, and the cases that this one replaces or
// is replaced by, so that a corrected request can be followed in both directions.
func requestFacts(c desk.Case) []page.Fact {
	r := c.Request
	f := facts(beneficiaryFacts(r))
	f = append(f, partyFacts(r, c.Names)...)
	f = append(f, otherFacts(r)...)
	f.add("Enviado por", c.Sender.Name)
	f = append(f, page.Fact{Term: "Guia do prestador", Value: c.ProviderGuide, Code: true})
	if c.Previous != uuid.Nil {
		f = append(f, page.Fact{Term: "Ligado a", Link: component.Link{Href: "/casos/" + c.Previous.String(), Text: "pedido anterior"}})
	}
	for _, next := range c.Next {
		f = append(f, page.Fact{Term: "Substituído por", Link: component.Link{Href: "/casos/" + next.String(), Text: "pedido posterior"}})
	}
	return f
}

// caseFiles links to the attachments through the case's own address, where the same
// permission is checked again.
func caseFiles(c desk.Case) []page.FileLink {
	var links []page.FileLink
	for _, a := range c.Attachments {
		links = append(links, page.FileLink{Href: "/casos/" + c.UID.String() + "/anexos/" + a.UID.String(), Name: a.Name,
			Size: document.FormatSize(a.Size)})
	}
	return links
}

// guides lists the PDFs; the one asked for, or the first, is on the screen.
func guides(c desk.Case, asked string) []page.Guide {
	all := c.Guides()
	current, err := strconv.Atoi(asked)
	if err != nil || current < 0 || current >= len(all) {
		current = 0
	}
	var shown []page.Guide
	for i, g := range all {
		label := guideLabel(g, len(all))
		shown = append(shown, page.Guide{Index: strconv.Itoa(i), Label: label, Title: "Guia em PDF: " + label,
			Detail: guideDetail(g), Current: i == current})
	}
	return shown
}

// guideLabel names a PDF on its tab. The combined file is one of all, and so is not
// counted among the guides that it holds.
func guideLabel(g desk.Guide, all int) string {
	switch g.Kind {
	case desk.GuideAll:
		return fmt.Sprintf("Todas (%d)", all-1)
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

// actions are what can be done with a case where it stands.
func actions(c desk.Case) []page.Action {
	path := "/casos/" + c.UID.String()
	var all []page.Action
	if c.CanWithdraw() {
		all = append(all, page.Action{Path: path + "/retirar", Text: "Retirar da fila", Icon: "x-lg",
			Confirm: "Retirar este pedido da fila? Nada será enviado."})
	}
	if c.CanCopy() {
		text, primary := "Repetir", false
		if g := c.Group; g == authorization.ToFix || g == authorization.YourTurn || c.State == desk.Refused {
			text, primary = "Corrigir e reenviar", true
		}
		all = append(all, page.Action{Path: path + "/copiar", Text: text, Icon: "arrow-repeat", Primary: primary && len(c.Guides()) == 0})
	}
	return all
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
