package metrics

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// sourceTime is how long one source may take at a scrape.
const sourceTime = 2 * time.Second

// Value is one number of a source.
type Value struct {
	Name, Help string
	Label      string // "" for none
	Of         string // value of Label
	Number     float64
}

// Source looks up values at a scrape.
type Source func(ctx context.Context) ([]Value, error)

// Add looks the source's values up at each scrape. One that fails, or takes too long,
// has no values, and guiche_collector_up says so; the scrape goes on.
func (m *Metrics) Add(name string, s Source) {
	if m != nil {
		m.registry.MustRegister(&source{name: name, look: s})
	}
}

// source is a prometheus.Collector over a Source. It describes nothing in advance.
type source struct {
	name string
	look Source
}

// Describe implements prometheus.Collector.
func (s *source) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (s *source) Collect(out chan<- prometheus.Metric) {
	values, err := s.within(sourceTime)
	up := 1.0
	if err != nil {
		values, up = nil, 0
	}
	for _, v := range append(values, Value{Name: "guiche_collector_up", Help: "1 where the values of a collector could be looked up.",
		Label: "collector", Of: s.name, Number: up}) {
		out <- v.metric()
	}
}

var errPanic = errors.New("metrics: a source panicked")

// within looks the values up, and does not wait for a source that heeds no deadline.
func (s *source) within(limit time.Duration) ([]Value, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	type result struct {
		values []Value
		err    error
	}
	looked := make(chan result, 1)
	go func() {
		r := result{err: errPanic}
		defer func() {
			_ = recover() // as errPanic
			looked <- r
		}()
		r.values, r.err = s.look(ctx)
	}()
	select {
	case r := <-looked:
		return r.values, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// metric is the value in the form of the library.
func (v Value) metric() prometheus.Metric {
	var names, values []string
	if v.Label != "" {
		names, values = []string{v.Label}, []string{v.Of}
	}
	return prometheus.MustNewConstMetric(prometheus.NewDesc(v.Name, v.Help, names, nil), prometheus.GaugeValue, v.Number, values...)
}
