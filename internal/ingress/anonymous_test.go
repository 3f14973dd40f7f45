package ingress_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"guiche/internal/ingress"
)

// entered is how many requests with such a body find room at once, up to most.
func entered(a *ingress.Anonymous, most int, address func(int) string, r func() *http.Request) (leave []func()) {
	for i := range most {
		if l, ok := a.Enter(r(), address(i), ingress.AnonymousBody); ok {
			leave = append(leave, l)
		}
	}
	return leave
}

func withBody(length int64) func() *http.Request {
	return func() *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/entrar", strings.NewReader("x"))
		r.ContentLength = length
		return r
	}
}

func TestAnonymous_Enter(t *testing.T) {
	same := func(int) string { return "203.0.113.9" }
	each := func(i int) string { return fmt.Sprintf("203.0.%d.%d", i/200, i%200) }
	mapped := func(i int) string { return "::ffff:" + each(i) }
	sameNetwork := func(i int) string { return fmt.Sprintf("2001:db8:1:2::%x", i) }
	otherNetworks := func(i int) string { return fmt.Sprintf("2001:db8:1:%x::1", i) }
	for name, test := range map[string]struct {
		address func(int) string
		request func() *http.Request
		want    int // of 1,000
	}{
		"Small":         {each, withBody(100), 256},
		"SmallSame":     {same, withBody(100), 128},
		"Largest":       {each, withBody(ingress.AnonymousBody), 16},
		"TooLarge":      {each, withBody(1 << 30), 16},
		"Chunked":       {each, withBody(-1), 16},
		"ChunkedSame":   {same, withBody(-1), 8},
		"SameNetwork":   {sameNetwork, withBody(1), 128},
		"OtherNetworks": {otherNetworks, withBody(1), 256},
		"EachMapped":    {mapped, withBody(1), 256},
		"NoBody":        {same, withBody(0), 1000},
		"NoAddress":     {func(int) string { return "@" }, withBody(1), 128},
	} {
		t.Run(name, func(t *testing.T) {
			a := &ingress.Anonymous{}
			leave := entered(a, 1000, test.address, test.request)
			if len(leave) != test.want {
				t.Errorf("%d found room, want %d", len(leave), test.want)
			}
			for _, l := range leave {
				l()
				l() // leaving twice gives back once
			}
			if again := entered(a, 1000, test.address, test.request); len(again) != test.want {
				t.Errorf("after all left, %d found room, want %d", len(again), test.want)
			}
		})
	}
}
