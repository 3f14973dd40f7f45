package access_test

import (
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"
)

func TestControl_Login(t *testing.T) {
	e := MustEnv(t)
	for _, name := range []string{userName, "INTEGRA", "  Integra "} {
		pair, err := e.login(name, userPassword)
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if pair.AccessLife != 15*time.Hour || pair.RefreshLife != 72*time.Hour || pair.Access == pair.Refresh {
			t.Errorf("got %+v, want 15 and 72 hours", pair)
		}
		if !strings.HasPrefix(pair.Access, "gca_") || !strings.HasPrefix(pair.Refresh, "gcr_") || len(pair.Access) != 55 {
			t.Errorf("tokens: got %q and %q", pair.Access, pair.Refresh)
		}
		if _, err := e.byToken(pair.Access, access.ReadDirectory); err != nil {
			t.Errorf("the token: %v", err)
		}
	}
	users, err := e.store.Users(t.Context(), e.profile.ID)
	if err != nil || !users[0].UsedAt.Equal(start) {
		t.Errorf("last login: got %v, %v", users, err)
	}
}

// TestControl_Login_Invalid: whatever is wrong, the answer and the work are the
// same.
func TestControl_Login_Invalid(t *testing.T) {
	e := MustEnv(t)
	for name, c := range map[string]struct {
		change         func()
		user, password string
	}{
		"unknown user":     {nil, "ninguem", userPassword},
		"wrong password":   {nil, userName, "outra frase comprida"},
		"endless password": {nil, userName, strings.Repeat("x", 1<<20)},
		"no password":      {nil, userName, ""},
		"disabled user": {func() { e.must(e.store.SetUserDisabled(t.Context(), e.user.ID, true, e.clock())) },
			userName, userPassword},
		"disabled profile": {func() {
			e.must(e.store.SetUserDisabled(t.Context(), e.user.ID, false, e.clock()))
			e.change(func(p *access.Profile) { p.Disabled = true })
		}, userName, userPassword},
	} {
		t.Run(name, func(t *testing.T) {
			if c.change != nil {
				c.change()
			}
			before := e.hasher.verified.Load()
			_, err := e.login(c.user, c.password)
			checkRefused(t, name, err, access.InvalidLogin)
			if got := e.hasher.verified.Load() - before; got != 1 {
				t.Errorf("%d passwords were verified, want 1", got)
			}
			e.change(func(*access.Profile) {})
			e.must(e.store.SetUserDisabled(t.Context(), e.user.ID, false, e.clock()))
		})
	}
}

func TestControl_Login_Refused(t *testing.T) {
	e := MustEnv(t)
	e.change(func(p *access.Profile) { p.Methods = []access.Method{access.MethodAPIKey} })
	_, err := e.login(userName, userPassword)
	checkRefused(t, "method off", err, access.MethodOff)
	e.change(func(p *access.Profile) { p.Rate = 1 })
	e.mustLogin()
	_, err = e.login(userName, userPassword)
	checkRefused(t, "too fast", err, access.TooManyRequests)
	families, err := e.store.Families(t.Context(), access.FamilyQuery{Profile: e.profile.ID})
	if err != nil || families.Total != 1 {
		t.Errorf("got %d families, %v, want 1", families.Total, err)
	}
}

// TestControl_Login_Throttled: an account is slowed down after ten wrong passwords,
// and a good one in time takes the failures back.
func TestControl_Login_Throttled(t *testing.T) {
	e := MustEnv(t)
	fail := func(times int, want access.Reason) {
		t.Helper()
		for range times {
			_, err := e.login(userName, "outra frase comprida")
			checkRefused(t, "wrong password", err, want)
		}
	}
	fail(9, access.InvalidLogin)
	e.mustLogin()
	fail(10, access.InvalidLogin)
	fail(1, access.TooManyGuesses)
	before := e.hasher.verified.Load()
	_, err := e.login(strings.ToUpper(userName), userPassword)
	checkRefused(t, "the right one, too early", err, access.TooManyGuesses)
	if e.hasher.verified.Load() != before {
		t.Error("a password was verified although it came too early")
	}
	_, err = e.login("outra-conta", userPassword)
	checkRefused(t, "another account", err, access.InvalidLogin)
	e.move(30 * time.Second)
	e.mustLogin()
}

// TestControl_Login_Forgives: who knows the password is no guesser, however often
// the whole clinic logs in.
func TestControl_Login_Forgives(t *testing.T) {
	e := MustEnv(t)
	for range 310 {
		e.mustLogin()
	}
	_, err := e.byKey("gch_guess", "")
	checkRefused(t, "after 310 logins", err, access.InvalidKey)
}

func TestControl_Refresh(t *testing.T) {
	e := MustEnv(t)
	first := e.mustLogin()
	e.move(72*time.Hour - time.Microsecond)
	second, err := e.Refresh(t.Context(), first.Refresh, address)
	if err != nil || second.Access == first.Access || second.AccessLife != 15*time.Hour || second.RefreshLife != 72*time.Hour {
		t.Fatalf("got %+v, %v", second, err)
	}
	if _, err := e.byToken(second.Access, access.ReadDirectory); err != nil {
		t.Errorf("the new token: %v", err)
	}
	e.move(72 * time.Hour)
	_, err = e.Refresh(t.Context(), second.Refresh, address)
	checkRefused(t, "after 72 hours", err, access.InvalidRefresh)
}

// TestControl_Refresh_Twice: a refresh token that comes again ends its family, and
// no other.
func TestControl_Refresh_Twice(t *testing.T) {
	e := MustEnv(t)
	first, other := e.mustLogin(), e.mustLogin()
	second, err := e.Refresh(t.Context(), first.Refresh, address)
	e.must(err)
	if e.log.String() != "" {
		t.Errorf("the log says %s", e.log)
	}
	_, err = e.Refresh(t.Context(), first.Refresh, address)
	checkRefused(t, "again", err, access.InvalidRefresh)
	for name, token := range map[string]string{"first": first.Access, "second": second.Access} {
		_, err := e.byToken(token, "")
		checkRefused(t, name+" token of the family", err, access.InvalidToken)
	}
	_, err = e.Refresh(t.Context(), second.Refresh, address)
	checkRefused(t, "the next one", err, access.InvalidRefresh)
	if _, err := e.byToken(other.Access, ""); err != nil {
		t.Errorf("another family: %v", err)
	}
	if !strings.Contains(e.log.String(), "refresh token used twice") || strings.Contains(e.log.String(), first.Refresh) {
		t.Errorf("the log says %q", e.log)
	}
}

// TestControl_Refresh_Refused: what is refused for other reasons does not spend the
// token.
func TestControl_Refresh_Refused(t *testing.T) {
	e := MustEnv(t)
	pair := e.mustLogin()
	for name, token := range map[string]string{
		"none": "", "an access token": pair.Access, "mistyped": pair.Refresh[:len(pair.Refresh)-1] + "x",
		"unknown": "gcr_" + strings.Repeat("A", 43) + "d8b7b4e5",
	} {
		_, err := e.Refresh(t.Context(), token, address)
		checkRefused(t, name, err, access.InvalidRefresh)
	}
	e.change(func(p *access.Profile) { p.Methods = []access.Method{access.MethodOAuth} })
	_, err := e.Refresh(t.Context(), pair.Refresh, address)
	checkRefused(t, "method off", err, access.MethodOff)
	e.change(func(p *access.Profile) { p.Rate = 1 })
	_, err = e.byKey(e.keySecret, "")
	e.must(err)
	_, err = e.Refresh(t.Context(), pair.Refresh, address)
	checkRefused(t, "too fast", err, access.TooManyRequests)
	e.change(func(*access.Profile) {})
	pair, err = e.Refresh(t.Context(), pair.Refresh, address)
	if err != nil {
		t.Errorf("afterwards: %v", err)
	}
	for _, off := range []bool{true, false} { // disabled once, its tokens have ended for good
		e.change(func(p *access.Profile) { p.Disabled = off })
		_, err = e.Refresh(t.Context(), pair.Refresh, address)
		checkRefused(t, "profile disabled", err, access.InvalidRefresh)
	}
}

// TestControl_Refresh_Ended: a token whose time is over is refused as that, whatever
// else its partner may not do, and takes no turn of it.
func TestControl_Refresh_Ended(t *testing.T) {
	e := MustEnv(t)
	pair := e.mustLogin()
	e.move(72 * time.Hour)
	e.change(func(p *access.Profile) { p.Methods = []access.Method{access.MethodAPIKey} })
	_, err := e.Refresh(t.Context(), pair.Refresh, address)
	checkRefused(t, "method off", err, access.InvalidRefresh)
	e.change(func(p *access.Profile) { p.Rate = 1 })
	for range 3 {
		_, err = e.Refresh(t.Context(), pair.Refresh, address)
		checkRefused(t, "too fast", err, access.InvalidRefresh)
	}
	_, err = e.byKey(e.keySecret, "")
	checkRefused(t, "the partner's turn", err, "")
}
