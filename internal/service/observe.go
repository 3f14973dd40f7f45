package service

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// observed notes what was answered, for the log and for refuse.
type observed struct {
	http.ResponseWriter
	status int
	size   int64
	code   string // of a refusal
	cause  error
}

func (o *observed) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

func (o *observed) Write(p []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(p)
	o.size += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// errCut is a body that did not come whole: its framing is wrong, or its sender
// stopped.
var errCut = errors.New("service: the body was cut")

// watchedBody knows whether a body was read from, and marks what its sender did
// wrong as errCut.
type watchedBody struct {
	io.ReadCloser
	begun bool
}

func (b *watchedBody) Read(p []byte) (int, error) {
	b.begun = true
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", errCut, err)
	}
	return n, err
}

// observe sets the headers of every answer, turns a panic into one, and logs one
// line for each request: identifiers, codes and sizes, never an address with its
// query, a body or a name.
func (s *Service) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, start := uuid.New(), s.clock()
		o := &observed{ResponseWriter: w}
		r = r.WithContext(r.Context()) // a copy: the server looks at the body of its own
		r.Body = &watchedBody{ReadCloser: r.Body}
		w.Header().Set("X-Request-Id", id.String())
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		s.traffic.begin()
		defer func() { s.traffic.end(r.Pattern, o.status) }()
		defer func() { s.log(r, o, id, s.clock().Sub(start)) }()
		defer func() { s.recovered(o, r, recover()) }()
		next.ServeHTTP(o, r)
	})
}

func (s *Service) recovered(o *observed, r *http.Request, cause any) {
	err, _ := cause.(error)
	switch {
	case cause == nil:
	case errors.Is(err, http.ErrAbortHandler) || o.status != 0:
		panic(http.ErrAbortHandler) // the answer has begun: cut it
	default:
		s.refuse(o, r, panicError(cause))
	}
}

func (s *Service) log(r *http.Request, o *observed, id uuid.UUID, took time.Duration) {
	attrs := []slog.Attr{
		slog.String("id", id.String()), slog.String("method", knownMethod(r.Method)), slog.String("route", r.Pattern),
		slog.Int("status", o.status), slog.Int64("size", o.size), slog.Duration("took", took),
	}
	level := slog.LevelInfo
	if o.code != "" {
		attrs = append(attrs, slog.String("code", o.code))
	}
	if r.Context().Err() != nil {
		attrs = append(attrs, slog.Bool("hung_up", true))
	} else if o.status >= http.StatusInternalServerError {
		level = slog.LevelError
		attrs = append(attrs, slog.Any("cause", o.cause))
	}
	s.logger.LogAttrs(r.Context(), level, "request", attrs...)
}

// knownMethod is a method for the log, where a sender's own words do not belong.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "other"
}

// refuse drains the request's body, or the refusal is lost on its way, and sends
// the refusal in an envelope.
func (s *Service) refuse(w http.ResponseWriter, r *http.Request, err error) {
	refused := refusalOf(err)
	if o, ok := w.(*observed); ok {
		o.code, o.cause = refused.code, err
		if o.status != 0 {
			panic(http.ErrAbortHandler) // the answer has begun: cut it
		}
	}
	s.drain(r)
	maps.Copy(w.Header(), refused.header)
	if err := writeEnvelope(w, refused.status, refused.body()); err != nil {
		s.logger.WarnContext(r.Context(), "refusal not sent", "cause", err)
	}
}

// drain reads what is left of a body, up to the limit of one and once more, so
// that the sender of a body just over the limit reads the refusal too. A sender
// that asks first (100-continue) sends nothing as long as nothing is read.
func (s *Service) drain(r *http.Request) {
	if body, ok := r.Body.(*watchedBody); ok && !body.begun && r.Header.Get("Expect") != "" {
		return
	}
	_, _ = io.CopyN(io.Discard, r.Body, 2*s.limits.MaxBody) // its end or its error ends it all the same
}
