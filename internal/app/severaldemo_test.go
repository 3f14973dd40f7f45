package app_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"testing"

	"guiche/internal/app"

	"github.com/jackc/pgx/v5"
)

// TestSeveral_Demo: of demos that start at once on an empty database one makes what is missing and the others wait
// for it. Each is ready in the end, the past is there once, and the demo's people log in at each.
func TestSeveral_Demo(t *testing.T) {
	t.Parallel()
	database := ""
	all := startAtOnce(t, 3, func(c *app.Config) { c.Demo, c.Past, database = true, true, c.Database.URL })
	if all == nil {
		return
	}
	for i, a := range all { // the first request waits for the past
		for _, l := range a.Logins() {
			jar, err := cookiejar.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			browser := http.Client{Jar: jar}
			res, err := browser.PostForm(a.URL()+"/entrar", url.Values{"usuario": {l.User}, "senha": {l.Password}})
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if res.StatusCode != http.StatusOK || res.Request.URL.Path == "/entrar" {
				t.Errorf("%s at demo %d: %d at %s", l.Role, i, res.StatusCode, res.Request.URL.Path)
			}
		}
		res, err := http.Get(a.URL() + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		if _ = res.Body.Close(); res.StatusCode != http.StatusOK {
			t.Errorf("demo %d is not ready: %d", i, res.StatusCode)
		}
	}
	for query, want := range map[string][2]int{
		`SELECT count(*) FROM desk.submission`:               {60, 75}, // as one demo has
		`SELECT count(DISTINCT sender) FROM desk.submission`: {3, 3},
		`SELECT count(*) FROM desk.lease WHERE ended = 0`:    {3, 3}, // of who sends
	} {
		if got := numberOf(t, database, query); got < want[0] || got > want[1] {
			t.Errorf("%s: got %d, want %d to %d", query, got, want[0], want[1])
		}
	}
}

func numberOf(t *testing.T, database, query string) (n int) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close(t.Context()) }()
	if err := db.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
