// Package access decides who may use the authorization service: partner profiles
// with their methods, scopes and rate, and the API keys, users, OAuth clients and
// tokens by which a partner comes in (specification 5). It knows nothing of HTTP;
// what it keeps stands behind Store.
//
// Every secret is shown once, kept as a hash, and ends at once when it is revoked.
//
// Comments cite interface.md of package authorization: the specification ("4.8")
// and our decisions ("row 23").
package access
