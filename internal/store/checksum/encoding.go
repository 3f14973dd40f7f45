package checksum

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
)

// version begins every encoding.
const version = 1

// Size is the length of a checksum: damage is not an attack, so that 64 bits do.
const Size = 8

// Tags of values.
const (
	tagNull    = 'n'
	tagInteger = 'i'
	tagReal    = 'r'
	tagText    = 't'
	tagBlob    = 'b'
)

// sum returns the checksum of a row.
func (t Table) sum(values []any) ([]byte, error) {
	encoded, err := t.encode(make([]byte, 0, 1024), values)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(encoded)
	return sum[:Size], nil
}

// encode writes what the checksum of a row is made of: the table's name and, for each column that counts,
// its place and its value.
func (t Table) encode(b []byte, values []any) ([]byte, error) {
	b = append(b, version)
	b = appendBytes(b, tagText, t.Name)
	for i := range len(t.Key) + len(t.Columns) {
		column := t.column(i)
		value, err := plain(values[i])
		if err != nil {
			return b, fmt.Errorf("checksum: %s.%s: %w", t.Name, column, err)
		}
		if later, ok := t.Later[column]; ok && value == later {
			continue // as if the column were not there: rows from before it keep their sums
		}
		b = binary.AppendUvarint(b, uint64(i))
		b = appendValue(b, value)
	}
	return b, nil
}

// appendValue writes a value with its type and, where it has no fixed length, its length:
// no two rows have the same encoding.
func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case int64:
		return appendInteger(b, v)
	case float64:
		return binary.BigEndian.AppendUint64(append(b, tagReal), math.Float64bits(v))
	case string:
		return appendBytes(b, tagText, v)
	case []byte:
		return appendBytes(b, tagBlob, v)
	}
	return append(b, tagNull)
}

func appendInteger(b []byte, value int64) []byte {
	return binary.BigEndian.AppendUint64(append(b, tagInteger), uint64(value))
}

func appendBytes[T string | []byte](b []byte, tag byte, value T) []byte {
	return append(binary.AppendUvarint(append(b, tag), uint64(len(value))), value...)
}

// plain returns a value as every engine gives it back: nil, int64, float64, string or
// []byte.
func plain(value any) (any, error) {
	switch v := value.(type) {
	case nil, int64, float64, string:
		return v, nil
	case []byte:
		if len(v) == 0 { // no bytes come back as none
			return nil, nil
		}
		return v, nil
	case bool:
		if v {
			return int64(1), nil
		}
		return int64(0), nil
	case driver.Valuer:
		given, err := v.Value()
		if err != nil {
			return nil, err
		}
		return plain(given)
	}
	return ofKind(reflect.ValueOf(value))
}

// ofKind returns the value of a named type, or of a pointer to one.
func ofKind(v reflect.Value) (any, error) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil, nil
		}
		return plain(v.Elem().Interface())
	case reflect.String:
		return v.String(), nil
	case reflect.Bool:
		return plain(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Float32, reflect.Float64:
		return v.Float(), nil
	}
	return nil, fmt.Errorf("no value of a column: %s", v.Type())
}
