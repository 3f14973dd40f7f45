package page

import "guiche/web/component"

// addCaseRow adds a case: the whole row leads where its one link does. What its cells look
// like says their place, and what a reader is told beside their text says a script
// (table-roles.js).
func addCaseRow(row component.Markup, _ int, c *CaseRow) component.Markup {
	row = row.Raw(`<tr class="`).Text(string(c.Situation.Tone)).Raw(`" id="`).Text(c.ID)
	if c.Concludes {
		row = row.Raw(`" data-conclude="`)
	}
	row = row.Raw(`"><td><b>`).Text(c.Arrived).Raw("</b> <small>")
	if c.AtDesk {
		row = row.Raw(`<i class="icon i-person-standing"></i>`)
	}
	row = row.Text(c.Where).Raw(`</small><td><a href="`).Text(c.Href).Raw(`">`).Text(c.Name)
	if c.Operator == "" {
		row = row.Raw("</a><small hidden>")
	} else {
		row = row.Raw("</a><small>")
	}
	row = row.Text(c.Operator).Raw(" · <span>").Text(c.Card).Raw("</span></small>")
	row = row.Cell(c.Procedure).Raw("<small>").Text(c.Codes).Raw("</small>")
	row = row.Badge(c.Situation).Raw("<small>").Text(c.Origin).Raw("</small>")
	row = addValidity(row, c).Raw("<td><span")
	if c.StepUrgent {
		row = row.Raw(` class="urgent"`)
	}
	return row.Raw(">").Text(c.Step).Raw("</span>")
}

// addValidity adds the validity of a senha.
func addValidity(row component.Markup, c *CaseRow) component.Markup {
	if c.Until == "" {
		return row.Raw(`<td class="none">–`)
	}
	row = row.Raw("<td><b>").Text(c.Until)
	if c.UntilSoon {
		return row.Raw(`</b> <small class="tone-text tone-attention"><i class="icon i-hourglass-split"></i>`).Text(c.UntilDetail).Raw("</small>")
	}
	return row.Raw("</b> <small>").Text(c.UntilDetail).Raw("</small>")
}
