package conformance

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// narrow is a token that may only search (row 25).
func (c *Case) narrow() []string {
	token := c.grant("scope", "credenciais:ler").string("access_token")
	if token == "" {
		c.fatalf("no token with one scope was handed out")
	}
	return bearer(token)
}

// row08 checks which mistake is answered where a request has several.
func row08() []Check {
	plain := []string{"Content-Type", "text/plain"}
	tooLong := strings.Repeat("k", 256)
	order := func(name, text string, run func(c *Case)) Check { return sentence(name, text, run) }
	return []Check{
		order("PathFirst", "path (404) before authenticate (401).", func(c *Case) {
			c.refused(c.get("/api/v2/nada", "Authorization", ""), 404)
		}),
		order("MethodSecond", "HTTP method (405) before authenticate (401).", func(c *Case) {
			c.refused(c.get(authorizePath, "Authorization", ""), 405)
		}),
		order("AuthenticateThird", "authenticate (401) before content type (415).", func(c *Case) {
			c.refused(c.post(authorizePath, "{", append(plain, "Authorization", "")...), 401)
		}),
		order("ScopeFourth", "method and scope (403) before content type (415).", func(c *Case) {
			c.refused(c.post(authorizePath, "{", append(plain, c.narrow()...)...), 403)
		}),
		order("ContentTypeFifth", "content type (415) before size (413) and parse (400).", func(c *Case) {
			c.refused(c.post(authorizePath, "{", plain...), 415)
		}),
		order("ParseBeforeKey", "parse (400) before the idempotency key.", func(c *Case) {
			c.refused(c.post(authorizePath, "{", "Idempotency-Key", tooLong), 400)
		}),
		order("KeyBeforeValidate", "idempotency key before validate.", func(c *Case) {
			c.refused(c.post(authorizePath, object{}, "Idempotency-Key", tooLong), 422, "Idempotency-Key")
		}),
		order("GuideBeforeValidate", "guiaPrestador before validate.", func(c *Case) {
			c.refused(c.authorize(object{"guiaPrestador": c.fullBody()["guiaPrestador"]}), 409, "corpo_diferente")
		}),
		order("RefusedFreesTheKey", "What fails before \"ask the operator\" is never stored under a key, so a corrected "+
			"request may use the same key.", func(c *Case) {
			key := "conformidade-" + c.guideNumber()
			r := c.request()
			c.refused(c.authorize(without(r, "numeroCarteira"), "Idempotency-Key", key), 422, "numeroCarteira")
			c.accepted(c.authorize(r, "Idempotency-Key", key))
		}),
	}
}

// row09 checks what each HTTP status stands for.
func row09() []Check {
	status := func(name, text string, run func(c *Case)) Check { return sentence(name, text, run) }
	return []Check{
		status("OK200", "200 the operator was asked (a denial too).", func(c *Case) {
			if a := c.denied(); a.status != 200 {
				c.errorf("%s", a.told())
			}
		}),
		status("RefusedByOperator200", "200, too, for a request that the operator refused as a whole.", func(c *Case) {
			if a := c.cardOf("99992100001"); a.status != 200 || a.success() || len(a.entries()) > 0 || a.at("erros.0") == nil {
				c.errorf("want 200, sucesso false, no entry and erros: %s", a.told())
			}
		}),
		status("Unreadable400", "400 cannot be read at all (syntax, empty body, invalid UTF-8, depth over 64, duplicate "+
			"property name).", unreadable400),
		status("Unauthorized401", "401 missing or unknown credential, with WWW-Authenticate.", func(c *Case) {
			for _, a := range []answer{c.noCredential(), c.wrongKey(), c.wrongToken()} {
				if c.refused(a, 401); a.header.Get("WWW-Authenticate") == "" {
					c.errorf("%s without WWW-Authenticate", a.told())
				}
			}
		}),
		status("Forbidden403", "403 method or scope not allowed.", func(c *Case) { c.refused(c.get(unitsPath, c.narrow()...), 403) }),
		status("NotFound404", "404.", func(c *Case) {
			c.refused(c.get("/api/v2"), 404)
			c.refused(c.get("/api/v3/credenciais"), 404)
			c.refused(c.get(lookupPath+"/00000000-0000-4000-8000-000000000000"), 404)
		}),
		status("ExactPaths", "Paths are exact: one with other capitals, a doubled or a last slash is unknown (404) and never redirected.",
			func(c *Case) {
				for _, path := range []string{"/API/v2/credenciais", "/api/v2/Credenciais", "/api/v2//credenciais", "/api/v2/credenciais/"} {
					c.refused(c.get(path), 404)
				}
			}),
		status("Method405", "405 with Allow.", func(c *Case) {
			a := c.post(credentialsPath, object{})
			if c.refused(a, 405); !strings.Contains(a.header.Get("Allow"), "GET") {
				c.errorf("Allow is %q", a.header.Get("Allow"))
			}
		}),
		status("MediaType415", "415.", func(c *Case) {
			for _, kind := range []string{"text/json", "application/x-www-form-urlencoded", "application/json; charset=latin1"} {
				c.refused(c.ask("POST", authorizePath, []byte("{}"), "Content-Type", kind), 415)
			}
		}),
		status("Invalid422", "422 readable but wrong: a type, a missing field, a value.", func(c *Case) {
			c.refused(c.authorize(with(c.request(), "numeroCarteira", 7)), 422, "numeroCarteira tipo")
			c.refused(c.authorize(without(c.request(), "numeroCarteira")), 422, "numeroCarteira obrigatorio")
			c.refused(c.authorize(with(c.request(), "ufSolicitante", "XX")), 422, "ufSolicitante dominio")
			c.refused(c.authorize(with(c.request(), "atendimentoRN", "X")), 422, "atendimentoRN dominio")
		}),
		status("OperatorFailure502", "502 operator failure.", func(c *Case) { c.refused(c.cardOf("99992200001"), 502) }),
	}
}

// unreadable400 sends bodies that are no JSON document, or one that hides a second
// meaning.
func unreadable400(c *Case) {
	for _, body := range []string{"{", "", "nada", "{} {}", "{\"a\":1,\"a\":2}", "{\"observacoes\":\"\xff\"}",
		strings.Repeat("[", 65) + strings.Repeat("]", 65)} {
		if a := c.authorize(body); a.status != 400 {
			c.errorf("%.20q: want 400: %s", body, a.told())
		} else {
			c.refused(a, 400)
		}
	}
}

// row10 checks the limits of a request, on both sides of each.
func row10() []Check {
	return []Check{
		sentence("Attachments", "At most 20 attachments.", func(c *Case) {
			c.refused(c.authorize(with(c.request(), "anexos", lots(21, sheet))), 422, "anexos limite")
			c.accepted(c.authorize(with(c.request(), "anexos", lots(20, sheet))))
		}),
		sentence("AttachmentSize", "Of 20 MiB.", func(c *Case) {
			c.ours("it sends 27 MB")
			large := base64.StdEncoding.EncodeToString(make([]byte, 20<<20+1))
			c.refused(c.authorize(with(c.request(), "anexos", []any{object{"base64": large}})), 413, "anexos[0].base64")
		}),
		sentence("Procedures", "100 procedures.", func(c *Case) {
			c.refused(c.authorize(with(c.request(), "procedimentos", lots(101, procedure("40316521", "TSH", 1)))), 422, "procedimentos limite")
			c.accepted(c.authorize(with(c.request(), "procedimentos", lots(100, procedure("40316521", "TSH", 1)))))
		}),
		sentence("Rest", "What is left beside the attachments may be 1 MiB (row 12).", func(c *Case) {
			c.refused(c.authorize(with(c.request(), "observacoes", fmt.Sprintf("%01048577d", 0))), 413)
		}),
	}
}

// row12 checks how tolerant the reading of a request is.
func row12() []Check {
	return []Check{
		sentence("UnknownIsIgnored", "Unknown properties are ignored.", func(c *Case) {
			c.accepted(c.authorize(with(c.request(), "campoDesconhecido", object{"a": []any{1, nil}})))
		}),
		sentence("TypesAllAtOnce", "All wrong types and missing fields come back at once.", func(c *Case) {
			wrong := object{"numeroCarteira": 7, "especialidadeExecutanteId": "1", "anexos": object{}, "validadeCarteira": "amanhã",
				"procedimentos": []any{object{"quantidade": 1.5}, "texto"}, "retorno": true}
			c.refused(c.authorize(wrong), 422, "numeroCarteira tipo", "especialidadeExecutanteId tipo", "anexos tipo", "validadeCarteira formato",
				"procedimentos[0].quantidade tipo", "procedimentos[1] tipo", "retorno tipo", "nomeBeneficiario obrigatorio")
		}),
		sentence("DuplicateNames", "Duplicate names are refused with the path of the field.", func(c *Case) {
			c.refused(c.authorize(`{"procedimentos":[{"quantidade":1,"quantidade":2}]}`), 400, "procedimentos[0].quantidade")
		}),
		sentence("AfterTheValue", "Anything after the value is refused.", func(c *Case) { c.refused(c.authorize("{} x"), 400) }),
		sentence("NotAnObject", "A body that is no object is a wrong type.", func(c *Case) { c.refused(c.authorize("[]"), 422) }),
		sentence("ByteOrderMark", "A byte-order mark before the value is skipped.", func(c *Case) {
			c.refused(c.authorize("\ufeff{}"), 422, "numeroCarteira obrigatorio")
		}),
		sentence("IntegersByValue", "An integer is known by its value, however it is written; nothing is rounded.", integersByValue),
		sentence("NoU0000", "A text with U+0000 is refused.", func(c *Case) {
			c.refused(c.authorize(with(c.request(), "observacoes", "a\x00b")), 422, "observacoes")
		}),
	}
}

// integersByValue sends one property alone: nothing is authorized.
func integersByValue(c *Case) {
	const name = "especialidadeExecutanteId"
	for _, written := range []string{"1.0", "1e0", "10e-1"} {
		a := c.authorize(`{"` + name + `":` + written + `}`)
		if c.refused(a, 422, "numeroCarteira obrigatorio"); slices.Contains(shown(a.objects("errosDetalhados")), name+" tipo") {
			c.errorf("%s is no integer", written)
		}
	}
	for _, written := range []string{"1.5", `"1"`} {
		c.refused(c.authorize(`{"`+name+`":`+written+`}`), 422, name+" tipo")
	}
}
