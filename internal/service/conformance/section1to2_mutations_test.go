package conformance_test

const (
	search    = "/api/v2/credenciais"
	authorize = "/api/v2/autorizar/sp-sadt"
	oauth     = "/oauth/token"
	login     = "/api/v1/auth/login"
	refresh   = "/api/v1/auth/refresh"
	eligible  = "/api/v1/elegibilidade"
	submit    = "/api/v1/solicitacao"
	lookup    = "/api/v2/autorizacoes"
	lists     = "/api/v2/unidades"
	features  = "/api/v2/recursos"
	entries   = "data.autorizacoes.*."
	results   = "data.autorizacoes.*.procedimentos"

	otherID    = "0198a000-0000-7000-8000-000000000001"
	unlistedID = "00000000-0000-4000-8000-00000000c0de" // by which the suite asks for what nobody has
)

func section1Mutations() []mutation {
	return in("Section1",
		answer("CredentialThenAuthorization", "no status code", put(entries+"situacaoAutorizacao", "")),
		answer("CredentialThenAuthorization", "refuses the credential of the search", on(authorize, refuses)),
		answer("CredentialThenAuthorization", "returns no authorization", on(authorize, put("data.autorizacoes", []any{}))),
		answer("SeveralProcedures", "refuses several", on(authorize, when(severalProcedures, refuses))),
		answer("SeveralProcedures", "returns the first procedure only", on(authorize, edit(results, first))),
		answer("SeveralProcedures", "returns the last procedure only", on(authorize, edit(results, last))),
		answer("SeveralProcedures", "returns the first in place of the others", on(authorize, edit(results, firstTwice))),
		answer("SeveralProcedures", "the first name for all", on(authorize, put(results+".*.nomeProcedimento", "TSH"))),
		answer("SeveralProcedures", "every quantity is 1", on(authorize, put(results+".*.quantidade", 1))),
		request("SeveralProcedures", "asks the operator for the first only", on(authorize, func(x *traffic) {
			alterIn(x.sent, "procedimentos", func(v any) (any, bool) { return first(v), true })
		})),
		request("SeveralProcedures", "asks the operator for one of each", on(authorize, func(x *traffic) {
			for _, p := range proceduresOf(x) {
				p.(map[string]any)["quantidade"] = 1
			}
		})),
	)
}

func section2Mutations() []mutation {
	return append(envelopeMutations(), in("Section2_2",
		answer("id", "absent", on(search, drop("data.items.*.id"))),
		answer("id", "a number", on(search, put("data.items.*.id", 7))),
		answer("id", "no UUID", on(search, put("data.items.*.id", "credencial-7"))),
		answer("id", "null", on(search, put("data.items.*.id", nil))),
		answer("nome", "absent", on(search, drop("data.items.*.nome"))),
		answer("nome", "null", on(search, put("data.items.*.nome", nil))),
		answer("nome", "an object", on(search, put("data.items.*.nome", map[string]any{"pt": "x"}))),
		answer("codigoPrestador", "absent", on(search, drop("data.items.*.codigoPrestador"))),
		answer("codigoPrestador", "a number", on(search, put("data.items.*.codigoPrestador", 4417))),
		answer("credencialElegibilityId", "no UUID", on(search, put("data.items.*.credencialElegibilityId", "7"))),
		answer("credencialElegibilityId", "a number", on(search, put("data.items.*.credencialElegibilityId", 7))),
		answer("IdentifiesOne", "one id for all", on(search, put("data.items.*.id", otherID))),
	)...)
}

func envelopeMutations() []mutation {
	return in("Section2_1",
		answer("SuccessIsBoolean", "a text in the search", on(search, put("sucesso", "true"))),
		answer("SuccessIsBoolean", "a number in the authorization", on(authorize, put("sucesso", 1))),
		answer("SuccessIsBoolean", "absent in the authorization", on(authorize, drop("sucesso"))),
		answer("SuccessIsBoolean", "false although authorized", on(authorize, put("sucesso", false))),
		answer("SuccessIsFalseWhenRefused", "true beside errors", on(authorize, put("sucesso", true))),
		answer("SuccessIsFalseWhenRefused", "true without a credential", on(search, put("sucesso", true))),
		answer("ErrorsAreAList", "null in an entry", put(entries+"erros", nil)),
		answer("ErrorsAreAList", "null at the top", on(authorize, put("erros", nil))),
		answer("ErrorsAreAList", "absent at the top", on(authorize, drop("erros"))),
		answer("ErrorsAreAList", "absent in an entry", drop(entries+"erros")),
		answer("ErrorsAreAList", "an object at the top", on(authorize, put("erros", map[string]any{}))),
		answer("ErrorsAreAList", "a text in a denied entry", when(isDenied, put(entries+"erros", "negado"))),
		answer("ErrorsEmptyWhenNone", "a word of success", on(authorize, put("erros", []any{"ok"}))),
		answer("ErrorsEmptyWhenNone", "a word of success in an entry", on(authorize, put(entries+"erros", []any{"ok"}))),
		answer("ErrorsEmptyWhenNone", "a word of success in the search", on(search, put("erros", []any{"ok"}))),
		answer("DataIsAnObject", "a list in the search", on(search, func(x *traffic) { x.doc["data"] = []any{x.doc["data"]} })),
		answer("DataIsAnObject", "the items themselves", on(search, edit("data", func(v any) any { return v.(map[string]any)["items"] }))),
		answer("DataIsAnObject", "null in the search", on(search, put("data", nil))),
		answer("DataIsAnObject", "absent in the search", on(search, drop("data"))),
	)
}

// isDenied says that the card is the denied one.
func isDenied(x *traffic) bool { return has("numeroCarteira", "99990400001")(x) }

// isTwoGuides says that the card is the one of two guides.
func isTwoGuides(x *traffic) bool { return has("numeroCarteira", "99991900001")(x) }

func proceduresOf(x *traffic) []any { list, _ := x.sent["procedimentos"].([]any); return list }

func severalProcedures(x *traffic) bool { return len(proceduresOf(x)) > 1 }
