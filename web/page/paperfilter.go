package page

import "guiche/web/component"

// inForce says what is filled in and chosen in a filter, each with its label; nothing where a field of it is wrong.
func (f Fields) inForce(fields []component.Field, selects ...component.Select) []string {
	if len(f.Problems) > 0 {
		return nil
	}
	var said []string
	for _, field := range fields {
		if field.Value != "" {
			said = append(said, field.Label+": "+field.Value)
		}
	}
	for _, s := range selects {
		for _, c := range s.Choices {
			if c.Value == s.Value && c.Value != "" {
				said = append(said, s.Label+": "+c.Label)
			}
		}
	}
	return said
}
