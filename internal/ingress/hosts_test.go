package ingress_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"guiche/internal/ingress"
)

func TestHosts_Guard(t *testing.T) {
	public := ingress.Hosts{Public: "https://guiche.example"}
	withPort := ingress.Hosts{Public: "https://guiche.example:8443/", Loopback: true}
	loopback := ingress.Hosts{Loopback: true}
	for _, test := range []struct {
		hosts      ingress.Hosts
		host, path string
		want       bool
	}{
		{ingress.Hosts{}, "anything.example", "/", true},
		{public, "guiche.example", "/", true},
		{public, "GUICHE.example.", "/", true},
		{public, "guiche.example:443", "/", true},
		{public, "guiche.example:8080", "/", false},
		{public, "guiche.example.evil.example", "/", false},
		{public, "evil.example", "/entrar", false},
		{public, "127.0.0.1:8080", "/", false},
		{public, "", "/", false},
		{public, "127.0.0.1:8080", "/healthz", true},
		{public, "", "/readyz", true},
		{public, "evil.example", "/healthz/", false},
		{ingress.Hosts{Public: "https://guiche.example:443"}, "guiche.example", "/", true},
		{ingress.Hosts{Public: "https://[2001:db8::1]:8443"}, "[2001:db8::1]:8443", "/", true},
		{withPort, "guiche.example:8443", "/", true},
		{withPort, "guiche.example", "/", false},
		{withPort, "localhost", "/", false},
		{loopback, "localhost:8080", "/", true},
		{loopback, "LOCALHOST", "/", true},
		{loopback, "guiche.localhost:1", "/", true},
		{loopback, "127.0.0.1:8080", "/", true},
		{loopback, "127.1.2.3", "/", true},
		{loopback, "[::1]:8080", "/", true},
		{loopback, "[::ffff:127.0.0.1]", "/", true},
		{loopback, "127.0.0.1.evil.example", "/", false},
		{loopback, "evil.example:8080", "/", false},
		{loopback, "localhost.evil.example", "/", false},
		{loopback, "10.0.0.1", "/", false},
		{loopback, "", "/", false},
		{loopback, "evil.example", "/healthz", true},
	} {
		answered := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
		refused := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMisdirectedRequest) })
		r := httptest.NewRequest(http.MethodGet, test.path, nil)
		r.Host = test.host
		w := httptest.NewRecorder()
		test.hosts.Guard(answered, refused).ServeHTTP(w, r)
		if got := w.Code == http.StatusNoContent; got != test.want {
			t.Errorf("%+v: Host %q at %s: answered %t, want %t", test.hosts, test.host, test.path, got, test.want)
		}
	}
}
