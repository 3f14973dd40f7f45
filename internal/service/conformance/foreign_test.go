package conformance_test

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/service/conformance"
)

// MustDemo returns the demo that is judged, or one of its own where another service
// is.
func MustDemo(t *testing.T) conformance.Config {
	t.Helper()
	if *configFile == "" {
		return judged.config
	}
	c, stop, err := startDemo()
	t.Cleanup(stop)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// MustForeign is what an integrator would write to have the same service judged as
// anybody's.
func MustForeign(t *testing.T, good conformance.Config) conformance.Config {
	t.Helper()
	foreign := good
	foreign.Guiche = false
	foreign.Card, foreign.CardTwoGuides, foreign.CardDenied = "99990100001", "99991900001", "99990400001"
	foreign.CredentialID = "4b7abb0e-90b2-5d46-9fe7-d18212f17b0c"
	foreign.UnitID, foreign.CarePointID = "9c74aad8-aff4-5166-b8a0-621f32468100", "6c83950a-b6a1-5456-b388-5d4e8fb85f79"
	foreign.ProfessionalID, foreign.SpecialtyID = "2281c10f-88ef-5715-8c0a-c28b41ffc08d", 2
	if err := conformance.New(foreign, nil).Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return foreign
}

// openSentences tries the suite on a service that keeps every sentence, and returns
// those that stay open.
func openSentences(t *testing.T, service conformance.Config, chapters ...string) map[string]bool {
	t.Helper()
	open := map[string]bool{}
	for _, r := range tryAll(t, service, chapters...) {
		if r.Verdict == conformance.Broken || r.Verdict == conformance.Differs {
			t.Errorf("%s/%s: %s %q", r.Chapter, r.Check, r.Verdict, r.Problems)
		}
		open[r.Chapter+"/"+r.Check] = r.Verdict == conformance.Open
	}
	return open
}

// tryAll makes all checks of the chapters whose names begin so, or of all.
func tryAll(t *testing.T, service conformance.Config, chapters ...string) (all []conformance.Result) {
	t.Helper()
	suite := conformance.New(service, nil)
	for _, chapter := range suite.Chapters() {
		if len(chapters) > 0 && !slices.ContainsFunc(chapters, func(c string) bool { return strings.HasPrefix(chapter.Name, c) }) {
			continue
		}
		for _, check := range chapter.Checks {
			all = append(all, suite.Run(t.Context(), chapter, check))
		}
	}
	return all
}

// count says how many results have a verdict.
func count(all []conformance.Result, verdict conformance.Verdict) (n int) {
	for _, r := range all {
		if r.Verdict == verdict {
			n++
		}
	}
	return n
}

// TestSuite_Ready holds that a configuration without identifiers is refused, with the
// names of what it lacks.
func TestSuite_Ready(t *testing.T) {
	good := MustDemo(t)
	for _, c := range []struct {
		name   string
		config conformance.Config
		want   []string
	}{
		{"KeyAlone", conformance.Config{BaseURL: good.BaseURL, APIKey: good.APIKey},
			[]string{"card", "unit_id", "care_point_id", "professional_id", "specialty_id"}},
		{"CardAlone", conformance.Config{BaseURL: good.BaseURL, APIKey: good.APIKey, Card: "1"},
			[]string{"unit_id", "care_point_id", "professional_id", "specialty_id", "units_path", "executants_path"}},
		{"NoService", conformance.Config{BaseURL: "http://127.0.0.1:1", APIKey: "x", Card: "1"}, []string{"no answer", "refused"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := conformance.New(c.config, nil).Ready(t.Context())
			if !errors.Is(err, conformance.ErrNotReady) {
				t.Fatalf("got %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v does not name %s", err, want)
				}
			}
		})
	}
	t.Run("Paths", func(t *testing.T) {
		listed := conformance.Config{BaseURL: good.BaseURL, APIKey: good.APIKey, Card: "1",
			UnitsPath: "/api/v2/unidades", ProfessionalsPath: "/api/v2/profissionais-executantes"}
		if err := conformance.New(listed, nil).Ready(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestSuite_SilentPoints holds that no service is failed for what the specification
// does not show, nor for a method of authentication that it lacks.
func TestSuite_SilentPoints(t *testing.T) {
	good := MustDemo(t)
	foreign := MustForeign(t, good)
	t.Run("OtherDecisions", func(t *testing.T) {
		foreign := foreign
		foreign.BaseURL = MustMutate(t, good.BaseURL, mutation{answers: decidesOtherwise})
		all := tryAll(t, foreign)
		for _, r := range all {
			if r.Verdict == conformance.Broken {
				t.Errorf("%s/%s is broken: %q", r.Chapter, r.Check, r.Problems)
			}
		}
		if n := count(all, conformance.Differs); n < 20 {
			t.Errorf("%d sentences differ from our decisions, want most", n)
		}
	})
	for name, one := range map[string]conformance.Config{
		"KeyAlone":    {APIKey: good.APIKey},
		"LoginAlone":  {Login: good.Login},
		"ClientAlone": {OAuth: good.OAuth},
	} {
		t.Run(name, func(t *testing.T) {
			foreign := foreign
			foreign.BaseURL += "/"
			foreign.APIKey, foreign.Login, foreign.OAuth = one.APIKey, one.Login, one.OAuth
			openSentences(t, foreign, "Section", "Row2")
		})
	}
}

// TestSuite_OneSession holds that a service may end a user's session when a new one
// begins: nothing is shown of that.
func TestSuite_OneSession(t *testing.T) {
	good := MustDemo(t)
	foreign := MustForeign(t, good)
	foreign.APIKey, foreign.OAuth = "", nil
	var mu sync.Mutex
	newest := ""
	foreign.BaseURL = MustMutate(t, good.BaseURL, mutation{
		asks: func(x *traffic) {
			mu.Lock()
			defer mu.Unlock()
			if token := strings.TrimPrefix(x.asked.Get("Authorization"), "Bearer "); token != "" && token != newest {
				x.asked.Set("Authorization", "Bearer encerrado")
			}
		},
		answers: func(x *traffic) {
			mu.Lock()
			defer mu.Unlock()
			data, _ := x.doc["data"].(map[string]any)
			if token, ok := data["access_token"].(string); ok {
				newest = token
			}
		},
	})
	openSentences(t, foreign, "Section", "Row2")
}

// TestSuite_SlowedDown holds that a service may ask for patience at any time, in seconds or by a date.
func TestSuite_SlowedDown(t *testing.T) {
	good := MustDemo(t)
	for name, until := range map[string]func(http.Header) string{
		"Seconds": func(http.Header) string { return "0" }, "Date": func(h http.Header) string { return h.Get("Date") },
	} {
		t.Run(name, func(t *testing.T) {
			foreign := MustForeign(t, good)
			var asked atomic.Int64
			foreign.BaseURL = MustMutate(t, good.BaseURL, mutation{asks: func(x *traffic) {
				if asked.Add(1)%7 == 0 {
					x.path = "/api/v2/nada" // the request is not made
				}
			}, answers: func(x *traffic) {
				if x.path == "/api/v2/nada" && asked.Load()%7 == 0 {
					refuses(x)
					x.status = http.StatusTooManyRequests
					x.header.Set("Retry-After", until(x.header))
				}
			}})
			openSentences(t, foreign, "Section")
		})
	}
}

// TestSuite_TokensOfOneSecond holds that a token may say no more than whose it is and when it was made, in seconds, as
// many a JWT does: nothing is shown of its inside.
func TestSuite_TokensOfOneSecond(t *testing.T) {
	good := MustDemo(t)
	foreign := MustForeign(t, good)
	foreign.APIKey, foreign.OAuth = "", nil
	var given sync.Map // the true token of each that is shown
	foreign.BaseURL = MustMutate(t, good.BaseURL, mutation{
		asks: func(x *traffic) {
			token, _ := given.Load(strings.TrimPrefix(x.asked.Get("Authorization"), "Bearer "))
			if token, known := token.(string); known {
				x.asked.Set("Authorization", "Bearer "+token)
			}
		},
		answers: func(x *traffic) {
			data, _ := x.doc["data"].(map[string]any)
			if token, ok := data["access_token"].(string); ok {
				shown := "eyJhbGciOiJIUzI1NiJ9." + strconv.FormatInt(time.Now().Unix(), 10)
				given.Store(shown, token)
				data["access_token"] = shown
			}
		},
	})
	openSentences(t, foreign, "Section4_6", "Section4_8", "Section5")
}

// decidesOtherwise is a service that took other decisions where nothing is shown.
func decidesOtherwise(x *traffic) {
	on("/api/v2/unidades", unknown)(x)
	drop("errosDetalhados")(x)
	drop("data.items.*.credencialElegibilityId")(x)
	header("WWW-Authenticate", "")(x)
	if x.status >= 400 {
		put("erros", []any{map[string]any{"motivo": "outra forma"}})(x)
	}
}

// TestSuite_AnyAnswer holds that whatever a service answers, each check comes to a
// verdict.
func TestSuite_AnyAnswer(t *testing.T) {
	good := MustDemo(t)
	service := MustForeign(t, good)
	service.Guiche = true
	for name, text := range map[string]string{
		"Nothing": "", "Page": "<!doctype html><h1>Ops</h1>", "Null": "null", "List": "[]", "Object": "{}", "Text": `"ok"`,
		"Nulls":   `{"sucesso": true, "erros": null, "data": {"items": [null], "autorizacoes": [null]}}`,
		"Refusal": `{"sucesso": false, "erros": ["x"], "data": {"autorizacoes": [{"sucesso": false, "situacaoAutorizacao": "I"}]}}`,
		"Hollow": `{"sucesso": true, "erros": [], "data": {"items": [{}], "recursos": [1], "autorizacoes": [{}], "access_token": "x", ` +
			`"refresh_token": "y"}, "access_token": "x"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := service
			service.BaseURL = MustAnswer(t, text)
			if n := count(tryAll(t, service), conformance.Broken); n < 100 {
				t.Errorf("%d sentences are broken, want most of them", n)
			}
		})
	}
}

// TestSuite_WrongSecrets holds that a whole run presents each kind of secret wrong at
// most once, so that a service which slows down guessing does not refuse the suite.
func TestSuite_WrongSecrets(t *testing.T) {
	good := MustDemo(t)
	foreign := MustForeign(t, good)
	var wrong atomic.Int64
	foreign.BaseURL = MustMutate(t, good.BaseURL, mutation{answers: func(x *traffic) {
		if x.status == http.StatusUnauthorized && presentsASecret(x) {
			wrong.Add(1)
		}
		if wrong.Load() > 4 { // as fail2ban and its like do
			refuses(x)
			x.status = http.StatusTooManyRequests
		}
	}})
	openSentences(t, foreign)
	if n := wrong.Load(); n != 4 {
		t.Errorf("%d wrong secrets in one run, want one for each of four kinds", n)
	}
}

// TestSuite_Authorizations holds how many authorizations a run asks for, as the README
// says.
func TestSuite_Authorizations(t *testing.T) {
	good := MustDemo(t)
	for _, c := range []struct {
		name     string
		chapters []string
		most     int64
	}{{"All", nil, 40}, {"WithoutDecisions", []string{"Section"}, 12}} {
		t.Run(c.name, func(t *testing.T) {
			foreign := MustForeign(t, good)
			var given atomic.Int64
			foreign.BaseURL = MustMutate(t, good.BaseURL, mutation{answers: func(x *traffic) {
				data, _ := x.doc["data"].(map[string]any)
				if authorizes := data["autorizacoes"] != nil || x.status == http.StatusAccepted; authorizes &&
					x.header.Get("Idempotency-Replayed") == "" {
					given.Add(1)
				}
			}})
			openSentences(t, foreign, c.chapters...)
			if n := given.Load(); n > c.most || n < c.most/2 {
				t.Errorf("%d authorizations in one run, want at most %d", n, c.most)
			}
		})
	}
}

// presentsASecret reports whether a request carries any secret.
func presentsASecret(x *traffic) bool {
	return x.asked.Get("X-Api-Key") != "" || x.asked.Get("Authorization") != "" || strings.Contains(x.form, "client_secret=") ||
		x.sent["senha"] != nil || x.sent["refresh_token"] != nil && x.sent["refresh_token"] != ""
}
