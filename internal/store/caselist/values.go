package caselist

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"guiche/internal/permission"
	"guiche/internal/store/engine"
)

// FilterValue is a unit, a credential or a sender that some case has.
type FilterValue struct {
	Number int64
	Kind   string
	UID    uuid.UUID
	Name   string // in its newest case; of a sender the present one, "" where none is known
}

// FilterValues are all of them, by name without regard to case and accents.
type FilterValues []FilterValue

// valuesKey is that of the values of filters in a database.
type valuesKey struct{}

// ReadValues reads the values of filters. Who reads them changes none.
func ReadValues(ctx context.Context, tx *engine.Tx) (FilterValues, error) {
	return engine.Cached(tx, valuesKey{}, func() (FilterValues, error) { return readValues(ctx, tx) })
}

func readValues(ctx context.Context, tx *engine.Tx) (FilterValues, error) {
	all, err := engine.List(ctx, tx, readValue, valuesQuery)
	slices.SortFunc(all, func(a, b FilterValue) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), bytes.Compare(a.UID[:], b.UID[:]))
	})
	engine.SortByName(all, func(v FilterValue) string { return v.Name })
	return all, err
}

// valuesQuery looks for a person of senders alone, as a join would for each value.
const valuesQuery = `SELECT v.id, v.kind, v.uid, CASE v.kind
	WHEN 'sender' THEN COALESCE((SELECT d.name FROM desk_person d WHERE d.uid = v.uid), '') ELSE v.name END FROM filter_value v`

func readValue(row engine.Row) (v FilterValue, err error) {
	err = row.Scan(&v.Number, &v.Kind, &v.UID, &v.Name)
	return v, err
}

// UnitsWithin are the numbers of the units within a reach, nil for all units.
func UnitsWithin(ctx context.Context, tx *engine.Tx, reach permission.Reach) ([]int64, error) {
	if reach.All {
		return nil, nil
	}
	values, err := ReadValues(ctx, tx)
	return values.Within(reach), err
}

// Number returns the number of a value; 0, which no row has, where no case has it.
func (all FilterValues) Number(kind string, uid uuid.UUID) int64 {
	for _, v := range all {
		if v.Kind == kind && v.UID == uid {
			return v.Number
		}
	}
	return 0
}

// Name returns the name of a value.
func (all FilterValues) Name(number int64) string {
	for _, v := range all {
		if v.Number == number {
			return v.Name
		}
	}
	return ""
}

// Within are the numbers of the units within a reach, nil for all units.
func (all FilterValues) Within(reach permission.Reach) []int64 {
	if reach.All {
		return nil
	}
	numbers := []int64{} // no unit is not any unit
	for _, v := range all {
		if v.Kind == Unit && reach.Covers(v.UID) {
			numbers = append(numbers, v.Number)
		}
	}
	return numbers
}

// numbers are those of a kind.
func (all FilterValues) numbers(kind string) (numbers []int64) {
	for _, v := range all {
		if v.Kind == kind {
			numbers = append(numbers, v.Number)
		}
	}
	return numbers
}
