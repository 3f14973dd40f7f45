package console

import (
	"fmt"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
)

// partnerChoices offers every partner as a filter, disabled ones too: their requests
// stay in the ledger.
func partnerChoices(profiles []access.Profile) []component.Choice {
	var all []component.Choice
	for _, p := range profiles {
		all = append(all, component.Choice{Value: p.ID.String(), Label: p.Name})
	}
	return all
}

// situationChoices are the 18 codes, and what has none.
func situationChoices() []component.Choice {
	all := []component.Choice{{Value: failedWord, Label: "Operadora falhou"}}
	for _, s := range authorization.Statuses() {
		all = append(all, component.Choice{Value: string(s.Code), Label: string(s.Code) + " · " + s.Label})
	}
	return all
}

// ledgerRow shows a request by numbers, times and sizes. The ledger holds nothing about
// the patient, and so this page needs no permission to see patients.
func (k *console) ledgerRow(r admin.LedgerRow) page.LedgerRow {
	if r.Damaged {
		return page.LedgerRow{Href: ledgerPath + "/" + r.ID.String(), Number: "Pedido danificado",
			Situations: []component.Situation{component.DamagedCase}}
	}
	row := page.LedgerRow{Href: ledgerPath + "/" + r.ID.String(), Received: k.second(r.ReceivedAt), Partner: r.Profile,
		Credential: r.Credential,
		Number:     r.ProviderGuide, Situations: situations(r)}
	if r.Present {
		row.Patient = "no local"
	}
	if r.Attachments > 0 {
		row.Attachments = count(r.Attachments, "anexo", "anexos")
		if r.Active > 0 {
			row.Attachments += fmt.Sprintf(", %d com comandos, programas ou arquivos dentro", r.Active)
		}
	}
	if !r.AnsweredAt.IsZero() {
		row.Answer = took(r.AnsweredAt.Sub(r.ReceivedAt)) + ", " + size(r.AnswerSize)
	}
	return row
}

// situations are the present statuses of a request, each once, or what stands for
// them.
func situations(r admin.LedgerRow) []component.Situation {
	var all []component.Situation
	seen := map[authorization.Status]bool{}
	for _, g := range r.Guides {
		if !seen[g.Status] {
			all = append(all, component.StatusSituation(g.Status))
		}
		seen[g.Status] = true
	}
	switch {
	case len(all) > 0:
	case !r.AnsweredAt.IsZero():
		all = append(all, component.Situation{Tone: component.ToneCorrection, Icon: "pencil", Label: "Só erros"})
	case r.Failure != "":
		all = append(all, component.Situation{Tone: component.ToneAttention, Icon: "question-diamond",
			Label: failureWords(r.Failure), Local: true})
	default:
		all = append(all, component.Situation{Tone: component.ToneWaiting, Icon: "clock", Label: "Sem resposta ainda", Local: true})
	}
	return all
}

// failureWords says what a code of a failure means.
func failureWords(code string) string {
	switch code {
	case "tempo_operadora":
		return "Operadora não respondeu a tempo"
	case "falha_operadora":
		return "Operadora falhou"
	}
	return code
}

// second is a time to the second; pages of the ledger compare them.
func (k *console) second(t time.Time) string {
	return t.In(k.web.Now().Location()).Format("02/01/2006 15:04:05")
}

// took says how long something lasted: "350 ms", "1,2 s", "5 min", "3 h", "2 dias". Of a clock that was set back
// meanwhile nothing can be said but that it was no time.
func took(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return comma(d.Seconds()) + " s"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d dias", int(d.Hours())/24)
}

// size says how many bytes: "812 B", "14,1 kB", "2,3 MB".
func size(bytes int64) string {
	switch {
	case bytes < 1000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1_000_000:
		return comma(float64(bytes)/1000) + " kB"
	}
	return comma(float64(bytes)/1_000_000) + " MB"
}

// comma writes a number with one decimal place and a comma, as is usual in Portuguese.
func comma(v float64) string { return strings.Replace(fmt.Sprintf("%.1f", v), ".", ",", 1) }

// ledgerEntryView is the page of one request: its row, the guides that it led to and all
// that happened to it, in the order of the ledger.
func (k *console) ledgerEntryView(r admin.LedgerRow, events []admin.LedgerEvent) page.LedgerEntryView {
	view := page.LedgerEntryView{LedgerRow: k.ledgerRow(r), ID: r.ID.String()}
	for _, g := range r.Guides {
		view.Guides = append(view.Guides, page.LedgerGuide{ID: g.ID.String(), Number: g.Number})
	}
	for _, e := range events {
		view.Events = append(view.Events, k.ledgerEvent(e, r.Profile))
	}
	return view
}

var eventWords = map[admin.LedgerEventKind]string{
	admin.EventReceived: "Pedido recebido", admin.EventAnswer: "Resposta da operadora",
	admin.EventFailure: "Falha da operadora", admin.EventStatus: "Situação",
	admin.EventActionAnswer: "Resposta ao ato", admin.EventActionFailure: "Falha no ato",
}

var actWords = map[service.ActionKind]string{
	service.ActionAttachments: "Anexos enviados", service.ActionBiometrics: "Biometria enviada", service.ActionCancel: "Cancelamento pedido",
}

// ledgerEvent shows one event. What a partner did names the partner and its access; a
// status shows the one before it, where the ledger has it.
func (k *console) ledgerEvent(e admin.LedgerEvent, partner string) page.LedgerEvent {
	view := page.LedgerEvent{At: k.second(e.At), What: eventWords[e.Kind], Code: e.Code, Actor: e.Actor}
	switch e.Kind {
	case admin.EventReceived:
		view.Actor = partner + accessWords(e)
	case admin.EventAction:
		view.What, view.Actor = actWords[service.ActionKind(e.Code)], partner+accessWords(e)
	case admin.EventStatus:
		view.What += ": " + authorization.Status(e.Code).Info().Label
		if e.Before != "" {
			view.Code = string(e.Before) + " → " + e.Code
		}
	}
	if e.GuideID != uuid.Nil {
		view.Guide = short(e.GuideID)
	}
	if e.Size > 0 {
		view.Detail = size(e.Size)
	}
	return view
}

// accessWords say by what the partner came in, "" where the ledger does not know.
func accessWords(e admin.LedgerEvent) string {
	switch e.Method {
	case access.MethodAPIKey:
		return ", chave …" + e.Secret
	case access.MethodPassword:
		return ", usuário " + e.Secret
	case access.MethodOAuth:
		return ", cliente " + e.Secret
	}
	return ""
}

// short is the end of an identifier, enough to tell things apart.
func short(uid uuid.UUID) string { return uid.String()[28:] }
