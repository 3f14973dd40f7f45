package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"guiche/internal/blob/files"
	"guiche/internal/service"
	"guiche/internal/service/simulated"
	"guiche/internal/sqlite"
	"guiche/internal/store/servicestore"
	"guiche/internal/webui"
	"guiche/migrations"
)

const (
	// simulatedOperator is the connector of the simulated operators' credentials.
	simulatedOperator = "simulada"
	// keyIdle ends a key that no living process uses any more.
	keyIdle = 72 * time.Hour
)

// embedded is the authorization service inside this process, and the in-memory
// road to it.
type embedded struct {
	db      *sqlite.DB
	blobs   *files.Store
	service *service.Service
	road    *pipeListener
	server  *http.Server

	simulation *simulated.Operator // nil without one
}

func openEmbedded(ctx context.Context, c Config) (*embedded, error) {
	folder := filepath.Join(c.DataDir, "service")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(folder, "service.db"), Migrations: migrations.Service, Clock: c.Clock})
	if err != nil {
		return nil, fmt.Errorf("GUICHE_DATA: open the service's database: %w", err)
	}
	blobs, err := files.Open(files.Options{Dir: folder, Clock: c.Clock})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("GUICHE_DATA: %w", err), db.Close())
	}
	simulation, operators, err := openOperators(c)
	if err != nil {
		return nil, errors.Join(err, blobs.Close(), db.Close())
	}
	e := &embedded{db: db, blobs: blobs, road: newPipeListener(), simulation: simulation, service: service.New(service.Config{
		Store: servicestore.New(db), Blobs: blobs, Operators: operators, Clock: c.Clock, Zone: c.Zone, Logger: c.Logger,
		Address: func(r *http.Request) string { return webui.ClientAddress(r, c.TrustedProxies) },
	})}
	e.server = newServer(e.service.Handler(), c.Logger)
	go func() { _ = e.server.Serve(e.road) }() // ends with Close
	return e, nil
}

// openOperators connects the operators; the simulated one is returned apart too.
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

// work asks the operators what is due until ctx ends.
func (e *embedded) work(ctx context.Context) {
	if e != nil {
		e.service.Work(ctx)
	}
}

// simulated is the simulated operator, nil without one.
func (e *embedded) simulated() *simulated.Operator {
	if e == nil {
		return nil
	}
	return e.simulation
}

// Close ends the road, waits for operators that are being asked, and closes the
// data.
func (e *embedded) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	return errors.Join(e.server.Shutdown(ctx), e.service.Close(ctx), e.blobs.Close(), e.db.Close())
}

// mint returns a fresh key of a partner profile.
func (e *embedded) mint(ctx context.Context, p service.Profile) (string, error) {
	if err := e.service.Admin().EnsureProfile(ctx, p); err != nil {
		return "", err
	}
	return e.service.Admin().MintKey(ctx, p.ID, keyIdle)
}
