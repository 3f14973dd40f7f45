package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
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

// TestMetrics_Attempt_Bounded: the first credentials have labels of their own, all others
// one together.
func TestMetrics_Attempt_Bounded(t *testing.T) {
	m := metrics.New("test")
	for i := range 500 {
		m.Attempt("embutido", fmt.Sprintf("credential-%03d", i), "", time.Second)
	}
	text := scrape(t, m)
	if got := strings.Count(text, "guiche_attempt_duration_seconds_count{"); got != 51 {
		t.Errorf("got %d credentials, want 50 and one for all others", got)
	}
	if want := `guiche_attempt_duration_seconds_count{credential="other",failure="",service="embutido"} 450`; !strings.Contains(text, want) {
		t.Errorf("lacks %s", want)
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
}
