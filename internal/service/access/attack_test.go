package access_test

import (
	"fmt"
	"testing"
	"time"

	"guiche/internal/service/access"
)

// Whoever guesses keeps no partner out: neither from other addresses, nor from its
// own with other users' names, nor with unknown keys and clients.
func TestControl_Login_Attacked(t *testing.T) {
	for name, c := range map[string]struct{ user, from func(i int) string }{
		"OneAddress": {user: func(int) string { return userName }, from: func(int) string { return "198.51.100.66" }},
		"ManyAddresses": {user: func(int) string { return userName },
			from: func(i int) string { return fmt.Sprintf("203.0.%d.%d", i/250, i%250) }},
		"OneNetwork":     {user: func(int) string { return userName }, from: func(i int) string { return fmt.Sprintf("2001:db8::%x", i) }},
		"SameAddress":    {user: func(i int) string { return fmt.Sprint("ninguem", i) }, from: func(int) string { return address }},
		"SameAddressOne": {user: func(int) string { return "ninguem" }, from: func(int) string { return address }},
	} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t)
			for i := range 600 {
				_, err := e.Login(t.Context(), access.LoginRequest{User: c.user(i), Password: "errada", From: c.from(i)})
				if got := reason(err); got != access.InvalidLogin && got != access.TooManyGuesses {
					t.Fatalf("attempt %d: got %q", i+1, got)
				}
				e.move(500 * time.Millisecond)
			}
			_, err := e.login(userName, userPassword)
			checkRefused(t, "the right password", err, "")
			_, err = e.byKey("gch_guess", "")
			checkRefused(t, "an unknown key", err, access.InvalidKey)
			_, err = e.grant(e.client.ID.String(), "gcs_guess", "")
			checkRefused(t, "a wrong client secret", err, access.InvalidClient)
		})
	}
}

// However many unknown secrets an address presents, good ones of any kind come in
// from there.
func TestControl_Admit_Attacked(t *testing.T) {
	e := MustEnv(t)
	pair := e.mustLogin()
	for range 310 {
		_, _ = e.byKey("gch_guess", "")
	}
	_, err := e.byKey("gch_guess", "")
	checkRefused(t, "one more guess", err, access.TooManyGuesses)
	_, err = e.byKey(e.keySecret, "")
	checkRefused(t, "key", err, "")
	_, err = e.byToken(pair.Access, "")
	checkRefused(t, "token", err, "")
	_, err = e.Refresh(t.Context(), pair.Refresh, address)
	checkRefused(t, "renewal", err, "")
	_, err = e.grant(e.client.ID.String(), e.clientSecret, "")
	checkRefused(t, "client", err, "")
	e.mustLogin()
}

// Administração sees how often the login of a partner's user failed.
func TestControl_FailedLogins(t *testing.T) {
	e := MustEnv(t)
	for range 12 {
		_, _ = e.login(userName, "errada")
		_, _ = e.login("ninguem", "errada")
	}
	_, _ = e.login("ninguem", "errada")
	got, err := e.store.FailedLogins(t.Context(), start.Add(-time.Hour))
	e.must(err)
	want := []access.FailedLogins{
		{Tried: 10, Refused: 3, Latest: start},
		{User: e.user.ID, Name: userName, Profile: e.profile.ID, Tried: 10, Refused: 2, Latest: start},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
