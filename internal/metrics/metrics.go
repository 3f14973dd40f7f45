// Package metrics is what a monitoring system reads of a running program, in the text
// format of Prometheus: what is counted as it happens (attempts, requests), and what is
// looked up at each scrape (queue, disk, backups).
//
// No label holds a name, a card number, a guide or a person: a credential is its opaque
// identifier, a request the pattern of its route. How many values a label may have is
// bounded, so that nobody fills the memory of the monitoring system.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Bounds of labels and scrapes.
const (
	maxServices    = 10
	maxCredentials = 50
	maxRoutes      = 400
	atOnce         = 3 // scrapes
	scrapeTime     = 10 * time.Second
)

// Metrics counts and hands out. It is safe for concurrent use; a nil one counts nothing.
type Metrics struct {
	registry *prometheus.Registry

	attempts       *prometheus.HistogramVec
	outcomes       *prometheus.CounterVec
	inFlight       prometheus.Gauge
	requests       *prometheus.CounterVec
	requestSeconds *prometheus.HistogramVec

	services    *recent
	credentials *registered
	routes      *bounded
}

// New returns metrics of the program of this version, with those of the Go runtime and
// the process.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		attempts: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "guiche_attempt_duration_seconds",
			Help:    "Time of attempts to send a request to the authorization service, by how they failed on the wire.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120},
		}, []string{"service", "credential", "failure"}),
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "guiche_attempt_outcomes_total", Help: "What attempts made of requests.",
		}, []string{"outcome"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "guiche_slots_in_use", Help: "Requests on the wire to the authorization service.",
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "guiche_http_requests_total", Help: "Requests that were answered, by the pattern of their route.",
		}, []string{"half", "route", "code"}),
		requestSeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "guiche_http_request_duration_seconds", Help: "Time of requests, by the pattern of their route.",
			Buckets: []float64{.005, .025, .1, .5, 1, 5},
		}, []string{"half", "route"}),
		credentials: newRegistered(maxCredentials), routes: newBounded(maxRoutes),
	}
	m.services = &recent{max: maxServices, forget: func(service string) {
		m.attempts.DeletePartialMatch(prometheus.Labels{"service": service})
	}}
	info := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "guiche_build_info", Help: "1, with the version of the program.",
		ConstLabels: prometheus.Labels{"version": version}}, func() float64 { return 1 })
	m.registry.MustRegister(m.attempts, m.outcomes, m.inFlight, m.requests, m.requestSeconds, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// UseCredentials says where credentials are registered: the first fifty have labels of
// their own, in every run of the program.
func (m *Metrics) UseCredentials(r Register) {
	if m != nil {
		m.credentials.use(r)
	}
}

// Credential is the label of a credential.
func (m *Metrics) Credential(id string) string { return m.credentials.label(id) }

// Attempt counts one attempt to send a request; failure is "" where an answer came.
func (m *Metrics) Attempt(service, credential, failure string, took time.Duration) {
	if m == nil {
		return
	}
	m.attempts.WithLabelValues(m.services.label(service), m.credentials.label(credential), failure).Observe(took.Seconds())
}

// OnWire counts one request that is on the wire until done is called.
func (m *Metrics) OnWire() (done func()) {
	if m == nil {
		return func() {}
	}
	m.inFlight.Inc()
	return m.inFlight.Dec
}

// Outcome counts what an attempt made of its request.
func (m *Metrics) Outcome(kind string) {
	if m != nil {
		m.outcomes.WithLabelValues(kind).Inc()
	}
}

// Requests returns what counts the requests of one half of the program.
func (m *Metrics) Requests(half string) func(route string, status int, took time.Duration) {
	return func(route string, status int, took time.Duration) {
		if m == nil {
			return
		}
		route = m.routes.label(route)
		m.requests.WithLabelValues(half, route, strconv.Itoa(status)).Inc()
		m.requestSeconds.WithLabelValues(half, route).Observe(took.Seconds())
	}
}

// Handler answers GET /metrics.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: atOnce, Timeout: scrapeTime,
	}))
	return mux
}
