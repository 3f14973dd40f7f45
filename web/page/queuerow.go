package page

import "guiche/web/component"

// addCaseRow adds a case: the whole row leads where its one link does. What its cells look
// like says their place, and what a reader is told beside their text says a script
// (table-roles.js). Addresses and classes of ours need no quotes, and the end of a cell is
// that of its paragraph, too.
func addCaseRow(row component.Markup, _ int, c *CaseRow) component.Markup {
	row = row.Raw("<tr ")
	if c.Concludes != "" {
		row = row.Raw("data-conclude=").Value(c.Concludes).Raw(" ")
	}
	row = row.Raw("class=").Raw(string(c.Situation.Tone)).Raw(">").Cell(c.Arrived).Raw(" <p>")
	if c.AtDesk {
		row = row.Raw(`<i class="icon i-person-standing"></i>`)
	}
	row = row.Text(c.Where).Raw("<td><a href=").Raw(c.Href).Raw(">").Text(c.Name)
	if c.Operator == "" {
		row = row.Raw("</a><p hidden>")
	} else {
		row = row.Raw("</a><p>")
	}
	row = row.Text(c.Operator).Raw(" · <i>").Text(c.Card).Raw("</i>")
	row = row.Cell(c.Procedure).Raw("<p>").Text(c.Codes)
	row = row.Badge(c.Situation).Raw("<p>").Text(c.Origin)
	row = addValidity(row, c)
	if c.StepUrgent {
		return row.Raw("<td><b>").Text(c.Step).Raw("</b>")
	}
	return row.Raw("<td><span>").Text(c.Step).Raw("</span>")
}

// addValidity adds the validity of a senha.
func addValidity(row component.Markup, c *CaseRow) component.Markup {
	if c.Until == "" {
		return row.Raw("<td>")
	}
	row = row.Cell(c.Until)
	if c.UntilSoon {
		return row.Raw(` <p class="tone-text tone-attention"><i class="icon i-hourglass-split"></i>`).Text(c.UntilDetail)
	}
	return row.Raw(" <p>").Text(c.UntilDetail)
}
