package conformance_test

import "strings"

// section4Mutations are services whose operations differ from 4.1 to 4.5.
func section4Mutations() []mutation {
	anything := map[string]any{"items": []any{map[string]any{"id": otherID, "nome": "Todas"}}}
	all := in("Section4_1",
		answer("SearchReturnsItems", "another name", on(search, put("data", map[string]any{"credenciais": []any{}}))),
		answer("SearchReturnsItems", "null", on(search, put("data.items", nil))),
		answer("SearchReturnsItems", "null behind them", on(search, edit("data.items", withNull))),
		answer("SearchReturnsItems", "an object", on(search, put("data.items", map[string]any{}))),
		answer("SearchReturnsItems", "no success", on(search, put("sucesso", false))),
		answer("ItemsWhenNothingIsFound", "null", when(foundNothing, put("data.items", nil))),
		answer("ItemsWhenNothingIsFound", "absent", when(foundNothing, drop("data.items"))),
		answer("ItemsWhenNothingIsFound", "no data", when(foundNothing, put("data", nil))),
		answer("ItemsWhenNothingIsFound", "not found", when(foundNothing, unknown)),
		request("SearchFindsByText", "searches for something else", on(search, when(hasAText,
			func(x *traffic) { x.path = search + "?Busca=zzz" }))),
		answer("SearchFindsByText", "nothing by a name", on(search, when(hasAText, put("data.items", []any{})))),
		answer("SearchFindsNoOthers", "always the same", on(search, put("data", anything))),
		request("SearchFindsNoOthers", "ignores the text", on(search, func(x *traffic) { x.path = search + "?Busca=" })),
		answer("AcceptTextPlain", "a text", on(search, when(accepts("text/plain"), func(x *traffic) { x.doc = nil }))),
		answer("AcceptTextPlain", "a list", on(search, when(accepts("text/plain"), func(x *traffic) { x.doc, x.text = nil, []byte("[]") }))),
	)
	all = append(all, in("Section4_2",
		answer("PathAndMethod", "not found", on(authorize, unknown)),
		answer("PathAndMethod", "another method", on(authorize, refuses, status(405))),
		answer("AnswersJSON", "as a page", on(authorize, header("Content-Type", "text/html"))),
		answer("AnswersJSON", "as a text", on(authorize, header("Content-Type", "text/plain"))),
	)...)
	all = append(all, in("Section4_4",
		answer("AcceptsAPIKey", "not with a key", on(eligible, status(401))),
		answer("AcceptsAPIKey", "not allowed", on(eligible, status(403))),
		answer("AcceptsAPIKey", "not found", on(eligible, unknown)),
		answer("AcceptsAPIKey", "another method", on(eligible, status(405))),
	)...)
	return append(all, in("Section4_5",
		answer("TakesASolicitacao", "refuses", on(submit, refuses)),
		answer("TakesASolicitacao", "no success", on(submit, put("sucesso", false))),
		answer("TakesASolicitacao", "not found", on(submit, unknown)),
		request("TakesASolicitacao", "looks elsewhere", on(submit, func(x *traffic) {
			x.sent["pedido"] = x.sent["solicitacao"]
			delete(x.sent, "solicitacao")
		})),
	)...)
}

// foundNothing says that a search succeeded without a hit.
func foundNothing(x *traffic) bool {
	data, _ := x.doc["data"].(map[string]any)
	items, there := data["items"].([]any)
	return strings.HasPrefix(x.path, search) && there && len(items) == 0
}

// hasAText says that a search is not for everything.
func hasAText(x *traffic) bool { return !strings.HasSuffix(x.path, "Busca=") }

// accepts says that a request asks for a content type.
func accepts(kind string) func(*traffic) bool {
	return func(x *traffic) bool { return x.asked.Get("Accept") == kind }
}
