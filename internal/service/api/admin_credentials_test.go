package api_test

import (
	"testing"
)

// What administração turned off is there all the same: nobody fills the register
// anew over it.
func TestAdmin_HasCredentials(t *testing.T) {
	e := MustEnv(t, limits{})
	admin := e.admin
	for _, c := range credentials() {
		c.Disabled = true
		e.must(admin.PutCredential(t.Context(), c))
	}
	if some, err := admin.HasCredentials(t.Context()); err != nil || !some {
		t.Errorf("got %v, %v, want those that are disabled too", some, err)
	}
}

// The pattern of a card is about the whole number, as the form says.
func TestService_CardPattern(t *testing.T) {
	e := MustEnv(t, limits{})
	c := credentials()[0]
	c.CardPattern = `\d{17}|0{3}`
	e.must(e.admin.PutCredential(t.Context(), c))
	for card, want := range map[string]int{"12345678901234567": 200, "000": 200, "123456789012345678": 422, "x12345678901234567": 422, "0000": 422} {
		if r := e.post(body(map[string]any{"numeroCarteira": card}), nil); r.status != want {
			t.Errorf("%s: got %d %v, want %d", card, r.status, r.fields(), want)
		}
	}
}
