package faultservice

import "net/http"

// Rule says when a fault strikes. The first rule, in the order of Add, that
// matches a request and is not used up decides it alone.
type Rule struct {
	Name   string // shown in the ledger
	Method string // "" matches any
	Path   string // exact; "" matches any
	Nth    int    // strikes at the n-th matching request alone, from 1; 0 at each
	Times  int    // strikes at most so often; 0 has no limit

	Unread bool            // strike without reading the request's body; nothing is acted on
	After  bool            // act first, then strike; else nothing is acted on
	Hold   <-chan struct{} // wait until it is closed, after acting if After
	Fault  Fault           // nil: after Hold, the ordinary work and answer
}

// activeRule is a rule with what it has seen.
type activeRule struct {
	Rule
	seen, struck int
}

// Add puts a rule in force, also while requests are under way, and returns what
// takes it back.
func (s *Service) Add(r Rule) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &activeRule{Rule: r}
	s.rules = append(s.rules, a)
	return func() { s.drop(a) }
}

func (s *Service) drop(a *activeRule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, rule := range s.rules {
		if rule == a {
			s.rules = append(s.rules[:i:i], s.rules[i+1:]...)
			return
		}
	}
}

// match returns the rule that strikes at a request, nil for none.
func (s *Service) match(r *http.Request) *Rule {
	if rule := s.added(r); rule != nil || s.cfg.Choose == nil {
		return rule
	}
	return s.cfg.Choose(r)
}

// added is match among the rules of Add.
func (s *Service) added(r *http.Request) *Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, rule := range s.rules {
		if rule.strikes(r) {
			return &rule.Rule
		}
	}
	return nil
}

func (a *activeRule) strikes(r *http.Request) bool {
	if (a.Method != "" && a.Method != r.Method) || (a.Path != "" && a.Path != r.URL.Path) {
		return false
	}
	a.seen++
	if (a.Nth != 0 && a.Nth != a.seen) || (a.Times != 0 && a.struck == a.Times) {
		return false
	}
	a.struck++
	return true
}
