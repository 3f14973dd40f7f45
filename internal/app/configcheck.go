package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"guiche/internal/backup"
	"guiche/internal/egress"
	"guiche/internal/ingress"
)

// Check returns every setting that cannot work, each named by its variable.
func (c Config) Check() error {
	return errors.Join(
		c.checkAddress(), c.checkMetrics(), c.checkService(), c.checkRoute(), c.checkFiles(), c.checkLimits(), c.checkBackups(), c.checkBlobs(),
		c.checkKeys(), c.checkDatabase(),
	)
}

// checkAddress refuses to listen to a network without TLS, or a proxy that ends it,
// unless that was asked for in so many words: the pages hold health data.
func (c Config) checkAddress() error {
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("GUICHE_ADDR: %q is not host:port: %w", c.Addr, err)
	}
	if c.PublicURL != "" {
		return c.checkPublicURL()
	}
	if ingress.IsLoopback(host) || c.tls() || c.InsecureHTTP {
		return nil
	}
	return fmt.Errorf("GUICHE_ADDR: %s can be reached from other machines, so it wants encryption: "+
		"set GUICHE_TLS_CERT and GUICHE_TLS_KEY, or GUICHE_PUBLIC_URL (https://…) with GUICHE_TRUSTED_PROXIES behind a proxy; "+
		"GUICHE_INSECURE_HTTP=true overrides, with a warning on every screen", c.Addr)
}

// checkMetrics wants an address of its own for metrics, which tell how the clinic works.
func (c Config) checkMetrics() error {
	if c.Metrics == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(c.Metrics)
	switch ours, ourPort, _ := net.SplitHostPort(c.Addr); {
	case err != nil:
		return fmt.Errorf("GUICHE_METRICS: %q is not host:port: %w", c.Metrics, err)
	case host == "":
		return fmt.Errorf("GUICHE_METRICS: say who may read them: 127.0.0.1:%s for this machine alone, 0.0.0.0:%[1]s for everybody", port)
	case port != "0" && port == ourPort && (host == ours || unspecified(host) || unspecified(ours)):
		return errors.New("GUICHE_METRICS: this is the address of the pages (GUICHE_ADDR); metrics want another port")
	}
	return nil
}

// unspecified reports whether a host means every address of the machine.
func unspecified(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "" || err == nil && addr.IsUnspecified()
}

// loopback reports whether only this machine reaches an address.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && ingress.IsLoopback(host)
}

// checkPublicURL wants the proxies to be named, too: only theirs is the client address
// that is believed.
func (c Config) checkPublicURL() error {
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Scheme != "https" || u.Host == "" || (u.Path != "" && u.Path != "/") ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("GUICHE_PUBLIC_URL: want https://host without user, path or query")
	}
	if len(c.TrustedProxies) == 0 {
		return errors.New("GUICHE_TRUSTED_PROXIES: name the proxy's address or network, as GUICHE_PUBLIC_URL is set")
	}
	return nil
}

// checkService checks which service the desk speaks to and that nothing is set for the
// one that is not used.
func (c Config) checkService() error {
	if c.OperatorRules != "" && !c.Simulated {
		return errors.New("GUICHE_OPERATOR_RULES: rules belong to simulated operators; set GUICHE_SIMULATED too")
	}
	if c.Connection.BaseURL == "" {
		return c.checkNoAccess()
	}
	u, err := url.Parse(c.Connection.BaseURL)
	switch {
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.RawQuery != "" || u.User != nil:
		return errors.New("GUICHE_BASE_URL: want http(s)://host[/path] without user, password or query")
	case c.Simulated || c.Demo:
		return errors.New("GUICHE_SIMULATED: simulated operators belong to the embedded service; " +
			"leave out GUICHE_BASE_URL or GUICHE_SIMULATED")
	}
	return c.checkAccess()
}

// checkRoute refuses a route to the service that cannot work.
func (c Config) checkRoute() error {
	_, err := c.route()
	return err
}

// route is how another service is reached.
func (c Config) route() (r egress.Route, err error) {
	var proxy *egress.Proxy
	var authorities *egress.Authorities
	if c.ServiceProxy != "" {
		if proxy, err = egress.NewProxy(c.ServiceProxy, c.ServiceProxyPassword); err != nil {
			return r, fmt.Errorf("GUICHE_SERVICE_PROXY: %w", err)
		}
	} else if c.ServiceProxyPassword != "" {
		return r, errors.New("GUICHE_SERVICE_PROXY_PASSWORD: GUICHE_SERVICE_PROXY belongs to it")
	}
	if c.ServiceCA != "" {
		if authorities, err = egress.OpenAuthorities(c.ServiceCA, c.Logger); err != nil {
			return r, fmt.Errorf("GUICHE_SERVICE_CA: %w", err)
		}
	}
	return egress.NewRoute(proxy, authorities), nil
}

// checkFiles checks what is named on disk before anything is created there.
func (c Config) checkFiles() error {
	if c.DataDir == "" {
		return errors.New("GUICHE_DATA: name the folder that keeps the data")
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return errors.New("GUICHE_TLS_CERT and GUICHE_TLS_KEY go together")
	}
	if c.tls() {
		if _, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey); err != nil {
			return fmt.Errorf("GUICHE_TLS_CERT: %w", err)
		}
	}
	return nil
}

// checkBackups refuses backups that could not be made.
func (c Config) checkBackups() error {
	b := c.Backups
	if b.Folder == "" && len(b.Recipients) > 0 {
		return errors.New("GUICHE_BACKUP_RECIPIENT: name the folder of backups, too (GUICHE_BACKUP_TO)")
	}
	if b.Folder != "" && c.DataDir != "" {
		if err := backup.CheckApart(b.Folder, c.DataDir); err != nil {
			return fmt.Errorf("GUICHE_BACKUP_TO: %w", err)
		}
	}
	if _, err := backup.Recipients(b.Recipients); err != nil {
		return fmt.Errorf("GUICHE_BACKUP_RECIPIENT: %w", err)
	}
	if b.Every < 0 || b.Keep < 0 {
		return errors.New("GUICHE_BACKUP_EVERY, GUICHE_BACKUP_KEEP: must not be negative")
	}
	return nil
}

// checkLimits refuses negative limits. Zero means that a limit's default holds.
func (c Config) checkLimits() error {
	for _, s := range []struct {
		name  string
		value time.Duration
	}{
		{"GUICHE_SESSION_IDLE", c.SessionIdle}, {"GUICHE_SESSION_MAX", c.SessionAbsolute}, {"GUICHE_AUDIT_ADDRESS_DAYS", c.AuditAddressLife},
		{"GUICHE_SHUTDOWN", c.Shutdown}, {"GUICHE_WAIT", c.Wait},
	} {
		if s.value < 0 {
			return fmt.Errorf("%s: must not be negative", s.name)
		}
	}
	if c.MaxConnections < 0 || c.MaxConnectionsPerAddress < 0 {
		return errors.New("GUICHE_MAX_CONNECTIONS, GUICHE_MAX_CONNECTIONS_PER_ADDRESS: must not be negative")
	}
	if c.Drain < 0 || c.Drain > c.Shutdown/2 {
		return errors.New("GUICHE_DRAIN: want no more than half of GUICHE_SHUTDOWN")
	}
	return c.overrides().Check()
}

// authOption is one way to authenticate at another service: the variable that says
// who asks, where the method has one, and that of the secret.
type authOption struct{ who, secret setting }

// setting is a variable with its value.
type setting struct{ name, value string }

// authOptions lists the methods of authentication with the settings that each needs;
// together they must name exactly one method.
func (c Config) authOptions() []authOption {
	return []authOption{
		{secret: setting{"GUICHE_API_KEY", c.APIKey}},
		{setting{"GUICHE_SERVICE_USER", c.Connection.User}, setting{"GUICHE_SERVICE_PASSWORD", c.ServicePassword}},
		{setting{"GUICHE_CLIENT_ID", c.Connection.ClientID}, setting{"GUICHE_CLIENT_SECRET", c.ClientSecret}},
	}
}

// checkAccess wants one complete access to the service of GUICHE_BASE_URL.
func (c Config) checkAccess() error {
	var given []string
	for _, o := range c.authOptions() {
		switch {
		case o.who.value != "" && o.secret.value == "":
			return fmt.Errorf("%s: %s needs it (%[1]s or %[1]s_FILE)", o.secret.name, o.who.name)
		case o.who.name != "" && o.who.value == "" && o.secret.value != "":
			return fmt.Errorf("%s: %s belongs to it", o.who.name, o.secret.name)
		case o.secret.value != "":
			given = append(given, o.secret.name)
		}
	}
	switch len(given) {
	case 0:
		return errors.New("GUICHE_API_KEY: GUICHE_BASE_URL needs the access to that service: GUICHE_API_KEY, or GUICHE_SERVICE_USER with " +
			"GUICHE_SERVICE_PASSWORD, or GUICHE_CLIENT_ID with GUICHE_CLIENT_SECRET; each secret also from a file, as GUICHE_API_KEY_FILE")
	case 1:
		return c.overrides().CheckPaths()
	}
	return fmt.Errorf("%s: these are several ways into one service; leave all but one out", strings.Join(given, ", "))
}

// checkNoAccess refuses an access without GUICHE_BASE_URL, which would be ignored.
func (c Config) checkNoAccess() error {
	for _, o := range c.authOptions() {
		for _, s := range []setting{o.who, o.secret} {
			if s.value != "" {
				return fmt.Errorf("GUICHE_BASE_URL: %s is for another service; name its address, or set it up on the page Conexão", s.name)
			}
		}
	}
	return nil
}
