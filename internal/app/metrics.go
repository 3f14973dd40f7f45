package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"guiche/internal/desk"
	"guiche/internal/ingress"
	"guiche/internal/metrics"
	"guiche/internal/store/backupstore"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/directorystore"
)

// openMetrics answers scrapes at an address of their own, where one is set.
func (s *baseServer) openMetrics(ctx context.Context) error {
	if s.config.Metrics == "" {
		return nil
	}
	bound, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.config.Metrics)
	if err != nil {
		return fmt.Errorf("GUICHE_METRICS: %w", err)
	}
	s.metrics, s.metricsAddress = metrics.New(s.config.Version), bound.Addr().String()
	hosts := ingress.Hosts{Loopback: loopback(s.config.Metrics)}
	server := newServer(hosts.Guard(s.metrics.Handler(), http.NotFoundHandler()), s.config.Logger)
	s.onClose(server.Close)
	go func() {
		if err := server.Serve(bound); !errors.Is(err, http.ErrServerClosed) {
			s.config.Logger.Error("metrics ended", "error", err)
		}
	}()
	return nil
}

// MetricsAddress is the host and port where metrics are read, "" without any.
func (s *baseServer) MetricsAddress() string { return s.metricsAddress }

// addSources says what is looked up at each scrape of any program.
func (s *baseServer) addSources(context.Context) error {
	s.metrics.Add("ready", s.readyValues)
	s.metrics.Add("disk", s.diskValues)
	s.metrics.Add("backups", s.backupValues)
	s.metrics.Add("trail", s.trailValues)
	return nil
}

// flag is a condition as a number.
func flag(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}

func (s *baseServer) readyValues(ctx context.Context) ([]metrics.Value, error) {
	_, ok := s.ready(ctx)
	values := []metrics.Value{{Name: "guiche_ready", Help: "1 while /readyz says 200.", Number: flag(ok)}}
	for word, now := range s.allTroubles(ctx) {
		values = append(values, metrics.Value{Name: "guiche_degraded", Help: "1 while the program goes on with this trouble.",
			Label: "reason", Of: word, Number: flag(now)})
	}
	return values, nil
}

func (s *baseServer) diskValues(context.Context) ([]metrics.Value, error) {
	const help = "Space that the program may still write to in a folder."
	free, err := s.config.Free(s.config.DataDir)
	if err != nil {
		return nil, err
	}
	values := []metrics.Value{
		{Name: "guiche_disk_free_bytes", Help: help, Label: "folder", Of: "data", Number: float64(free)},
		{Name: "guiche_disk_floor_bytes", Help: "Free space below which files are refused.", Number: float64(s.config.MinFree)},
		{Name: "guiche_disk_reserve_bytes", Help: "Reserve that is kept for when space runs out; 0 while it is in use.",
			Number: float64(s.config.disk.Reserve())},
	}
	if folder := s.config.Backups.Folder; folder != "" {
		// Before the first backup there is no folder; then its disk is that of the one around it.
		for _, at := range []string{folder, filepath.Dir(folder)} {
			if free, err = s.config.Free(at); err == nil {
				break
			}
		}
		if err != nil {
			return nil, err
		}
		values = append(values, metrics.Value{Name: "guiche_disk_free_bytes", Help: help, Label: "folder", Of: "backups", Number: float64(free)})
	}
	return values, nil
}

// backupValues are the ages of the latest backup and of the latest that was found whole.
func (s *baseServer) backupValues(ctx context.Context) ([]metrics.Value, error) {
	runs, err := backupstore.New(s.data.db, s.data.trail).Latest(ctx, 100)
	if err != nil {
		return nil, err
	}
	values := []metrics.Value{{Name: "guiche_backup_scheduled", Help: "1 where the server makes backups by itself.",
		Number: flag(s.config.Backups.Folder != "")}}
	if len(runs) > 0 {
		values = append(values, metrics.Value{Name: "guiche_backup_failed", Help: "1 where the latest try made no backup.",
			Number: flag(runs[0].Failure != "")})
	}
	made, verified := time.Time{}, time.Time{}
	for _, r := range runs {
		if made.IsZero() && r.Failure == "" {
			made = r.At
			values = append(values, metrics.Value{Name: "guiche_backup_damage", Help: "What the check of the latest backup found damaged.",
				Number: float64(r.Damage)})
		}
		if verified.IsZero() && r.Damage == 0 {
			verified = r.VerifiedAt
		}
	}
	values = s.age(values, "guiche_backup_age_seconds", "Since the latest backup was begun.", made)
	return s.age(values, "guiche_backup_verified_age_seconds", "Since a backup was checked as a whole and found undamaged.", verified), nil
}

// age adds the time since a moment, nothing for the zero one.
func (s *baseServer) age(values []metrics.Value, name, help string, at time.Time) []metrics.Value {
	if at.IsZero() {
		return values
	}
	return append(values, metrics.Value{Name: name, Help: help, Number: s.config.Clock().Sub(at).Seconds()})
}

func (s *baseServer) trailValues(ctx context.Context) ([]metrics.Value, error) {
	head, err := s.data.trail.Head(ctx)
	return []metrics.Value{
		{Name: "guiche_audit_entries", Help: "Length of the audit trail.", Number: float64(head.Position)},
		{Name: "guiche_audit_broken", Help: "1 where the latest check found the trail broken.", Number: flag(s.trailBroken(ctx))},
	}, err
}

// addDeskSources says what is looked up of a desk.
func (a *App) addDeskSources(ctx context.Context) error {
	store := deskstore.New(a.data.db, a.data.trail)
	a.metrics.UseCredentials(directorystore.New(a.data.db, a.data.trail).OldestCredentials)
	a.metrics.Add("queue", func(ctx context.Context) ([]metrics.Value, error) { return a.queueValues(ctx, store) })
	a.metrics.Add("outages", func(ctx context.Context) ([]metrics.Value, error) { return a.outageValues(ctx, store) })
	a.metrics.Add("slots", func(context.Context) ([]metrics.Value, error) {
		slots := a.desk.Slots()
		return []metrics.Value{
			{Name: "guiche_slots", Help: "Requests that may be on the wire at the same time.", Number: float64(slots.All)},
			{Name: "guiche_credential_slots", Help: "Requests to one credential that may be on the wire at the same time.",
				Number: float64(slots.PerCredential)},
		}, nil
	})
	return a.addSources(ctx)
}

func (a *App) queueValues(ctx context.Context, store *deskstore.Store) (values []metrics.Value, err error) {
	all, err := store.Standings(ctx)
	for state, s := range map[string]desk.Standing{"queued": all.Queued, "held": all.Held, "sending": all.Sending, "unknown": all.Unknown} {
		oldest := 0.0
		if !s.Oldest.IsZero() {
			oldest = a.config.Clock().Sub(s.Oldest).Seconds()
		}
		values = append(values,
			metrics.Value{Name: "guiche_queue_requests", Help: "Requests that have not ended; unknown: sent, and nobody knows what became of them.",
				Label: "state", Of: state, Number: float64(s.Count)},
			metrics.Value{Name: "guiche_queue_oldest_seconds", Help: "Since the oldest request of this state was sent off; 0 where there is none.",
				Label: "state", Of: state, Number: oldest})
	}
	return values, err
}

// maxSilences bounds how many outages are looked at.
const maxSilences = 500

func (a *App) outageValues(ctx context.Context, store *deskstore.Store) ([]metrics.Value, error) {
	now := a.config.Clock()
	silences, err := store.Silences(ctx, now.Add(-desk.OutageShown), maxSilences)
	values := []metrics.Value{{Name: "guiche_outages", Number: float64(len(silences)),
		Help: "Operators, or the service, that do not answer, so that one request at a time tries."}}
	longest := map[string]time.Duration{}
	for _, s := range silences {
		who := "service"
		if s.Credential != [16]byte{} {
			who = a.metrics.Credential(s.Credential.String())
		}
		longest[who] = max(longest[who], now.Sub(s.Since))
	}
	for who, silent := range longest {
		values = append(values, metrics.Value{Name: "guiche_outage_seconds",
			Help:  "Since when a credential's operator, or the authorization service itself, does not answer.",
			Label: "who", Of: who, Number: silent.Seconds()})
	}
	return values, err
}
