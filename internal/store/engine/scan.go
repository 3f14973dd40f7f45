package engine

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"strconv"

	"guiche/internal/problem"
)

// ScanValues copies the columns of a row to variables.
func ScanValues(values []driver.Value, dest []any) error {
	if len(dest) != len(values) {
		return fmt.Errorf("database: %d columns into %d variables", len(values), len(dest))
	}
	for i, value := range values {
		if err := Assign(dest[i], value); err != nil {
			return fmt.Errorf("database: column %d: %w", i+1, err)
		}
	}
	return nil
}

// Assign copies a column to a variable, as Scan of database/sql does; nil leaves it out. The driver's bytes
// are nobody else's. An error is a problem.ErrUnread, and names types and no value.
func Assign(dest any, src driver.Value) error {
	if assignSame(dest, src) {
		return nil
	}
	if scanner, ok := dest.(sql.Scanner); ok {
		if err := scanner.Scan(src); err != nil {
			return fmt.Errorf("%w: %w", problem.ErrUnread, err)
		}
		return nil
	}
	to := reflect.ValueOf(dest)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return fmt.Errorf("%T is no variable", dest)
	}
	if !convert(to.Elem(), src) {
		return fmt.Errorf("%w: %T into %T", problem.ErrUnread, src, dest)
	}
	return nil
}

// assignSame copies what needs no look at the variable's type: nearly all there is.
func assignSame(dest any, src driver.Value) (done bool) {
	switch to := dest.(type) {
	case nil:
		done = true
	case *string:
		if done = src != nil; done {
			*to = textIn(src)
		}
	case *[]byte:
		*to, done = bytesIn(src), true
	case *int64:
		*to, done = orOf(*to, src)
	case *int:
		var n int64
		if n, done = src.(int64); done {
			*to = int(n)
		}
	case *bool:
		var n int64
		if n, done = src.(int64); done {
			*to, done = n == 1, n == 0 || n == 1
		}
	case *any:
		*to, done = src, true
	}
	return done
}

// orOf returns a value of that type, and what there is for any other.
func orOf[T any](is T, src driver.Value) (T, bool) {
	if v, ok := src.(T); ok {
		return v, true
	}
	return is, false
}

// convert sets a variable of another type, named or narrower, to a column's value.
func convert(to reflect.Value, src driver.Value) bool {
	if src == nil {
		return setNull(to)
	}
	if to.Kind() == reflect.Pointer {
		made := reflect.New(to.Type().Elem())
		if Assign(made.Interface(), src) != nil {
			return false
		}
		to.Set(made)
		return true
	}
	switch v := src.(type) {
	case string:
		if to.Kind() == reflect.String {
			to.SetString(v)
			return true
		}
	case int64:
		if to.CanInt() && !to.OverflowInt(v) {
			to.SetInt(v)
			return true
		}
	}
	from := reflect.ValueOf(src)
	if from.Kind() == to.Kind() && from.CanConvert(to.Type()) {
		to.Set(from.Convert(to.Type()))
		return true
	}
	if bytes, ok := src.([]byte); ok && to.Kind() == reflect.String {
		to.SetString(string(bytes))
		return true
	}
	return convertText(to, textIn(src))
}

// setNull sets what knows no value to none.
func setNull(to reflect.Value) bool {
	bytes := to.Kind() == reflect.Slice && to.Type().Elem().Kind() == reflect.Uint8
	if to.Kind() != reflect.Pointer && !bytes {
		return false
	}
	to.SetZero()
	return true
}

// convertText sets a number to what a text says.
func convertText(to reflect.Value, text string) bool {
	var err error
	switch to.Kind() {
	case reflect.Bool:
		var v bool
		v, err = strconv.ParseBool(text)
		to.SetBool(v)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var v int64
		v, err = strconv.ParseInt(text, 10, to.Type().Bits())
		to.SetInt(v)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		var v uint64
		v, err = strconv.ParseUint(text, 10, to.Type().Bits())
		to.SetUint(v)
	case reflect.Float32, reflect.Float64:
		var v float64
		v, err = strconv.ParseFloat(text, to.Type().Bits())
		to.SetFloat(v)
	default:
		return false
	}
	return err == nil
}

// textIn is a column's value as a text.
func textIn(src driver.Value) string {
	switch v := src.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(src)
}

// bytesIn is a column's value as bytes, nil without one.
func bytesIn(src driver.Value) []byte {
	switch v := src.(type) {
	case nil:
		return nil
	case []byte:
		return v
	}
	return []byte(textIn(src))
}
