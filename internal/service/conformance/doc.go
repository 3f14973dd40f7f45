// Package conformance judges an authorization service from outside, over HTTP and
// by literal JSON: one check for each sentence of the specification that a client
// can see kept, and a second layer for our decisions where it is silent. Both stand
// in interface.md of package authorization.
//
//	go test -count=1 -v ./internal/service/conformance -config "$PWD/service.json"
//
// judges any service; Config says what the file holds. Without -config the checks
// start the demo and judge the service inside it. A sentence is kept, broken, or
// open: what the specification does not show ("not shown") and what the service
// lacks the means for is reported, never failed. Our decisions bind only a
// service that says it is Guichê's.
//
// The checks ask a service for authorizations (about ten of them, "anexos" and newborn
// care included): point them at a test environment and a test card.
//
// Four sentences have no check, because no client can see them kept: that secrets
// are never exposed in public code, that the console revokes at once (5, rules 1
// and 2), that pacienteNoLocal orders a queue in the back office (2.3), and that
// the SDK reads and writes attachments (1.4).
package conformance
