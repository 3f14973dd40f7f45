package api

import (
	"log/slog"
	"net/http"
	"time"

	"guiche/internal/blob"
	"guiche/internal/ingress"
	"guiche/internal/service"
	"guiche/internal/service/access"

	"github.com/google/uuid"
)

// Config is what the HTTP interface is made of. Service, Access and Blobs are
// required.
type Config struct {
	Service *service.Service
	Access  *access.Control
	Blobs   blob.Store // where attachments go and answers come from
	Clock   func() time.Time
	Limits  Limits
	// Address tells where a request comes from, for counting guesses; nil means the
	// connection's own address. Behind a proxy it must look further.
	Address func(*http.Request) string
	// Anonymous counts what senders hold whom nobody knows, here and at other doors of
	// the same process; nil means here only.
	Anonymous *ingress.Anonymous
	Observe   ingress.Observer // nil: nobody
	// Traffic is where processes on one database add up what they count; nil where this one is alone.
	Traffic service.TrafficStore
	Logger  *slog.Logger // nil means slog.Default
}

// API is the HTTP interface of a service. It is safe for concurrent use.
type API struct {
	service   *service.Service
	access    *access.Control
	blobs     blob.Store
	clock     func() time.Time
	limits    Limits
	address   func(*http.Request) string
	anonymous *ingress.Anonymous
	captures  *captureRoom
	logger    *slog.Logger
	traffic   traffic
	shared    service.TrafficStore // of the traffic; nil where nobody else counts
	observer  ingress.Observer
}

// New returns the HTTP interface of a service.
func New(c Config) *API {
	a := &API{
		service: c.Service, access: c.Access, blobs: c.Blobs, clock: c.Clock,
		limits: c.Limits.WithDefaults(), address: c.Address, anonymous: c.Anonymous, logger: c.Logger,
		observer: c.Observe, shared: c.Traffic,
	}
	if a.observer == nil {
		a.observer = func(string, int, time.Duration) {}
	}
	a.captures = newCaptureRoom(a.limits.CaptureMemory)
	if a.anonymous == nil {
		a.anonymous = &ingress.Anonymous{}
	}
	if a.clock == nil {
		a.clock = time.Now
	}
	if a.address == nil {
		a.address = remoteHost
	}
	if a.logger == nil {
		a.logger = slog.Default()
	}
	a.traffic.since, a.traffic.process = a.clock(), uuid.New()
	return a
}
