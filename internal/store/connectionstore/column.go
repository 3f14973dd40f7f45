package connectionstore

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// errType is a setting whose Go type and column do not fit: a mistake in the table of
// settings, which the tests of this package would meet first.
var errType = errors.New("connectionstore: type of a setting")

// column is the value of a setting as its column has it: times in whole seconds, words
// separated by spaces.
type column struct{ at any }

// Value is what is stored.
func (c column) Value() (any, error) {
	switch value := c.at.(type) {
	case *string:
		return *value, nil
	case *bool:
		return *value, nil
	case *int:
		return *value, nil
	case *int64:
		return *value, nil
	case *time.Duration:
		return int64(*value / time.Second), nil
	case *[]string:
		return strings.Join(*value, " "), nil
	}
	return nil, fmt.Errorf("%w: no column for %T", errType, c.at)
}

// Scan implements sql.Scanner.
func (c column) Scan(stored any) error {
	switch stored := stored.(type) {
	case int64:
		return c.scanNumber(stored)
	case string:
		return c.scanText(stored)
	}
	return fmt.Errorf("%w: a column of %T", errType, stored)
}

// scanNumber stores a switch as 0 or 1 and a duration in whole seconds, the unit of the
// column names.
func (c column) scanNumber(stored int64) error {
	switch value := c.at.(type) {
	case *bool:
		*value = stored != 0
	case *int:
		*value = int(stored)
	case *int64:
		*value = stored
	case *time.Duration:
		*value = time.Duration(stored) * time.Second
	default:
		return fmt.Errorf("%w: a number for %T", errType, c.at)
	}
	return nil
}

// scanText reads a list as words between white space; an empty text is no list, not a
// list with an empty word.
func (c column) scanText(stored string) error {
	switch value := c.at.(type) {
	case *string:
		*value = stored
	case *[]string:
		*value = nil
		if words := strings.Fields(stored); len(words) > 0 {
			*value = words
		}
	default:
		return fmt.Errorf("%w: a text for %T", errType, c.at)
	}
	return nil
}
