package conformance_test

import "strings"

// endpointRowMutations are services that decided otherwise than rows 13 to 22.
func endpointRowMutations() []mutation {
	return append(append(directoryMutations(), submissionMutations()...), lifeMutations()...)
}

func directoryMutations() []mutation {
	all := in("Row13_Registers",
		answer("Units", "without points", drop("data.items.*.pontosAtendimento")),
		answer("Professionals", "a specialty named by a text", put("data.items.*.especialidades.*.id", "1")),
		answer("References", "takes any unit", on(authorize, when(has("unidadeId", unlistedID), takes))),
		answer("References", "takes any specialty", on(authorize, when(has("especialidadeExecutanteId", 999999999), takes))),
		answer("References", "takes any professional", on(authorize, when(has("profissionalExecutanteId", unlistedID), takes))),
	)
	all = append(all, in("Row14_Search",
		answer("Paging", "without a total", on(search, drop("data.total"))),
		answer("PagingLimits", "takes any", on(search, takes)),
		answer("CaseAndAccents", "wants the accents", on(search, when(isPlain, put("data.items", []any{})))),
		answer("EmptyListsAllByName", "in another order", on(search, put("data.items.0.nome", "Zelo Saúde"))),
		answer("JSONWhateverAccept", "no picture", on(search, when(accepts("image/png"), status(406)))),
	)...)
	return append(all, in("Row15_Eligibility",
		answer("Eligible", "without messages", on(eligible, drop("data.mensagens"))),
		answer("NotEligible", "everybody is", on(eligible, put("data.elegivel", true))),
		answer("CredentialOfItsOwn", "absent", on(search, drop("data.items.*.credencialElegibilityId"))),
		answer("CredentialOfItsOwn", "null", on(search, put("data.items.*.credencialElegibilityId", nil))),
		answer("CredentialOfItsOwn", "the same as id", on(search, func(x *traffic) {
			data, _ := x.doc["data"].(map[string]any)
			items, _ := data["items"].([]any)
			for _, item := range items {
				item.(map[string]any)["credencialElegibilityId"] = item.(map[string]any)["id"]
			}
		})),
		answer("Refused", "takes anything", on(eligible, takes)),
	)...)
}

// isPlain says that a search is for a text without accents.
func isPlain(x *traffic) bool {
	return !strings.Contains(x.path, "%C3") && !strings.HasSuffix(x.path, "Busca=")
}

func submissionMutations() []mutation {
	all := in("Row16_Submission",
		answer("Accepted202", "200", on(submit, status(200))),
		answer("DecidedAfterwards", "denied", on(lookup, put("data.statusAutorizacao", "N"))),
		answer("SameRules", "another path of the field", on(submit, put("errosDetalhados.0.campo", "numeroCarteira"))),
	)
	return append(append(all, in("Row17_Features",
		answer("Words", "another word", put("data.recursos", []any{"idempotencia", "biometrias"})),
		answer("AnyValidCredential", "none at all", on(features, opens)),
	)...), in("Row22_Description", answer("WithoutAuthentication", "wants a credential", on("/api/openapi.yaml", status(401))))...)
}

func lifeMutations() []mutation {
	acted := func(what string) func(*traffic) bool {
		return func(x *traffic) bool { return strings.HasSuffix(x.path, "/"+what) }
	}
	all := in("Row18_Later",
		answer("ByIdentifier", "without a status", on(lookup, drop("data.statusAutorizacao"))),
		answer("ByGuide", "finds nothing", on(lookup, put("data.items", []any{}))),
		answer("NeverArrived", "null", on(lookup, put("data.items", nil))),
		answer("Attachments", "still waits", when(acted("anexos"), put("data.statusAutorizacao", "S"))),
		answer("Biometrics", "takes anything", when(acted("biometria"), takes)),
		answer("Cancelling", "still authorized", when(acted("cancelamento"), put("data.statusAutorizacao", "A"))),
	)
	all = append(all, in("Row19_Life",
		answer("EveryCode", "C for Ç", when(has("numeroCarteira", "99991200077"), put(entries+"situacaoAutorizacao", "C"))),
		answer("InvalidBiometricsAgain", "analyses", when(acted("biometria"), put("data.statusAutorizacao", "R"))),
		answer("BiometricsMayFail", "authorizes", when(acted("biometria"), put("data.statusAutorizacao", "A"))),
		answer("WaitingMayBeCancelled", "refuses", when(acted("cancelamento"), refuses)),
		answer("FinalStays", "cancels", when(acted("cancelamento"), takes)),
		answer("OnlyWhereItWaits", "takes it", when(acted("anexos"), takes)),
	)...)
	return append(all, in("Row20_Biometrics", answer("Flag", "absent", on(search, drop("data.items.*.exigeBiometria"))))...)
}
