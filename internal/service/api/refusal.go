package api

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/wire"
)

// Words of errosDetalhados[].codigo beyond those of packages problem and service.
const (
	codeMethod     = "metodo_nao_aceito"
	codeScope      = "escopo"
	codeAuthMethod = "metodo_de_autenticacao"
)

// refusal is an answer that is none of the operator's (row 9).
type refusal struct {
	status  int
	code    string
	message string
	fields  []problem.Field // in place of code and message
	header  http.Header     // more headers; nil is none
	oauth   string          // word of RFC 6749, for refusals of /oauth/token
	cause   error           // for the log
}

// Error implements error.
func (e *refusal) Error() string { return e.code }

// Unwrap returns what led to the refusal.
func (e *refusal) Unwrap() error { return e.cause }

// statuses maps the application's codes to HTTP (row 9).
var statuses = map[problem.Code]int{
	problem.Internal:     http.StatusInternalServerError,
	problem.Invalid:      http.StatusUnprocessableEntity,
	problem.Unreadable:   http.StatusBadRequest,
	problem.Unauthorized: http.StatusUnauthorized,
	problem.Forbidden:    http.StatusForbidden,
	problem.NotFound:     http.StatusNotFound,
	problem.Conflict:     http.StatusConflict,
	problem.TooLarge:     http.StatusRequestEntityTooLarge,
	problem.Unsupported:  http.StatusUnsupportedMediaType,
	problem.Throttled:    http.StatusTooManyRequests,
	problem.Unavailable:  http.StatusServiceUnavailable,
	problem.NoSpace:      http.StatusServiceUnavailable,
	problem.Damaged:      http.StatusInternalServerError,
}

// passingRetries say when what passes by itself may be asked again: soon, so that nobody
// waits for long behind an administrator who has made room.
var passingRetries = map[problem.Code]time.Duration{problem.NoSpace: 30 * time.Second, problem.Busy: 5 * time.Second}

// reasons maps the service's reasons to HTTP (row 9).
var reasons = map[service.Reason]int{
	service.Busy:            http.StatusConflict,
	service.OtherBody:       http.StatusConflict,
	service.WrongStatus:     http.StatusConflict,
	service.NotOffered:      http.StatusConflict,
	service.OperatorFailed:  http.StatusBadGateway,
	service.OperatorTimeout: http.StatusGatewayTimeout,
	service.Unavailable:     http.StatusServiceUnavailable,
	service.DayBytes:        http.StatusRequestEntityTooLarge,
}

// refusalOf turns any error into the refusal that is sent; what is neither a
// refusal nor an application error is internal and says nothing of itself.
func refusalOf(err error) *refusal {
	var own *refusal
	var out *access.Refusal
	var undecided *service.Refusal
	var p *problem.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &out):
		return accessRefusal(out)
	case errors.As(err, &undecided):
		refused := &refusal{status: reasons[undecided.Reason], code: string(undecided.Reason), message: undecided.Message, cause: err}
		return refused.retryAfter(undecided.RetryAfter)
	case problem.Is(err, problem.Busy):
		return unreachable(err)
	case errors.As(err, &p) && p.Code != problem.Internal:
		refused := &refusal{status: statuses[p.Code], code: string(p.Code), message: p.Message, fields: p.Fields, cause: err}
		return refused.retryAfter(passingRetries[p.Code])
	}
	return &refusal{
		status: http.StatusInternalServerError, code: string(problem.Internal),
		message: "Erro interno do serviço.", cause: err,
	}
}

// unreachable is the 503 of a service that does not reach its own data for a moment.
func unreachable(cause error) *refusal {
	refused := &refusal{status: http.StatusServiceUnavailable, code: string(problem.Unavailable), cause: cause,
		message: "O serviço não alcança os seus dados neste momento, e nada foi feito. Tente de novo em alguns segundos."}
	return refused.retryAfter(passingRetries[problem.Busy])
}

// body is the refusal as it goes over the wire.
func (e *refusal) body() any {
	body := wire.NewEnvelope(nil, e.details())
	if e.oauth == "" {
		return body
	}
	return tokenRefusal{Word: e.oauth, Description: plainASCII(body.Errors[0]), Envelope: body}
}

// details are the errors of the envelope: one for each field or, without fields, the
// refusal itself, so that the list is never empty.
func (e *refusal) details() []wire.ErrorDetail {
	if len(e.fields) == 0 {
		return []wire.ErrorDetail{{Code: e.code, Message: e.message}}
	}
	return wire.FieldDetails(e.fields)
}

// with adds a header, beside others of the same name.
func (e *refusal) with(name, value string) *refusal {
	if e.header == nil {
		e.header = http.Header{}
	}
	e.header.Add(name, value)
	return e
}

// retryAfter says when to come again, in whole seconds; nothing for 0.
func (e *refusal) retryAfter(wait time.Duration) *refusal {
	if wait <= 0 {
		return e
	}
	seconds := (wait + time.Second - 1) / time.Second
	return e.with("Retry-After", strconv.FormatInt(int64(seconds), 10))
}

// methodRefused is the 405 of a path with the methods that it has. HEAD is served
// wherever GET is.
func methodRefused(routes []route) *refusal {
	var allowed []string
	for _, rt := range routes {
		allowed = append(allowed, rt.method)
		if rt.method == http.MethodGet {
			allowed = append(allowed, http.MethodHead)
		}
	}
	refused := &refusal{status: http.StatusMethodNotAllowed, code: codeMethod, message: "Este endereço não aceita este método."}
	return refused.with("Allow", strings.Join(allowed, ", "))
}

// forbidden is the 403 of a caller who is known and may not do this.
func forbidden(code, message string) *refusal {
	return &refusal{status: http.StatusForbidden, code: code, message: message}
}

// throttled is the 429 of a caller who comes too often, with Retry-After where the wait
// is known.
func throttled(message string, wait time.Duration) *refusal {
	return (&refusal{status: http.StatusTooManyRequests, code: string(problem.Throttled), message: message}).retryAfter(wait)
}

// invalid is the 422 of a body that can be read and whose fields are wrong.
func invalid(fields ...problem.Field) *refusal {
	return &refusal{status: http.StatusUnprocessableEntity, code: string(problem.Invalid), fields: fields}
}

// tooLarge is the 413 of a body, or of the part of it at path.
func tooLarge(path, message string) *refusal {
	return &refusal{
		status: http.StatusRequestEntityTooLarge, code: string(problem.TooLarge),
		fields: []problem.Field{{Path: path, Code: string(problem.TooLarge), Message: message}},
	}
}

// unreadable is the 400 of a body that cannot be read, at path where that is known.
func unreadable(path, message string) *refusal {
	return &refusal{
		status: http.StatusBadRequest, code: string(problem.Unreadable),
		fields: []problem.Field{{Path: path, Code: string(problem.Unreadable), Message: message}},
	}
}
