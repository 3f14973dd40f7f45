package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/sweep"
	"guiche/internal/client"
	"guiche/internal/directory"
	"guiche/internal/guide"
	"guiche/internal/ingress"
	"guiche/internal/integrity"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/service/api"
	"guiche/internal/service/simulated"
	"guiche/internal/store/accessstore"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/unsynced"
	"guiche/internal/webui"
)

const (
	// simulatedOperator is the connector of the simulated operators' credentials.
	simulatedOperator = "simulada"
	// keyIdle ends a key that no living process uses any more.
	keyIdle = 72 * time.Hour
)

// embedded is the authorization service inside this process. The desk's client
// reaches it through pipe.
type embedded struct {
	db         database
	blobs      blobStore
	sweeper    *sweep.Sweeper
	syncer     *unsynced.Syncer
	ledger     *servicestore.Store
	damaged    func(blob.Ref) // is told of files; nil where nobody is
	service    *service.Service
	api        *api.API
	admin      *admin.Admin
	simulation *simulated.Operator // nil without simulated operators
	pipe       *pipeListener
	server     *http.Server  // of pipe
	closing    time.Duration // that Close may take

	mu      sync.Mutex
	deskKey client.Authorizer // minted at its first use in this process
}

// openEmbedded opens the service that runs inside the process, with a database and blobs of its
// own: the desk reads nothing in it except over HTTP.
func openEmbedded(ctx context.Context, c Config, blobs blobStore, anonymous *ingress.Anonymous,
	observe ingress.Observer) (*embedded, error) {
	if err := guide.Ready(); err != nil {
		return nil, err // rather than authorizations without a guide
	}
	db, err := c.openDatabase(ctx, serviceHalf)
	if err != nil {
		return nil, err
	}
	simulation, operators, err := openOperators(c)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	e := &embedded{db: db, blobs: blobs, simulation: simulation, pipe: newPipeListener(), closing: c.Shutdown / closeShare}
	e.assemble(c, operators, anonymous, observe)
	if err := e.checkOwnRows(ctx, c); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := e.syncer.Restore(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	e.server = newServer(e.api.Handler(), c.Logger)
	go func() { _ = e.server.Serve(e.pipe) }() // ends with Close
	return e, nil
}

// assemble puts the service together: what it decides, who may come in, its HTTP
// interface and its administration.
func (e *embedded) assemble(c Config, operators map[string]service.Operator, anonymous *ingress.Anonymous, observe ingress.Observer) {
	accesses, names := accessstore.New(e.db), servicestore.BlobNames(e.db)
	e.ledger = servicestore.New(e.db)
	blobs := integrity.Watch(e.blobs, func(ref blob.Ref) {
		if e.damaged != nil {
			e.damaged(ref)
		}
	})
	e.sweeper, e.syncer = newSweeper(c, e.blobs, names), newSyncer(c, e.db, e.blobs, names)
	e.service = service.New(service.Config{
		Store: e.ledger, Blobs: blobs, Operators: operators, Clock: c.Clock, Zone: c.Zone, Logger: c.Logger, Shared: e.db.Shared(),
		Limits: service.Limits{DayBytes: c.PartnerBytes}, Space: c.disk.Requests,
	})
	e.api = api.New(api.Config{
		Service: e.service, Blobs: blobs, Clock: c.Clock, Logger: c.Logger,
		Access:    access.New(access.Config{Store: accesses, Hasher: c.Hasher, Clock: c.Clock, Logger: c.Logger}),
		Address:   func(r *http.Request) string { return webui.ClientAddress(r, c.TrustedProxies) },
		Anonymous: anonymous, Observe: observe, Traffic: e.sharedTraffic(),
	})
	e.admin = admin.New(admin.Config{
		Directory: e.ledger, Ledger: e.ledger, Blobs: blobs, Access: accesses, Operators: operators, Hasher: c.Hasher, Clock: c.Clock,
	})
}

// sharedTraffic is where processes add up what they are asked, nil where this one is alone.
func (e *embedded) sharedTraffic() service.TrafficStore {
	if !e.db.Shared() {
		return nil
	}
	return e.ledger
}

// openOperators connects the operators. The simulated one, nil without one, is also
// returned by itself: the help page lists its cards.
func openOperators(c Config) (*simulated.Operator, map[string]service.Operator, error) {
	if !c.Simulated {
		return nil, nil, nil
	}
	var rules []simulated.Rule
	if c.OperatorRules != "" {
		var err error
		if rules, err = simulated.LoadFile(c.OperatorRules); err != nil {
			return nil, nil, fmt.Errorf("GUICHE_OPERATOR_RULES: %w", err)
		}
	}
	o := simulated.New(simulated.Config{Rules: rules, Clock: c.Clock})
	return o, map[string]service.Operator{simulatedOperator: o}, nil
}

// ready tells whether the service's database answers, and takes changes.
func (e *embedded) ready(ctx context.Context) error {
	if _, err := e.admin.HasCredentials(ctx); err != nil {
		return err
	}
	return takesChanges(ctx, e.db)
}

// Close ends the pipe, waits for operators that are being asked, tells other processes what
// was counted last, and closes the data.
func (e *embedded) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), e.closing)
	defer cancel()
	return errors.Join(e.server.Shutdown(ctx), e.service.Close(ctx), e.api.EndTraffic(ctx), e.db.Close())
}

// mintKey returns a fresh key of a partner profile.
func (e *embedded) mintKey(ctx context.Context, p access.Profile) (string, error) {
	if err := e.admin.EnsureProfile(ctx, p); err != nil {
		return "", err
	}
	return e.admin.MintKey(ctx, p.ID, keyIdle)
}

// deskAccess returns the desk's own access to the service.
func (e *embedded) deskAccess(ctx context.Context) (client.Authorizer, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.deskKey == nil {
		key, err := e.mintKey(ctx, access.DeskProfile())
		if err != nil {
			return nil, fmt.Errorf("mint the desk's key: %w", err)
		}
		e.deskKey = client.APIKey(key)
	}
	return e.deskKey, nil
}

// ReplicateUnit implements directory.Replica. The embedded service has no other source
// of units and professionals than the desk's directory: what is kept there can be
// requested at once.
func (e *embedded) ReplicateUnit(ctx context.Context, u directory.Unit) error {
	return e.admin.PutUnit(ctx, serviceUnit(u))
}

// ReplicateProfessional implements directory.Replica.
func (e *embedded) ReplicateProfessional(ctx context.Context, p directory.Professional) error {
	return e.admin.PutProfessional(ctx, serviceProfessional(p))
}

// serviceUnit is a unit of the desk's demo as the service keeps it.
func serviceUnit(u directory.Unit) service.Unit {
	out := service.Unit{ID: u.UID, Name: u.Name, Disabled: !u.Active}
	for _, p := range u.CarePoints {
		out.Points = append(out.Points, service.CarePoint{ID: p.UID, Name: p.Name, Disabled: !p.Active})
	}
	return out
}

// serviceProfessional is a professional of the desk's demo as the service keeps it.
func serviceProfessional(p directory.Professional) service.Professional {
	out := service.Professional{
		ID: p.UID, Name: p.Name, Council: p.Council, Number: p.CouncilNumber, State: p.State, Disabled: !p.Active,
	}
	for _, s := range p.Specialties {
		out.Specialties = append(out.Specialties, service.Specialty{ID: s.ID, Name: s.Name, CBO: s.CBO})
	}
	return out
}
