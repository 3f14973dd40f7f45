// Package authorization is the vocabulary of the authorization service's
// specification: request, procedure, answer, authorization, the 18 status codes
// with their groups, dates without zone, field rules and the ANS domain tables.
//
// "Authorization" here is the health plan's prior authorization of an SP/SADT
// guide; who may do what is in package permission. The package is pure: no I/O, no wire
// format, no storage. Comments cite the section of the specification ("2.3") or the
// decision ("row 5") that they come from: both are in interface.md.
package authorization
