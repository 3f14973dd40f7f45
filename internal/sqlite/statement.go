package sqlite

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// handle is a connection as SQLite itself has it.
type handle struct {
	db  uintptr
	tls *libc.TLS // of whoever uses the connection
	log *logFile  // nil where SQLite writes its log by itself
}

// handleOf is SQLite's own handle of a connection. The driver interrupts by a goroutine for
// each statement, copies each value to memory of its own, and asks for the name and the
// type of each column whenever a statement runs; it hands the handle out no other way.
func handleOf(connection driver.Conn) (h handle, err error) {
	db, tls := field(connection, "db"), field(connection, "tls")
	if db.Kind() != reflect.Uintptr || tls.Kind() != reflect.Pointer || tls.Type() != reflect.TypeFor[*libc.TLS]() {
		return h, fmt.Errorf("sqlite: no handle in the driver's %T", connection)
	}
	return handle{db: uintptr(db.Uint()), tls: (*libc.TLS)(tls.UnsafePointer())}, nil
}

// field is one of a value of the driver, none where it has no such field.
func field(of any, name string) reflect.Value {
	v := reflect.ValueOf(of)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.Elem().FieldByName(name)
}

// statement is a prepared statement. It is busy while its rows are read: the same text asked
// meanwhile is another statement.
type statement struct {
	handle
	code       uintptr // SQLite's
	parameters int
	kept, busy bool

	texts memory // of the values that it runs with
}

// prepare makes a statement of a text. One that is to be kept takes none of the small pieces of memory that
// a connection has at hand for statements that run.
func (h handle) prepare(query string, keep bool) (*statement, error) {
	text, err := libc.CString(query)
	if err != nil {
		return nil, fmt.Errorf("sqlite: prepare: %w", err)
	}
	defer libc.Xfree(h.tls, text)
	found := h.tls.Alloc(2 * int(unsafe.Sizeof(text))) // the statement, and what is behind its end
	defer h.tls.Free(2 * int(unsafe.Sizeof(text)))
	var flags uint32
	if keep {
		flags = sqlite3.SQLITE_PREPARE_PERSISTENT
	}
	rest := found + unsafe.Sizeof(text)
	if code := sqlite3.Xsqlite3_prepare_v3(h.tls, h.db, text, int32(len(query)+1), flags, found, rest); code != sqlite3.SQLITE_OK {
		return nil, h.failure(code)
	}
	s := &statement{handle: h, code: *memoryAt[uintptr](found)}
	if s.code == 0 || *memoryAt[uintptr](rest) != text+uintptr(len(query)) {
		s.close()
		return nil, errors.New("sqlite: not one statement")
	}
	s.parameters = int(sqlite3.Xsqlite3_bind_parameter_count(h.tls, s.code))
	return s, nil
}

// close ends a statement for good.
func (s *statement) close() {
	_ = sqlite3.Xsqlite3_finalize(s.tls, s.code) // repeats the error of its last use
	s.texts.free(s.tls)
}

// start runs a statement up to its first row, and reports whether there is one.
func (s *statement) start(args []any) (row bool, err error) {
	if err := s.bind(args); err != nil {
		return false, err
	}
	return s.step()
}

// step goes on to the next row, and reports whether there is one.
func (s *statement) step() (row bool, err error) {
	switch code := sqlite3.Xsqlite3_step(s.tls, s.code); code {
	case sqlite3.SQLITE_ROW:
		return true, nil
	case sqlite3.SQLITE_DONE:
		return false, nil
	default:
		return false, s.failure(code)
	}
}

// reset ends a run. Numbers stay bound: SQLite would plan the statement anew.
func (s *statement) reset() error {
	code := sqlite3.Xsqlite3_reset(s.tls, s.code)
	if s.texts.size > keptTexts {
		sqlite3.Xsqlite3_clear_bindings(s.tls, s.code)
		s.texts.free(s.tls)
	}
	if code != sqlite3.SQLITE_OK {
		return s.failure(code)
	}
	return nil
}

// changed returns how many rows the last statement changed, and the number of the last one that
// was inserted.
func (h handle) changed() (rows, id int64) {
	return sqlite3.Xsqlite3_changes64(h.tls, h.db), sqlite3.Xsqlite3_last_insert_rowid(h.tls, h.db)
}

// bind gives a statement its values.
func (s *statement) bind(args []any) error {
	if len(args) < s.parameters {
		return fmt.Errorf("sqlite: %d values for %d parameters", len(args), s.parameters)
	}
	size := 1 // a value without bytes has a place, too
	for i, arg := range args[:s.parameters] {
		value, err := valueOf(arg)
		if err != nil {
			return fmt.Errorf("sqlite: value %d: %w", i+1, err)
		}
		args[i] = value
		size += sizeOf(value)
	}
	at, err := s.texts.reserve(s.tls, size)
	if err != nil {
		return err
	}
	for i, arg := range args[:s.parameters] {
		if code := s.bindOne(int32(i+1), arg, at); code != sqlite3.SQLITE_OK {
			return s.failure(code)
		}
		at += uintptr(sizeOf(arg))
	}
	return nil
}

// sizeOf is how many bytes of a value are copied.
func sizeOf(value any) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	}
	return 0
}

// bindOne gives one parameter its value, of which texts and bytes are copied to a place.
func (s *statement) bindOne(parameter int32, value any, at uintptr) (code int32) {
	switch v := value.(type) {
	case string:
		copy(bytesAt(at, len(v)), v)
		return sqlite3.Xsqlite3_bind_text(s.tls, s.code, parameter, at, int32(len(v)), sqlite3.SQLITE_STATIC)
	case []byte:
		if v == nil {
			return sqlite3.Xsqlite3_bind_null(s.tls, s.code, parameter)
		}
		copy(bytesAt(at, len(v)), v)
		return sqlite3.Xsqlite3_bind_blob(s.tls, s.code, parameter, at, int32(len(v)), sqlite3.SQLITE_STATIC)
	case int64:
		return sqlite3.Xsqlite3_bind_int64(s.tls, s.code, parameter, v)
	case int:
		return sqlite3.Xsqlite3_bind_int64(s.tls, s.code, parameter, int64(v))
	case bool:
		var n int64
		if v {
			n = 1
		}
		return sqlite3.Xsqlite3_bind_int64(s.tls, s.code, parameter, n)
	case float64:
		return sqlite3.Xsqlite3_bind_double(s.tls, s.code, parameter, v)
	case nil:
		return sqlite3.Xsqlite3_bind_null(s.tls, s.code, parameter)
	}
	return sqlite3.SQLITE_MISMATCH
}

// columns is how many each row has: as many as when the statement was prepared, unless the
// schema has changed since.
func (s *statement) columns() int { return int(sqlite3.Xsqlite3_column_count(s.tls, s.code)) }

// row are the columns of the row at hand, until the next row. To look at them where SQLite has them takes
// no lock and no call, as each question about a column would: nobody else uses the connection meanwhile.
// The values of a row lie one behind the other.
func (s *statement) row(columns int) []value {
	running := *(**sqlite3.TVdbe)(unsafe.Pointer(&s.code))                         //nolint:gosec // no memory of Go's
	return unsafe.Slice(*(**value)(unsafe.Pointer(&running.FpResultRow)), columns) //nolint:gosec // likewise
}

// value is one of SQLite's.
type value sqlite3.TMem

// kind is that of a value which is of one kind alone, in one of SQLite's flags, as nearly all are.
func (v *value) kind() uint16 {
	const kinds = sqlite3.MEM_Null | sqlite3.MEM_Str | sqlite3.MEM_Int | sqlite3.MEM_Real | sqlite3.MEM_Blob |
		sqlite3.MEM_IntReal | sqlite3.MEM_Zero
	return v.Fflags & kinds
}

// isText reports whether bytes are the value's text as they are.
func (v *value) isText() bool { return v.kind() == sqlite3.MEM_Str && v.Fenc == sqlite3.SQLITE_UTF8 }

func (v *value) integer() int64 { return *(*int64)(unsafe.Pointer(&v.Fu)) } //nolint:gosec // the union's

// bytes are those of a text or of a blob, SQLite's own, until the next row.
func (v *value) bytes() []byte { return bytesAt(v.Fz, int(v.Fn)) }

// any is nil, int64, float64, string or []byte, whatever the kinds of a value are.
func (s *statement) any(v *value) driver.Value {
	at := uintptr(unsafe.Pointer(v)) //nolint:gosec // no memory of Go's
	switch sqlite3.Xsqlite3_value_type(s.tls, at) {
	case sqlite3.SQLITE_INTEGER:
		return sqlite3.Xsqlite3_value_int64(s.tls, at)
	case sqlite3.SQLITE_FLOAT:
		return sqlite3.Xsqlite3_value_double(s.tls, at)
	case sqlite3.SQLITE_TEXT:
		text := sqlite3.Xsqlite3_value_text(s.tls, at)
		return string(bytesAt(text, int(sqlite3.Xsqlite3_value_bytes(s.tls, at))))
	case sqlite3.SQLITE_BLOB:
		blob := sqlite3.Xsqlite3_value_blob(s.tls, at)
		return bytes.Clone(bytesAt(blob, int(sqlite3.Xsqlite3_value_bytes(s.tls, at))))
	}
	return nil
}

// memory is SQLite's: the collector knows nothing of it.
type memory struct {
	at   uintptr
	size int
}

// keptTexts is how many bytes a statement keeps for its next values.
const keptTexts = 16 << 10

// reserve makes it as large as that, and returns where it is.
func (m *memory) reserve(tls *libc.TLS, size int) (at uintptr, err error) {
	if size <= m.size {
		return m.at, nil
	}
	m.free(tls)
	size = max(size, 64)
	if m.at = sqlite3.Xsqlite3_malloc(tls, int32(size)); m.at == 0 {
		return 0, &stepError{sqlite3.SQLITE_NOMEM, "out of memory"}
	}
	m.size = size
	return m.at, nil
}

func (m *memory) free(tls *libc.TLS) {
	sqlite3.Xsqlite3_free(tls, m.at)
	*m = memory{}
}

// memoryAt is what lies at a place that SQLite knows.
func memoryAt[T any](place uintptr) *T {
	return *(**T)(unsafe.Pointer(&place)) //nolint:gosec // no memory that moves
}

// bytesAt are bytes of SQLite's.
func bytesAt(at uintptr, n int) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), n) //nolint:gosec // no memory of Go's
}

// stepError is what SQLite says of a statement that failed.
type stepError struct {
	code  int32
	words string
}

// Error implements error.
func (e *stepError) Error() string { return e.words }

// Code is SQLite's extended result code.
func (e *stepError) Code() int { return int(e.code) }

// failure is the error of a result code, in the words of the driver. SQLite has them until the
// next call.
func (h handle) failure(code int32) error {
	words := []string{libc.GoString(sqlite3.Xsqlite3_errstr(h.tls, code))}
	if more := libc.GoString(sqlite3.Xsqlite3_errmsg(h.tls, h.db)); more != words[0] {
		words = append(words, more)
	}
	return &stepError{code, fmt.Sprintf("%s (%d)", strings.Join(words, ": "), code)}
}
