package caselist

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
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

// FilterValues are all of them, by name.
type FilterValues []FilterValue

// ReadValues reads the values of filters. They come as one text, with U+0001 between them: rows
// and values that are read by themselves cost several locks within SQLite, and an allocation
// each.
func ReadValues(ctx context.Context, tx *engine.Tx) (FilterValues, error) {
	var text string
	err := tx.QueryRow(ctx, valuesQuery, betweenValues).Scan(&text)
	if err != nil || text == "" {
		return nil, engine.Error(err)
	}
	all := make(FilterValues, 0, strings.Count(text, betweenValues)+1)
	for one := range strings.SplitSeq(text, betweenValues) {
		v, err := readValue(one)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b FilterValue) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), bytes.Compare(a.UID[:], b.UID[:]))
	})
	return all, nil
}

const valuesQuery = `SELECT COALESCE(string_agg(v.id || ' ' || v.kind || ' ' || hex(v.uid) || ' ' ||
		replace(CASE v.kind WHEN 'sender' THEN COALESCE(d.name, '') ELSE v.name END, ?1, ' '), ?1), '')
	FROM filter_value v LEFT JOIN desk_person d ON v.kind = 'sender' AND d.uid = v.uid`

// betweenValues is none that anybody types in a name.
const betweenValues = "\x01"

func readValue(text string) (v FilterValue, err error) {
	number, rest, _ := strings.Cut(text, " ")
	kind, rest, _ := strings.Cut(rest, " ")
	uid, name, _ := strings.Cut(rest, " ")
	if v.Number, err = strconv.ParseInt(number, 10, 64); err != nil {
		return v, fmt.Errorf("caselist: value: %w", err)
	}
	_, err = hex.Decode(v.UID[:], []byte(uid[:min(len(uid), 2*len(v.UID))]))
	v.Kind, v.Name = kind, name
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
