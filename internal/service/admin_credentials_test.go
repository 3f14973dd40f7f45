package service_test

import (
	"testing"

	"guiche/internal/service"
)

// What administração turned off is there all the same: nobody fills the register
// anew over it.
func TestAdmin_HasCredentials(t *testing.T) {
	e := MustEnv(t, service.Limits{})
	admin := e.service.Admin()
	for _, c := range credentials() {
		c.Disabled = true
		e.must(admin.PutCredential(t.Context(), c))
	}
	if some, err := admin.HasCredentials(t.Context()); err != nil || !some {
		t.Errorf("got %v, %v, want those that are disabled too", some, err)
	}
}
