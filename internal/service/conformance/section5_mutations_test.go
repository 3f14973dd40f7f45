package conformance_test

import "strings"

// opens answers any search, whoever asks.
func opens(x *traffic) {
	x.status = 200
	x.doc = map[string]any{"sucesso": true, "erros": []any{}, "data": map[string]any{"items": []any{}}}
}

// section5Mutations are services that let the wrong in, or the right not (4.6 to 4.8, 5).
func section5Mutations() []mutation {
	all := append(sessionMutations(), clientMutations()...)
	byKey := func(x *traffic) bool { return x.asked.Get("X-Api-Key") != "" }
	byToken := func(x *traffic) bool { return strings.HasPrefix(x.asked.Get("Authorization"), "Bearer ") }
	nobody := func(x *traffic) bool { return !byKey(x) && !byToken(x) }
	return append(all, in("Section5",
		answer("APIKey", "does not know it", on(search, when(byKey, refuses, status(401)))),
		request("APIKey", "looks for another header", func(x *traffic) { x.asked.Del("X-Api-Key") }),
		answer("UnknownKey", "opens", on(search, opens)),
		request("UnknownKey", "reads only the beginning", func(x *traffic) {
			x.asked.Set("X-Api-Key", strings.TrimSuffix(x.asked.Get("X-Api-Key"), "x"))
		}),
		answer("NoCredential", "opens", on(search, opens)),
		answer("NoCredentialAnywhere", "authorizes", on(authorize, when(nobody, takes))),
		answer("NoCredentialAnywhere", "takes a submission", on(submit, when(nobody, takes))),
		answer("NoCredentialAnywhere", "tells eligibility", on(eligible, when(nobody, takes))),
		answer("BearerToken", "opens nothing", on(search, when(byToken, refuses))),
		request("BearerToken", "looks for another header", func(x *traffic) { x.asked.Del("Authorization") }),
		answer("TokenIsASecret", "counted", on(login, put("data.access_token", "sessao-1"))),
		answer("TokenIsASecret", "always the same", on(login, put("data.access_token", strings.Repeat("x", 40)))),
		answer("TokenIsASecret", "short", on(login, edit("data.access_token", func(v any) any { s, _ := v.(string); return s[:20] }))),
		answer("TokenIsASecret", "with a blank", on(login, edit("data.access_token", func(v any) any { s, _ := v.(string); return s + " x" }))),
		answer("UnknownToken", "opens", on(search, opens)),
		request("UnknownToken", "reads only the beginning", func(x *traffic) {
			x.asked.Set("Authorization", strings.TrimSuffix(x.asked.Get("Authorization"), "x"))
		}),
		answer("OAuthToken", "opens nothing", on(search, when(byToken, refuses))),
		answer("BearerValidity", "an hour", on(login, put("data.expires_in", 3600))),
		answer("BearerValidity", "a day", on(login, put("data.expires_in", 86400))),
		answer("RenewedValidity", "an hour", on(refresh, put("data.expires_in", 3600))),
		answer("RefreshValidity", "an hour", on(login, put("data.refresh_expires_in", 3600))),
		answer("RefreshValidity", "a month", on(login, put("data.refresh_expires_in", 2592000))),
		answer("OAuthExpiresIn", "an hour", on(oauth, put("expires_in", 3600))),
	)...)
}

// sessionMutations are services whose login or renewal does not work.
func sessionMutations() []mutation {
	return append(in("Section4_6",
		answer("RefreshRenews", "a token that opens nothing", on(refresh, put("data.access_token", "o-mesmo-de-sempre"))),
		answer("RefreshRenews", "no token", on(refresh, drop("data.access_token"))),
		answer("RefreshRenews", "refuses", on(refresh, refuses)),
		request("RefreshRenews", "looks for another name", on(refresh, func(x *traffic) {
			x.sent["token"] = x.sent["refresh_token"]
			delete(x.sent, "refresh_token")
		})),
		answer("RefreshWithoutAToken", "renews", on(refresh, takes)),
	), in("Section4_8",
		answer("LoginGivesASession", "no token", on(login, drop("data.access_token"))),
		answer("LoginGivesASession", "a token that opens nothing", on(login, put("data.access_token", strings.Repeat("x", 40)))),
		answer("LoginGivesASession", "refuses", on(login, refuses)),
		answer("WrongPassword", "lets in", on(login, takes)),
		request("WrongPassword", "reads only the beginning", on(login, func(x *traffic) {
			x.sent["senha"] = strings.TrimSuffix(textOf(x, "senha"), "x")
		})),
	)...)
}

// clientMutations are services whose token endpoint differs from 4.7.
func clientMutations() []mutation {
	return in("Section4_7",
		answer("access_token", "absent", on(oauth, drop("access_token"))),
		answer("access_token", "a number", on(oauth, put("access_token", 7))),
		answer("access_token", "in data", on(oauth, func(x *traffic) {
			x.doc = map[string]any{"sucesso": true, "erros": []any{}, "data": x.doc}
		})),
		answer("access_token", "one that opens nothing", on(oauth, put("access_token", strings.Repeat("x", 40)))),
		answer("access_token", "refused as a form", on(oauth, refuses)),
		answer("token_type", "in small letters", on(oauth, put("token_type", "bearer"))),
		answer("token_type", "absent", on(oauth, drop("token_type"))),
		answer("token_type", "JWT", on(oauth, put("token_type", "JWT"))),
		answer("expires_in", "a text", on(oauth, put("expires_in", "54000"))),
		answer("expires_in", "absent", on(oauth, drop("expires_in"))),
		answer("expires_in", "with decimals", on(oauth, put("expires_in", 54000.5))),
		answer("WrongSecret", "lets in", on(oauth, takes)),
		answer("MissingSecret", "lets in", on(oauth, when(func(x *traffic) bool { return !strings.Contains(x.form, "client_secret") }, takes))),
		answer("OtherGrant", "any", on(oauth, takes)),
	)
}
