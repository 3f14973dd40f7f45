package webui

import (
	"cmp"
	"strings"
	"time"

	"guiche/internal/audit"
	"guiche/internal/connection"
	"guiche/internal/desk"
	"guiche/internal/permission"
)

// fileLabels say what somebody did with a file; earlier entries do not tell.
var fileLabels = map[audit.Event]map[desk.FileUse]string{
	audit.GuideOpened:      {desk.FileOpen: "Guia aberta", desk.FileDownload: "Guia baixada"},
	audit.AttachmentOpened: {desk.FileOpen: "Anexo aberto", desk.FileDownload: "Anexo baixado"},
}

// auditLabel is what an entry tells, in the words of the page.
func auditLabel(e audit.Entry) string {
	_, use, _ := strings.Cut(e.Detail, " modo=")
	if label := fileLabels[e.Event][desk.FileUse(use)]; label != "" {
		return label
	}
	return e.Event.Label()
}

// auditDetail is the detail of an entry as people read it. Words that say nothing to them
// in another form stay as they are in the trail.
func auditDetail(e audit.Entry, zone *time.Location) string {
	if reason := e.Reason().Label(); reason != "" {
		return reason
	}
	if e.Event == audit.ConnectionTested {
		return testedWords(e.Detail)
	}
	var said []string
	for word := range strings.FieldsSeq(e.Detail) {
		if text := auditWord(e, word, zone); text != "" {
			said = append(said, text)
		}
	}
	return strings.Join(said, " ")
}

// testedWords say how the steps of a test of the connection went, first those that failed.
func testedWords(detail string) string {
	steps := map[connection.Result][]string{}
	for word := range strings.FieldsSeq(detail) {
		name, how, _ := strings.Cut(word, "=")
		result := connection.Result(how)
		steps[result] = append(steps[result], strings.ToLower(cmp.Or(stepNames[connection.StepName(name)], name)))
	}
	var said []string
	for _, result := range []connection.Result{connection.Failed, connection.Passed, connection.Skipped} {
		if len(steps[result]) > 0 {
			said = append(said, stepResults[result].Word+": "+strings.Join(steps[result], ", "))
		}
	}
	return strings.Join(said, "; ")
}

// auditWord is one word of a detail.
func auditWord(e audit.Entry, word string, zone *time.Location) string {
	name, value, _ := strings.Cut(word, "=")
	switch name {
	case "guia":
		return guideWords(e, value)
	case "modo":
		return "" // the label has it
	case "resposta":
		return "da " + value + "ª resposta"
	case "papeis":
		return roleWords(value)
	case "unidades":
		if e.Object == audit.ObjectPerson {
			return placesWords(value)
		}
	case "antes":
		if moment, err := time.Parse(time.RFC3339, value); err == nil {
			return "de antes de " + moment.In(zone).Format("02/01/2006 15:04")
		}
	}
	return denialWord(word, name, value)
}

// roleWords are the roles that somebody was given.
func roleWords(value string) string {
	if value == "" {
		return "sem papel"
	}
	roles := strings.Split(value, ",")
	for i, r := range roles {
		roles[i] = permission.Role(r).Label()
	}
	return strings.Join(roles, ", ")
}

// placesWords are how many units somebody works in.
func placesWords(count string) string {
	switch count {
	case "0":
		return "em nenhuma unidade"
	case "1":
		return "em uma unidade"
	}
	return "em " + count + " unidades"
}

// guideWords names a PDF of a case. Until it was told what became of it, an entry had its
// place among all.
func guideWords(e audit.Entry, value string) string {
	words := "guia " + value
	switch value {
	case "todas":
		words = "todas as guias"
	case "recibo":
		words = "recibo"
	}
	switch {
	case e.Event == audit.CaseViewed:
		return words + " na tela"
	case strings.Contains(e.Detail, " modo="):
		return words
	}
	return "guia=" + value
}

// denialWord is a word of the detail of a refused act, or any other as it is.
func denialWord(word, name, value string) string {
	switch name {
	case "rota":
		return "em " + readableRoute(value)
	case "vezes":
		return value + " vezes"
	case "varios":
		return "várias pessoas ou endereços"
	}
	switch word {
	case "alcance=unidade":
		return "de outra unidade"
	case "alcance=pessoa":
		return "de outra pessoa"
	case "link=desconhecido":
		return "por um link que não existe ou já foi usado"
	case "link=vencido":
		return "por um link vencido"
	case "senha=atual":
		return "ao confirmar a própria senha"
	}
	return word
}

// readableRoute is the pattern of a route without the names of its parameters.
func readableRoute(route string) string {
	parts := strings.Split(route, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, ":") {
			parts[i] = "…"
		}
	}
	return strings.Join(parts, "/")
}
