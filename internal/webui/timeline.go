package webui

import (
	"fmt"
	"slices"
	"strings"

	"guiche/internal/desk"
	"guiche/web/component"
	"guiche/web/page"
)

// timeline tells what happened to a case, newest first. What was tried again with the
// same result stands there once.
func (s *deskHandlers) timeline(c desk.Case) []page.Event {
	var all []page.Event
	answers := c.AnswersOf()
	for _, e := range folded(c.Events) {
		then := situation(c.CaseState)
		if brought := answers[e.place]; brought != nil && brought != &c.Answers[len(c.Answers)-1] {
			then = answeredSituation(brought.Standing())
		}
		shown := eventWords(e.Event, c, then)
		shown.Time = s.moment(e.At)
		if e.first != 0 {
			shown.Detail = e.attempts()
		}
		all = append(all, shown)
	}
	slices.Reverse(all)
	return all
}

// eventWords puts an event into words for the clerk; then is the situation that it led to.
// An unknown kind, as a later version may have stored, is shown by its own word.
func eventWords(e desk.Event, c desk.Case, then component.Situation) page.Event {
	switch e.Kind {
	case desk.EventSubmitted:
		return page.Event{Text: "Revisado e confirmado por " + e.Actor.Name}
	case desk.EventSent:
		return page.Event{Text: "Enviado à " + c.Names.Credential, Detail: "guia do prestador " + c.ProviderGuide}
	case desk.EventDelayed:
		return page.Event{Tone: component.ToneWaiting, Strong: "Envio adiado.", Text: delayWords(e.Reason), Detail: attemptDetail(e)}
	case desk.EventHeld:
		return page.Event{Tone: component.ToneWaiting, Strong: "Envio suspenso.",
			Text: "O serviço não aceitou nosso acesso; a administração foi avisada."}
	case desk.EventReleased:
		return page.Event{Text: "Envio liberado"}
	case desk.EventAnswered:
		strong, text := answerWords(then)
		return page.Event{Tone: then.Tone, Strong: strong, Text: text}
	case desk.EventRefused:
		return page.Event{Tone: component.ToneCorrection, Strong: refusedSituation(e.Reason).Label + ".", Text: refusalWords(e.Reason)}
	case desk.EventUnknown:
		return page.Event{Tone: component.ToneAttention, Strong: doubtTitle(e.Reason), Text: doubtWords(e.Reason), Detail: sentDetail(e, c)}
	case desk.EventDoubted:
		return page.Event{Tone: component.ToneWaiting, Strong: "Conferindo.", Text: doubtWords(e.Reason) +
			" O Guichê pergunta de novo ao serviço, que reconhece o pedido: nada é autorizado duas vezes.", Detail: attemptDetail(e)}
	case desk.EventFound:
		return page.Event{Tone: then.Tone, Strong: then.Label + ",",
			Text: "resposta encontrada ao consultar o serviço pelo número da guia"}
	case desk.EventReread:
		return page.Event{Tone: then.Tone, Strong: then.Label + ",",
			Text: "a resposta que estava guardada pôde ser lida agora"}
	case desk.EventAbsent:
		return page.Event{Tone: component.ToneAttention, Strong: "Não chegou ao serviço.",
			Text: "O serviço informa que não recebeu este pedido."}
	case desk.EventWithdrawn:
		return page.Event{Tone: component.ToneNeutral, Text: "Retirado da fila por " + e.Actor.Name}
	case desk.EventRecorded:
		return decided(e, c, page.Event{Tone: then.Tone, Strong: then.Label + ",", Text: "retorno da operadora, registrado por " + e.Actor.Name})
	case desk.EventUpdated:
		return page.Event{Tone: then.Tone, Strong: then.Label + ",", Text: "a operadora atualizou a resposta"}
	case desk.EventConcluded, desk.EventReopened, desk.EventNoted, desk.EventReviewed:
		return notedWords(e)
	case desk.EventActAsked, desk.EventActEnded:
		return actEvent(e, c)
	case desk.EventResent:
		return decided(e, c, page.Event{Tone: component.ToneNeutral, Strong: "Enviado de novo", Text: "por " + e.Actor.Name +
			"; a operadora informou que não recebeu o pedido"})
	}
	return page.Event{Text: string(e.Kind)}
}

// decided adds to an event what the person wrote down who recorded it: decisions and their
// events are kept in the same order.
func decided(e desk.Event, c desk.Case, shown page.Event) page.Event {
	place := 0
	for _, earlier := range c.Events {
		if earlier == e {
			break
		}
		if earlier.Kind == desk.EventRecorded || earlier.Kind == desk.EventResent {
			place++
		}
	}
	if place < len(c.Decisions) {
		d := c.Decisions[place]
		shown.Detail, shown.Note = inquiryWords(d.Inquiry), d.Note
	}
	return shown
}

// inquiryWords say whom a person spoke to.
func inquiryWords(q desk.Inquiry) string {
	return joined(", ", labelled("contato: ", q.Contact), labelled("protocolo ", q.CallProtocol))
}

// notedWords are those of an event with which a person may have written something.
func notedWords(e desk.Event) page.Event {
	shown := page.Event{Tone: component.ToneNeutral, Note: e.Note.Note, Detail: inquiryWords(e.Note)}
	switch {
	case e.Kind == desk.EventNoted:
		shown.Strong, shown.Text = "Anotação", "de "+e.Actor.Name
	case e.Kind == desk.EventReviewed:
		shown.Tone, shown.Strong, shown.Text = component.ToneWaiting, "Reanálise pedida", "à operadora por "+e.Actor.Name
	case e.Kind == desk.EventReopened:
		shown.Text = "Posto de volta na fila por " + e.Actor.Name
	case e.Reason == desk.ReasonPrivate:
		shown.Strong, shown.Text = "Atendimento particular.", "Concluído e tirado da fila por "+e.Actor.Name
	default:
		shown.Text = "Concluído e tirado da fila por " + e.Actor.Name
	}
	return shown
}

// doubtTitle tells a doubt that an answer left from one that a restored copy made.
func doubtTitle(reason string) string {
	switch reason {
	case desk.ReasonRestored:
		return "Desfecho desconhecido."
	case reasonNumberTaken:
		return component.NumberTaken.Label + "."
	}
	return "Sem resposta legível."
}

// attemptDetail numbers the attempt, "" for an event that belongs to none.
func attemptDetail(e desk.Event) string {
	if e.Attempt == 0 {
		return ""
	}
	return fmt.Sprintf("tentativa %d", e.Attempt)
}

// sentDetail tells how much had left when the answer failed to come.
func sentDetail(e desk.Event, c desk.Case) string {
	for _, a := range c.Attempts {
		if a.Number == e.Attempt && a.SentBytes > 0 {
			return fmt.Sprintf("%d bytes tinham saído daqui", a.SentBytes)
		}
	}
	return ""
}

// delayWords says why sending was put off. Only requests that were surely not processed
// are put off, so the clerk has nothing to check with the operator.
func delayWords(reason string) string {
	switch reason {
	case "conexao":
		return "O serviço não pôde ser alcançado; nada saiu daqui."
	case "http_429":
		return "O serviço pediu para esperar."
	case "http_503":
		return "O serviço está ocupado e pediu para esperar."
	}
	return "Nada foi processado; vamos tentar de novo."
}

// refusalWords tells a request that never left from one that the service refused.
func refusalWords(reason string) string {
	switch reason {
	case desk.ReasonLate:
		return "O serviço não pôde ser alcançado; nada foi enviado."
	case desk.ReasonDamaged:
		return "O arquivo no Guichê já não é o que foi anexado; nada foi enviado."
	}
	return "O serviço não aceitou o pedido."
}

// doubtWords says how the answer was lost. Reasons without words of their own mean that
// something came and could not be read.
func doubtWords(reason string) string {
	switch reason {
	case "tempo":
		return "O prazo de espera acabou."
	case "corte":
		return "A conexão caiu antes do fim da resposta."
	case desk.ReasonInterrupted:
		return "O Guichê parou enquanto o pedido estava a caminho."
	case desk.ReasonRestored:
		return "Os dados foram restaurados de uma cópia: não se sabe o que aconteceu depois dela."
	case desk.ReasonNoAnswer:
		return "O prazo do pedido acabou sem resposta."
	case desk.ReasonDamaged:
		return "Um anexo está danificado no Guichê, e o pedido não pôde ser repetido."
	case desk.ReasonElsewhere:
		return "O serviço de autorização em uso agora é outro, e o pedido não foi repetido nele."
	case "cancelado":
		return "O Guichê parou enquanto o pedido estava a caminho."
	case "sem_corpo":
		return "A resposta veio vazia."
	case "sem_envelope", "json_invalido", "gzip_invalido":
		return "A resposta não veio no formato combinado."
	case "sem_autorizacao":
		return "A resposta não traz nenhuma autorização."
	case "contraditorio":
		return "A resposta recusa e autoriza ao mesmo tempo."
	case reasonNumberTaken:
		return "O serviço já tem outro pedido com este número."
	}
	if strings.HasPrefix(reason, "http_") { // the number is for the log
		return "O serviço de autorização não conseguiu responder."
	}
	return "A resposta não pôde ser lida."
}
