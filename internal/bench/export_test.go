package bench

// What tests put into a table.
var (
	AtMost, AtLeast = atMost, atLeast
	None            = none
)

// Add takes a figure.
func (t *Table) Add(name string, value float64, unit string, a aim) { t.add(name, value, unit, a) }
