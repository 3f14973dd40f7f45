package webui_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/limittest"
	"guiche/internal/password"
)

// meanwhileHasher lets a test act once while a password is made ready to be kept.
type meanwhileHasher struct {
	password.Hasher
	meanwhile *atomic.Pointer[func()]
}

func (h meanwhileHasher) Hash(ctx context.Context, given string) (string, error) {
	if act := h.meanwhile.Swap(nil); act != nil {
		(*act)()
	}
	return h.Hasher.Hash(ctx, given)
}

// checkedHasher lets a test act once while a password is checked.
type checkedHasher struct {
	password.Hasher
	meanwhile *atomic.Pointer[func()]
}

func (h checkedHasher) Verify(ctx context.Context, stored, given string) (bool, error) {
	if act := h.meanwhile.Swap(nil); act != nil {
		(*act)()
	}
	return h.Hasher.Verify(ctx, stored, given)
}

// TestActivate_Busy: where the password is kept and the login that follows is not, the person
// is led to the login, and not to a link that is used up.
func TestActivate_Busy(t *testing.T) {
	t.Parallel()
	var meanwhile atomic.Pointer[func()]
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Hasher = checkedHasher{c.Hasher, &meanwhile}
	}})
	admin, ana := server.LogIn(t, apptest.Administration), server.Client(t)
	link := admin.Post(admin.PersonPath("ana")+"/convite", nil).Invitation()
	var release func()
	act := func() { release = limittest.Occupy(t, server.Database(t)) }
	meanwhile.Store(&act)
	page := ana.Activate(link)
	release()
	page.Check(t, apptest.Want{Status: http.StatusServiceUnavailable, Value: map[string]string{"#usuario": "ana"},
		Text: map[string]string{".notice": "Sua senha foi guardada. Falta entrar com ela. " + outOfReach}})
	typed := page.Form(".login-card")
	typed.Set("senha", apptest.Password)
	ana.Post("/entrar", typed).Check(t, apptest.Want{Status: http.StatusOK, Path: "/fila"})
}

// TestActivate_Twice: of two browsers that use a link at the same time one gets in, and the
// other is told that the link is no more.
func TestActivate_Twice(t *testing.T) {
	t.Parallel()
	var meanwhile atomic.Pointer[func()]
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Hasher = meanwhileHasher{c.Hasher, &meanwhile}
	}})
	admin := server.LogIn(t, apptest.Administration)
	link := admin.Post(admin.PersonPath("ana")+"/convite", nil).Invitation()
	first, second := server.Client(t), server.Client(t)
	act := func() { first.Activate(link).Check(t, apptest.Want{Status: http.StatusOK, Path: "/fila"}) }
	meanwhile.Store(&act)
	second.Activate(link).Check(t, apptest.Want{Status: http.StatusNotFound, Count: map[string]int{"h1": 1}})
	if !first.LoggedIn() || second.LoggedIn() {
		t.Errorf("logged in: the first %t, the second %t", first.LoggedIn(), second.LoggedIn())
	}
}
