package app

import (
	"context"
	"fmt"

	"guiche/internal/service/access"
	"guiche/internal/webui"
	"guiche/internal/webui/console"
)

// Standalone is the authorization service without a desk: its API, and its console
// for administrators. NewStandalone binds its address; Run serves until told to stop.
type Standalone struct {
	baseServer
	embedded *embedded
}

// NewStandalone checks the configuration, opens guiche.db and the service and binds
// the address. The caller closes what it returns. The desk's settings are ignored.
func NewStandalone(ctx context.Context, c Config) (*Standalone, error) {
	return whileAway(ctx, c.withDefaults(), newStandalone)
}

func newStandalone(ctx context.Context, c Config) (*Standalone, error) {
	s := &Standalone{baseServer: baseServer{config: c}}
	s.pages.Installation, s.pages.Console.Installation = webui.Standalone(), console.Standalone
	err := s.open(ctx, s.openDisk, s.warnOfServer, s.openDeskData, s.openPresence, s.openPlace, s.openService, s.fillSimulation,
		s.inviteFirst, s.openBackups, s.addSources, s.openWeb, s.announce)
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// openService opens the service with the console's data beside it.
func (s *Standalone) openService(ctx context.Context) (err error) {
	s.embedded, err = s.openEmbedded(ctx)
	return err
}

// fillSimulation puts in place, once, what simulated operators need to be tried.
func (s *Standalone) fillSimulation(ctx context.Context) error {
	if !s.config.Simulated {
		return nil
	}
	if filled, err := s.embedded.admin.HasCredentials(ctx); err != nil || filled {
		return err
	}
	for _, u := range demoUnits() {
		if err := s.embedded.ReplicateUnit(ctx, u); err != nil {
			return err
		}
	}
	for _, p := range demoProfessionals() {
		if err := s.embedded.ReplicateProfessional(ctx, p); err != nil {
			return err
		}
	}
	return s.embedded.fillCredentials(ctx)
}

// Run serves until ctx is done, then stops: it finishes running requests, and
// operators that are being asked get their time.
func (s *Standalone) Run(ctx context.Context) error { return s.run(ctx) }

// announce writes service.json with a fresh key, readable by the folder's owner
// alone: the access of whoever runs the program.
func (s *Standalone) announce(ctx context.Context) error {
	key, err := s.embedded.mintKey(ctx, access.DeskProfile())
	if err != nil {
		return fmt.Errorf("mint the installation's key: %w", err)
	}
	return s.config.writeAccessFile("service.json", serviceFile{URL: s.URL(), APIKey: key})
}
