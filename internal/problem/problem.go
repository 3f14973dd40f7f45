// Package problem has the one application error of Guichê: a code for programs and
// a message for the user, with the fields it is about.
//
// Every other error is internal: it is logged with an id, and the user sees a fixed
// text. Messages are Brazilian Portuguese, short and polite. A log gets the code
// and the fields' paths only, because a message may quote personal data.
package problem

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
)

// ErrPermanent marks an error of storage that comes again when the same is tried again: it
// does not take the content, or it was closed.
var ErrPermanent = errors.New("permanent")

// ErrUnknown marks an error of storage after which nobody knows whether a change was kept.
var ErrUnknown = errors.New("unknown whether it was kept")

// ErrUnread marks an error of storage about a row of which a column holds what it cannot hold.
var ErrUnread = errors.New("it cannot be read")

// Code says what kind of problem it is. The pages and the service's API each have
// one table from Code to HTTP status.
type Code string

// The codes, each with the HTTP status that both give it.
const (
	Internal     Code = "interno"           // 500
	Invalid      Code = "invalido"          // 422: readable, but a value is wrong
	Unreadable   Code = "ilegivel"          // 400: cannot be read at all
	Unauthorized Code = "nao_autenticado"   // 401
	Forbidden    Code = "proibido"          // 403
	NotFound     Code = "nao_encontrado"    // 404
	Conflict     Code = "conflito"          // 409
	TooLarge     Code = "grande_demais"     // 413
	Unsupported  Code = "tipo_nao_aceito"   // 415
	Throttled    Code = "muitas_tentativas" // 429
	Unavailable  Code = "indisponivel"      // 503
	Damaged      Code = "danificado"        // 500: what was stored is not as it was written
	NoSpace      Code = "sem_espaco"        // 507 on a page; 503 at the API, where nothing was done and the same may come again
	Unsure       Code = "incerto"           // 503, on a page: nobody knows whether a change was kept
	Busy         Code = "ocupado"           // 503: what is stored is out of reach for a moment, and nothing was done
)

// CodeChanged is the code of the Field of NewChanged.
const CodeChanged = "alterado"

// Field is one problem of one field.
type Field struct {
	Path    string // path as the specification writes it: "procedimentos[1].quantidade"
	Code    string // stable word for programs: "obrigatorio", "formato", "dominio", "limite", "tipo"
	Message string // for the user
}

// Error is the application error.
type Error struct {
	Code    Code
	Message string // for the user
	Fields  []Field
	cause   error
}

// New returns an application error without fields.
func New(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// Wrap returns an application error that keeps its internal cause for the log.
func Wrap(code Code, message string, cause error) *Error {
	return &Error{Code: code, Message: message, cause: cause}
}

// NewBusy returns the Busy error. What keeps the data out of reach is for the log alone:
// another program that uses the database, or too many open files.
func NewBusy(cause error) *Error {
	return Wrap(Busy, "O Guichê não alcança os seus dados neste momento. "+
		"Tente de novo em alguns segundos; se continuar, avise a administração.", cause)
}

// NewUnsure returns the Unsure error, whose cause is an ErrUnknown.
func NewUnsure(cause error) *Error {
	return Wrap(Unsure, "O banco de dados deixou de responder enquanto isto era gravado. Confira antes de repetir: "+
		"pode já estar feito. Um pedido enviado nunca é enviado duas vezes.", cause)
}

// NewDamaged returns the Damaged error. What is damaged is for the log alone.
func NewDamaged(cause error) *Error {
	return Wrap(Damaged, "O que o Guichê guardou disto não está como foi escrito, e por isso não é mostrado nem "+
		"enviado. Fale com a administração: ela pode restaurar uma cópia de segurança.", cause)
}

// NewChanged returns the Conflict error about a form, of which what it changes was changed
// since its page was shown.
func NewChanged() *Error {
	const message = "O que está guardado mudou depois que você abriu a página, e o que está abaixo ainda não foi guardado. " +
		"Veja em outra aba como está agora; “Salvar” de novo guarda o que está abaixo."
	return &Error{Code: Conflict, Message: message, Fields: []Field{{Code: CodeChanged, Message: message}}}
}

// IsChanged reports whether the fields are those of NewChanged.
func IsChanged(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Code == CodeChanged })
}

// InvalidFields returns an Invalid error about the fields, nil without any.
func InvalidFields(fields []Field) error {
	if len(fields) == 0 {
		return nil
	}
	return &Error{Code: Invalid, Message: "Confira os campos indicados.", Fields: fields}
}

// Error is for logs and tests: the code, the fields' paths and the cause, but no
// message, which may quote what somebody typed.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	for _, f := range e.Fields {
		b.WriteString(", " + f.Path + " " + f.Code)
	}
	if e.cause != nil {
		b.WriteString(": " + e.cause.Error())
	}
	return b.String()
}

// Unwrap returns the internal cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is(err, problem.New(problem.NotFound, "")) compare codes.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// LogValue implements slog.LogValuer with the text of Error.
func (e *Error) LogValue() slog.Value { return slog.StringValue(e.Error()) }

// CodeOf returns the code of the application error inside err, Internal for any
// other error and "" for nil.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	default:
		return Internal
	}
}

// FieldsOf returns the field problems inside err.
func FieldsOf(err error) []Field {
	var e *Error
	if errors.As(err, &e) {
		return e.Fields
	}
	return nil
}

// Is reports whether err is an application error with the code.
func Is(err error, code Code) bool { return CodeOf(err) == code }

// Passing reports whether nothing was done for now, and the same may be done later without
// anybody changing it: there was no space, or the data was out of reach.
func Passing(err error) bool { return Is(err, NoSpace) || Is(err, Busy) }

// AfterAct returns an error of a step behind an act that was done: none of its codes says
// that nothing was, or the act would be repeated.
func AfterAct(err error) error {
	if Passing(err) {
		return Wrap(Internal, "", err)
	}
	return err
}
