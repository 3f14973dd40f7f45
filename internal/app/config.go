package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"time"
	_ "time/tzdata" // the image has no zone files

	"guiche/internal/document"
)

// Config is everything that can be set from outside; cmd fills it from flags and
// GUICHE_ variables. The zero value of a field that is not required means its
// default.
type Config struct {
	Addr    string // host:port to listen on; port 0 takes a free one
	DataDir string // folder of everything that is kept

	Demo      bool // filled directory, three logins, simulated operators, demo.json
	Simulated bool // simulated operators behind the embedded service

	OperatorRules string // file of the simulated operators' rules; "" means those that the program brings along

	BaseURL string // another authorization service; "" means the embedded one

	// Access to BaseURL: a key, or a user with her password, or a client with its
	// secret. What is empty below them is as the page Conexão says.
	APIKey                             string
	ServiceUser, ServicePassword       string
	ClientID, ClientSecret             string
	LoginPath                          string // of the user; interface.md, row 23
	LoginUserField, LoginPasswordField string
	TokenPath                          string // of the client

	TLSCert, TLSKey string // files, reloaded when they change
	PublicURL       string // https address when a proxy ends TLS
	TrustedProxies  []netip.Prefix
	InsecureHTTP    bool // plain http on any address, with a warning on every screen

	Zone            *time.Location  // zone of what is shown; default America/Sao_Paulo
	Uploads         document.Limits // what is 0 is as the page Conexão says
	AttachmentShape string          // object or string: interface.md, row 2
	ConnectTimeout  time.Duration   // to the service; default 5 s
	AnswerTimeout   time.Duration   // of the service; default 60 s
	QueryTimeout    time.Duration   // of a search at the service; default 10 s
	Deadline        time.Duration   // what has not left by then is refused; default 30 min
	SessionIdle     time.Duration   // default 30 min
	SessionAbsolute time.Duration   // default 12 h
	Version         string
	Clock           func() time.Time // nil means time.Now
	Logger          *slog.Logger     // nil means slog.Default
}

func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Zone == nil {
		c.Zone, _ = time.LoadLocation("America/Sao_Paulo") // embedded by tzdata
	}
	return c
}

// Check returns every setting that cannot work, each named by its variable.
func (c Config) Check() error {
	return errors.Join(c.checkAddress(), c.checkService(), c.checkFiles(), c.checkLimits())
}

func (c Config) checkAddress() error {
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("GUICHE_ADDR: %q is not host:port", c.Addr)
	}
	if c.PublicURL != "" {
		return c.checkPublicURL()
	}
	if isLoopback(host) || c.tls() || c.InsecureHTTP {
		return nil
	}
	return fmt.Errorf("GUICHE_ADDR: %s can be reached from other machines, so it wants encryption: "+
		"set GUICHE_TLS_CERT and GUICHE_TLS_KEY, or GUICHE_PUBLIC_URL (https://…) with GUICHE_TRUSTED_PROXIES behind a proxy; "+
		"GUICHE_INSECURE_HTTP=true overrides, with a warning on every screen", c.Addr)
}

func (c Config) checkPublicURL() error {
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Scheme != "https" || u.Host == "" || (u.Path != "" && u.Path != "/") {
		return fmt.Errorf("GUICHE_PUBLIC_URL: want https://host without a path")
	}
	if len(c.TrustedProxies) == 0 {
		return fmt.Errorf("GUICHE_TRUSTED_PROXIES: name the proxy's address or network, as GUICHE_PUBLIC_URL is set")
	}
	return nil
}

func (c Config) checkService() error {
	if c.OperatorRules != "" && !c.Simulated {
		return fmt.Errorf("GUICHE_OPERATOR_RULES: rules belong to simulated operators; set GUICHE_SIMULATED too")
	}
	if c.BaseURL == "" {
		return c.checkNoAccess()
	}
	u, err := url.Parse(c.BaseURL)
	switch {
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.RawQuery != "" || u.User != nil:
		return fmt.Errorf("GUICHE_BASE_URL: want http(s)://host[/path] without user, password or query")
	case c.Simulated || c.Demo:
		return fmt.Errorf("GUICHE_SIMULATED: simulated operators belong to the embedded service; leave out GUICHE_BASE_URL or GUICHE_SIMULATED")
	}
	return c.checkAccess()
}

func (c Config) checkFiles() error {
	if c.DataDir == "" {
		return fmt.Errorf("GUICHE_DATA: name the folder that keeps the data")
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return fmt.Errorf("GUICHE_TLS_CERT and GUICHE_TLS_KEY go together")
	}
	if c.tls() {
		if _, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey); err != nil {
			return fmt.Errorf("GUICHE_TLS_CERT: %w", err)
		}
	}
	return nil
}

func (c Config) checkLimits() error {
	for name, d := range map[string]time.Duration{
		"GUICHE_CONNECT_TIMEOUT": c.ConnectTimeout, "GUICHE_ANSWER_TIMEOUT": c.AnswerTimeout, "GUICHE_QUERY_TIMEOUT": c.QueryTimeout, "GUICHE_DEADLINE": c.Deadline,
		"GUICHE_SESSION_IDLE": c.SessionIdle, "GUICHE_SESSION_MAX": c.SessionAbsolute,
	} {
		if d < 0 {
			return fmt.Errorf("%s: must not be negative", name)
		}
	}
	if c.Uploads.MaxFiles < 0 {
		return fmt.Errorf("GUICHE_UPLOAD_FILES: must not be negative")
	}
	if c.Uploads.MaxTotal > 0 && c.Uploads.MaxFile > c.Uploads.MaxTotal {
		return fmt.Errorf("GUICHE_UPLOAD_FILE_MB: one file may not be larger than GUICHE_UPLOAD_TOTAL_MB")
	}
	if c.AttachmentShape != "" && c.AttachmentShape != "object" && c.AttachmentShape != "string" {
		return fmt.Errorf("GUICHE_ATTACHMENT_SHAPE: want object or string")
	}
	return nil
}

func (c Config) tls() bool { return c.TLSCert != "" && c.TLSKey != "" }

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
