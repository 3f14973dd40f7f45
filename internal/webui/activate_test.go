package webui_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
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
