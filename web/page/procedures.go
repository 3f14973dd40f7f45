package page

import (
	"slices"
	"strconv"

	"guiche/web/component"

	"github.com/a-h/templ"
)

// procedureName is the wire name of a property of a row.
func procedureName(i int, property string) string {
	return "procedimentos[" + strconv.Itoa(i) + "]." + property
}

// procedureField is an input of a row: its label is for screen readers alone,
// the column's heading is for the eyes.
func (m FormView) procedureField(i int, property string, f component.Field) component.Field {
	f.Name = procedureName(i, property)
	f.AriaLabel = f.Label + " " + strconv.Itoa(i+1)
	f.Error = m.message(f.Name)
	f.Focus = f.Name == m.focus()
	return f
}

// heading stands over what a search found.
func (l ProcedureList) heading() string {
	switch {
	case l.Problem != "":
		return l.Problem
	case len(l.Items) == 0:
		return "Nada no cadastro com “" + l.Search + "”. Pode digitar o código e o nome do pedido médico."
	default:
		return "Procedimentos com “" + l.Search + "”"
	}
}

// firstFound is the first row with something to choose, -1 for none.
func (m FormView) firstFound() int {
	return slices.IndexFunc(m.Procedures, func(r ProcedureRow) bool { return r.Found != nil && len(r.Found.Items) > 0 })
}

func procedureListID(i int) string { return component.ID(procedureName(i, "lista")) }

func attachmentPath(uid, id string) string { return "/nova/" + uid + "/anexos/" + id }

// attachmentAttributes tie the choice of files to their limits and to what is
// wrong with them. Its label is not drawn without a script, and names it all the same.
func (m FormView) attachmentAttributes() templ.Attributes {
	out := templ.Attributes{"aria-label": "Escolher arquivos", "aria-describedby": "arquivo-hint", "autofocus": m.focus() == "arquivo"}
	if m.message("anexos") != "" {
		out["aria-describedby"], out["aria-invalid"] = "arquivo-hint anexos-error", "true"
	}
	return out
}
