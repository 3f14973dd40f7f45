package conformance

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"time"
)

// required are the properties of row 1.
var required = []string{"credencialId", "numeroCarteira", "nomeBeneficiario", "nomeSolicitante", "siglaConselhoSolicitante",
	"crmSolicitante",
	"ufSolicitante", "unidadeId", "pontoAtendimentoId", "profissionalExecutanteId", "especialidadeExecutanteId", "procedimentos"}

// row01 checks the required and the optional fields of a request, and their limits.
func row01() []Check {
	return []Check{
		sentence("EachIsRequired", "Required: "+strings.Join(required, ", ")+".", func(c *Case) {
			r := c.request()
			for _, name := range required {
				c.refused(c.authorize(without(r, name)), 422, name)
			}
		}),
		sentence("AllAtOnce", "All problems come back at once, each with its field path.", func(c *Case) {
			c.refused(c.emptyRequest(), 422, required...)
		}),
		sentence("NoOtherIsRequired", "Nothing else is required.", func(c *Case) {
			least := object{}
			for _, name := range required {
				least[name] = c.request()[name]
			}
			c.accepted(c.authorize(least))
		}),
		sentence("Procedures", "At least one procedure, each with code, name and quantidade from 1 to 999.", proceduresAreChecked),
		sentence("ValidityOnlyWhereAsked", "validadeCarteira only for credentials whose settings say so.", func(c *Case) {
			c.accepted(c.authorize(without(c.request(), "validadeCarteira")))
			c.ours("it needs the credential that asks for validadeCarteira")
			strict := with(c.request(), "credencialId", c.credentialNamed("Boa Guarida"))
			c.refused(c.authorize(without(strict, "validadeCarteira")), 422, "validadeCarteira obrigatorio")
		}),
		sentence("AnyCard", "The length and digits of a card are never checked unless a credential's settings give a pattern.", func(c *Case) {
			for _, card := range []string{"7", "ABC.123-X/9", strings.Repeat("9", 60)} {
				c.accepted(c.cardOf(card))
			}
		}),
	}
}

// proceduresAreChecked tries each mistake in the second of two procedures: the error
// must name the place of that one.
func proceduresAreChecked(c *Case) {
	r := c.request()
	good := procedure("40316521", "TSH", 1)
	for _, q := range []any{0, 1000, -1} {
		c.refused(c.authorize(with(r, "procedimentos", []any{good, with(good, "quantidade", q)})), 422, "procedimentos[1].quantidade")
	}
	for _, name := range []string{"nomeProcedimento", "codigoProcedimento", "quantidade"} {
		c.refused(c.authorize(with(r, "procedimentos", []any{without(good, name)})), 422, "procedimentos[0]."+name)
	}
	c.refused(c.authorize(with(r, "procedimentos", []any{})), 422, "procedimentos obrigatorio")
	c.accepted(c.authorize(with(r, "procedimentos", []any{with(good, "quantidade", 999)})))
}

// credentialNamed finds a credential of the demo.
func (c *Case) credentialNamed(name string) string {
	id := c.ok(c.get(credentialsPath + "?Busca=" + url.QueryEscape(name))).string("data.items.0.id")
	if id == "" {
		c.fatalf("there is no credential %q", name)
	}
	return id
}

// attachmentItems are all shapes of an item that row 2 takes.
func attachmentItems() []any {
	content := []byte("%PDF-1.4\n\xfb\xff\xfe?~\xbe\n%%EOF\n") // has + and / in base64, and padding
	standard := base64.StdEncoding.EncodeToString(content)
	return []any{
		standard, base64.RawStdEncoding.EncodeToString(content),
		base64.URLEncoding.EncodeToString(content), base64.RawURLEncoding.EncodeToString(content),
		"data:application/pdf;base64," + standard,
		object{"base64": standard, "name": "a.pdf", "contentType": "application/pdf"},
		object{"conteudo": standard, "nome": "a.pdf", "tipo": "application/pdf"},
	}
}

// row02 checks every shape in which an attachment may come.
func row02() []Check {
	return []Check{
		sentence("EveryShape", "A base64 string (standard or URL alphabet, padded or not, a data: prefix tolerated) or an "+
			"object with base64/conteudo, name/nome, contentType/tipo.", func(c *Case) {
			for i, item := range attachmentItems() {
				if a := c.authorize(with(c.request(), "anexos", []any{item})); len(a.entries()) == 0 {
					c.errorf("shape %d: %s", i+1, a.told())
				}
			}
		}),
		sentence("NoBase64", "What is not base64 is refused with the path of the field.", func(c *Case) {
			c.refused(c.authorize(with(c.request(), "anexos", []any{sheet, "não é base64!"})), 422, "anexos[1] formato")
			c.refused(c.authorize(with(c.request(), "anexos", []any{sheet, object{"base64": "%%%"}})), 422, "anexos[1].base64 formato")
		}),
		sentence("Empty", "An attachment without content is refused.", func(c *Case) {
			c.refused(c.authorize(with(c.request(), "anexos", []any{""})), 422, "anexos[0] obrigatorio")
		}),
		sentence("KnownKinds", "A PDF, a JPEG or a PNG by its first bytes; anything else is refused.", func(c *Case) {
			page := base64.StdEncoding.EncodeToString([]byte("<!doctype html><script>1</script>"))
			c.refused(c.authorize(with(c.request(), "anexos", []any{page})), 422, "anexos[0] formato")
		}),
	}
}

// row03 checks the fields that take one of a list of values.
func row03() []Check {
	domain := func(name string, allowed string, others ...string) Check {
		return sentence(name, name+": "+allowed+".", func(c *Case) {
			unfinished := without(c.request(), "procedimentos") // nothing is authorized
			for value := range strings.FieldsSeq(allowed) {
				a := c.authorize(with(unfinished, name, value))
				if c.refused(a, 422, "procedimentos"); slices.Contains(shown(a.objects("errosDetalhados")), name+" dominio") {
					c.errorf("%s %q is refused", name, value)
				}
			}
			for _, value := range others {
				c.refused(c.authorize(with(unfinished, name, value)), 422, name+" dominio")
			}
		})
	}
	return []Check{
		domain("tipoAcidente", "0 1 2 9", "3", "09"),
		domain("regimeAtendimento", "E U 01 02 03 04 05", "06", "e"),
		domain("tipoAtendimento", "01 02 03 04 05 06 07 08 09 10 11 13 23", "12", "5"),
	}
}

// row04 checks the two lists of errors, which say the same in two forms.
func row04() []Check {
	shape := func(c *Case, where string, o object) {
		messages, _ := o["erros"].([]any)
		details := answer{doc: o}.objects("errosDetalhados")
		if len(messages) == 0 || len(messages) != len(details) {
			c.fatalf("%s has %d erros and %d errosDetalhados", where, len(messages), len(details))
		}
		for i, d := range details {
			if !text.fits(messages[i]) || messages[i] != d["mensagem"] || !text.fits(d["codigo"]) || !text.fits(d["campo"]) {
				c.errorf("%s: erro %s beside detail %s", where, quote(messages[i]), quote(d))
			}
		}
	}
	return []Check{
		sentence("AtTheTop", "Strings in Portuguese; beside them errosDetalhados[{codigo, campo, mensagem}].", func(c *Case) {
			shape(c, "the refusal", c.emptyRequest().doc)
		}),
		sentence("InsideAnAuthorization", "At both levels.", func(c *Case) {
			shape(c, "the entry", c.accepted(c.cardOf("99992000001")).entries()[0])
		}),
	}
}

// row05 checks that an answer has every property, whatever its status.
func row05() []Check {
	return []Check{
		sentence("EveryPropertyIsPresent", "Every property of 2.5 is always present.", everyPropertyIsPresent),
		sentence("NothingIsNull", "A text without value is \"\", a date without value is null, procedimentos and erros are [].", valuesWithout),
		sentence("AggregatedPDFAlone", "data.pdfGuia alone is present only with more than one guide.", func(c *Case) {
			if _, there := at(c.full().doc, "data.pdfGuia"); there {
				c.errorf("pdfGuia stands beside one guide")
			}
			if c.twoGuides().string("data.pdfGuia") == "" {
				c.errorf("pdfGuia is missing beside two guides")
			}
		}),
		sentence("ErrorData", "In an error answer data is null.", func(c *Case) { c.refused(c.emptyRequest(), 422) }),
		sentence("EmptyTakesNoDefault", "Absent takes the default, an explicit empty or null does not.", func(c *Case) {
			for _, name := range []string{"tipoAcidente", "regimeAtendimento", "tipoAtendimento"} {
				c.refused(c.authorize(with(c.request(), name, "")), 422, name)
				c.refused(c.authorize(with(c.request(), name, nil)), 422, name)
			}
		}),
		sentence("OmittedIndicationIsNotEmpty", "indicacaoClinica omitted takes the credential's settings, \"\" stays empty.", func(c *Case) {
			r := c.request()
			c.accepted(c.authorize(without(r, "indicacaoClinica")))
			c.refused(c.authorize(with(r, "indicacaoClinica", "")), 409, "corpo_diferente")
		}),
		sentence("IndicationMayBeEmpty", "An absent property takes its default and an explicit \"\" does not, so \"\" stays empty.",
			func(c *Case) { c.accepted(c.authorize(with(c.request(), "indicacaoClinica", ""))) }),
	}
}

// everyPropertyIsPresent compares answers of all kinds with the lists of section 2.5.
func everyPropertyIsPresent(c *Case) {
	for _, a := range c.authorizations() {
		for _, entry := range a.entries() {
			c.has(entry, entryFields)
			for _, result := range (answer{doc: entry}).objects("procedimentos") {
				c.has(result, resultFields)
			}
		}
	}
}

// has notes each property that an object lacks.
func (c *Case) has(o object, fields []field) {
	for _, f := range fields {
		if _, there := o[f.name]; !there {
			c.errorf("%s is absent", f.name)
		}
	}
}

// valuesWithout checks how a property without a value is written: of a denial, most of
// them are.
func valuesWithout(c *Case) {
	for _, a := range c.authorizations() {
		for _, entry := range a.entries() {
			c.notNull(entry, entryFields)
			for _, result := range (answer{doc: entry}).objects("procedimentos") {
				c.notNull(result, resultFields)
			}
		}
	}
	if value := c.denied().at("data.autorizacoes.0.validadeSenha"); value != nil {
		c.errorf("validadeSenha of a denied authorization is %s, want null", quote(value))
	}
}

// notNull notes each property that is null and whose form is neither a date nor "or
// null".
func (c *Case) notNull(o object, fields []field) {
	for _, f := range fields {
		mayBe := f.form.name == dateTime.name || f.form.fits(nil)
		if v, there := o[f.name]; there && v == nil && !mayBe {
			c.errorf("%s is null", f.name)
		}
	}
}

// row06 checks that the data of an answer is an object, not a list.
func row06() []Check {
	return []Check{sentence("IsAnObject", "Shape of data in the authorization answer: an object.", func(c *Case) {
		if data := c.full().at("data"); !aObject.fits(data) {
			c.errorf("data is %s", quote(data))
		}
	})}
}

// providerZone is the default of row 7.
var providerZone = time.FixedZone("America/Sao_Paulo", -3*60*60)

// row07 checks the numbers that the service gives to guides.
func row07() []Check {
	return []Check{
		sentence("InTheProvidersZone", "YYMMDDHHMMSS in the provider's time zone (America/Sao_Paulo by default).", func(c *Case) {
			a := c.sparse()
			number, _ := a.entries()[0]["guiaPrestador"].(string)
			at, err := time.ParseInLocation(guidePattern, number, providerZone)
			if err != nil || at.Sub(a.asked).Abs() > 5*time.Minute {
				c.errorf("the generated number is %q", number)
			}
		}),
		sentence("NextFreeSecond", "Taken already by the same provider in that second: the next free second.", nextFreeSecond),
		sentence("OneToTwentyCharacters", "A given one is any text of 1 to 20 characters.", func(c *Case) {
			r := c.request()
			for _, wrong := range []string{"", strings.Repeat("9", 21)} {
				c.refused(c.authorize(with(r, "guiaPrestador", wrong)), 422, "guiaPrestador limite")
			}
			number := "ç" + c.guideNumber()[:19]
			if got := c.accepted(c.authorize(with(r, "guiaPrestador", number))).entries()[0]["guiaPrestador"]; got != number {
				c.errorf("sent %q, came back %s", number, quote(got))
			}
		}),
	}
}

// nextFreeSecond checks that requests within one second get numbers of their own.
func nextFreeSecond(c *Case) {
	r := without(c.request(), "guiaPrestador")
	seen := map[any]bool{}
	for range 5 {
		seen[c.accepted(c.authorize(r)).entries()[0]["guiaPrestador"]] = true
	}
	if len(seen) != 5 {
		c.errorf("five requests in a row got %d numbers", len(seen))
	}
}

// lots returns n copies of a value.
func lots(n int, v any) []any { return slices.Repeat([]any{v}, n) }
