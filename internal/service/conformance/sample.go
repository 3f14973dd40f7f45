package conformance

import (
	"crypto/rand"
	"maps"
	"slices"
	"strings"
)

// cache holds answers that several checks use, so that a service is asked once.
type cache struct {
	ids     *ids
	answers map[string]answer // by what was asked
	bodies  map[string]object // the requests that were sent for them
	bearer  string
}

// once asks a question that the suite has not asked yet, and remembers the answer.
func (c *Case) once(what string, ask func() answer) answer {
	a, known := c.cache.answers[what]
	if !known {
		a = ask()
		c.cache.answers[what] = a
	}
	return a
}

// authorizedOnce sends a request that the suite has not sent yet, and fails unless
// an authorization came back.
func (c *Case) authorizedOnce(what string, body func() object) answer {
	return c.accepted(c.once(what, func() answer {
		c.cache.bodies[what] = body()
		return c.authorize(c.cache.bodies[what])
	}))
}

// request is a body with every property of 2.3 and 2.4.
func (c *Case) request() object {
	if keys := c.lacking(); len(keys) > 0 {
		c.untried("no %s", strings.Join(keys, ", "))
	}
	known := c.ids()
	r := object{
		"credencialId": known.credential, "numeroCarteira": c.config.Card, "validadeCarteira": c.inDays(365),
		"nomeBeneficiario":  "HELENA DUARTE CANARIO",
		"planoBeneficiario": "", "atendimentoRN": "N", "nomeRecemNascido": "", "dataNascimentoRecemNascido": nil, "pacienteNoLocal": "N",
		"unidadeId": known.unit, "pontoAtendimentoId": known.point,
		"nomeSolicitante": "Caio Leme", "ufSolicitante": "SP", "crmSolicitante": "104552", "siglaConselhoSolicitante": "CRM",
		"profissionalExecutanteId": known.professional, "especialidadeExecutanteId": known.specialty,
		"tipoAcidente": "9", "guiaPrestador": c.guideNumber(), "regimeAtendimento": "E", "tipoAtendimento": "05", "observacoes": nil,
		"indicacaoClinica": "Investigação diagnóstica", "retorno": "N", "anexos": []any{},
		"procedimentos": []any{procedure("40316521", "TSH", 1)},
		"nomeContato":   "Helena Duarte", "dddContato": "11", "telefoneContato": "987650000", "emailContato": "helena@example.com",
	}
	maps.Copy(r, c.config.Request)
	return r
}

// procedure is one requested procedure, with its names as on the wire.
func procedure(code, name string, quantity int) object {
	return object{"nomeProcedimento": name, "codigoProcedimento": code, "quantidade": quantity}
}

// without returns a copy of a body that lacks properties.
func without(r object, names ...string) object {
	r = maps.Clone(r)
	for _, name := range names {
		delete(r, name)
	}
	return r
}

// with returns a copy of a body with a property.
func with(r object, name string, value any) object {
	r = maps.Clone(r)
	r[name] = value
	return r
}

// guideNumber is a guiaPrestador that nobody else has: 20 digits, the time first.
func (c *Case) guideNumber() string {
	digits := make([]byte, 8)
	_, _ = rand.Read(digits) // never fails
	for i := range digits {
		digits[i] = '0' + digits[i]%10
	}
	return c.clock().Format("060102150405") + string(digits)
}

// inDays is a date-time without zone (2.3), so many days from now.
func (c *Case) inDays(n int) string {
	return c.clock().AddDate(0, 0, n).Format("2006-01-02") + "T00:00:00"
}

// authorize sends a request to 4.2.
func (c *Case) authorize(body any, headers ...string) answer {
	return c.post(authorizePath, body, headers...)
}

// accepted fails unless the operator was asked: an authorization came back.
func (c *Case) accepted(a answer) answer {
	if len(a.entries()) == 0 {
		c.fatalf("no authorization came back: %s", a.told())
	}
	return a
}

// full is the answer to a request with every property.
func (c *Case) full() answer { return c.authorizedOnce("full", c.request) }

// fullBody is the request that full answers.
func (c *Case) fullBody() object {
	c.full()
	return c.cache.bodies["full"]
}

// filled is the answer to a request whose texts have accents and whose optional
// properties have values.
func (c *Case) filled() answer {
	return c.authorizedOnce("filled", func() object {
		return c.amended(object{
			"nomeBeneficiario": "JOÃO D'ÁVILA CONCEIÇÃO", "planoBeneficiario": "Padrão Único", "nomeSolicitante": "Lúcia Antônia Araújo",
			"pacienteNoLocal": "S", "observacoes": "Observação: já em jejum.", "indicacaoClinica": "Dor abdominal há três dias",
			"nomeContato": "José Conceição", "procedimentos": []any{procedure("40304361", "Hemograma (série vermelha, plaquetas) à mão", 1)},
		})
	})
}

// amended is a request with other values, but for those that the configuration sets.
func (c *Case) amended(values object) object {
	r := c.request()
	maps.Copy(r, values)
	maps.Copy(r, c.config.Request)
	return r
}

// defaulted are the properties that have a default or are made up when they are
// omitted (2.3).
var defaulted = []string{"atendimentoRN", "nomeRecemNascido", "dataNascimentoRecemNascido", "pacienteNoLocal",
	"tipoAcidente", "guiaPrestador",
	"regimeAtendimento", "tipoAtendimento", "indicacaoClinica", "retorno"}

// sparse is the answer to a request without them.
func (c *Case) sparse() answer {
	return c.authorizedOnce("sparse", func() object { return without(c.request(), defaulted...) })
}

// several is the answer to a request for two procedures.
func (c *Case) several() answer { return c.authorizedOnce("several", c.twoProcedures) }

// twoProcedures is a request for two procedures of different quantities.
func (c *Case) twoProcedures() object {
	r := c.request()
	asked, _ := r["procedimentos"].([]any)
	if len(asked) < 2 {
		r["procedimentos"] = append(slices.Clone(asked), procedure("40304361", "Hemograma com contagem de plaquetas", 2))
	}
	return r
}

// twoGuides is an answer with two guides.
func (c *Case) twoGuides() answer {
	if c.config.CardTwoGuides == "" {
		c.untried("no card_two_guides")
	}
	return c.authorizedOnce("two guides", func() object {
		return with(c.twoProcedures(), "numeroCarteira", c.config.CardTwoGuides)
	})
}

// denied is a denial.
func (c *Case) denied() answer {
	if c.config.CardDenied == "" {
		c.untried("no card_denied")
	}
	return c.authorizedOnce("denied", func() object { return with(c.request(), "numeroCarteira", c.config.CardDenied) })
}

// authorizations are answers of all kinds for which the configuration has cards.
func (c *Case) authorizations() []answer {
	all := []answer{c.full(), c.several()}
	if c.config.CardTwoGuides != "" {
		all = append(all, c.twoGuides())
	}
	if c.config.CardDenied != "" {
		all = append(all, c.denied())
	}
	return all
}

// members names the properties of an object, for reports.
func members(v any) string {
	o, ok := v.(object)
	if !ok {
		return quote(v)
	}
	return strings.Join(sortedNames(o), ", ")
}

func sortedNames(o object) []string { return slices.Sorted(maps.Keys(o)) }
