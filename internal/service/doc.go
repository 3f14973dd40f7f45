// Package service decides what becomes of what partners ask: requests for
// authorizations, what is done with authorizations afterwards, and questions about
// them. It keeps a ledger that is only added to and draws the guides as PDF; HTTP
// and who may come in are its subpackages api and access.
//
// What a plan decides comes from operators, which stand behind the Operator
// port; the service itself never invents an answer. A request is committed
// before its operator is asked, and the answer before its first byte is written,
// so an interruption at any moment loses nothing and asks nobody twice.
//
// Comments cite interface.md of package authorization: the specification ("2.3")
// and our decisions ("row 11").
package service
