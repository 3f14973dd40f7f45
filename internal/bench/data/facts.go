package data

import (
	"math/rand/v2"
	"strings"
)

// sampled is how many patients the facts name.
const sampled = 400

// facts are what somebody who measures has to know of the cases.
func (g *generator) facts() Facts {
	f := Facts{Cases: g.cases, Password: password, Supervisor: supervisor, Receptionist: receptionist(0), First: g.from, Last: g.until,
		Units: map[string]string{}, Operators: map[string]string{}, Senders: map[string]string{}}
	for _, u := range g.clinic.units.values {
		f.Units[u.Name] = u.UID.String()
		for _, s := range g.clinic.senders[u.UID] {
			f.Senders[s.Name] = s.User.String()
		}
	}
	for _, c := range g.clinic.credentials.values {
		f.Operators[c.Name] = c.UID.String()
	}
	r := rand.New(rand.NewPCG(g.seed, 2)) //nolint:gosec // no secret
	for range sampled {
		p := g.clinic.patient(g.seed, r.IntN(g.patients))
		words := strings.Fields(p.name)
		f.Words = append(f.Words, p.card, words[0]+" "+words[len(words)-1])
	}
	return f
}
