package api

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/requestid"
	"guiche/internal/service"
	"guiche/internal/service/wire"
)

// Handler returns the HTTP interface, rooted at {base_url}.
func (a *API) Handler() http.Handler {
	mux := http.NewServeMux()
	byPath := map[string][]route{}
	for _, rt := range a.routes() {
		byPath[rt.path] = append(byPath[rt.path], rt)
	}
	for pattern, routes := range byPath {
		mux.Handle(pattern, a.dispatch(routes))
	}
	mux.HandleFunc("/", a.unknownPath)
	return a.observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !usual(r.URL.Path) {
			a.unknownPath(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

// usual reports whether http.ServeMux takes an address as it is: what is not absolute
// or not clean it would answer itself, without an envelope.
func usual(address string) bool {
	clean := path.Clean(address)
	return strings.HasPrefix(address, "/") && (address == clean || address == clean+"/")
}

// unknownPath answers 404 in an envelope, where http.ServeMux would answer plain text.
func (a *API) unknownPath(w http.ResponseWriter, r *http.Request) {
	a.refuse(w, r, problem.New(problem.NotFound, "Endereço desconhecido."))
}

// observe sets the headers of every answer, turns a panic into one, and logs one
// line for each request: identifiers, codes and sizes, never an address with its
// query, a body or a name.
func (a *API) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, start := requestid.Accept(r.Header.Values(requestid.Header)), a.clock()
		o := &observed{ResponseWriter: w, body: &watchedBody{ReadCloser: r.Body}}
		r = r.WithContext(requestid.With(r.Context(), id)) // a copy: the server looks at the body of its own
		r.Body = o.body
		w.Header().Set(requestid.Header, id)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		a.traffic.begin()
		defer func() {
			a.traffic.end(r.Pattern, o.status)
			a.observer(r.Pattern, o.status, a.clock().Sub(start))
		}()
		defer func() { a.log(r, o, id, a.clock().Sub(start)) }()
		defer func() { a.recovered(o, r, recover()) }()
		next.ServeHTTP(o, r)
	})
}

// dispatch serves the routes of one path in the order of checks of row 8: HTTP
// method, who calls, what they may, how often.
func (a *API) dispatch(routes []route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := slices.IndexFunc(routes, func(rt route) bool {
			return rt.method == r.Method || rt.method == http.MethodGet && r.Method == http.MethodHead
		})
		if i < 0 {
			a.refuse(w, r, methodRefused(routes))
			return
		}
		if err := a.serve(w, r, routes[i]); err != nil {
			a.refuse(w, r, err)
		}
	})
}

// call is a request whose sender is known.
type call struct {
	*http.Request
	caller    service.Caller
	receiving *blob.Receiving // attachments; nil before the first one
}

// end is called when the call was answered or refused.
func (c *call) end() {
	if c.receiving != nil {
		c.receiving.End()
	}
}

// serve admits the caller, has the route answer and sends the answer.
func (a *API) serve(w http.ResponseWriter, r *http.Request, rt route) error {
	caller, leave, err := a.admit(w, r, rt.scope)
	if err != nil {
		return err
	}
	defer leave()
	ctx, hold := a.blobs.Hold(r.Context())
	defer hold.End() // attachments that no row names by then are removed
	c := &call{Request: r.WithContext(ctx), caller: service.Caller{
		ProfileID: caller.Profile.ID, Method: caller.Method, AccessID: caller.AccessID, RequestID: requestid.From(r.Context()),
	}}
	defer c.end()
	answer, err := rt.serve(c)
	if err != nil {
		return err
	}
	if err = a.send(w, r, answer); rt.method == http.MethodPost {
		err = problem.AfterAct(err) // that its answer cannot be read undoes nothing
	}
	return err
}

// response is what a route answers: one of data, body, stored, stream and file.
type response struct {
	status   int         // 0 is 200
	header   http.Header // more headers; nil is none
	replayed bool        // it was given before (row 11)

	data   any                // is sent in an envelope
	body   any                // is sent as it is
	stored service.Answer     // is sent byte for byte
	stream func(*wire.Writer) // writes an answer whose length is not known before
	file   *file
}

// file is an answer that is no JSON.
type file struct {
	contentType string
	content     []byte
}

// recovered answers a panic with 500. Only its type is logged: the value could hold what
// a caller sent. An answer that has begun is cut, so that nobody takes it for whole.
func (a *API) recovered(o *observed, r *http.Request, cause any) {
	err, _ := cause.(error)
	switch {
	case cause == nil:
	case errors.Is(err, http.ErrAbortHandler) || o.status != 0:
		panic(http.ErrAbortHandler) // the answer has begun: cut it
	default:
		a.refuse(o, r, fmt.Errorf("api: panic of type %T", cause))
	}
}

// log writes one line for a request. A caller that hung up is not an error of ours; of a
// 5xx the cause is logged, which the answer does not show.
func (a *API) log(r *http.Request, o *observed, id string, took time.Duration) {
	attrs := []slog.Attr{
		slog.String("id", id), slog.String("method", knownMethod(r.Method)), slog.String("route", r.Pattern),
		slog.Int("status", o.status), slog.Int64("bytes", o.size), slog.Int64("ms", took.Round(time.Millisecond).Milliseconds()),
	}
	level := slog.LevelInfo
	if o.code != "" {
		attrs = append(attrs, slog.String("code", o.code))
	}
	if r.Context().Err() != nil || errors.Is(o.cause, errCut) {
		level = slog.LevelDebug
		attrs = append(attrs, slog.Bool("hung_up", true))
	} else if o.status >= http.StatusInternalServerError {
		level = slog.LevelError
		attrs = append(attrs, slog.Any("cause", o.cause))
	}
	a.logger.LogAttrs(r.Context(), level, "request", attrs...)
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

// observed notes what was answered, for the log and for refuse.
type observed struct {
	http.ResponseWriter
	body   *watchedBody // of the request
	status int
	size   int64
	code   string // of a refusal
	cause  error
	known  bool // the program knows who sends the request
}

// WriteHeader implements http.ResponseWriter.
func (o *observed) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
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
