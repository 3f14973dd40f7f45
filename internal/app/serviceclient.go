package app

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/connection"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/metrics"
	"guiche/internal/problem"
)

// serviceClient is the desk's client of the authorization service that the
// connection's settings name. What is sent next goes to the service in use; what is
// on the wire ends with the one that it was sent to.
type serviceClient struct {
	configs clientConfigs
	logger  *slog.Logger
	current atomic.Pointer[serviceInUse]
	changed chan struct{} // another service is to be asked for its features
	metrics *metrics.Metrics

	// accepted is told when the service in use has accepted the desk's access.
	accepted func(ctx context.Context) error
}

var _ desk.Service = (*serviceClient)(nil)

// serviceInUse is one service: its client, and what it is called. It never changes,
// so that whoever holds it gets lists and name of the same service.
type serviceInUse struct {
	*client.Client
	name     string
	embedded bool
	plan     connection.Plan
	since    time.Time // when it came into use
}

var _ directory.Lister = (*serviceInUse)(nil)

// embeddedName is what the directory calls the embedded service.
const embeddedName = "embutido"

// newServiceClient returns a client that sends nothing until a plan is in use.
func newServiceClient(configs clientConfigs, logger *slog.Logger) (*serviceClient, error) {
	none, err := client.New(configs.unset())
	if err != nil {
		return nil, err
	}
	s := &serviceClient{configs: configs, logger: logger, changed: make(chan struct{}, 1)}
	s.current.Store(&serviceInUse{Client: none, name: embeddedName, embedded: true})
	return s, nil
}

// use makes all that is sent from now on go by the plan.
func (s *serviceClient) use(ctx context.Context, p connection.Plan) error {
	config, err := s.configs.of(ctx, p)
	if err != nil {
		return err
	}
	config.Accepted = s.tellAccepted
	next, err := client.New(config)
	if err != nil {
		return err
	}
	name := embeddedName
	if !p.Embedded {
		name = p.Origin()
	}
	s.current.Swap(&serviceInUse{Client: next, name: name, embedded: p.Embedded, plan: p, since: s.configs.now()}).Close()
	select {
	case s.changed <- struct{}{}:
	default: // announceFeatures is about to look anyway
	}
	return nil
}

// tellAccepted hands on that the access was accepted.
func (s *serviceClient) tellAccepted(ctx context.Context) {
	if s.accepted == nil {
		return
	}
	if err := s.accepted(context.WithoutCancel(ctx)); err != nil {
		s.logger.ErrorContext(ctx, "what is held was not released", "error", err)
	}
}

// try returns a client by the plan that nothing else uses. Where the plan has the access
// of the service in use, what is accepted of it is accepted of the desk.
func (s *serviceClient) try(ctx context.Context, p connection.Plan) (connection.Trial, error) {
	config, err := s.configs.of(ctx, p)
	if err != nil {
		return nil, err
	}
	if p.SameAccess(s.current.Load().plan) {
		config.Accepted = s.tellAccepted
	}
	c, err := client.New(config)
	if err != nil {
		return nil, err
	}
	return trial{c, config.Auth, p.Query}, nil
}

// lister returns the service in use, for its lists.
func (s *serviceClient) lister() directory.Lister { return s.current.Load() }

// embedded reports whether the service in use is the embedded one.
func (s *serviceClient) embedded() bool { return s.current.Load().embedded }

// Service implements directory.Lister.
func (s *serviceInUse) Service() string { return s.name }

// SearchCredentials implements desk.Service.
func (s *serviceClient) SearchCredentials(ctx context.Context, text string) ([]authorization.Credential, error) {
	return s.current.Load().SearchCredentials(ctx, text)
}

// Connect implements desk.Service.
func (s *serviceClient) Connect() authorization.Line { return s.current.Load().Connect() }

// Send implements desk.Service.
func (s *serviceClient) Send(ctx context.Context, d authorization.Dispatch) authorization.Exchange {
	defer s.metrics.OnWire()()
	inUse := s.current.Load()
	x := inUse.Send(ctx, d)
	s.metrics.Attempt(inUse.name, d.Request.CredentialID.String(), string(x.Failure), x.EndedAt.Sub(x.StartedAt))
	return x
}

// Interpret implements desk.Service.
func (s *serviceClient) Interpret(ctx context.Context, x authorization.Exchange) (authorization.Outcome, error) {
	return s.current.Load().Interpret(ctx, x)
}

// Name implements desk.Service.
func (s *serviceClient) Name() string { return s.current.Load().name }

// Keyed implements desk.Service.
func (s *serviceClient) Keyed() bool { return s.current.Load().Keyed() }

// Recourse implements desk.Service.
func (s *serviceClient) Recourse(ctx context.Context) (authorization.Recourse, error) {
	inUse := s.current.Load()
	r, err := inUse.Recourse(ctx)
	r.Since = inUse.since
	return r, err
}

// FindByProviderGuide implements desk.Service.
func (s *serviceClient) FindByProviderGuide(ctx context.Context, guide string) (authorization.Answer, error) {
	return s.current.Load().FindByProviderGuide(ctx, guide)
}

// Status implements desk.Service.
func (s *serviceClient) Status(ctx context.Context, guideID string) (authorization.Authorization, error) {
	return s.current.Load().Status(ctx, guideID)
}

// Offers implements desk.Service.
func (s *serviceClient) Offers() authorization.Offers { return s.current.Load().Offers() }

// Cancel implements desk.Service.
func (s *serviceClient) Cancel(ctx context.Context, act authorization.Act, reason string) (authorization.Authorization, error) {
	return s.current.Load().Cancel(ctx, act, reason)
}

// Biometrics implements desk.Service.
func (s *serviceClient) Biometrics(ctx context.Context, act authorization.Act,
	captures []authorization.Capture) (authorization.Authorization, error) {
	return s.current.Load().Biometrics(ctx, act, captures)
}

// AddAttachments implements desk.Service.
func (s *serviceClient) AddAttachments(ctx context.Context, act authorization.Act,
	files []authorization.Attachment) (authorization.Authorization, error) {
	return s.current.Load().AddAttachments(ctx, act, files)
}

// Eligibility implements desk.Service.
func (s *serviceClient) Eligibility(ctx context.Context, q authorization.EligibilityQuestion) (authorization.Eligibility, error) {
	return s.current.Load().Eligibility(ctx, q)
}

// Close closes idle connections.
func (s *serviceClient) Close() error {
	s.current.Load().Close()
	return nil
}

// featuresPause is how often the service is asked anew what it can do.
const featuresPause = 5 * time.Minute

// announceFeatures asks the service what it can do beyond the specification
// (interface.md, row 17), at once after each change and from time to time, until ctx
// is done.
func (s *serviceClient) announceFeatures(ctx context.Context) {
	tick := time.NewTicker(featuresPause)
	defer tick.Stop()
	for {
		select {
		case <-s.changed:
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if _, err := s.current.Load().Features(ctx); err != nil && ctx.Err() == nil {
			s.logger.Info("the service announces nothing", "error", err)
		}
	}
}

// trial is the client of a plan that is being tested.
type trial struct {
	*client.Client
	auth    client.Authorizer
	timeout time.Duration // for a token
}

// LogIn implements connection.Trial.
func (t trial) LogIn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://token", nil) // never sent: it only takes the header
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
