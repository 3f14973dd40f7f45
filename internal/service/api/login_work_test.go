package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"guiche/internal/password"
	"guiche/internal/service/servicetest"
)

// countingHasher notes the cost of every hash that it was given to verify.
type countingHasher struct {
	*password.Argon2id
	costs []string
}

func (h *countingHasher) Verify(ctx context.Context, hash, given string) (bool, error) {
	parts := strings.Split(hash, "$")
	h.costs = append(h.costs, strings.Join(parts[:4], "$")) // kind, version and cost, without salt and key
	return h.Argon2id.Verify(ctx, hash, given)
}

// TestAPI_Login_SameWork: whether there is such a user does not show in the
// work either.
func TestAPI_Login_SameWork(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	out, _, err := e.Admin.AddUser(t.Context(), p.Profile.ID, "de-licenca", servicetest.PartnerPassword)
	e.Must(err)
	e.Must(e.Admin.SetUserDisabled(t.Context(), out.ID, true))
	hasher := &countingHasher{Argon2id: password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1})}
	e.Hasher = hasher
	e.Restart()
	handler := e.API.Handler()
	for _, user := range []string{p.User.Name, "ninguem", out.Name} {
		hasher.costs = nil
		r := httptest.NewRequest(http.MethodPost, "/api/v1/auth/login",
			strings.NewReader(fmt.Sprintf(`{"usuario":%q,"senha":"outra frase comprida"}`, user)))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if want := "[$argon2id$v=19$m=8,t=1,p=1]"; w.Code != http.StatusUnauthorized || fmt.Sprint(hasher.costs) != want {
			t.Errorf("%s: got %d after %v, want one hash of %s", user, w.Code, hasher.costs, want)
		}
	}
}
