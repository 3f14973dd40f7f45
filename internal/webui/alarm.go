package webui

import (
	"errors"
	"fmt"
	"net/http"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// endAlarm serves POST /auditoria/alarme: a person has looked into what is broken and
// says why.
func (s *server) endAlarm(c echo.Context) error {
	f, err := posted(c)
	if err != nil {
		return err
	}
	reason := audit.Reason(f.Raw("motivo"))
	if reason.Label() == "" {
		f.Refuse("motivo", authorization.CodeDomain, "Escolha o motivo.")
		return s.showAudit(c, http.StatusUnprocessableEntity, page.AuditView{Alarm: &page.AlarmView{Fields: fieldsOf(f)}})
	}
	words := "Alarme encerrado. O rompimento continua registrado."
	err = s.Trail.EndAlarm(c.Request().Context(), s.current(c).UID, reason, f.Raw("visto"))
	if errors.Is(err, audit.ErrOtherAlarm) {
		words, err = "O alarme não foi encerrado: a situação da corrente é outra desde que a página foi aberta. Confira o aviso.", nil
	}
	if err != nil {
		return err
	}
	return s.redirectTelling(c, "/auditoria", words)
}

// alarmView is the form about a broken trail, with what was wrong with it.
func alarmView(posted *page.AlarmView, state audit.State) *page.AlarmView {
	view := page.AlarmView{Mark: state.Mark}
	if posted != nil {
		view.Fields = posted.Fields
	}
	for _, reason := range audit.Reasons() {
		view.Reasons = append(view.Reasons, component.Choice{Value: string(reason), Label: reason.Label()})
	}
	return &view
}

// chainNotice says whether the trail is as it was written.
func (s *server) chainNotice(state audit.State, people []account.User) component.Notice {
	switch {
	case state.At.IsZero():
		return component.Notice{Tone: component.ToneNeutral, Icon: "clock", Strong: "Corrente ainda não conferida.",
			Text: "O Guichê confere sozinho ao começar."}
	case state.Broken != nil:
		return s.brokenNotice(state)
	case state.Acknowledged != nil:
		return s.acknowledgedNotice(state, people)
	}
	return component.Notice{Tone: component.ToneSuccess, Icon: "check-lg", Strong: "Corrente inteira.",
		Text: fmt.Sprintf("Nada foi alterado nem apagado até o registro nº %d. Conferida %s.", state.Head.Position, s.when(state.At))}
}

// brokenNotice says what is broken and was not acknowledged.
func (s *server) brokenNotice(state audit.State) component.Notice {
	n := component.Notice{Tone: component.ToneError, Icon: "x-octagon"}
	if state.Broken.Position == 0 {
		n.Strong = "O fim da corrente não pode ser conferido."
		n.Text = "O arquivo audit.head está danificado: registros podem ter sido apagados."
	} else {
		n.Strong = fmt.Sprintf("Corrente rompida no registro nº %d.", state.Broken.Position)
		n.Text = "Dali em diante, registros foram alterados ou apagados fora do Guichê."
	}
	if state.End != nil && state.End != state.Broken {
		n.Text += " O fim da corrente também não confere."
	}
	n.Text += " Conferida " + s.when(state.At) + "."
	return n
}

// acknowledgedNotice says who ended the latest alarm, and that nothing else is broken.
func (s *server) acknowledgedNotice(state audit.State, people []account.User) component.Notice {
	e := state.Acknowledged.Entry
	who := whoActed(e, distinctNames(people))
	text := fmt.Sprintf("%s encerrou o último alarme %s, no registro nº %d. Motivo: “%s”.", who, s.when(e.At),
		state.Acknowledged.Position, e.Reason().Label())
	return component.Notice{Tone: component.ToneAttention, Icon: "exclamation-triangle",
		Strong: "Corrente inteira, exceto o que já foi apurado.",
		Text: text + fmt.Sprintf(" Nada mais foi alterado nem apagado até o registro nº %d. Conferida %s.", state.Head.Position,
			s.when(state.At))}
}
