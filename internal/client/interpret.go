package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
)

// Words of Outcome.Reason beside authorization.Failure and "http_" + status.
const (
	reasonEmpty         = "sem_corpo"
	reasonNoEntry       = "sem_autorizacao"
	reasonContradiction = "contraditorio"
	reasonBusy          = "em_processamento"
	reasonConflict      = "corpo_diferente"
)

// Interpret reads an attempt by the outcome table (interface.md), and by
// nothing but the attempt: the same Exchange gives the same Outcome, as often
// as it is read. PDFs go to the blob store on the way. A body of unknown shape
// is never an error but OutcomeUnknown; errors are those of the blob store and
// of ctx, and reading may be tried again. What can be read of an answer that leaves the
// outcome unknown comes with it as errors.
func (c *Client) Interpret(ctx context.Context, x authorization.Exchange) (authorization.Outcome, error) {
	o, err := c.interpret(ctx, x)
	if err != nil || o.Kind != authorization.OutcomeUnknown || x.Body == "" || !x.Complete {
		return o, err
	}
	o.Answer.Errors, err = c.readable(ctx, x.Body)
	return o, err
}

func (c *Client) interpret(ctx context.Context, x authorization.Exchange) (authorization.Outcome, error) {
	if o, decided := interpretStatus(x); decided {
		return o, nil
	}
	e, err := readEnvelope(ctx, func() (io.ReadCloser, error) { return c.openAnswer(ctx, x.Body) }, c.keepPDF)
	var wrong *unreadable
	switch {
	case errors.As(err, &wrong):
		return unknown(wrong.reason), nil
	case err != nil:
		return authorization.Outcome{}, err
	}
	return interpretEnvelope(x, e), nil
}

// openAnswer opens the raw answer of an attempt: a small one that has just been stored is in the batch of the
// context still.
func (c *Client) openAnswer(ctx context.Context, ref blob.Ref) (io.ReadCloser, error) {
	if text := blob.BatchOf(ctx).Content(ref); text != nil {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	return c.cfg.Blobs.Open(ctx, ref)
}

// interpretStatus decides what needs no look at the body.
func interpretStatus(x authorization.Exchange) (authorization.Outcome, bool) {
	word := httpWord(x.HTTPStatus)
	wait, told := retryAfter(x)
	switch {
	case x.HTTPStatus == 0 && x.SentBytes == 0:
		return authorization.Outcome{Kind: authorization.OutcomeRetry, Reason: string(x.Failure)}, true
	case x.HTTPStatus == 0:
		return unknown(string(x.Failure)), true
	case accessRefused(x.HTTPStatus):
		return authorization.Outcome{Kind: authorization.OutcomeHeld, Reason: word}, true
	case x.HTTPStatus == http.StatusTooManyRequests, x.HTTPStatus == http.StatusServiceUnavailable && told:
		return authorization.Outcome{Kind: authorization.OutcomeRetry, RetryAfter: wait, Reason: word}, true
	case !carriesAnswer(x.HTTPStatus):
		return unknown(word), true
	case !x.Complete:
		return unknown(string(x.Failure)), true
	case x.Body == "":
		return unknown(reasonEmpty), true
	}
	return authorization.Outcome{}, false
}

// carriesAnswer reports whether the body of a status is worth reading.
func carriesAnswer(status int) bool {
	return status/100 == 2 || status == http.StatusConflict || refuses(status)
}

// refuses reports whether a status with an envelope says that the request is not
// valid.
func refuses(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		return true
	}
	return false
}

func interpretEnvelope(x authorization.Exchange, e envelope) authorization.Outcome {
	if e.entries() > maxEntries {
		return unknown(string(authorization.FailureTooLarge))
	}
	answer := e.answer()
	switch {
	case x.HTTPStatus == http.StatusConflict:
		return interpretConflict(e)
	case refuses(x.HTTPStatus) && (e.succeeded() || len(answer.Authorizations) > 0):
		// A refusal that also says yes may have acted: a person must look.
		return unknown(reasonContradiction)
	case refuses(x.HTTPStatus), e.failed() && len(answer.Authorizations) == 0:
		return refused(answer, x.HTTPStatus)
	case len(answer.Authorizations) == 0:
		return unknown(reasonNoEntry)
	}
	return authorization.Outcome{Kind: authorization.OutcomeAnswered, Answer: answer, Reason: httpWord(x.HTTPStatus)}
}

func interpretConflict(e envelope) authorization.Outcome {
	switch {
	case hasCode(e.errors, reasonBusy):
		return authorization.Outcome{Kind: authorization.OutcomeBusy, Reason: reasonBusy}
	case hasCode(e.errors, reasonConflict):
		return authorization.Outcome{Kind: authorization.OutcomeConflict, Reason: reasonConflict}
	}
	return unknown(httpWord(http.StatusConflict))
}

func refused(a authorization.Answer, status int) authorization.Outcome {
	return authorization.Outcome{
		Kind:   authorization.OutcomeRefused,
		Answer: authorization.Answer{Errors: a.Errors},
		Fields: fieldProblems(a.Errors),
		Reason: httpWord(status),
	}
}

func unknown(reason string) authorization.Outcome {
	return authorization.Outcome{Kind: authorization.OutcomeUnknown, Reason: reason}
}

func httpWord(status int) string { return "http_" + strconv.Itoa(status) }

// maxRetryAfter is the longest wait that is believed.
const maxRetryAfter = 24 * time.Hour

// retryHeader is the header Retry-After, a date as seconds from the one that the answer bears itself: the clock of the
// service may be another than that of this machine.
func retryHeader(h http.Header) string {
	value := strings.TrimSpace(h.Get("Retry-After"))
	at, err := http.ParseTime(value)
	sent, undated := http.ParseTime(h.Get("Date"))
	if err != nil || undated != nil {
		return value
	}
	return strconv.FormatInt(int64(max(at.Sub(sent), 0)/time.Second), 10)
}

// retryAfter reads the header Retry-After, seconds or a date, counted from the
// end of the attempt; false when it says neither.
func retryAfter(x authorization.Exchange) (time.Duration, bool) {
	value := strings.TrimSpace(x.RetryAfter)
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second, true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(max(at.Sub(x.EndedAt), 0), maxRetryAfter), true
}
