package account_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/password"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

const chosen = "capivara no quintal"

func TestService_ChangePassword(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	here, there := MustLogin(t, o, "clara"), MustLogin(t, o, "clara")
	token, err := o.ChangePassword(t.Context(), user.UID, account.PasswordChange{Current: typedPassword, New: chosen}, address)
	if err != nil {
		t.Fatal(err)
	}
	wantLive(t, o, token, true)
	wantLive(t, o, here, false) // whoever had copied it is out as well
	wantLive(t, o, there, false)
	if _, _, err := o.Login(t.Context(), "clara", typedPassword, address); !problem.Is(err, problem.Invalid) {
		t.Errorf("old typedPassword: got %v, want Invalid", err)
	}
	if _, _, err := o.Login(t.Context(), "clara", chosen, address); err != nil {
		t.Errorf("new typedPassword: got %v, want nil", err)
	}
	if got := events(t, o); !slices.Contains(got, audit.PasswordSet) {
		t.Errorf("got %v, want the change in the trail", got)
	}
}

func TestService_ChangePassword_Refused(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	token := MustLogin(t, o, "clara")
	for name, tc := range map[string]struct {
		change account.PasswordChange
		want   []string
	}{
		"Nothing":      {account.PasswordChange{}, []string{"atual obrigatorio", "senha obrigatorio"}},
		"WrongCurrent": {account.PasswordChange{Current: "outra senha da pessoa", New: chosen}, []string{"atual incorreto"}},
		"Endless":      {account.PasswordChange{Current: string(make([]byte, 1<<20)), New: chosen}, []string{"atual incorreto"}},
		"Short":        {account.PasswordChange{Current: typedPassword, New: "curta"}, []string{"senha limite"}},
		"OwnName":      {account.PasswordChange{Current: typedPassword, New: "nome de clara"}, []string{"senha comum"}},
		"TheSame":      {account.PasswordChange{Current: typedPassword, New: typedPassword}, []string{"senha repetido"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := o.ChangePassword(t.Context(), user.UID, tc.change, address)
			wantFields(t, err, tc.want)
		})
	}
	wantLive(t, o, token, true)
	if _, err := o.ChangePassword(t.Context(), uuid.Must(uuid.NewV7()), account.PasswordChange{Current: typedPassword,
		New: chosen}, address); !problem.Is(err, problem.NotFound) {
		t.Errorf("nobody: got %v, want NotFound", err)
	}
}

// Whoever found an open session cannot try passwords for ever.
func TestService_ChangePassword_Throttled(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	wrong := account.PasswordChange{Current: "outra senha da pessoa", New: chosen}
	var err error
	for range 11 {
		_, err = o.ChangePassword(t.Context(), user.UID, wrong, address)
	}
	if !problem.Is(err, problem.Throttled) {
		t.Errorf("got %v, want Throttled", err)
	}
	if _, err := o.ChangePassword(t.Context(), user.UID, account.PasswordChange{Current: typedPassword, New: chosen},
		address); !problem.Is(err, problem.Throttled) {
		t.Errorf("right one, too early: got %v, want Throttled", err)
	}
}

// meddler does something while a password is being checked.
type meddler struct {
	password.Hasher
	meddle func()
}

func (m *meddler) Verify(ctx context.Context, hash, password string) (bool, error) {
	fits, err := m.Hasher.Verify(ctx, hash, password)
	m.meddle()
	return fits, err
}

// overtaken are what somebody else may do to a person whose password is being checked.
func overtaken(ctx context.Context) map[string]func(o fixture, uid uuid.UUID) error {
	return map[string]func(o fixture, uid uuid.UUID) error{
		"Disabled": func(o fixture, uid uuid.UUID) error { return o.Disable(ctx, permission.Program(), uid) },
		"Reset": func(o fixture, uid uuid.UUID) error {
			_, err := o.ResetPassword(ctx, permission.Program(), uid)
			return err
		},
	}
}

// TestService_Overtaken: a password that was right when it was looked at opens nothing for somebody who
// was put out while it was being checked.
func TestService_Overtaken(t *testing.T) {
	for act, tt := range map[string]struct {
		do   func(slow *account.Service, user account.User) (string, error)
		want problem.Code
	}{
		"Login": {func(slow *account.Service, _ account.User) (string, error) {
			token, _, err := slow.Login(t.Context(), "clara", typedPassword, address)
			return token, err
		}, problem.Invalid},
		"ChangePassword": {func(slow *account.Service, user account.User) (string, error) {
			return slow.ChangePassword(t.Context(), user.UID, account.PasswordChange{Current: typedPassword, New: chosen}, address)
		}, problem.Unauthorized},
		"Confirm": {func(slow *account.Service, user account.User) (string, error) {
			return "", slow.Confirm(t.Context(), user.UID, uuid.Max, typedPassword)
		}, problem.Unauthorized},
	} {
		for name, meddle := range overtaken(t.Context()) {
			t.Run(act+name, func(t *testing.T) {
				o := MustOpen(t)
				user := MustAdd(t, o, "clara", permission.Reception)
				slow := account.New(account.Config{Store: o.store, Hasher: &meddler{o.hash, func() {
					if err := meddle(o, user.UID); err != nil {
						t.Error(err)
					}
				}}})
				token, err := tt.do(slow, user)
				if token != "" || !problem.Is(err, tt.want) {
					t.Errorf("got %v, want %s", err, tt.want)
				}
				if sessions, err := o.Sessions(t.Context(), user.UID); err != nil || len(sessions) != 0 {
					t.Errorf("got %v, error %v, want no session", sessions, err)
				}
				if got := slices.Contains(events(t, o), audit.LoginFailed); got != (act == "Login") {
					t.Errorf("a failed login in the trail: got %v", got)
				}
			})
		}
	}
}

// TestService_Confirm: the right password confirms that session alone; a wrong one does not, and stands
// in the trail.
func TestService_Confirm(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	here, there := MustLogin(t, o, "clara"), MustLogin(t, o, "clara")
	o.clock.Advance(11 * time.Minute)
	session := func(token string) account.Session {
		s, _, err := o.Authenticate(t.Context(), token, false)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	wantFields(t, o.Confirm(t.Context(), user.UID, session(here).UID, "outra senha da pessoa"), []string{"atual incorreto"})
	if session(here).Confirmed(o.clock.Now()) || !slices.Contains(events(t, o), audit.LoginFailed) {
		t.Error("a wrong password confirmed the session, or is not in the trail")
	}
	if err := o.Confirm(t.Context(), user.UID, session(here).UID, typedPassword); err != nil {
		t.Fatal(err)
	}
	if !session(here).Confirmed(o.clock.Now()) || session(there).Confirmed(o.clock.Now()) {
		t.Error("want that session confirmed, and no other")
	}
	if err := o.Confirm(t.Context(), uuid.Max, session(here).UID, typedPassword); !problem.Is(err, problem.NotFound) {
		t.Errorf("nobody: got %v, want NotFound", err)
	}
}

func TestService_SetPreferences(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	if got, err := o.User(t.Context(), user.UID); err != nil || got.Preferences != (account.Preferences{Theme: account.SystemTheme}) {
		t.Errorf("at first: got %+v, error %v", got.Preferences, err)
	}
	token := MustLogin(t, o, "clara")
	for _, want := range []account.Preferences{{Theme: account.DarkTheme, KeysOff: true}, {Theme: account.LightTheme},
		{Theme: account.SystemTheme}} {
		if err := o.SetPreferences(t.Context(), user.UID, want); err != nil {
			t.Fatal(err)
		}
		if _, got, err := o.Authenticate(t.Context(), token, false); err != nil || got.Preferences != want {
			t.Errorf("got %+v, error %v, want %+v", got.Preferences, err, want)
		}
	}
	wantFields(t, o.SetPreferences(t.Context(), user.UID, account.Preferences{Theme: "roxo"}), []string{"tema dominio"})
	if got := events(t, o); got[len(got)-1] != audit.PreferencesSet {
		t.Errorf("got %v, want the change at its end", got)
	}
	for _, theme := range account.Themes() {
		if label := theme.Label(); label == "" || label == string(theme) {
			t.Errorf("%s: got label %q, want words for people", theme, label)
		}
	}
}
