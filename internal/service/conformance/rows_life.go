package conformance

import (
	"net/url"
	"strings"
	"time"
)

// row18 checks what can be done with an authorization after it was given.
func row18() []Check {
	return []Check{
		sentence("ByIdentifier", "GET /api/v2/autorizacoes/{guiaId}; the answers name the status statusAutorizacao.", func(c *Case) {
			asked := c.full().entries()[0]
			data, _ := c.ok(c.get(lookupPath + "/" + c.guideOf(c.full()))).at("data").(object)
			if data["guiaId"] != asked["guiaId"] || data["statusAutorizacao"] != asked["situacaoAutorizacao"] || data["senha"] != asked["senha"] {
				c.errorf("guiaId %s and statusAutorizacao %s", quote(data["guiaId"]), quote(data["statusAutorizacao"]))
			}
		}),
		sentence("ByGuide", "GET /api/v2/autorizacoes?guiaPrestador= → data.items.", func(c *Case) {
			id := c.guideOf(c.full())
			number, _ := c.fullBody()["guiaPrestador"].(string)
			if items := c.ok(c.get(lookupPath + "?guiaPrestador=" +
				url.QueryEscape(number))).objects("data.items"); len(items) != 1 || items[0]["guiaId"] != id {
				c.errorf("found %d authorizations", len(items))
			}
		}),
		sentence("NeverArrived", "Empty: it never arrived.", func(c *Case) {
			if items, ok := c.ok(c.get(lookupPath + "?guiaPrestador=" + c.guideNumber())).at("data.items").([]any); !ok || len(items) != 0 {
				c.errorf("a number that nobody sent finds %d", len(items))
			}
			c.refused(c.get(lookupPath), 422, "guiaPrestador obrigatorio")
		}),
		sentence("Attachments", "POST …/{guiaId}/anexos.", func(c *Case) {
			id := c.guideOf(c.cardOf("99990900001"))
			c.refused(c.act(id, "anexos", object{"anexos": []any{}}), 422, "anexos obrigatorio")
			c.answersWith(c.act(id, "anexos", object{"anexos": []any{sheet}}), id, "R")
		}),
		sentence("Biometrics", "POST …/{guiaId}/biometria.", func(c *Case) {
			id := c.guideOf(c.cardOf("99991300001"))
			c.refused(c.act(id, "biometria", object{"biometrias": []any{object{"tipo": "pé", "conteudo": sheet}}}), 422,
				"biometrias[0].tipo dominio")
			c.answersWith(c.act(id, "biometria", capture()), id, "A")
		}),
		sentence("Cancelling", "POST …/{guiaId}/cancelamento.", func(c *Case) {
			id := c.guideOf(c.cardOf("99990100002"))
			c.answersWith(c.act(id, "cancelamento", object{"motivo": "Pedido repetido"}), id, "X C")
		}),
	}
}

// capture is a fingerprint as a reader would send it.
func capture() object {
	return object{"biometrias": []any{object{"tipo": "digital", "conteudo": sheet, "dispositivo": "leitor"}}}
}

// guideOf is guiaId of an answer's first authorization.
func (c *Case) guideOf(a answer) string { return c.accepted(a).string("data.autorizacoes.0.guiaId") }

// act sends one of the operations of row 18.
func (c *Case) act(id, what string, body object) answer {
	return c.post(lookupPath+"/"+id+"/"+what, body)
}

// answersWith fails unless an answer is about a guide in one of some statuses.
func (c *Case) answersWith(a answer, id, statuses string) {
	got := a.string("data.statusAutorizacao")
	if c.ok(a); got == "" || !strings.Contains(" "+statuses+" ", " "+got+" ") || a.string("data.guiaId") != id {
		c.errorf("%s: statusAutorizacao is %q, want one of %q", a.what, got, statuses)
	}
}

// Patience with what is decided afterwards.
const (
	patience = 5 * time.Second
	pause    = 20 * time.Millisecond
)

// becomes waits while an authorization is under analysis.
func (c *Case) becomes(id, status string) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for end := c.clock().Add(patience); ; {
		a := c.get(lookupPath + "/" + id)
		got := a.string("data.statusAutorizacao")
		if got == status {
			return
		}
		if got != "R" || c.clock().After(end) {
			c.fatalf("the status did not become %s but %q: %s", status, got, a.told())
		}
		select {
		case <-tick.C:
		case <-c.ctx.Done():
			c.fatalf("the test ended while waiting for %s", status)
		}
	}
}

// row19 checks that each of the operators' codes can be had from the simulated ones; a
// service with real operators is not asked.
func row19() []Check {
	return []Check{
		sentence("EveryCode", "The simulated operators answer each of the 18 codes (3).", func(c *Case) {
			for i, want := range strings.Fields("A Z R N K C P E S M I Ç H T X V W -") {
				card := "9999" + string(rune('0'+(i+1)/10)) + string(rune('0'+(i+1)%10)) + "00077"
				if got := c.accepted(c.cardOf(card)).entries()[0]["situacaoAutorizacao"]; got != want {
					c.errorf("card %s: situacaoAutorizacao is %s, want %s", card, quote(got), want)
				}
			}
		}),
		sentence("InvalidBiometricsAgain", "T→A.", func(c *Case) {
			id := c.guideOf(c.cardOf("99991400001"))
			c.answersWith(c.act(id, "biometria", capture()), id, "A")
		}),
		sentence("BiometricsMayFail", "H→A or T once collected.", func(c *Case) {
			id := c.guideOf(c.cardOf("99993000001"))
			c.answersWith(c.act(id, "biometria", capture()), id, "T")
			c.answersWith(c.act(id, "biometria", capture()), id, "A")
		}),
		sentence("WaitingMayBeCancelled", "A, Z, W, R, S, H→X→C.", func(c *Case) {
			for _, card := range []string{"99990200001", "99990300001", "99990900003", "99991300003", "99991700001"} {
				id := c.guideOf(c.cardOf(card))
				c.answersWith(c.act(id, "cancelamento", object{}), id, "X C")
			}
		}),
		sentence("FinalStays", "V, I, Ç, M, N, C, E and - are final; the service refuses others.", func(c *Case) {
			for _, card := range []string{"99991600001", "99991100001", "99991200001", "99991000001", "99990400001", "99990600001",
				"99990800001", "99991800001"} {
				c.refused(c.act(c.guideOf(c.cardOf(card)), "cancelamento", object{}), 409, "situacao_nao_permite")
			}
		}),
		sentence("OnlyWhereItWaits", "The service refuses what does not follow: attachments without S, biometrics without H or T.",
			func(c *Case) {
				c.ours("it changes an authorization")
				id := c.guideOf(c.full())
				c.refused(c.act(id, "anexos", object{"anexos": []any{sheet}}), 409, "situacao_nao_permite")
				c.refused(c.act(id, "biometria", capture()), 409, "situacao_nao_permite")
			}),
	}
}

// row20 checks that a credential says whether its operator wants biometrics.
func row20() []Check {
	return []Check{sentence("Flag", "Extra property exigeBiometria on the credential.", func(c *Case) {
		c.shape(c.credentials(), field{name: "exigeBiometria", form: flag})
		c.ours("it needs the credential that asks for biometrics")
		if found := c.get(credentialsPath + "?Busca=004271").at("data.items.0.exigeBiometria"); found != true {
			c.errorf("exigeBiometria of the credential that asks for it is %s", quote(found))
		}
	})}
}
