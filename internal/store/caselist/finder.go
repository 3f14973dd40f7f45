package caselist

import (
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/store/engine"
)

// Columns by which cases are filtered.
const (
	byUnit = iota
	byCredential
	bySender
	byGroup
)

var columns = [...]string{byUnit: "unit", byCredential: "credential", bySender: "sender", byGroup: "queue_group"}

const statusIndex = "case_summary_status"

// index is an index of case_summary over some of those columns.
type index struct {
	name string
	over []int
}

var indexes = []index{
	{"case_summary_unit", []int{byUnit}}, {"case_summary_credential", []int{byCredential}},
	{"case_summary_sender", []int{bySender}}, {"case_summary_group", []int{byGroup}},
	{"case_summary_unit_credential_group", []int{byUnit, byCredential, byGroup}},
	{"case_summary_unit_sender_group", []int{byUnit, bySender, byGroup}},
	{"case_summary_credential_sender_group", []int{byCredential, bySender, byGroup}},
	{"case_summary_unit_credential_sender", []int{byUnit, byCredential, bySender}},
}

// mostBranches bounds how many ranges of an index are merged.
const mostBranches = 24

// Finder puts together the query for rows of case_summary. Rows stand in the order of
// sending. Of an index each range of equal values is in that order, too, so that the ranges
// that the filters allow are merged and read no further than a page needs, however many
// cases there are.
type Finder struct {
	values FilterValues
	only   [len(columns)][]int64 // what a column may be, nil for any
	status authorization.Status  // "" for any
	bounds conditions            // on submission_id alone
	where  conditions
	words  []string // that are searched, nil for none

	filtered, since, before bool // by something that may leave few cases
}

// conditions are parts of a query, with the arguments of their question marks.
type conditions struct {
	all  []string
	args []any
}

func (c *conditions) add(condition string, args ...any) {
	c.all, c.args = append(c.all, condition), append(c.args, args...)
}

// NewFinder returns a finder of all cases, newest first.
func NewFinder(values FilterValues) *Finder { return &Finder{values: values} }

// Units keeps to some units, nil for all.
func (f *Finder) Units(numbers []int64) { f.keep(byUnit, numbers) }

// Credential keeps to one value.
func (f *Finder) Credential(number int64) { f.filter(byCredential, number) }

// Sender is like Credential.
func (f *Finder) Sender(number int64) { f.filter(bySender, number) }

// Unit is like Credential.
func (f *Finder) Unit(number int64) { f.filter(byUnit, number) }

// Group keeps to a group, 0 being what is unknown.
func (f *Finder) Group(group authorization.Group) { f.filter(byGroup, int64(group)) }

// filter keeps to one value of a column.
func (f *Finder) filter(column int, number int64) {
	f.filtered = true
	f.keep(column, []int64{number})
}

// keep narrows what a column may be.
func (f *Finder) keep(column int, numbers []int64) {
	if numbers == nil {
		return
	}
	if f.only[column] != nil {
		numbers = slices.DeleteFunc(slices.Clone(f.only[column]), func(n int64) bool { return !slices.Contains(numbers, n) })
	}
	f.only[column] = append([]int64{}, numbers...)
}

// Status keeps to a code of the operator.
func (f *Finder) Status(status authorization.Status) {
	f.status, f.filtered = status, true
}

// Words keeps to cases that have a word with each of the beginnings; without any there is
// none ("🫀" is no word).
func (f *Finder) Words(words []string) {
	if len(words) == 0 {
		f.Where(`1 = 0`)
		return
	}
	f.words = words
}

// Below keeps to cases that were sent before one.
func (f *Finder) Below(id int64) { f.bounds.add(`submission_id < ?`, id) }

// Where adds a condition on columns of case_summary, with the arguments of its question
// marks.
func (f *Finder) Where(condition string, args ...any) {
	f.where.add(condition, args...)
}

// near begins a query for the cases that were sent nearest to a moment. So many of them are
// looked at that a clock which was set back does not hide a case.
const near = `FROM (SELECT id FROM submission WHERE created_at`

// Since leaves out what was sent earlier, Before what was sent then or later; 0 is no bound.
func (f *Finder) Since(moment int64) {
	if moment != 0 {
		f.since = true
		f.Where(`created_at >= ?`, moment)
		f.bounds.add(`submission_id >= (SELECT MIN(id) `+near+` >= ? ORDER BY created_at LIMIT 200) AS nearest)`, moment)
	}
}

// Before is the other end of Since.
func (f *Finder) Before(moment int64) {
	if moment != 0 {
		f.before = true
		f.Where(`created_at < ?`, moment)
		f.bounds.add(`submission_id <= (SELECT MAX(id) `+near+` < ? ORDER BY created_at DESC LIMIT 200) AS nearest)`, moment)
	}
}

// Rest returns what follows the table's name in the query for at most so many rows, whatever
// their words are.
func (f *Finder) Rest(tx *engine.Tx, limit int) (rest string, args []any) {
	const order = ` ORDER BY submission_id DESC`
	if f.nothing() {
		return ` WHERE 1 = 0`, nil
	}
	var ranges [][]int64
	by := index{name: statusIndex}
	if f.status == "" {
		by, ranges = f.choose()
	}
	if len(ranges) <= 1 {
		branch, args := f.branch(tx, by, ranges)
		return branch + order + ` LIMIT ?`, append(args, limit)
	}
	branches := make([]string, len(ranges))
	for i, r := range ranges {
		branch, own := f.branch(tx, by, [][]int64{r})
		branches[i], args = `SELECT submission_id FROM case_summary`+branch, append(args, own...)
	}
	return ` WHERE submission_id IN (` + strings.Join(branches, ` UNION ALL `) + order + ` LIMIT ?)` + order, append(args, limit)
}

// nothing reports whether a column may be nothing; without any case none may be anything.
func (f *Finder) nothing() bool {
	return len(f.values) == 0 || slices.ContainsFunc(f.only[:], func(numbers []int64) bool { return numbers != nil && len(numbers) == 0 })
}

// conditions are all but those on the columns of an index.
func (f *Finder) conditions(indexed []int) (c conditions) {
	c = conditions{slices.Concat(f.bounds.all, f.where.all), slices.Concat(f.bounds.args, f.where.args)}
	if f.status != "" {
		c.add(`status = ?`, string(f.status))
	}
	for column, numbers := range f.only {
		if numbers != nil && !slices.Contains(indexed, column) {
			c.add(`+`+columns[column]+` IN (`+marks(len(numbers))+`)`, anys(numbers)...)
		}
	}
	return c
}

// branch reads one range of an index, or without one the table.
func (f *Finder) branch(tx *engine.Tx, by index, ranges [][]int64) (branch string, args []any) {
	c := f.conditions(by.over)
	for i, column := range by.over {
		c.add(columns[column]+` = ?`, ranges[0][i])
	}
	if branch = tx.By(by.name); by.name != "" {
		branch += tx.ByValue()
	}
	if len(c.all) > 0 {
		branch += ` WHERE ` + strings.Join(c.all, " AND ")
	}
	return branch, c.args
}

// choose picks the index that leaves the least to be read row by row and, among those, has
// the fewest ranges to merge.
func (f *Finder) choose() (best index, ranges [][]int64) {
	most, fewest := 0, 0
	for _, candidate := range indexes {
		narrowed := 0
		for _, column := range candidate.over {
			if f.only[column] != nil {
				narrowed++
			}
		}
		if narrowed == 0 || narrowed < most {
			continue
		}
		found := f.ranges(candidate)
		if len(found) > mostBranches || narrowed == most && len(found) >= fewest {
			continue
		}
		best, ranges, most, fewest = candidate, found, narrowed, len(found)
	}
	return best, ranges
}

// ranges are the combinations of values that the filters allow in an index.
func (f *Finder) ranges(by index) [][]int64 {
	all := [][]int64{nil}
	for _, column := range by.over {
		var longer [][]int64
		for _, prefix := range all {
			for _, n := range f.allowed(column) {
				longer = append(longer, append(slices.Clone(prefix), n))
			}
		}
		if all = longer; len(all) > mostBranches {
			break
		}
	}
	return all
}

// groups are all groups, and 0 for what is unknown.
var groups = []int64{0, int64(authorization.YourTurn), int64(authorization.ToFix), int64(authorization.Refusal),
	int64(authorization.Unrecognized), int64(authorization.Ready), int64(authorization.Waiting), int64(authorization.Closed)}

// allowed are the values that a column may have.
func (f *Finder) allowed(column int) []int64 {
	switch {
	case f.only[column] != nil:
		return f.only[column]
	case column == byGroup:
		return groups
	}
	return f.values.numbers([]string{byUnit: Unit, byCredential: Credential, bySender: Sender}[column])
}

// marks returns ?, ?, ? for an IN list; NULL, which nothing equals, for an empty one.
func marks(n int) string {
	if n == 0 {
		return "NULL"
	}
	return "?" + strings.Repeat(", ?", n-1)
}

func anys(numbers []int64) []any {
	all := make([]any, len(numbers))
	for i, n := range numbers {
		all[i] = n
	}
	return all
}
