package conformance

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// shape fails unless each object has the fields.
func (c *Case) shape(objects []object, fields ...field) {
	if len(objects) == 0 {
		c.fatalf("the list is empty")
	}
	for i, o := range objects {
		for _, f := range fields {
			f.needed = true
			c.field(f, i, o)
		}
	}
}

// named are the fields of whatever has a name.
var named = []field{{name: "id", form: uuidText}, {name: "nome", form: text}}

// row13 checks the lists of units and professionals.
func row13() []Check {
	return []Check{
		sentence("Units", "GET /api/v2/unidades → data.items[{id, nome, pontosAtendimento[{id, nome}]}].", func(c *Case) {
			a := c.ok(c.get(unitsPath))
			c.shape(a.objects("data.items"), append(named, field{name: "pontosAtendimento", form: list})...)
			c.shape(a.objects("data.items.0.pontosAtendimento"), named...)
		}),
		sentence("Professionals", "GET /api/v2/profissionais-executantes → data.items[{id, nome, siglaConselho, "+
			"numeroConselho, uf, especialidades[{id, nome, cbo}]}].", func(c *Case) {
			a := c.ok(c.get(professionalsPath))
			c.shape(a.objects("data.items"), append(named, field{name: "siglaConselho", form: text}, field{name: "numeroConselho", form: text},
				field{name: "uf", form: text}, field{name: "especialidades", form: list})...)
			c.shape(a.objects("data.items.0.especialidades"), field{name: "id", form: integer}, field{name: "nome", form: text},
				field{name: "cbo", form: text})
		}),
		sentence("References", "A request names them by identifier (1.6): one that is not listed is refused.", func(c *Case) {
			r := without(c.request(), "procedimentos") // nothing is authorized
			for _, name := range []string{"unidadeId", "pontoAtendimentoId", "profissionalExecutanteId"} {
				c.refused(c.authorize(with(r, name, unknownID)), 422, name)
			}
			c.refused(c.authorize(with(r, "especialidadeExecutanteId", 999999999)), 422, "especialidadeExecutanteId")
		}),
	}
}

// row14 checks the search for credentials: its pages, and which texts find which.
func row14() []Check {
	return []Check{
		sentence("Paging", "Pagina (from 1), TamanhoPagina (default 50, at most 200); data {items, total, pagina, tamanhoPagina}.", paging),
		sentence("PagingLimits", "Pagina from 1, TamanhoPagina at most 200.", func(c *Case) {
			c.refused(c.get(credentialsPath+"?Pagina=0"), 422, "Pagina")
			c.refused(c.get(credentialsPath+"?TamanhoPagina=201"), 422, "TamanhoPagina")
			c.refused(c.get(credentialsPath+"?TamanhoPagina=x"), 422, "TamanhoPagina")
		}),
		sentence("CaseAndAccents", "Folds case and accents over name and provider code.", func(c *Case) {
			wanted := c.accented()
			name, _ := wanted["nome"].(string)
			providerCode, _ := wanted["codigoPrestador"].(string)
			for _, said := range []string{strings.ToLower(name), strings.ToUpper(name), unaccented(name), providerCode} {
				if !finds(c.ok(c.searchFor(said)), wanted) {
					c.errorf("%q does not find %q", said, name)
				}
			}
		}),
		sentence("EmptyListsAllByName", "An empty Busca lists all, by name.", func(c *Case) {
			var names []string
			for _, o := range c.credentials() {
				name, _ := o["nome"].(string)
				names = append(names, name)
			}
			if len(names) < 2 || !slices.IsSorted(names) {
				c.errorf("the names are %q", names)
			}
		}),
		sentence("JSONWhateverAccept", "The answer is JSON whatever accept says.", func(c *Case) {
			for _, accept := range []string{"text/plain", "text/html", "image/png"} {
				if a := c.get(credentialsPath, "accept", accept); a.status != 200 ||
					!strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
					c.errorf("accept %s: %s as %q", accept, a.told(), a.header.Get("Content-Type"))
				}
			}
		}),
	}
}

// paging checks the pages of a list against the list read whole.
func paging(c *Case) {
	all := c.ok(c.get(credentialsPath))
	if quote(all.at("data.pagina")) != "1" || quote(all.at("data.tamanhoPagina")) != "50" ||
		quote(all.at("data.total")) != quote(len(all.objects("data.items"))) {
		c.errorf("without parameters: pagina %s, tamanhoPagina %s, total %s", quote(all.at("data.pagina")),
			quote(all.at("data.tamanhoPagina")), quote(all.at("data.total")))
	}
	second := c.ok(c.get(credentialsPath + "?Pagina=2&TamanhoPagina=1"))
	if items := second.objects("data.items"); len(items) != 1 || items[0]["id"] != all.string("data.items.1.id") ||
		quote(second.at("data.total")) != quote(all.at("data.total")) {
		c.errorf("the second page of one holds %d items", len(items))
	}
}

// accented is a credential whose name has accents, or any.
func (c *Case) accented() object {
	all := c.credentials()
	for _, o := range all {
		if name, _ := o["nome"].(string); unaccented(name) != name {
			return o
		}
	}
	return all[0]
}

// unaccented is a text without its accents.
func unaccented(text string) string {
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn))), text)
	if err != nil {
		return text
	}
	return plain
}

// row15 checks eligibility: what identifies a beneficiary and what is answered about
// one.
func row15() []Check {
	ask := func(c *Case, pairs ...string) answer {
		credential, _ := c.credentials()[0]["credencialElegibilityId"].(string)
		return c.get(eligibilityPath + query(append([]string{"credencialId", credential}, pairs...)...))
	}
	return []Check{
		sentence("Eligible", "data {elegivel, situacao, nomeBeneficiario, planoBeneficiario, validadeCarteira, mensagens[]}.", func(c *Case) {
			data, _ := c.ok(ask(c, "numeroCarteira", c.config.Card, "validadeCarteira", c.inDays(300))).at("data").(object)
			c.shape([]object{data}, field{name: "elegivel", form: flag}, field{name: "situacao", form: text},
				field{name: "nomeBeneficiario", form: text},
				field{name: "planoBeneficiario", form: text}, field{name: "validadeCarteira", form: dateTime.orNull()},
				field{name: "mensagens", form: list})
			if data["elegivel"] != true {
				c.errorf("elegivel is %s", quote(data["elegivel"]))
			}
		}),
		sentence("NotEligible", "A card that the operator does not know is not eligible.", func(c *Case) {
			c.ours("it needs a card of the simulated operators")
			if a := c.ok(ask(c, "numeroCarteira", "99991600001")); a.at("data.elegivel") != false {
				c.errorf("elegivel is %s", quote(a.at("data.elegivel")))
			}
		}),
		sentence("CredentialOfItsOwn", "credencialId=<credencialElegibilityId>: a credential has one, and it is not its id.", func(c *Case) {
			for i, o := range c.credentials() {
				if id := o["credencialElegibilityId"]; !uuidText.fits(id) || id == o["id"] {
					c.errorf("credencialElegibilityId of credential %d is %s", i+1, quote(id))
				}
			}
		}),
		sentence("Refused", "credencialId and numeroCarteira are required, and the identifier is credencialElegibilityId.", func(c *Case) {
			c.refused(c.get(eligibilityPath), 422, "credencialId", "numeroCarteira")
			id, _ := c.credentials()[0]["id"].(string)
			c.refused(c.get(eligibilityPath+query("credencialId", id, "numeroCarteira", "1")), 422, "credencialId dominio")
			c.refused(ask(c, "numeroCarteira", "1", "validadeCarteira", "31/12/2027"), 422, "validadeCarteira formato")
		}),
	}
}

// row16 checks the request that is accepted now and answered later.
func row16() []Check {
	return []Check{
		sentence("Accepted202", "{\"solicitacao\": {the fields of 2.3}}; answers 202 data {protocolo, guiaPrestador, guiaId, "+
			"situacao: \"R\"}.", func(c *Case) {
			r := c.request()
			a := c.post(submissionPath, object{"solicitacao": r})
			data, _ := a.at("data").(object)
			c.shape([]object{data}, field{name: "protocolo", form: text}, field{name: "guiaPrestador", form: text},
				field{name: "guiaId", form: uuidText}, field{name: "situacao", form: code})
			if a.status != http.StatusAccepted || data["situacao"] != "R" || data["guiaPrestador"] != r["guiaPrestador"] {
				c.errorf("%s, data %s", a.told(), quote(data))
			}
		}),
		sentence("DecidedAfterwards", "And decides afterwards.", func(c *Case) {
			c.ours("real operators take their time")
			c.becomes(c.post(submissionPath, object{"solicitacao": c.request()}).string("data.guiaId"), "A")
		}),
		sentence("SameRules", "The fields of 2.3, with their paths inside solicitacao.", func(c *Case) {
			c.refused(c.post(submissionPath, object{}), 422, "solicitacao obrigatorio")
			c.refused(c.post(submissionPath, object{"solicitacao": "texto"}), 422, "solicitacao tipo")
			c.refused(c.post(submissionPath, object{"solicitacao": without(c.request(), "numeroCarteira")}), 422,
				"solicitacao.numeroCarteira obrigatorio")
		}),
	}
}

// features are the words of row 17.
const features = "idempotencia situacao consulta-por-guia anexos biometria cancelamento elegibilidade cadastros"

// row17 checks that a service says which optional endpoints it has, in known words.
func row17() []Check {
	return []Check{
		sentence("Words", "GET /api/v2/recursos: data {recursos: [...]} out of "+features+".", func(c *Case) {
			words, _ := c.ok(c.get(featuresPath)).at("data.recursos").([]any)
			for _, word := range words {
				if s, ok := word.(string); !ok || !slices.Contains(strings.Fields(features), s) {
					c.errorf("%s is none of the words", quote(word))
				}
			}
			if len(words) != len(strings.Fields(features)) {
				c.errorf("the simulated operators can do all, the answer is %s", quote(words))
			}
		}),
		sentence("AnyValidCredential", "For any valid credential.", func(c *Case) {
			c.ok(c.get(featuresPath, c.narrow()...))
			c.refused(c.get(featuresPath, "Authorization", ""), 401)
		}),
	}
}

// row22 checks that the description of the interface can be read by anybody.
func row22() []Check {
	return []Check{sentence("WithoutAuthentication", "GET /api/openapi.yaml, without authentication.", func(c *Case) {
		if a := c.get(descriptionPath, "Authorization", ""); a.status != 200 ||
			!strings.Contains(string(a.text), "openapi: 3.1") || !strings.Contains(string(a.text), authorizePath) {
			c.errorf("%s with %d bytes", a.told(), len(a.text))
		}
	})}
}
