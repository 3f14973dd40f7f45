package conformance_test

import "net/http"

// bare answers as a server does that knows no envelope.
func bare(x *traffic) { x.doc = map[string]any{"message": http.StatusText(x.status)} }

// answered says that an answer has a status.
func answered(code int) func(*traffic) bool { return func(x *traffic) bool { return x.status == code } }

// section7Mutations are services that do not say what went wrong as 7 wants it.
func section7Mutations() []mutation {
	var all []mutation
	for _, kind := range []struct {
		name string
		is   func(*traffic) bool
	}{
		{"400", answered(400)}, {"401", answered(401)}, {"404", answered(404)}, {"405", answered(405)}, {"422", answered(422)},
		{"login", func(x *traffic) bool { return x.path == login && x.status == 200 }},
	} {
		all = append(all, in("Section7",
			answer("EveryResponseCarriesSuccess", kind.name+" without an envelope", when(kind.is, bare)),
			answer("EveryResponseCarriesErrors", kind.name+" without an envelope", when(kind.is, bare)),
		)...)
		if kind.name != "login" {
			all = append(all, in("Section7",
				answer("RefusalReportsAnError", kind.name+" with empty erros", when(kind.is, put("erros", []any{}))))...)
		}
	}
	return append(all, in("Section7",
		answer("EveryResponseCarriesSuccess", "eligibility without", on(eligible, drop("sucesso"))),
		answer("EveryResponseCarriesSuccess", "submission without", on(submit, drop("sucesso"))),
		answer("EveryResponseCarriesSuccess", "a page for 404", when(answered(404), func(x *traffic) { x.doc = nil })),
		answer("EveryResponseCarriesErrors", "a text in the search", on(search, put("erros", "nenhum"))),
		answer("EveryResponseCarriesErrors", "null in the search", on(search, put("erros", nil))),
		answer("EveryResponseCarriesErrors", "an object when refused", when(answered(422), put("erros", map[string]any{"a": "b"}))),
		answer("RefusalReportsAnError", "a wrong password with empty erros", on(login, when(answered(401), put("erros", []any{})))),
		answer("EntriesCarryBoth", "no success", drop(entries+"sucesso")),
		answer("EntriesCarryBoth", "no errors", drop(entries+"erros")),
		answer("EntriesCarryBoth", "errors null where denied", when(isDenied, put(entries+"erros", nil))),
		answer("OutcomeIsInTheStatus", "not applicable", put(entries+"situacaoAutorizacao", "-")),
		answer("OutcomeIsInTheStatus", "authorized, and an error", when(isDenied, put(entries+"situacaoAutorizacao", "A"),
			put(entries+"erros", []any{"Negado."}))),
		answer("OutcomeIsInTheStatus", "no authorization, and an error", when(isDenied, refuses)),
		answer("NewbornRule", "takes it", on(authorize, takes)),
		answer("NewbornRule", "reports no error", on(authorize, when(has("atendimentoRN", "S"), put("erros", []any{})))),
	)...)
}

// section8Mutations are services with other limits and other paths (8, 9).
func section8Mutations() []mutation {
	return append(in("Section8",
		answer("BearerValidity", "a second more", on(login, put("data.expires_in", 54001))),
		answer("BearerValidity", "an hour when renewed", on(refresh, put("data.expires_in", 3600))),
		answer("OAuthExpiresIn", "a second less", on(oauth, put("expires_in", 53999))),
		answer("RefreshValidity", "15 hours", on(login, put("data.refresh_expires_in", 54000))),
		answer("GeneratedGuide", "with separators", put(entries+"guiaPrestador", "2026-11-21 10:00:00")),
		answer("GeneratedGuide", "without seconds", edit(entries+"guiaPrestador", func(v any) any { return v.(string)[:10] })),
	), in("Section9",
		answer("SearchAndAuthorizationInV2", "no authorization", on(authorize, unknown)),
		answer("SearchAndAuthorizationInV2", "no search", on(search, unknown)),
		answer("OthersInV1", "no submission", on(submit, unknown)),
		answer("OthersInV1", "no eligibility", on(eligible, unknown)),
		answer("OthersInV1", "no renewal", on(refresh, unknown)),
		answer("TokenWithoutVersion", "not there", on(oauth, unknown)),
		request("TokenWithoutVersion", "with a version", on(oauth, func(x *traffic) { x.path = "/api/v1" + oauth })),
	)...)
}
