package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// statement is a statement as the server gets it.
type statement struct {
	text  string
	name  string // on the server: of this text in this schema, whoever prepared it
	shape atomic.Pointer[shape]
	// byValue says that it is planned for its values each time. Any other is planned once on a connection,
	// for any values: to plan most takes longer than to run them.
	byValue bool
}

// shape are the types of a statement, as the server told them.
type shape struct {
	params  []uint32
	formats []int16 // of the columns
}

// statement returns the statement that a store wrote.
func (db *DB) statement(query string) *statement {
	if found, ok := db.texts.Load(query); ok {
		return found.(*statement)
	}
	text := numbered(query)
	sum := sha256.Sum256([]byte(db.begin.schema + "\x00" + text))
	kept, _ := db.texts.LoadOrStore(strings.Clone(query), &statement{text: text, name: "g" + hex.EncodeToString(sum[:16]),
		byValue: strings.Contains(text, byValue)})
	return kept.(*statement)
}

// shapeOf keeps the types of a statement. Numbers have eight bytes, whatever a literal beside
// them seems to say.
func shapeOf(d *pgconn.StatementDescription) *shape {
	s := &shape{params: make([]uint32, len(d.ParamOIDs)), formats: make([]int16, len(d.Fields))}
	for i, oid := range d.ParamOIDs {
		if oid == pgtype.Int2OID || oid == pgtype.Int4OID {
			oid = pgtype.Int8OID
		}
		s.params[i] = oid
	}
	for i, f := range d.Fields {
		switch f.DataTypeOID {
		case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.BoolOID, pgtype.ByteaOID, pgtype.Float8OID:
			s.formats[i] = pgtype.BinaryFormatCode
		}
	}
	return s
}

// numbered writes the placeholders ? and ?N of a statement as $N, as the server knows them. One
// without a number has that which follows the greatest so far, as in SQLite.
func numbered(query string) string {
	var b strings.Builder
	last, quote := 0, byte(0)
	for i := 0; i < len(query); i++ {
		c := query[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '?':
			b.WriteByte('$')
			if n := leadingNumber(query[i+1:]); n > 0 {
				last = max(last, n)
				continue
			}
			last++
			b.WriteString(strconv.Itoa(last))
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// leadingNumber is the number that a text begins with, 0 without one.
func leadingNumber(text string) (n int) {
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0') // decimal
	}
	return n
}
