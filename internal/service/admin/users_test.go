package admin_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/service/servicetest"
)

// TestAdmin_Users is what a console does with users.
func TestAdmin_Users(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	admin, ctx := e.Admin, t.Context()
	t.Run("FreshPassword", func(t *testing.T) {
		user, password, err := admin.AddUser(ctx, p.Profile.ID, "Faturamento", "")
		if err != nil || len(password) < 30 || user.Name != "faturamento" {
			t.Fatalf("got %+v, %d characters, %v", user, len(password), err)
		}
		if got := e.Login("faturamento", password).Status; got != http.StatusOK {
			t.Errorf("login: got %d", got)
		}
		again, err := admin.SetUserPassword(ctx, user, "")
		if err != nil || again == password {
			t.Errorf("another password: %v", err)
		}
		if got := []int{e.Login("faturamento", password).Status, e.Login("faturamento", again).Status}; !reflect.DeepEqual(got, []int{401, 200}) {
			t.Errorf("old and new: got %v", got)
		}
	})
	t.Run("Refused", func(t *testing.T) {
		for name, c := range map[string]struct {
			user, password string
			code           problem.Code
		}{
			"taken": {strings.ToUpper(p.User.Name), servicetest.PartnerPassword, problem.Conflict}, "short name": {"ab", "", problem.Invalid},
			"odd name": {"joão silva", "", problem.Invalid}, "short password": {"outro", "curta", problem.Invalid},
			"own name": {"integracao-sul", "integracao-sul", problem.Invalid},
		} {
			if _, password, err := admin.AddUser(ctx, p.Profile.ID, c.user, c.password); problem.CodeOf(err) != c.code || password != "" {
				t.Errorf("%s: got %v, want %s", name, err, c.code)
			}
		}
	})
	t.Run("List", func(t *testing.T) {
		users, err := admin.Users(ctx, p.Profile.ID)
		if err != nil || len(users) != 2 || users[0].Name != "faturamento" || users[0].UsedAt.IsZero() || users[0].ProfileID != p.Profile.ID {
			t.Errorf("got %+v, %v", users, err)
		}
	})
	t.Run("Ensure", func(t *testing.T) {
		ensure := func() { e.Must(admin.EnsureUser(ctx, p.Profile.ID, "demo", "uma frase bem longa")) }
		ensure()
		access := e.Login("demo", "uma frase bem longa").Data()["access_token"].(string)
		ensure()
		if got := opens(e, servicetest.Bearer(access)); got != http.StatusOK {
			t.Errorf("a token from before: got %d, want it still valid", got)
		}
		users, err := admin.Users(ctx, p.Profile.ID)
		e.Must(err)
		e.Must(admin.SetUserDisabled(ctx, users[0].ID, true))
		_, err = admin.SetUserPassword(ctx, users[0], "")
		e.Must(err)
		ensure()
		if got := e.Login("demo", "uma frase bem longa").Status; got != http.StatusOK {
			t.Errorf("after all was changed: got %d", got)
		}
	})
}

// opens returns the status with which a header gets to what needs no scope.
func opens(e *env, h http.Header) int {
	return e.Send(http.MethodGet, "/api/v2/recursos", nil, h).Status
}
