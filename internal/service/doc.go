// Package service is the embedded authorization service: the specification's
// HTTP interface over net/http's ServeMux, with partner profiles, keys and
// scopes, a ledger that is only added to, and guides as PDF.
//
// What a plan decides comes from operators, which stand behind the Operator
// port; the service itself never invents an answer. A request is committed
// before its operator is asked, and the answer before its first byte is written,
// so an interruption at any moment loses nothing and asks nobody twice.
//
// Comments cite interface.md of package authorization: the specification ("2.3")
// and our decisions ("row 11").
package service
