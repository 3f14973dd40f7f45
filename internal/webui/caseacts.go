package webui

import (
	"strings"

	"guiche/internal/desk"
	"guiche/web/component"
	"guiche/web/page"
)

// actEvent tells in the timeline of what somebody asked of the service.
func actEvent(e desk.Event, c desk.Case) page.Event {
	kind := desk.ActKind(e.Reason)
	act, found := actOf(e, c)
	if e.Kind == desk.EventActAsked {
		shown := page.Event{Tone: component.ToneNeutral, Text: askedWords[kind] + " por " + e.Actor.Name}
		if found && act.Reason != "" {
			shown.Detail = "motivo: " + act.Reason
		}
		if found && len(act.Files) > 0 {
			shown.Detail = fileNames(act.Files)
		}
		return shown
	}
	shown := page.Event{Tone: component.ToneAttention, Strong: actWords[kind].name, Text: "não foi feito ou ficou em dúvida"}
	if !found {
		return shown
	}
	shown.Detail = act.Message
	switch act.State {
	case desk.ActDoubtful:
		shown.Text = "ficou em dúvida"
	case desk.ActRefused:
		shown.Tone, shown.Text = component.ToneError, "não foi aceito"
	case desk.ActUnsent:
		shown.Text = "não foi feito"
	}
	return shown
}

// fileNames are the names of files, in one line.
func fileNames(files []desk.Attachment) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// askedWords tell that something was asked.
var askedWords = map[desk.ActKind]string{desk.ActCancel: "Cancelamento pedido à operadora",
	desk.ActBiometrics: "Biometria enviada à operadora", desk.ActAttachments: "Anexo enviado à operadora"}

// actOf is the act that an event is about, false where it was asked again since.
func actOf(e desk.Event, c desk.Case) (desk.Act, bool) {
	for _, act := range c.Acts {
		if act.AskedAt.Equal(e.At) || act.EndedAt.Equal(e.At) {
			return act, true
		}
	}
	return desk.Act{}, false
}
