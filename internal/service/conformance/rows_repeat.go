package conformance

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
)

const replayed = "Idempotency-Replayed"

// row11 checks that a repeated request is answered, never asked of the operator again.
func row11() []Check {
	return []Check{
		sentence("EqualKey", "Same fingerprint: the first answer again, byte for byte, with Idempotency-Replayed: true.", func(c *Case) {
			r, key := without(c.request(), "guiaPrestador"), "conformidade-"+c.guideNumber()
			first := c.accepted(c.authorize(r, "Idempotency-Key", key))
			if first.header.Get(replayed) != "" {
				c.errorf("the first answer is marked as a repetition")
			}
			c.same(first, c.authorize(r, "Idempotency-Key", key))
		}),
		sentence("OtherBodySameKey", "Another: 409 corpo_diferente.", func(c *Case) {
			key := "conformidade-" + c.guideNumber()
			c.accepted(c.authorize(c.request(), "Idempotency-Key", key))
			c.refused(c.authorize(c.request(), "Idempotency-Key", key), 409, "corpo_diferente")
		}),
		sentence("EqualGuide", "And the pair (partner profile, guiaPrestador).", func(c *Case) {
			c.same(c.full(), c.authorize(c.fullBody()))
		}),
		sentence("OtherBodySameGuide", "The same guiaPrestador with another request: 409 corpo_diferente.", func(c *Case) {
			c.refused(c.authorize(with(c.fullBody(), "observacoes", "outra")), 409, "corpo_diferente")
		}),
		sentence("SpaceAndOrder", "The fingerprint is over the decoded request (so white space and property order do not matter).",
			func(c *Case) {
				c.same(c.full(), c.authorize(reordered(c.fullBody())))
			}),
		sentence("DefaultsAreDecoded", "An omitted property equals its default, for the request is decoded (2.3).", func(c *Case) {
			c.same(c.full(), c.authorize(without(c.fullBody(), "atendimentoRN", "pacienteNoLocal", "tipoAcidente",
				"regimeAtendimento", "tipoAtendimento", "retorno")))
		}),
		sentence("KeyLength", "Header Idempotency-Key (≤ 255 characters).", func(c *Case) {
			c.refused(c.authorize(c.request(), "Idempotency-Key", strings.Repeat("k", 256)), 422, "Idempotency-Key limite")
			c.accepted(c.authorize(c.request(), "Idempotency-Key", (c.guideNumber() + strings.Repeat("k", 255))[:255]))
		}),
		sentence("EqualAtOnce", "Equal requests at once give one authorization.", equalAtOnce),
	}
}

// same fails unless an answer repeats the first one.
func (c *Case) same(first, again answer) {
	if !bytes.Equal(first.text, again.text) || again.status != first.status {
		c.errorf("the repetition is another answer: %s", again.told())
	}
	if again.header.Get(replayed) != "true" {
		c.errorf("%s is %q", replayed, again.header.Get(replayed))
	}
}

// reordered writes an object with its properties from z to a and much white space.
func reordered(o object) string {
	names := sortedNames(o)
	var b strings.Builder
	b.WriteString("\n{")
	for i := len(names) - 1; i >= 0; i-- {
		value, _ := json.MarshalIndent(o[names[i]], "  ", "\t")
		b.WriteString("\r\n\t " + quote(names[i]) + " : " + string(value))
		if i > 0 {
			b.WriteString(" ,")
		}
	}
	return b.String() + "\n}\n"
}

// equalAtOnce sends one request twenty times at the same moment, to a service that
// may authorize each of them only five times.
func equalAtOnce(c *Case) {
	body := c.encode(c.request())
	headers := c.authenticated([]string{"Content-Type", "application/json", "Idempotency-Key", "conformidade-" + c.guideNumber()})
	answers := make([]answer, 5)
	if c.config.Guiche {
		answers = make([]answer, 20)
	}
	var group sync.WaitGroup
	for i := range answers {
		group.Go(func() { answers[i], _ = c.exchange(c.ctx, "POST", authorizePath, body, headers) })
	}
	group.Wait()
	guides := map[string]bool{}
	for _, a := range answers {
		guides[a.string("data.autorizacoes.0.guiaId")] = true
	}
	if len(guides) != 1 || guides[""] {
		c.errorf("%d equal requests gave %d authorizations (\"\" counts what was not answered): %s", len(answers), len(guides), quote(guides))
	}
}
