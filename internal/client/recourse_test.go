package client_test

import (
	"net/http"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/client/faultservice"
)

// TestClient_Recourse: what a service offers after a request was sent is what it announces,
// asked once; one that cannot be asked is not taken for one that offers nothing.
func TestClient_Recourse(t *testing.T) {
	for name, tc := range map[string]struct {
		words []string
		want  authorization.Recourse
	}{
		"Nothing": {[]string{"cadastros", "anexos"}, authorization.Recourse{}},
		"Status":  {[]string{"situacao"}, authorization.Recourse{Status: true}},
		"LookUp":  {[]string{"consulta-por-guia"}, authorization.Recourse{LookUp: true}},
		"Repeat":  {[]string{"idempotencia"}, authorization.Recourse{Repeat: true}},
	} {
		t.Run(name, func(t *testing.T) {
			service, blobs := MustService(t, faultservice.Config{Features: tc.words}), newFolder(t)
			p := pair{MustClient(t, service.URL(), blobs), service, blobs}
			if p.Keyed() {
				t.Error("it honours keys before it was asked")
			}
			for range 2 {
				if got, err := p.Recourse(t.Context()); got != tc.want || err != nil {
					t.Errorf("got %+v, %v, want %+v", got, err, tc.want)
				}
			}
			only(t, p.service, faultservice.Received)
			if got := p.Keyed(); got != tc.want.Repeat {
				t.Errorf("honours keys: got %t, want %t", got, tc.want.Repeat)
			}
		})
	}
	t.Run("ByHand", func(t *testing.T) {
		p := MustPair(t, withFeatures(client.Features{LookUp: true, Status: true}))
		want := authorization.Recourse{LookUp: true, Status: true}
		if got, err := p.Recourse(t.Context()); got != want || err != nil {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	})
	t.Run("UnknownPath", func(t *testing.T) {
		p := MustPair(t)
		if got, err := p.Recourse(t.Context()); got != (authorization.Recourse{}) || err != nil {
			t.Errorf("got %+v, %v, want nothing", got, err)
		}
	})
	t.Run("Unreachable", func(t *testing.T) {
		p := MustPair(t)
		p.service.Add(faultservice.Rule{Times: 1, Fault: faultservice.Answer(http.StatusServiceUnavailable, "")})
		if got, err := p.Recourse(t.Context()); got != (authorization.Recourse{}) || err == nil {
			t.Errorf("got %+v, %v, want an error", got, err)
		}
		if _, err := p.Recourse(t.Context()); err != nil {
			t.Errorf("asked again: %v", err)
		}
	})
}
