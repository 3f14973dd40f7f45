package service

// Operation is a row of the route table.
type Operation struct {
	Method, Path string
	Scope        Scope
	Public       bool
}

// Operations lists the whole surface for tests that go over all of it.
func (s *Service) Operations() (all []Operation) {
	for _, r := range s.routes() {
		all = append(all, Operation{Method: r.method, Path: r.path, Scope: r.scope, Public: r.scope == public})
	}
	return all
}

// WithDefaults shows the defaults.
func (l Limits) WithDefaults() Limits { return l.withDefaults() }
