package conformance_test

import (
	"strings"
	"sync"
)

// accessRowMutations are services that decided otherwise than rows 23 to 26.
func accessRowMutations() []mutation {
	unknownUser := func(x *traffic) bool { return strings.Contains(x.form, "ninguem") && x.status == 401 }
	byToken := func(x *traffic) bool { return x.asked.Get("Authorization") != "" }
	all := in("Row23_Sessions",
		answer("Login", "in small letters", on(login, put("data.token_type", "bearer"))),
		answer("Refresh", "without a lifetime", on(refresh, drop("data.refresh_expires_in"))),
		answer("Refresh", "a refresh token of one hour", on(refresh, put("data.refresh_expires_in", 3600))),
		answer("WrongPassword", "tells who is unknown", on(login, when(unknownUser, put("erros", []any{"Usuário desconhecido."})))),
		answer("UsedOnce", "works again", on(refresh, takesAgain())),
		answer("Fields", "one at a time", on(login, forgets)),
	)
	return append(append(append(all, in("Row24_OAuth",
		answer("Members", "without errors", on(oauth, drop("erros"))),
		answer("Errors", "without a description", on(oauth, drop("error_description"))),
		answer("BasicOrForm", "in the form only", on(oauth, when(byToken, refuses))),
	)...), in("Row25_Scopes",
		answer("EachOpensItsOwn", "not found", on(lookup, when(answered(403), status(404)))),
		answer("AbsentMeansAll", "the first", on(oauth, put("scope", "credenciais:ler"))),
	)...), in("Row26_Methods", answer("AnyMethodAnywhere", "eligibility by key only", on(eligible, when(byToken, status(403)))))...)
}

// takesAgain takes a refresh token that was used.
func takesAgain() change {
	var used sync.Map
	return func(x *traffic) {
		if _, again := used.LoadOrStore(x.form, true); again {
			takes(x)
		}
	}
}
