package connection_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/connection"
	"guiche/internal/problem"
)

var errBroken = errors.New("disk is full")

// brokenStore fails from a moment on that the test sets.
type brokenStore struct {
	connection.Store
	load, save, append error
}

func (s *brokenStore) Load(ctx context.Context) (connection.Stored, error) {
	if s.load != nil {
		return connection.Stored{}, s.load
	}
	return s.Store.Load(ctx)
}

func (s *brokenStore) Save(ctx context.Context, read connection.Stored, settings connection.Settings, secret *connection.Sealed,
	e audit.Entry) error {
	if s.save != nil {
		return s.save
	}
	return s.Store.Save(ctx, read, settings, secret, e)
}

func (s *brokenStore) AppendAudit(ctx context.Context, e audit.Entry) error {
	if s.append != nil {
		return s.append
	}
	return s.Store.AppendAudit(ctx, e)
}

// Whatever the store cannot do is told, and nothing of it comes into force.
func TestManager_StoreFails(t *testing.T) {
	var store brokenStore
	e := MustManage(t, func(c *connection.Config) {
		store.Store = c.Store
		c.Store = &store
	})
	plans := len(e.client.plans)
	change := func() error { return e.Change(t.Context(), admin, outsideService()) }
	try := func() error { _, err := e.Test(t.Context(), admin, outsideService()); return err }
	state := func() error { _, err := e.State(t.Context()); return err }
	refresh := func() error { return e.Refresh(t.Context()) }
	start := func() error { return e.Start(t.Context()) }
	for name, c := range map[string]struct {
		broken brokenStore
		call   func() error
	}{
		"Start":        {brokenStore{load: errBroken}, start},
		"Refresh":      {brokenStore{load: errBroken}, refresh},
		"State":        {brokenStore{load: errBroken}, state},
		"Change":       {brokenStore{load: errBroken}, change},
		"Change_Save":  {brokenStore{save: errBroken}, change},
		"Test":         {brokenStore{load: errBroken}, try},
		"Test_Audited": {brokenStore{append: errBroken}, try},
	} {
		t.Run(name, func(t *testing.T) {
			c.broken.Store = store.Store
			store = c.broken
			if err := c.call(); !errors.Is(err, errBroken) || problem.FieldsOf(err) != nil {
				t.Errorf("got %v, want what the store said", err)
			}
		})
	}
	if len(e.client.plans) != plans {
		t.Errorf("got %v in force", e.client.last())
	}
	store = brokenStore{Store: store.Store}
	MustDo(t, change())
}

// A client that does not take the settings is no success, and what is kept stays to be
// taken by the next start.
func TestManager_ClientFails(t *testing.T) {
	e := MustManage(t)
	e.client.use = errBroken
	if err := e.Change(t.Context(), admin, outsideService()); !errors.Is(err, errBroken) {
		t.Errorf("change: got %v, want what the client said", err)
	}
	if err := e.Refresh(t.Context()); !errors.Is(err, errBroken) {
		t.Errorf("refresh: got %v, want it tried again, and what the client said", err)
	}
	e.client.use, e.client.try = nil, errBroken
	steps, err := e.Test(t.Context(), admin, outsideService())
	if !errors.Is(err, errBroken) || steps != nil {
		t.Errorf("test: got %v, %v, want what the client said", steps, err)
	}
	for _, entry := range e.entries(t) {
		if strings.HasPrefix(entry, string(audit.ConnectionTested)) {
			t.Error("a test that was not made is in the trail")
		}
	}
	e.MustRestart(t, 7)
	if got := e.client.last(); got.BaseURL != outsideService().BaseURL {
		t.Errorf("got %q in force after a restart", got.BaseURL)
	}
	e.client.count = errBroken
	other := outsideService()
	other.BaseURL = "https://outro.exemplo.com.br"
	if err := e.Change(t.Context(), admin, other); !errors.Is(err, errBroken) || e.client.last().BaseURL == other.BaseURL {
		t.Errorf("without knowing what is under way: got %v, %q in force", err, e.client.last().BaseURL)
	}
}
