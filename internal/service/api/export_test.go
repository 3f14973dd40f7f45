package api

import "guiche/internal/service/access"

// Operation is a row of the route table.
type Operation struct {
	Method, Path string
	Scope        access.Scope
	Public       bool
}

// Operations lists the whole surface for tests that go over all of it.
func (a *API) Operations() (all []Operation) {
	for _, r := range a.routes() {
		all = append(all, Operation{Method: r.method, Path: r.path, Scope: r.scope, Public: r.scope == public})
	}
	return all
}
