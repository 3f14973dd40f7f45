package api_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service/access"
)

// TestService_Login is 4.8 and row 23.
func TestService_Login(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	t.Run("Shape", func(t *testing.T) {
		res := e.login(" "+strings.ToUpper(p.user.Name)+" ", partnerPassword)
		data := res.data()
		if len(data) != 5 || data["token_type"] != "Bearer" || data["expires_in"] != 54000.0 || data["refresh_expires_in"] != 259200.0 || res.body["sucesso"] != true {
			t.Errorf("got %d %v", res.status, data)
		}
		for name, prefix := range map[string]string{"access_token": "gca_", "refresh_token": "gcr_"} {
			if token, _ := data[name].(string); !strings.HasPrefix(token, prefix) || len(token) != 55 {
				t.Errorf("%s: got %d characters, want 55 after %q", name, len(token), prefix)
			}
		}
		if got := res.header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("Cache-Control: got %q", got)
		}
	})
	t.Run("WrongAlike", func(t *testing.T) {
		disabled, _, err := e.admin.AddUser(t.Context(), p.profile.ID, "de-ferias", partnerPassword)
		e.must(err)
		e.must(e.admin.SetUserDisabled(t.Context(), disabled.ID, true))
		want := e.login(p.user.Name, "outra frase comprida")
		checkRefusal(t, want, http.StatusUnauthorized)
		for _, user := range []string{"ninguem", "de-ferias"} {
			if got := e.login(user, partnerPassword); got.status != want.status || got.text != want.text || !reflect.DeepEqual(got.header["Www-Authenticate"], want.header["Www-Authenticate"]) {
				t.Errorf("%s: got %d %s, want what a wrong password gets", user, got.status, got.text)
			}
		}
		if got := e.login(p.user.Name, strings.Repeat("x", 5000)); got.status != http.StatusUnauthorized {
			t.Errorf("a very long password: got %d", got.status)
		}
	})
	t.Run("Readable", func(t *testing.T) {
		for body, want := range map[string]int{
			"": 400, "{": 400, `{"usuario":"a","usuario":"b","senha":"c"}`: 400, `[]`: 422, `{}`: 422, `{"usuario":"a"}`: 422,
			`{"usuario":1,"senha":"x"}`: 422, `{"usuario":"a","senha":null}`: 422, `{"usuario":"` + strings.Repeat("a", 1<<20) + `"}`: 413,
		} {
			checkRefusal(t, e.send(http.MethodPost, "/api/v1/auth/login", strings.NewReader(body), http.Header{"X-Api-Key": nil}), want)
		}
		form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		checkRefusal(t, e.send(http.MethodPost, "/api/v1/auth/login", strings.NewReader("usuario=a"), form), http.StatusUnsupportedMediaType)
		checkRefusal(t, e.send(http.MethodGet, "/api/v1/auth/login", nil, nil), http.StatusMethodNotAllowed)
	})
	t.Run("MethodOff", func(t *testing.T) {
		p.profile.Methods = []access.Method{access.MethodAPIKey, access.MethodOAuth}
		e.must(e.admin.PutProfile(t.Context(), p.profile))
		checkRefusal(t, e.login(p.user.Name, partnerPassword), http.StatusForbidden)
		checkRefusal(t, e.login(p.user.Name, "outra frase comprida"), http.StatusUnauthorized)
		checkRefusal(t, e.refresh(p.refresh), http.StatusForbidden)
		p.profile.Methods = access.Methods()
		e.must(e.admin.PutProfile(t.Context(), p.profile))
		if got := e.refresh(p.refresh).status; got != http.StatusOK {
			t.Errorf("the refused refresh spent its token: got %d", got)
		}
	})
}

// TestService_Login_Throttled: after ten failures even the right password waits,
// whether the user exists or not, over a restart.
func TestService_Login_Throttled(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	for _, user := range []string{p.user.Name, "ninguem"} {
		for range 10 {
			checkRefusal(t, e.login(user, "outra frase comprida"), http.StatusUnauthorized)
		}
		e.restart()
		for _, password := range []string{partnerPassword, "outra frase comprida"} {
			res := e.login(user, password)
			checkRefusal(t, res, http.StatusTooManyRequests)
			if got := res.header.Get("Retry-After"); got != "30" {
				t.Errorf("Retry-After: got %q, want 30", got)
			}
		}
	}
	e.clock.move(30 * time.Second)
	p.MustLogin(t)
	for range 10 { // a success forgets what was before
		checkRefusal(t, e.login(p.user.Name, "outra frase comprida"), http.StatusUnauthorized)
	}
}

// TestService_Guesses: an address that guesses keys and tokens is slowed down;
// others, and whoever shares it and has a good one, get in.
func TestService_Guesses(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	unknown := strings.Repeat("A", 43) + "00000000"
	guesses := []func() reply{
		func() reply {
			return e.send(http.MethodGet, "/api/v2/recursos", nil, http.Header{"X-Api-Key": {"gch_" + unknown}})
		},
		func() reply { return e.send(http.MethodGet, "/api/v2/recursos", nil, bearer("gca_"+unknown)) },
		func() reply { return e.refresh("gcr_" + unknown) },
		func() reply { return e.token(grant(p.client.ID.String(), "gcs_"+unknown), nil) },
	}
	var wait sync.WaitGroup
	for _, guess := range guesses {
		for range 5 {
			wait.Go(func() {
				for range 15 {
					if got := guess().status; got != http.StatusUnauthorized {
						t.Errorf("a guess within the budget: got %d", got)
					}
				}
			})
		}
	}
	wait.Wait()
	for i, guess := range guesses {
		if res := guess(); res.status != http.StatusTooManyRequests || res.header.Get("Retry-After") == "" {
			t.Errorf("guess %d over the budget: got %d, Retry-After %q", i, res.status, res.header.Get("Retry-After"))
		}
	}
	checkRefusal(t, e.login(p.user.Name, partnerPassword), http.StatusTooManyRequests)
	for method, h := range p.credentials() {
		if got := e.opens(h); got != http.StatusOK {
			t.Errorf("%s, good, from the same address: got %d", method, got)
		}
	}
	p.MustToken(t)
	elsewhere := httptest.NewRequest(http.MethodGet, "/api/v2/recursos", nil)
	elsewhere.RemoteAddr = "203.0.113.7:40000"
	elsewhere.Header.Set("X-Api-Key", "gch_"+unknown)
	w := httptest.NewRecorder()
	if e.api.Handler().ServeHTTP(w, elsewhere); w.Code != http.StatusUnauthorized {
		t.Errorf("a guess from another address: got %d", w.Code)
	}
}

// TestService_Refresh is 4.6 and row 23: once, and then the family ends.
func TestService_Refresh(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	t.Run("Rotates", func(t *testing.T) {
		access, refresh := p.MustLogin(t)
		all := []string{access}
		for range 3 {
			e.restart()
			res := e.refresh(refresh)
			if res.status != http.StatusOK || len(res.data()) != 5 || res.data()["refresh_token"] == refresh {
				t.Fatalf("got %d %d", res.status, len(res.data()))
			}
			refresh = res.data()["refresh_token"].(string)
			all = append(all, res.data()["access_token"].(string))
		}
		for i, token := range all {
			if got := e.opens(bearer(token)); got != http.StatusOK {
				t.Errorf("access token %d: got %d, want it to last its 15 hours", i, got)
			}
		}
	})
	t.Run("Race", func(t *testing.T) {
		other, _ := p.MustLogin(t)
		token, refresh := p.MustLogin(t)
		const racers = 20
		replies := make([]reply, racers)
		var wait sync.WaitGroup
		for i := range racers {
			wait.Go(func() { replies[i] = e.refresh(refresh) })
		}
		wait.Wait()
		tokens, renewed := []string{token}, 0
		for _, r := range replies {
			if r.status == http.StatusOK {
				renewed++
				tokens = append(tokens, r.data()["access_token"].(string))
				checkRefusal(t, e.refresh(r.data()["refresh_token"].(string)), http.StatusUnauthorized)
				continue
			}
			checkRefusal(t, r, http.StatusUnauthorized)
		}
		if renewed != 1 {
			t.Errorf("%d of %d were renewed, want 1", renewed, racers)
		}
		for i, token := range tokens {
			if got := e.opens(bearer(token)); got != http.StatusUnauthorized {
				t.Errorf("access token %d of the family: got %d, want 401", i, got)
			}
		}
		if got := e.opens(bearer(other)); got != http.StatusOK {
			t.Errorf("another family of the same user: got %d", got)
		}
		families, err := e.admin.Families(t.Context(), access.FamilyQuery{Profile: p.profile.ID})
		e.must(err)
		if f := families.Items[0]; f.Reason != access.RevokedByReuse || f.Owner != p.user.Name || f.Method() != access.MethodPassword {
			t.Errorf("family: got %+v", f)
		}
	})
	t.Run("Refused", func(t *testing.T) {
		for _, token := range []string{"x", p.access, p.key, "gcr_" + strings.Repeat("A", 43) + "00000000"} {
			res := e.refresh(token)
			checkRefusal(t, res, http.StatusUnauthorized)
			if got := res.header.Get("Www-Authenticate"); !strings.HasPrefix(got, `Bearer realm="guiche", error="invalid_token", error_description="`) {
				t.Errorf("challenge: got %q", got)
			}
		}
		checkRefusal(t, e.send(http.MethodPost, "/api/v1/auth/refresh", strings.NewReader(`{}`), nil), http.StatusUnprocessableEntity)
	})
	t.Run("OfOneWhoIsOut", func(t *testing.T) {
		_, refresh := p.MustLogin(t)
		e.must(e.admin.SetUserDisabled(t.Context(), p.user.ID, true))
		e.must(e.admin.SetUserDisabled(t.Context(), p.user.ID, false))
		checkRefusal(t, e.refresh(refresh), http.StatusUnauthorized)
		p.MustLogin(t)
	})
}

// TestAdmin_Users is what a console does with users.
func TestAdmin_Users(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	admin, ctx := e.admin, t.Context()
	t.Run("FreshPassword", func(t *testing.T) {
		user, password, err := admin.AddUser(ctx, p.profile.ID, "Faturamento", "")
		if err != nil || len(password) < 30 || user.Name != "faturamento" {
			t.Fatalf("got %+v, %d characters, %v", user, len(password), err)
		}
		if got := e.login("faturamento", password).status; got != http.StatusOK {
			t.Errorf("login: got %d", got)
		}
		again, err := admin.SetUserPassword(ctx, user, "")
		if err != nil || again == password {
			t.Errorf("another password: %v", err)
		}
		if got := []int{e.login("faturamento", password).status, e.login("faturamento", again).status}; !reflect.DeepEqual(got, []int{401, 200}) {
			t.Errorf("old and new: got %v", got)
		}
	})
	t.Run("Refused", func(t *testing.T) {
		for name, c := range map[string]struct {
			user, password string
			code           problem.Code
		}{
			"taken": {strings.ToUpper(p.user.Name), partnerPassword, problem.Conflict}, "short name": {"ab", "", problem.Invalid},
			"odd name": {"joão silva", "", problem.Invalid}, "short password": {"outro", "curta", problem.Invalid}, "own name": {"integracao-sul", "integracao-sul", problem.Invalid},
		} {
			if _, password, err := admin.AddUser(ctx, p.profile.ID, c.user, c.password); problem.CodeOf(err) != c.code || password != "" {
				t.Errorf("%s: got %v, want %s", name, err, c.code)
			}
		}
	})
	t.Run("List", func(t *testing.T) {
		users, err := admin.Users(ctx, p.profile.ID)
		if err != nil || len(users) != 2 || users[0].Name != "faturamento" || users[0].UsedAt.IsZero() || users[0].ProfileID != p.profile.ID {
			t.Errorf("got %+v, %v", users, err)
		}
	})
	t.Run("Ensure", func(t *testing.T) {
		ensure := func() { e.must(admin.EnsureUser(ctx, p.profile.ID, "demo", "uma frase bem longa")) }
		ensure()
		access := e.login("demo", "uma frase bem longa").data()["access_token"].(string)
		ensure()
		if got := e.opens(bearer(access)); got != http.StatusOK {
			t.Errorf("a token from before: got %d, want it still valid", got)
		}
		users, err := admin.Users(ctx, p.profile.ID)
		e.must(err)
		e.must(admin.SetUserDisabled(ctx, users[0].ID, true))
		_, err = admin.SetUserPassword(ctx, users[0], "")
		e.must(err)
		ensure()
		if got := e.login("demo", "uma frase bem longa").status; got != http.StatusOK {
			t.Errorf("after all was changed: got %d", got)
		}
	})
}
