package admin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// byKey is a header with an API key.
func byKey(secret string) http.Header { return http.Header{"X-Api-Key": {secret}} }

func TestAdmin_Keys(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	secret, err := e.Admin.MintKey(t.Context(), p.Profile.ID, time.Hour)
	e.Must(err)
	keys, err := e.Admin.Keys(t.Context(), p.Profile.ID)
	if err != nil || len(keys) != 2 || !strings.HasSuffix(secret, keys[0].Hint) || keys[0].Idle != time.Hour ||
		!keys[0].CreatedAt.Equal(start) {
		t.Fatalf("got %+v, %v, want the new one first", keys, err)
	}
	if got := []int{opens(e, byKey(secret)), opens(e, byKey(p.Key))}; !slices.Equal(got, []int{200, 200}) {
		t.Errorf("both keys: got %v", got)
	}
	e.Must(e.Admin.RevokeKey(t.Context(), keys[0].ID))
	if got := []int{opens(e, byKey(secret)), opens(e, byKey(p.Key))}; !slices.Equal(got, []int{401, 200}) {
		t.Errorf("one being revoked: got %v", got)
	}
	if keys, err = e.Admin.Keys(t.Context(), p.Profile.ID); err != nil || !keys[0].RevokedAt.Equal(start) || !keys[1].RevokedAt.IsZero() {
		t.Errorf("got %+v, %v", keys, err)
	}
	if _, err := e.Admin.MintKey(t.Context(), uuid.New(), 0); !problem.Is(err, problem.NotFound) {
		t.Errorf("of nobody: got %v, want %s", err, problem.NotFound)
	}
}

func TestAdmin_Clients(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	for _, name := range []string{"", "   "} {
		client, secret, err := e.Admin.AddClient(t.Context(), p.Profile.ID, name, 0)
		if paths(err) != "cliente obrigatorio" || secret != "" || client.ID != uuid.Nil {
			t.Errorf("%q: got %+v, %v", name, client, err)
		}
	}
	if _, secret, err := e.Admin.AddClient(t.Context(), uuid.New(), "Sistema", 0); !problem.Is(err, problem.NotFound) || secret != "" {
		t.Errorf("of nobody: got %q, %v, want %s", secret, err, problem.NotFound)
	}
	client, secret, err := e.Admin.AddClient(t.Context(), p.Profile.ID, " Agenda ", time.Hour)
	if err != nil || client.Name != "Agenda" || client.Idle != time.Hour || !strings.HasPrefix(secret, "gcs_") {
		t.Fatalf("got %+v, %q, %v", client, secret, err)
	}
	all, err := e.Admin.Clients(t.Context(), p.Profile.ID)
	if err != nil || len(all) != 2 || all[0].ID != client.ID || all[1].ID != p.Client.ID {
		t.Errorf("got %+v, %v, want the newest first", all, err)
	}
	e.Must(e.Admin.RevokeClient(t.Context(), p.Client.ID))
	if got := opens(e, servicetest.Bearer(p.AccessByClient)); got != http.StatusUnauthorized {
		t.Errorf("a token of a revoked client: got %d", got)
	}
	if all, err = e.Admin.Clients(t.Context(), p.Profile.ID); err != nil || !all[0].RevokedAt.IsZero() || !all[1].RevokedAt.Equal(start) {
		t.Errorf("got %+v, %v", all, err)
	}
}

func TestAdmin_Families(t *testing.T) {
	e := MustEnv(t, limits{})
	p, other := e.MustPartner(t), e.MustPartner(t)
	live := func() int {
		t.Helper()
		found, err := e.Admin.Families(t.Context(), access.FamilyQuery{Profile: p.Profile.ID, LiveAt: start})
		e.Must(err)
		return found.Total
	}
	found, err := e.Admin.Families(t.Context(), access.FamilyQuery{Profile: p.Profile.ID})
	if err != nil || found.Total != 2 || found.Items[0].Owner != p.Client.Name || found.Items[1].Owner != p.User.Name {
		t.Fatalf("got %+v, %v, want the newest first", found, err)
	}
	e.Must(e.Admin.RevokeFamily(t.Context(), found.Items[0].ID))
	if got, err := e.Admin.Family(t.Context(), found.Items[0].ID); err != nil || got.Reason != access.RevokedByHand ||
		!got.RevokedAt.Equal(start) || live() != 1 {
		t.Errorf("got %+v, %v, %d live", got, err, live())
	}
	if got := []int{opens(e, servicetest.Bearer(p.AccessByClient)), opens(e, servicetest.Bearer(p.Access))}; !slices.Equal(got,
		[]int{401, 200}) {
		t.Errorf("one session being ended: got %v", got)
	}
	e.Must(e.Admin.RevokeFamilies(t.Context(), p.Profile.ID))
	if got := opens(e, servicetest.Bearer(p.Access)); got != http.StatusUnauthorized || live() != 0 {
		t.Errorf("all being ended: got %d, %d live", got, live())
	}
	if got := opens(e, servicetest.Bearer(other.Access)); got != http.StatusOK {
		t.Errorf("another partner's: got %d", got)
	}
	if got, err := e.Admin.Family(t.Context(), found.Items[1].ID); err != nil || got.Reason != access.RevokedByHand {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := e.Admin.Family(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown: got %v, want %s", err, problem.NotFound)
	}
}

// TestAdmin_PutProfile_Disabled: disabling a partner ends its tokens for good. Enabled
// again, its keys, users and clients come in, and its old tokens do not.
func TestAdmin_PutProfile_Disabled(t *testing.T) {
	e := MustEnv(t, limits{})
	p, other := e.MustPartner(t), e.MustPartner(t)
	off := p.Profile
	off.Disabled = true
	e.Must(e.Admin.PutProfile(t.Context(), off))
	for method, header := range p.Headers() {
		if got := opens(e, header); got != http.StatusUnauthorized {
			t.Errorf("disabled, by %s: got %d", method, got)
		}
	}
	e.Must(e.Admin.PutProfile(t.Context(), p.Profile))
	want := map[access.Method]int{access.MethodAPIKey: 200, access.MethodPassword: 401, access.MethodOAuth: 401}
	for method, header := range p.Headers() {
		if got := opens(e, header); got != want[method] {
			t.Errorf("enabled again, by %s: got %d, want %d", method, got, want[method])
		}
	}
	if got := e.Refresh(p.Renewal).Status; got != http.StatusUnauthorized {
		t.Errorf("a refresh token of before: got %d", got)
	}
	token, _ := p.MustLogin(t)
	if got := []int{opens(e, servicetest.Bearer(token)), opens(e, servicetest.Bearer(p.MustToken(t)))}; !slices.Equal(got, []int{200, 200}) {
		t.Errorf("new tokens: got %v", got)
	}
	e.Must(e.Admin.PutProfile(t.Context(), p.Profile)) // any other change leaves tokens alone
	if got := []int{opens(e, servicetest.Bearer(token)), opens(e, servicetest.Bearer(other.Access))}; !slices.Equal(got, []int{200, 200}) {
		t.Errorf("a change of the profile, and another partner: got %v", got)
	}
}

func TestAdmin_For(t *testing.T) {
	e := MustEnv(t, limits{})
	for role, allowed := range map[permission.Role]bool{permission.Administration: true, permission.Supervision: false,
		permission.Reception: false} {
		got, err := e.Admin.For(permission.Actor{User: uuid.New(), Roles: []permission.Role{role}})
		if allowed && (err != nil || got != e.Admin) || !allowed && (!problem.Is(err, problem.Forbidden) || got != nil) {
			t.Errorf("%s: got %v, %v, want allowed %v", role, got, err, allowed)
		}
	}
}

// TestNew_Defaults: without a clock and a hasher it has real ones.
func TestNew_Defaults(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	bare := admin.New(admin.Config{Access: e.AccessStore()})
	before := time.Now()
	user, _, err := bare.AddUser(t.Context(), p.Profile.ID, "agenda", "")
	if err != nil || user.CreatedAt.Before(before.Add(-time.Second)) || len(bare.Operators()) != 0 {
		t.Errorf("got %+v, %v", user, err)
	}
}
