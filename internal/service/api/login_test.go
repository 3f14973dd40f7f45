package api_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/service/servicetest"
)

// TestAPI_Login is 4.8 and row 23.
func TestAPI_Login(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	t.Run("Shape", func(t *testing.T) {
		res := e.Login(" "+strings.ToUpper(p.User.Name)+" ", servicetest.PartnerPassword)
		data := res.Data()
		if len(data) != 5 || data["token_type"] != "Bearer" || data["expires_in"] != 54000.0 ||
			data["refresh_expires_in"] != 259200.0 || res.Body["sucesso"] != true {
			t.Errorf("got %d %v", res.Status, data)
		}
		for name, prefix := range map[string]string{"access_token": "gca_", "refresh_token": "gcr_"} {
			if token, _ := data[name].(string); !strings.HasPrefix(token, prefix) || len(token) != 55 {
				t.Errorf("%s: got %d characters, want 55 after %q", name, len(token), prefix)
			}
		}
		if got := res.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("Cache-Control: got %q", got)
		}
	})
	t.Run("WrongAlike", func(t *testing.T) {
		disabled, _, err := e.Admin.AddUser(t.Context(), p.Profile.ID, "de-ferias", servicetest.PartnerPassword)
		e.Must(err)
		e.Must(e.Admin.SetUserDisabled(t.Context(), disabled.ID, true))
		want := e.Login(p.User.Name, "outra frase comprida")
		checkRefusal(t, want, http.StatusUnauthorized)
		for _, user := range []string{"ninguem", "de-ferias"} {
			if got := e.Login(user, servicetest.PartnerPassword); got.Status != want.Status || got.Text != want.Text ||
				!reflect.DeepEqual(got.Header["Www-Authenticate"], want.Header["Www-Authenticate"]) {
				t.Errorf("%s: got %d %s, want what a wrong password gets", user, got.Status, got.Text)
			}
		}
		if got := e.Login(p.User.Name, strings.Repeat("x", 5000)); got.Status != http.StatusUnauthorized {
			t.Errorf("a very long password: got %d", got.Status)
		}
	})
	t.Run("Readable", func(t *testing.T) {
		for body, want := range map[string]int{
			"": 400, "{": 400, `{"usuario":"a","usuario":"b","senha":"c"}`: 400, `[]`: 422, `{}`: 422, `{"usuario":"a"}`: 422,
			`{"usuario":1,"senha":"x"}`: 422, `{"usuario":"a","senha":null}`: 422, `{"usuario":"` + strings.Repeat("a", 1<<20) + `"}`: 413,
		} {
			checkRefusal(t, e.Send(http.MethodPost, "/api/v1/auth/login", strings.NewReader(body), http.Header{"X-Api-Key": nil}), want)
		}
		form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		checkRefusal(t, e.Send(http.MethodPost, "/api/v1/auth/login", strings.NewReader("usuario=a"), form), http.StatusUnsupportedMediaType)
		checkRefusal(t, e.Send(http.MethodGet, "/api/v1/auth/login", nil, nil), http.StatusMethodNotAllowed)
	})
	t.Run("MethodOff", func(t *testing.T) {
		p.Profile.Methods = []access.Method{access.MethodAPIKey, access.MethodOAuth}
		e.Must(e.Admin.PutProfile(t.Context(), p.Profile))
		checkRefusal(t, e.Login(p.User.Name, servicetest.PartnerPassword), http.StatusForbidden)
		checkRefusal(t, e.Login(p.User.Name, "outra frase comprida"), http.StatusUnauthorized)
		checkRefusal(t, e.Refresh(p.Renewal), http.StatusForbidden)
		p.Profile.Methods = access.Methods()
		e.Must(e.Admin.PutProfile(t.Context(), p.Profile))
		if got := e.Refresh(p.Renewal).Status; got != http.StatusOK {
			t.Errorf("the refused refresh spent its token: got %d", got)
		}
	})
}

// TestAPI_Login_Throttled: after ten failures even the right password waits,
// whether the user exists or not, over a restart.
func TestAPI_Login_Throttled(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	for _, user := range []string{p.User.Name, "ninguem"} {
		for range 10 {
			checkRefusal(t, e.Login(user, "outra frase comprida"), http.StatusUnauthorized)
		}
		e.Restart()
		for _, password := range []string{servicetest.PartnerPassword, "outra frase comprida"} {
			res := e.Login(user, password)
			checkRefusal(t, res, http.StatusTooManyRequests)
			if got := res.Header.Get("Retry-After"); got != "30" {
				t.Errorf("Retry-After: got %q, want 30", got)
			}
		}
	}
	e.Clock.Move(30 * time.Second)
	p.MustLogin(t)
	for range 10 { // a success forgets what was before
		checkRefusal(t, e.Login(p.User.Name, "outra frase comprida"), http.StatusUnauthorized)
	}
}

// TestAPI_Guesses: an address that guesses keys and tokens is slowed down;
// others, and whoever shares it and has a good one, get in.
func TestAPI_Guesses(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	unknown := strings.Repeat("A", 43) + "00000000"
	guesses := []func() reply{
		func() reply {
			return e.Send(http.MethodGet, "/api/v2/recursos", nil, http.Header{"X-Api-Key": {"gch_" + unknown}})
		},
		func() reply {
			return e.Send(http.MethodGet, "/api/v2/recursos", nil, servicetest.Bearer("gca_"+unknown))
		},
		func() reply { return e.Refresh("gcr_" + unknown) },
		func() reply { return e.Token(grant(p.Client.ID.String(), "gcs_"+unknown), nil) },
	}
	var wait sync.WaitGroup
	for _, guess := range guesses {
		for range 5 {
			wait.Go(func() {
				for range 15 {
					if got := guess().Status; got != http.StatusUnauthorized {
						t.Errorf("a guess within the budget: got %d", got)
					}
				}
			})
		}
	}
	wait.Wait()
	for i, guess := range guesses {
		if res := guess(); res.Status != http.StatusTooManyRequests || res.Header.Get("Retry-After") == "" {
			t.Errorf("guess %d over the budget: got %d, Retry-After %q", i, res.Status, res.Header.Get("Retry-After"))
		}
	}
	if got := e.Login(p.User.Name, servicetest.PartnerPassword); got.Status != http.StatusOK {
		t.Errorf("a good login from the same address: got %d", got.Status)
	}
	for method, h := range p.Headers() {
		if got := e.opens(h); got != http.StatusOK {
			t.Errorf("%s, good, from the same address: got %d", method, got)
		}
	}
	p.MustToken(t)
	elsewhere := httptest.NewRequest(http.MethodGet, "/api/v2/recursos", nil)
	elsewhere.RemoteAddr = "203.0.113.7:40000"
	elsewhere.Header.Set("X-Api-Key", "gch_"+unknown)
	w := httptest.NewRecorder()
	if e.API.Handler().ServeHTTP(w, elsewhere); w.Code != http.StatusUnauthorized {
		t.Errorf("a guess from another address: got %d", w.Code)
	}
}

// TestAPI_Refresh is 4.6 and row 23: once, and then the family ends.
func TestAPI_Refresh(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	t.Run("Rotates", func(t *testing.T) {
		access, refresh := p.MustLogin(t)
		all := []string{access}
		for range 3 {
			e.Restart()
			res := e.Refresh(refresh)
			if res.Status != http.StatusOK || len(res.Data()) != 5 || res.Data()["refresh_token"] == refresh {
				t.Fatalf("got %d %d", res.Status, len(res.Data()))
			}
			refresh = res.Data()["refresh_token"].(string)
			all = append(all, res.Data()["access_token"].(string))
		}
		for i, token := range all {
			if got := e.opens(servicetest.Bearer(token)); got != http.StatusOK {
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
			wait.Go(func() { replies[i] = e.Refresh(refresh) })
		}
		wait.Wait()
		tokens, renewed := []string{token}, 0
		for _, r := range replies {
			if r.Status == http.StatusOK {
				renewed++
				tokens = append(tokens, r.Data()["access_token"].(string))
				checkRefusal(t, e.Refresh(r.Data()["refresh_token"].(string)), http.StatusUnauthorized)
				continue
			}
			checkRefusal(t, r, http.StatusUnauthorized)
		}
		if renewed != 1 {
			t.Errorf("%d of %d were renewed, want 1", renewed, racers)
		}
		for i, token := range tokens {
			if got := e.opens(servicetest.Bearer(token)); got != http.StatusUnauthorized {
				t.Errorf("access token %d of the family: got %d, want 401", i, got)
			}
		}
		if got := e.opens(servicetest.Bearer(other)); got != http.StatusOK {
			t.Errorf("another family of the same user: got %d", got)
		}
		families, err := e.Admin.Families(t.Context(), access.FamilyQuery{Profile: p.Profile.ID})
		e.Must(err)
		if f := families.Items[0]; f.Reason != access.RevokedByReuse || f.Owner != p.User.Name || f.Method() != access.MethodPassword {
			t.Errorf("family: got %+v", f)
		}
	})
	t.Run("Refused", func(t *testing.T) {
		for _, token := range []string{"x", p.Access, p.Key, "gcr_" + strings.Repeat("A", 43) + "00000000"} {
			res := e.Refresh(token)
			checkRefusal(t, res, http.StatusUnauthorized)
			if got := res.Header.Get("Www-Authenticate"); !strings.HasPrefix(got,
				`Bearer realm="guiche", error="invalid_token", error_description="`) {
				t.Errorf("challenge: got %q", got)
			}
		}
		checkRefusal(t, e.Send(http.MethodPost, "/api/v1/auth/refresh", strings.NewReader(`{}`), nil), http.StatusUnprocessableEntity)
	})
	t.Run("OfOneWhoIsOut", func(t *testing.T) {
		_, refresh := p.MustLogin(t)
		e.Must(e.Admin.SetUserDisabled(t.Context(), p.User.ID, true))
		e.Must(e.Admin.SetUserDisabled(t.Context(), p.User.ID, false))
		checkRefusal(t, e.Refresh(refresh), http.StatusUnauthorized)
		p.MustLogin(t)
	})
}
