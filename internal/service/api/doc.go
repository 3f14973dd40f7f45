// Package api is the HTTP interface of the authorization service, as the
// specification has it: routes, reading of bodies and parameters, who calls,
// envelopes, refusals with their statuses, and the token endpoints.
//
// What is decided is decided elsewhere: who may come in by package access, what
// becomes of a request by package service. This package is the only one of the
// service that knows net/http.
//
// Comments cite interface.md of package authorization: the specification ("2.3")
// and our decisions ("row 11").
package api
