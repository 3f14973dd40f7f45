package api

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"guiche/internal/ingress"
	"guiche/internal/problem"
	"guiche/internal/service/access"
)

const (
	keyHeader           = "X-Api-Key"
	authorizationHeader = "Authorization"
)

// admit finds out who calls and whether they may: 401, 403, 429 in this order
// (row 8). What it counts of a request that nobody is known to send is counted until
// leave is called.
func (a *API) admit(w http.ResponseWriter, r *http.Request, scope access.Scope) (caller access.Caller, leave func(), err error) {
	if scope == public {
		leave, err = a.enter(r)
		return caller, leave, err
	}
	keys, tokens := r.Header.Values(keyHeader), bearerTokens(r.Header)
	switch {
	case len(keys) > 0 && len(tokens) > 0:
		return caller, nil, errTwoMethods()
	case len(keys) == 0 && len(tokens) == 0:
		return caller, nil, errNoMethod()
	}
	presented := access.Presented{Keys: keys, Tokens: tokens, From: a.address(r)}
	caller, err = a.access.Admit(r.Context(), presented, scope)
	if err == nil {
		a.admitAgain(r, presented, scope)
	}
	if o, ok := w.(*observed); ok && !isUnknown(err) {
		o.known = true
		ingress.Known(w, r)
	}
	return caller, func() {}, err
}

// slowBody is how long a body may be under way before its sender is looked up once more.
const slowBody = time.Second

// admitAgain lets a body that comes slowly not end for whose access ended meanwhile: partners have
// minutes for it.
func (a *API) admitAgain(r *http.Request, presented access.Presented, scope access.Scope) {
	body, ok := r.Body.(*watchedBody)
	if !ok {
		return
	}
	begun := a.clock()
	body.atEnd = func() error {
		if a.clock().Sub(begun).Abs() < slowBody {
			return nil
		}
		_, err := a.access.AdmitAgain(r.Context(), presented, scope)
		return err
	}
}

// isUnknown reports whether somebody does not come in because nobody knows them, rather
// than for what they may do.
func isUnknown(err error) bool {
	var refused *access.Refusal
	if !errors.As(err, &refused) {
		return err != nil
	}
	switch refused.Reason {
	case access.InvalidKey, access.InvalidToken, access.TooManyGuesses:
		return true
	}
	return false
}

// enter makes room for the body of somebody whom nobody knows yet.
func (a *API) enter(r *http.Request) (leave func(), err error) {
	leave, ok := a.anonymous.Enter(r, a.address(r), maxAnonymous)
	if !ok {
		refused := &refusal{status: http.StatusServiceUnavailable, code: string(problem.Unavailable),
			message: "Há entradas demais ao mesmo tempo. Tente de novo em instantes."}
		return nil, refused.retryAfter(ingress.RefusedTime)
	}
	return leave, nil
}

// remoteHost is the address a request comes from where no proxy stands between.
func remoteHost(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// bearerTokens returns what the request carries as bearer tokens (RFC 6750, 2.1).
// Other schemes in the same header are left alone: a proxy may have its own.
func bearerTokens(h http.Header) (tokens []string) {
	for _, value := range h.Values(authorizationHeader) {
		scheme, token, _ := strings.Cut(value, " ")
		if strings.EqualFold(scheme, "Bearer") {
			tokens = append(tokens, strings.TrimSpace(token))
		}
	}
	return tokens
}
