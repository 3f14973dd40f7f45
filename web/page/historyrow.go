package page

import "guiche/web/component"

// addRow adds a case. Addresses and classes of ours need no quotes.
func (m HistoryView) addRow(row component.Markup, i int, c *HistoryRow) component.Markup {
	row = row.Raw("<tr class=").Raw(string(c.Situation.Tone)).Raw(">").Cell(c.Sent).Raw("<td><a href=").Raw(c.Href)
	if m.Filtered && i == 0 {
		row = row.Raw(" autofocus>")
	} else {
		row = row.Raw(">")
	}
	row = row.Text(c.Name).Raw("</a>").Cell(c.Card).Cell(c.Operator).Cell(c.Codes).Badge(c.Situation)
	if c.Senha == "" {
		row = row.Raw("<td>")
	} else {
		row = row.Cell(component.GroupDigits(c.Senha))
	}
	row = row.Cell(c.Sender).Raw("<td>")
	if c.Guide == "" {
		return row
	}
	return row.Raw("<a href=").Raw(c.Guide).Raw(" download>PDF</a>")
}
