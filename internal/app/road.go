package app

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/connection"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/document"
	"guiche/internal/problem"
	"guiche/internal/service"
)

// road is the desk's way to the service, whichever the settings name: what is sent
// next goes by the latest plan, what is on the wire ends by its own. It satisfies
// desk.Service, connection.Road and directory.Lister.
type road struct {
	app     *App
	current atomic.Pointer[client.Client]
	changed chan struct{}          // there is another client to ask for its features
	far     atomic.Bool            // the service is not the embedded one
	service atomic.Pointer[string] // which one it is

	mu       sync.Mutex
	embedded client.Authorizer // the key minted at this start, once it was needed
}

var (
	_ desk.Service     = (*road)(nil)
	_ connection.Road  = (*road)(nil)
	_ directory.Lister = (*road)(nil)
)

func newRoad(a *App) *road { return &road{app: a, changed: make(chan struct{}, 1)} }

// Use implements connection.Road. What was held for want of access gets another
// chance.
func (r *road) Use(ctx context.Context, p connection.Plan) error {
	config, err := r.config(ctx, p)
	if err != nil {
		return err
	}
	next, err := client.New(config)
	if err != nil {
		return err
	}
	r.far.Store(!p.Embedded)
	name := "embutido"
	if !p.Embedded {
		name = p.Origin()
	}
	r.service.Store(&name)
	if old := r.current.Swap(next); old != nil {
		old.Close()
	}
	select {
	case r.changed <- struct{}{}:
	default: // it is about to look
	}
	r.app.desk.SetTimes(p.Deadline, p.Answer)
	r.app.desk.SetLimits(document.Limits{MaxFiles: p.UploadFiles, MaxFile: p.UploadFile, MaxTotal: p.UploadTotal})
	return r.app.desk.ReleaseHeld(ctx)
}

// Try implements connection.Road.
func (r *road) Try(ctx context.Context, p connection.Plan) (connection.Trial, error) {
	config, err := r.config(ctx, p)
	if err != nil {
		return nil, err
	}
	c, err := client.New(config)
	if err != nil {
		return nil, err
	}
	return trial{c, config.Auth, p.Query}, nil
}

// config returns the client's configuration by a plan: through memory to the
// embedded service, or over the network to another one. There is no other
// difference.
func (r *road) config(ctx context.Context, p connection.Plan) (client.Config, error) {
	c := client.Config{
		BaseURL: p.BaseURL, Auth: authorizer(p), Blobs: r.app.blobs, Dial: p.Guard().DialContext,
		ConnectTimeout: p.Connect, AnswerTimeout: p.Answer, QueryTimeout: p.Query,
		UnitsPath: orNoPath(p.UnitsPath), ProfessionalsPath: orNoPath(p.ProfessionalsPath), EligibilityPath: p.EligibilityPath, Eligibility: eligibility(p),
		AttachmentShape: client.AttachmentShape(p.Attachments), Clock: r.app.config.Clock, Logger: r.app.config.Logger,
	}
	if p.ByHand {
		features := client.FeaturesOf(p.Features)
		c.Features = &features
	}
	if p.Embedded {
		auth, err := r.embeddedKey(ctx)
		if err != nil {
			return client.Config{}, err
		}
		c.BaseURL, c.Auth, c.Dial = "http://embutido", auth, r.app.embedded.road.DialContext
		c.UnitsPath, c.ProfessionalsPath, c.EligibilityPath = "", "", "" // its own
	}
	return c, nil
}

// eligibility says whether the plan wants it, nil where the features say.
func eligibility(p connection.Plan) *bool {
	if p.Eligibility == connection.UseAnnounced {
		return nil
	}
	always := p.Eligibility == connection.UseAlways
	return &always
}

// embeddedKey mints the desk's key at its first use.
func (r *road) embeddedKey(ctx context.Context) (client.Authorizer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.embedded == nil {
		key, err := r.app.embedded.mint(ctx, service.DeskProfile())
		if err != nil {
			return nil, fmt.Errorf("mint the desk's key: %w", err)
		}
		r.embedded = client.APIKey(key)
	}
	return r.embedded, nil
}

// Undecided implements connection.Road.
func (r *road) Undecided(ctx context.Context) (int, error) { return r.app.desk.Undecided(ctx) }

// SearchCredentials implements desk.Service.
func (r *road) SearchCredentials(ctx context.Context, text string) ([]authorization.Credential, error) {
	return r.current.Load().SearchCredentials(ctx, text)
}

// Service implements directory.Lister.
func (r *road) Service() string { return *r.service.Load() }

// Units implements directory.Lister.
func (r *road) Units(ctx context.Context) ([]authorization.ListedUnit, error) {
	return r.current.Load().Units(ctx)
}

// Professionals implements directory.Lister.
func (r *road) Professionals(ctx context.Context) ([]authorization.ListedProfessional, error) {
	return r.current.Load().Professionals(ctx)
}

// Send implements desk.Service.
func (r *road) Send(ctx context.Context, d authorization.Dispatch) authorization.Exchange {
	return r.current.Load().Send(ctx, d)
}

// Interpret implements desk.Service.
func (r *road) Interpret(ctx context.Context, x authorization.Exchange) (authorization.Outcome, error) {
	return r.current.Load().Interpret(ctx, x)
}

// Close lets go of idle connections.
func (r *road) Close() error {
	if c := r.current.Load(); c != nil {
		c.Close()
	}
	return nil
}

// featuresPause is how often the service is asked anew what it can do.
const featuresPause = 5 * time.Minute

// announceFeatures asks the service what it can do beyond the specification
// (interface.md, row 17), whenever it is another one and from time to time, until ctx is
// done.
func (r *road) announceFeatures(ctx context.Context) {
	tick := time.NewTicker(featuresPause)
	defer tick.Stop()
	for {
		select {
		case <-r.changed:
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if _, err := r.current.Load().Features(ctx); err != nil && ctx.Err() == nil {
			r.app.config.Logger.Info("the service announces nothing", "err", err)
		}
	}
}

// trial is a client of its own for a test.
type trial struct {
	*client.Client
	auth client.Authorizer
	time time.Duration // for a token
}

// LogIn implements connection.Trial.
func (t trial) LogIn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, t.time)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://token", nil) // is never sent: it only takes the header
	if err == nil {
		err = t.auth.Authorize(r)
	}
	if err != nil && !problem.Is(err, problem.Unavailable) {
		return problem.Wrap(problem.Unavailable, "O serviço não deu um token. Confira os dados de acesso e o caminho do login.", err)
	}
	return err
}

// Announced implements connection.Trial.
func (t trial) Announced(ctx context.Context) ([]string, error) {
	f, err := t.Features(ctx)
	return f.Words(), err
}
