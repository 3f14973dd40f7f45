package postgres

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// connections is the most that each of the two pools opens where the URL says nothing
	// (pool_max_conns).
	connections = 16
	// connectWithin is how long a connection may take to begin.
	connectWithin = 5 * time.Second
	// cancelWithin is how long a reader that was cancelled waits for the server's word.
	cancelWithin = 2 * time.Second
)

var name = regexp.MustCompile(`^[a-z_]{1,60}$`)

func isName(schema string) bool { return name.MatchString(schema) }

// errURL keeps what an address may hold, a password, out of messages.
var errURL = errors.New("postgres: the database's address is not like postgres://user@host/database")

// poolConfig reads the address of a database. Another host is spoken to over TLS, with its
// certificate verified.
func poolConfig(address string, unverified bool) (*pgxpool.Config, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, errURL
	}
	query := u.Query()
	if !query.Has("sslmode") && !unverified && !isLocal(firstHost(u)) {
		query.Set("sslmode", "verify-full")
		u.RawQuery = query.Encode()
	}
	config, err := pgxpool.ParseConfig(u.String())
	if err != nil {
		return nil, errURL
	}
	if !unverified {
		if err := verified(&config.ConnConfig.Config); err != nil {
			return nil, err
		}
	}
	if !query.Has("pool_max_conns") {
		config.MaxConns = connections
	}
	// A connection that is lost shows by its first statement, which another one takes: asking before
	// would be a way to the server more.
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	prepare(&config.ConnConfig.Config)
	return config, nil
}

// prepare sets what every connection has.
func prepare(c *pgconn.Config) {
	c.ConnectTimeout = connectWithin
	c.DialFunc = dial
	c.RuntimeParams["application_name"] = "guiche"
	c.RuntimeParams["client_encoding"] = "UTF8"
	c.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &canceler{conn: conn}
	}
}

// errStandby says that a server repeats what another one does.
var errStandby = errors.New("the server is a standby: it shows what was, and takes nothing new")

// needPrimary refuses a standby, to which an address may lead while another server takes over: a connection to it would
// be kept. Of several hosts the next is tried then. A pooler does not tell, see takesNothing.
func needPrimary(c *pgconn.Config) {
	if c.ValidateConnect != nil { // the address says what it wants
		return
	}
	c.ValidateConnect = func(_ context.Context, conn *pgconn.PgConn) error {
		if conn.ParameterStatus("in_hot_standby") == "on" {
			return errStandby
		}
		return nil
	}
}

// firstHost is the first host that an address names.
func firstHost(u *url.URL) string {
	if host := u.Hostname(); host != "" {
		return host
	}
	return u.Query().Get("host")
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	if host == "" || host == "localhost" || strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// verified returns an error about a host that nothing proves to be the one that was meant.
func verified(c *pgconn.Config) error {
	hosts := append([]*pgconn.FallbackConfig{{Host: c.Host, TLSConfig: c.TLSConfig}}, c.Fallbacks...)
	for _, h := range hosts {
		if !isLocal(h.Host) && !verifies(h.TLSConfig) {
			return fmt.Errorf("postgres: host %s is not on this machine, and its certificate would not be verified: use sslmode=verify-full", h.Host)
		}
	}
	return nil
}

func verifies(c *tls.Config) bool { return c != nil && !c.InsecureSkipVerify && c.ServerName != "" }

// CheckURL returns what is wrong with an address, without asking anybody. It never quotes the
// address.
func CheckURL(address string, unverified bool) error {
	_, err := poolConfig(address, unverified)
	return err
}
