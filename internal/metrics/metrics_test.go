package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/metrics"
)

func scrape(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("the scrape was answered with %d:\n%s", w.Code, w.Body)
	}
	return w.Body.String()
}

// register is one of credentials, the first of which is the oldest.
type register struct {
	ids []string
	err error
}

func (r *register) list(_ context.Context, limit int) ([]string, error) {
	return r.ids[:min(limit, len(r.ids))], r.err
}

func credentials(n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprintf("credential-%03d", i))
	}
	return ids
}

// TestMetrics_Attempt_Bounded: the oldest credentials of the register have labels of their
// own, whichever are used first; all others have one together.
func TestMetrics_Attempt_Bounded(t *testing.T) {
	for name, order := range map[string]func(ids []string){"Oldest": func([]string) {}, "NewestFirst": slices.Reverse[[]string]} {
		t.Run(name, func(t *testing.T) {
			m := metrics.New("test")
			m.UseCredentials((&register{ids: credentials(500)}).list)
			used := credentials(500)
			order(used)
			for _, id := range used {
				m.Attempt("embutido", id, "", time.Second)
			}
			text := scrape(t, m)
			if got := strings.Count(text, "guiche_attempt_duration_seconds_count{"); got != 51 {
				t.Errorf("got %d credentials, want 50 and one for all others", got)
			}
			for _, want := range []string{
				`guiche_attempt_duration_seconds_count{credential="other",failure="",service="embutido"} 450`,
				`guiche_attempt_duration_seconds_count{credential="credential-049",failure="",service="embutido"} 1`,
			} {
				if !strings.Contains(text, want) {
					t.Errorf("lacks %s", want)
				}
			}
		})
	}
}

// TestMetrics_Credential: a credential gets its label when it is in the register, and is
// one of the others while that cannot be read, or where there is none.
func TestMetrics_Credential(t *testing.T) {
	m, r := metrics.New("test"), &register{ids: credentials(1), err: errors.New("locked")}
	check := func(id, want string) {
		t.Helper()
		if got := m.Credential(id); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check("credential-000", metrics.Other)
	m.UseCredentials(r.list)
	check("credential-000", metrics.Other)
	r.err = nil
	check("credential-000", "credential-000")
	check("credential-001", metrics.Other)
	r.ids = credentials(2)
	check("credential-001", "credential-001")
}

// TestMetrics_Attempt_Services: the service that is used now has a label of its own, however
// many there were before; those that were used longest ago have none any more.
func TestMetrics_Attempt_Services(t *testing.T) {
	m := metrics.New("test")
	for n := range 25 {
		m.Attempt(fmt.Sprintf("service-%02d", n), "", "", time.Second)
		m.Attempt("service-00", "", "", time.Second)
	}
	m.Attempt("", "", "", time.Second)
	text := scrape(t, m)
	if got := strings.Count(text, "guiche_attempt_duration_seconds_count{"); got != 11 {
		t.Errorf("got %d services, want the ten that were used last and one without a name", got)
	}
	for service, want := range map[string]bool{"service-00": true, "service-15": false, "service-16": true, "service-24": true,
		"other": true} {
		if got := strings.Contains(text, `service="`+service+`"} `); got != want {
			t.Errorf("%s: got %t, want %t", service, got, want)
		}
	}
}

// TestMetrics_Requests_Bounded: an address that does not exist is no label.
func TestMetrics_Requests_Bounded(t *testing.T) {
	m := metrics.New("test")
	observe := m.Requests("pages")
	observe("/fila", http.StatusOK, time.Millisecond)
	observe("", http.StatusNotFound, time.Millisecond)
	text := scrape(t, m)
	for _, want := range []string{`guiche_http_requests_total{code="200",half="pages",route="/fila"} 1`,
		`guiche_http_requests_total{code="404",half="pages",route="other"} 1`} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %s", want)
		}
	}
}

// TestMetrics_Add: a source that fails, panics or heeds no deadline has no values, and
// says so; the others have theirs.
func TestMetrics_Add(t *testing.T) {
	m, release := metrics.New("test"), make(chan struct{})
	defer close(release)
	one := []metrics.Value{{Name: "guiche_one", Help: "One.", Label: "of", Of: "all", Number: 1}}
	m.Add("good", func(context.Context) ([]metrics.Value, error) { return one, nil })
	m.Add("bad", func(context.Context) ([]metrics.Value, error) { return one, errors.New("no") })
	m.Add("worse", func(context.Context) ([]metrics.Value, error) { panic("no") })
	m.Add("stuck", func(context.Context) ([]metrics.Value, error) {
		<-release
		return one, nil
	})
	text := scrape(t, m)
	for _, want := range []string{
		`guiche_one{of="all"} 1`, `guiche_collector_up{collector="good"} 1`, `guiche_collector_up{collector="bad"} 0`,
		`guiche_collector_up{collector="worse"} 0`, `guiche_collector_up{collector="stuck"} 0`, `guiche_build_info{version="test"} 1`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %s", want)
		}
	}
}

// TestMetrics_None: nothing is counted where nobody reads.
func TestMetrics_None(*testing.T) {
	var m *metrics.Metrics
	m.Attempt("embutido", "x", "", time.Second)
	m.Outcome("answered")
	m.OnWire()()
	m.Requests("pages")("/fila", http.StatusOK, time.Second)
	m.Add("none", nil)
	m.UseCredentials(nil)
}
