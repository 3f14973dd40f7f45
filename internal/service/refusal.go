package service

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"guiche/internal/problem"
)

// Words of errosDetalhados[].codigo beyond those of package problem.
const (
	codeBusy            = "em_processamento"
	codeOtherBody       = "corpo_diferente"
	codeMethod          = "metodo_nao_aceito"
	codeOperatorFailed  = "falha_operadora"
	codeOperatorTimeout = "tempo_operadora"
	codeScope           = "escopo"
	codeAuthMethod      = "metodo_de_autenticacao"
	codeStatus          = "situacao_nao_permite"
	codeNotOffered      = "operacao_nao_oferecida"
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

func (e *refusal) Error() string { return e.code }

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
}

// refusalOf turns any error into the refusal that is sent; what is neither a
// refusal nor an application error is internal and says nothing of itself.
func refusalOf(err error) *refusal {
	var r *refusal
	if errors.As(err, &r) {
		return r
	}
	var p *problem.Error
	if errors.As(err, &p) {
		return &refusal{status: statuses[p.Code], code: string(p.Code), message: p.Message, fields: p.Fields, cause: err}
	}
	return &refusal{status: http.StatusInternalServerError, code: string(problem.Internal), message: "Erro interno do serviço.", cause: err}
}

// body is the refusal as it goes over the wire.
func (e *refusal) body() any {
	body := newEnvelope(nil, e.details())
	if e.oauth == "" {
		return body
	}
	return tokenRefusal{Word: e.oauth, Description: plainASCII(body.Errors[0]), envelope: body}
}

// with adds a header, beside others of the same name.
func (e *refusal) with(name, value string) *refusal {
	if e.header == nil {
		e.header = http.Header{}
	}
	e.header.Add(name, value)
	return e
}

func forbidden(code, message string) *refusal {
	return &refusal{status: http.StatusForbidden, code: code, message: message}
}

func later(code problem.Code, message string, wait time.Duration) *refusal {
	seconds := max(1, int64((wait+time.Second-1)/time.Second))
	return (&refusal{status: statuses[code], code: string(code), message: message}).with("Retry-After", strconv.FormatInt(seconds, 10))
}

func invalid(fields ...problem.Field) *refusal {
	return &refusal{status: http.StatusUnprocessableEntity, code: string(problem.Invalid), fields: fields}
}

func tooLarge(path, message string) *refusal {
	return &refusal{status: http.StatusRequestEntityTooLarge, code: string(problem.TooLarge), fields: []problem.Field{{Path: path, Code: string(problem.TooLarge), Message: message}}}
}

func conflict(code, message string) *refusal {
	return &refusal{status: http.StatusConflict, code: code, message: message}
}

// operatorFailure is the refusal for what is stored in Record.Failure: equal
// requests get equal bytes.
func operatorFailure(code string) *refusal {
	if code == codeOperatorTimeout {
		return &refusal{status: http.StatusGatewayTimeout, code: code,
			message: "A operadora não respondeu a tempo. Não se sabe se o pedido foi processado."}
	}
	return &refusal{status: http.StatusBadGateway, code: codeOperatorFailed,
		message: "Houve uma falha na comunicação com a operadora. Não se sabe se o pedido foi processado."}
}
