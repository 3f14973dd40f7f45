package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"time"

	"guiche/internal/app"
	"guiche/internal/connection"
)

const (
	defaultAddr       = "127.0.0.1:8080"
	megabyte    int64 = 1 << 20
	day               = 24 * time.Hour
)

// declareListener declares the flags that the desk and the standalone service share.
func declareListener(s *settings, c *app.Config, dataDir string) {
	f := s.flags
	f.StringVar(&c.Addr, "addr", defaultAddr, "host:port to listen on; port 0 takes a free one")
	f.StringVar(&c.DataDir, "data", dataDir, "folder that keeps everything")
	f.StringVar(&c.Keys, "keys", "", keysUsage)
	f.DurationVar(&c.Wait, "wait", 2*time.Second, "for another process that serves the folder to end, or keeps its database, before giving up")
	f.BoolVar(&c.InsecureHTTP, "insecure-http", false, "plain http on any address, with a warning on every screen")
	s.location(&c.Zone, "zone", "America/Sao_Paulo", "time zone of what is shown")
	f.DurationVar(&c.SessionIdle, "session-idle", 30*time.Minute, "a session ends after so long without use")
	f.DurationVar(&c.Shutdown, "shutdown", app.DefaultShutdown, "from being told to stop until the process has ended; longer than the\n"+
		"service takes to answer, and nothing on the wire is cut")
	f.DurationVar(&c.Drain, "drain", 0, "of -shutdown, from the first 503 of /readyz until no new connection is taken")
	f.StringVar(&c.Metrics, "metrics", "", "host:port where a monitoring system reads metrics; without it nowhere")
	f.IntVar(&c.MaxConnections, "max-connections", app.DefaultConnections, "connections at a time")
	f.IntVar(&c.MaxConnectionsPerAddress, "max-connections-per-address", app.DefaultConnectionsPerAddress,
		"connections at a time from one address, proxies aside")
	f.DurationVar(&c.SessionAbsolute, "session-max", 12*time.Hour, "a session ends after so long in any case")
	c.MinFree, c.PartnerBytes, c.AuditAddressLife = 512*megabyte, 20480*megabyte, 90*day
	f.Var((*days)(&c.AuditAddressLife), "audit-address-days", "days that the audit trail keeps from which address somebody acted")
	megabytes(s, &c.MinFree, "min-free-mb", "MiB of the disk that stay free: with less, files are refused, then all that is new")
	megabytes(s, &c.PartnerBytes, "partner-day-mb", "MiB of attachments that a partner may send in 24 hours")
	declareDatabase(s, &c.Database)
	declareBackups(s, &c.Backups)
	declareBlobs(s, &c.Blobs)
	c.Blobs.Spool = 1024 * megabyte
	megabytes(s, &c.Blobs.Spool, "blobs-spool-mb", "MiB of files that may be on their way to -blobs at once, of each half")
	f.StringVar(&c.OperatorRules, "operator-rules", "", "file of the simulated operators' rules, in place of the built-in ones")
}

// declareBackups declares the backups that a server makes by itself.
func declareBackups(s *settings, b *app.Backups) {
	s.flags.StringVar(&b.Folder, "backup-to", "", "folder of backups that the server makes by itself; without it none")
	s.flags.DurationVar(&b.Every, "backup-every", 24*time.Hour, "pause between two backups in -backup-to")
	s.flags.IntVar(&b.Keep, "backup-keep", 30, "how many backups stay in -backup-to; 0 keeps all")
	s.list(&b.Recipients, "backup-recipient",
		"age public key (age1…) that backups in -backup-to are encrypted to; may be given several times")
}

// declareDatabase declares where rows are kept.
func declareDatabase(s *settings, d *app.Database) {
	s.secret(&d.URL, "database", "postgres://user@host/database that keeps all rows; without it files in the data folder")
	s.secret(&d.Owner, "migrate-database", "-database with the role that may change its schema")
	s.secret(&d.Service, "service-database", "another -database for the authorization service's rows")
	s.secret(&d.ServiceOwner, "service-migrate-database", "-migrate-database of -service-database")
	s.flags.BoolVar(&d.Insecure, "database-insecure", false,
		"-database on another machine without TLS, and certificates that nobody vouches for")
}

// declareBlobs declares where files are kept.
func declareBlobs(s *settings, b *app.Blobs) {
	s.flags.StringVar(&b.Place, "blobs", "", "s3://bucket/prefix?endpoint=https://host:port to keep files in; without it the data folder")
	s.secret(&b.Key, "blobs-key", "access key of -blobs")
	s.secret(&b.Secret, "blobs-secret", "secret of -blobs-key")
	s.flags.StringVar(&b.Authorities, "blobs-ca", "", "file of certificates that may sign that of -blobs, beside the system's")
	s.flags.BoolVar(&b.Insecure, "blobs-insecure", false, "plain http to -blobs on another machine, and certificates that nobody vouches for")
}

// declareConnection declares the settings of the page Conexão that have a flag, and
// with remote those of another service together with the secrets for it.
func declareConnection(s *settings, c *app.Config, remote bool) {
	for _, f := range connection.Fields() {
		if f.Flag != "" && (remote || !f.Remote) {
			declareField(s, &c.Connection, f)
		}
	}
	if remote {
		s.secret(&c.APIKey, "api-key", "key for -base-url")
		s.secret(&c.ServicePassword, "service-password", "password of -service-user")
		s.secret(&c.ClientSecret, "client-secret", "secret of -client-id")
	}
}

// declareField declares one setting of the connection. Its zero value means that the
// page decides.
func declareField(s *settings, c *connection.Settings, f connection.Field) {
	switch value := f.At(c).(type) {
	case *string:
		s.flags.StringVar(value, f.Flag, "", f.Usage())
	case *int:
		s.flags.IntVar(value, f.Flag, 0, f.Usage())
	case *int64:
		megabytes(s, value, f.Flag, f.Usage())
	case *time.Duration:
		s.flags.DurationVar(value, f.Flag, 0, f.Usage())
	}
}

// declareDesk declares what only a desk has.
func declareDesk(s *settings, c *app.Config) {
	c.DraftBytes = 500 * megabyte
	megabytes(s, &c.DraftBytes, "upload-drafts-mb", "MiB that one person's drafts keep, text and attachments")
	s.flags.StringVar(&c.ServiceCA, "service-ca", "", "file of certificates that may sign that of another service, beside the system's")
	s.flags.StringVar(&c.ServiceProxy, "service-proxy", "", "http://, https:// or socks5:// address of a proxy to another service")
	s.secret(&c.ServiceProxyPassword, "service-proxy-password", "password of the user in -service-proxy")
}

// declareAddress declares how other machines reach the server.
func declareAddress(s *settings, c *app.Config) {
	f := s.flags
	f.StringVar(&c.TLSCert, "tls-cert", "", "certificate file; reloaded when it changes")
	f.StringVar(&c.TLSKey, "tls-key", "", "key file of -tls-cert")
	f.StringVar(&c.PublicURL, "public-url", "", "https address that people use, when a proxy ends TLS")
	s.prefixes(&c.TrustedProxies, "trusted-proxies", "addresses or networks of the proxies that end TLS, comma-separated")
	f.BoolVar(&c.Simulated, "simulated", false, "simulated operators, for training: every answer is marked as simulated")
}

// megabytes declares a size given in MiB and kept in bytes. What p holds is the default.
func megabytes(s *settings, p *int64, name, usage string) { s.flags.Var((*mebibytes)(p), name, usage) }

// mebibytes is a number of bytes that is written in MiB.
type mebibytes int64

// String implements flag.Value; no size is written as nothing.
func (m *mebibytes) String() string {
	if m == nil || *m == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*m)/megabyte, 10)
}

// maxMebibytes is a terabyte, far from where a number of bytes overflows.
const maxMebibytes = 1 << 20

// Set implements flag.Value.
func (m *mebibytes) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > maxMebibytes {
		return fmt.Errorf("want a whole number of MiB from 1 to %d", maxMebibytes)
	}
	*m = mebibytes(n * megabyte)
	return nil
}

// days is a time that is written as a whole number of days.
type days time.Duration

// String implements flag.Value; no time is written as nothing.
func (d *days) String() string {
	if d == nil || *d == 0 {
		return ""
	}
	return strconv.FormatInt(int64(time.Duration(*d)/day), 10)
}

// Set implements flag.Value.
func (d *days) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 3650 {
		return errors.New("want a whole number of days from 1 to 3650")
	}
	*d = days(time.Duration(n) * day)
	return nil
}

// demo is "guiche demo". Its data folder is another one than that of serve, so that
// trying it never touches real data.
func demo(ctx context.Context, env environment) error {
	c := app.Config{Demo: true, Past: true, Simulated: true, Version: version}
	s := newSettings("demo", env)
	declareListener(s, &c, "guiche-demo")
	declareDesk(s, &c)
	declareConnection(s, &c, false)
	if err := s.parse(env.args); err != nil {
		return err
	}
	return listen(ctx, c, env)
}

// serve is "guiche serve", the desk in production.
func serve(ctx context.Context, env environment) error {
	c := app.Config{Version: version}
	if err := serveSettings(env, &c).parse(env.args); err != nil {
		return err
	}
	return listen(ctx, c, env)
}

// serveSettings declares every flag of "guiche serve"; a test compares them with the
// README.
func serveSettings(env environment, c *app.Config) *settings {
	s := newSettings("serve", env)
	declareListener(s, c, "guiche-data")
	declareDesk(s, c)
	declareConnection(s, c, true)
	declareAddress(s, c)
	return s
}

// standalone is "guiche service", the authorization service and its console without
// the desk.
func standalone(ctx context.Context, env environment) error {
	c := app.Config{Version: version}
	s := newSettings("service", env)
	declareListener(s, &c, "guiche-data")
	declareAddress(s, &c)
	if err := s.parse(env.args); err != nil {
		return err
	}
	return alone(ctx, c, env, slog.LevelInfo, func(c app.Config) error {
		a, err := app.NewStandalone(ctx, c)
		if err != nil {
			return err
		}
		defer a.Close()
		fmt.Fprintf(env.out, "Serviço de autorização e seu console em %s\nChave de acesso em %s\n", a.URL(),
			filepath.Join(c.DataDir, "service.json"))
		metricsAt(env.out, a.MetricsAddress())
		firstAccess(env.out, a.SetupLink())
		return a.Run(ctx)
	})
}

// stoppable makes it no failure of a server when it is told to stop while it starts, and its end is no matter of who
// reads its output.
func stoppable(run func(context.Context, environment) error) func(context.Context, environment) error {
	return func(ctx context.Context, env environment) error {
		outliveOutput()
		if err := run(ctx, env); ctx.Err() == nil || !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}
}

// listen serves until the context ends.
func listen(ctx context.Context, c app.Config, env environment) error {
	level := slog.LevelInfo
	if c.Demo {
		level = slog.LevelDebug // its first lines are for a person
	}
	return alone(ctx, c, env, level, func(c app.Config) error {
		a, err := app.New(ctx, c)
		if err != nil {
			return err
		}
		defer a.Close()
		welcome(env.out, a)
		return a.Run(ctx)
	})
}

// alone runs a server as the one process of its data folder, with a log, and bounds for its memory and its end; level
// is that of what the log says of memory.
func alone(ctx context.Context, c app.Config, env environment, level slog.Level, serve func(app.Config) error) error {
	c.Logger, c.Clock = slog.New(slog.NewJSONHandler(env.err, nil)), clock
	limitMemory(ctx, c.Logger, level)
	raiseHeapFloor()
	defer endWithin(ctx, cmp.Or(c.Shutdown, app.DefaultShutdown), c.Logger)()
	unlock, err := c.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return serve(c)
}

// welcome prints the address, and the logins of a demo.
func welcome(w io.Writer, a *app.App) {
	fmt.Fprintf(w, "Guichê em %s\n", a.URL())
	for _, l := range a.Logins() {
		fmt.Fprintf(w, "  %-14s usuário %-6s senha %s\n", l.Role, l.User, l.Password)
	}
	metricsAt(w, a.MetricsAddress())
	firstAccess(w, a.SetupLink())
}

// metricsAt prints where a monitoring system reads metrics, where it may.
func metricsAt(w io.Writer, address string) {
	if address != "" {
		fmt.Fprintf(w, "Métricas em http://%s/metrics\n", address)
	}
}

// firstAccess prints the one-time link that creates the first administrator, where
// there is nobody yet, and how to stop the program.
func firstAccess(w io.Writer, link string) {
	if link != "" {
		fmt.Fprintf(w, "Primeiro acesso: abra este endereço uma vez, em até 24 horas, para criar a administração:\n  %s\n", link)
	}
	fmt.Fprintln(w, "Ctrl+C encerra.")
}
