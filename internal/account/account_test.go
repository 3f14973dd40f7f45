package account_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/password"
	"guiche/internal/permission"
	"guiche/internal/store/accountstore"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

const typedPassword = "girassol no telhado azul"

// address is where people come from, stranger where wrong passwords do.
var (
	address  = account.Client{Address: "192.0.2.7", UserAgent: windowsChrome}
	stranger = account.Client{Address: "198.51.100.66"}
)

const windowsChrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"

// fixture is a service over a database file of its own, a clock that a test moves,
// and a hasher that counts.
type fixture struct {
	*account.Service
	db    *storetest.Database
	log   *auditlog.Log
	store *accountstore.Store
	hash  *countingHasher
	clock *testClock
}

type testClock struct {
	sync.Mutex
	now time.Time
}

func (c *testClock) Now() time.Time {
	c.Lock()
	defer c.Unlock()
	return c.now
}

// Advance moves the clock.
func (c *testClock) Advance(d time.Duration) {
	c.Lock()
	defer c.Unlock()
	c.now = c.now.Add(d)
}

// countingHasher is a cheap Argon2id that notes the hashes it was given to verify.
type countingHasher struct {
	*password.Argon2id
	sync.Mutex
	verified []string
}

func (h *countingHasher) Verify(ctx context.Context, hash, password string) (bool, error) {
	h.Lock()
	h.verified = append(h.verified, hash)
	h.Unlock()
	return h.Argon2id.Verify(ctx, hash, password)
}

// take returns what was verified since the last call.
func (h *countingHasher) take() []string {
	h.Lock()
	defer h.Unlock()
	verified := h.verified
	h.verified = nil
	return verified
}

func MustOpen(tb testing.TB) fixture {
	tb.Helper()
	o := fixture{
		clock: &testClock{now: time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC)},
		hash:  &countingHasher{Argon2id: password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1})},
	}
	o.db = storetest.Open(tb, migrations.Desk, o.clock.Now)
	o.log = auditlog.New(o.db, audit.Key{1})
	o.store = accountstore.New(o.db, o.log)
	o.Service = account.New(account.Config{Store: o.store, Hasher: o.hash})
	return o
}

// MustAdd adds a person with a password.
func MustAdd(tb testing.TB, o fixture, login string, roles ...permission.Role) account.User {
	tb.Helper()
	_, token, err := o.AddUser(tb.Context(), permission.Program(), account.NewUser{Login: login, Name: "Nome de " + login, Roles: roles})
	if err != nil {
		tb.Fatalf("AddUser: %v", err)
	}
	user, err := o.Activate(tb.Context(), token, typedPassword)
	if err != nil {
		tb.Fatalf("Activate: %v", err)
	}
	return user
}

func MustLogin(tb testing.TB, o fixture, login string) string {
	tb.Helper()
	token, _, err := o.Login(tb.Context(), login, typedPassword, address)
	if err != nil {
		tb.Fatalf("Login: %v", err)
	}
	return token
}

// events returns the trail's events, oldest first, and checks its chain.
func events(tb testing.TB, o fixture) []audit.Event {
	tb.Helper()
	if err := o.log.Verify(tb.Context()); err != nil {
		tb.Error(err)
	}
	page, err := o.log.List(tb.Context(), auditlog.Filter{Limit: 500})
	if err != nil {
		tb.Fatal(err)
	}
	var events []audit.Event
	for _, link := range slices.Backward(page) {
		events = append(events, link.Entry.Event)
	}
	return events
}

func TestUser_May(t *testing.T) {
	u := account.User{UID: uuid.New(), Roles: []permission.Role{permission.Reception}}
	if !u.May(permission.SeePatients) || u.May(permission.ManagePeople) || !u.Has(permission.Reception) || u.Has(permission.Supervision) {
		t.Error("a receptionist may not do what the role permits, or more")
	}
}

func TestService_Trail(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	token := MustLogin(t, o, "clara")
	_, _, _ = o.Login(t.Context(), "clara", "outra coisa qualquer", address)
	_, _, _ = o.Login(t.Context(), "segredo-no-campo-errado", "x", address)
	if err := o.Logout(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	MustLogin(t, o, "clara")
	if err := o.Disable(t.Context(), permission.Program(), user.UID); err != nil {
		t.Fatal(err)
	}
	if err := o.Enable(t.Context(), permission.Program(), user.UID); err != nil {
		t.Fatal(err)
	}
	want := []audit.Event{
		audit.PersonAdded, audit.InvitationIssued, audit.PersonActivated, audit.LoggedIn, audit.LoginFailed, audit.LoginFailed,
		audit.LoggedOut, audit.LoggedIn, audit.PersonDisabled, audit.PersonEnabled,
	}
	if got := events(t, o); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	page, err := o.log.List(t.Context(), auditlog.Filter{Event: audit.LoginFailed})
	if err != nil || len(page) != 2 {
		t.Fatalf("got %d failures, error %v, want 2", len(page), err)
	}
	if page[0].Entry.ObjectID != uuid.Nil || page[1].Entry.ObjectID != user.UID {
		t.Errorf("got objects %v and %v, want nobody's and that of the person", page[0].Entry.ObjectID, page[1].Entry.ObjectID)
	}
}

// TestService_Secrets reads the database's files as a thief would.
func TestService_Secrets(t *testing.T) {
	o := MustOpen(t)
	_, invitation, err := o.AddUser(t.Context(), permission.Program(), account.NewUser{Login: "clara", Name: "Clara",
		Roles: permission.Roles()})
	if err != nil {
		t.Fatal(err)
	}
	MustAdd(t, o, "bruno", permission.Reception)
	session := MustLogin(t, o, "bruno")
	const typed = "minha senha no campo do usuario"
	_, _, _ = o.Login(t.Context(), typed, "a-senha-que-falhou", stranger)
	stolen := o.db.Held(t)
	if !strings.Contains(stolen, "bruno") {
		t.Fatal("got nothing readable, want at least a login")
	}
	for name, secret := range map[string]string{
		"invitation": invitation, "session": session, "password": typedPassword,
		"wrong password": "a-senha-que-falhou", "text of the login field": typed, "address of a failed login": stranger.Address,
		"browser's own words": windowsChrome,
	} {
		if strings.Contains(stolen, secret) {
			t.Errorf("the database holds the %s", name)
		}
	}
}
