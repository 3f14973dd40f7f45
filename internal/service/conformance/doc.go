// Package conformance judges an authorization service from outside, over HTTP and
// by literal JSON: the sentences of the specification that a client can see kept, and
// a second layer for our decisions where it is silent. Both stand in interface.md of
// package authorization.
//
//	go test -count=1 -v ./internal/service/conformance -config "$PWD/service.json"
//
// judges any service; Config says what the file holds, and a run without the card and
// the identifiers of a request fails and names them. Without -config the checks start
// the demo and judge the service inside it.
//
// A sentence of the specification is kept, broken, or open: what it does not show ("not
// shown") and what the configuration has no means for is reported, never failed. Where a
// service differs from a decision of ours, its row says so; only Guichê's own service
// fails by that.
//
// The checks ask a service for up to forty authorizations ("anexos" and newborn care
// included), without our decisions (-skip TestRow) for about ten: point them at a test
// environment and a test card. They present one wrong secret of each kind in a run, and
// the right one after it.
//
// Four sentences have no check, because no client can see them kept: that secrets
// are never exposed in public code, that the console revokes at once (5, rules 1
// and 2), that pacienteNoLocal orders a queue in the back office (2.3), and that
// the SDK reads and writes attachments (1.4).
package conformance
