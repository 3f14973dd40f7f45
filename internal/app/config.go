package app

import (
	"cmp"
	"log/slog"
	"net/netip"
	"time"
	_ "time/tzdata" // the image has no zone files

	"guiche/internal/connection"
	"guiche/internal/diskspace"
	"guiche/internal/password"
)

// Config is everything that flags and GUICHE_ variables set; cmd/guiche fills it. The
// zero value of a field that is not required means its default.
type Config struct {
	Addr    string        // host:port to listen on; port 0 takes a free one
	DataDir string        // folder of everything that is kept
	Keys    string        // folder of the keys, or the file of each (audit=…,browser=…,seal=…); "" means keys in DataDir
	Wait    time.Duration // for another process that serves the folder to end: see Lock

	Demo      bool // filled directory, three logins, simulated operators, demo.json
	Past      bool // of a demo without cases: about 60 of the last three weeks, made while it starts
	Simulated bool // simulated operators behind the embedded service

	OperatorRules string // file of the simulated operators' rules; "" means those that the program brings along

	// Connection is what is set of the connection to the authorization service; what is
	// zero is as the page Conexão says. Its BaseURL names another service than the
	// embedded one and needs one of the secrets: a key, or the password of its User, or
	// the secret of its ClientID.
	Connection                            connection.Settings
	APIKey, ServicePassword, ClientSecret string

	ServiceCA            string // file of authorities that may sign the service's certificate, beside the system's
	ServiceProxy         string // http://, https:// or socks5:// on the way to the service; "" for none
	ServiceProxyPassword string // of the user in that address

	TLSCert, TLSKey string // files, reloaded when they change
	Metrics         string // host:port where a monitoring system reads metrics; "" for nowhere
	PublicURL       string // https address when a proxy ends TLS
	TrustedProxies  []netip.Prefix
	InsecureHTTP    bool // plain http on any address, with a warning on every screen

	MaxConnections           int // open at a time; default 2000
	MaxConnectionsPerAddress int // of one address, or IPv6 network of 64 bits; default 500

	Blobs    Blobs    // where files are kept; the zero value means the data folder
	Database Database // where rows are kept; the zero value means the data folder

	MinFree      int64 // bytes of the disk that stay free: see diskspace.Config; default 512 MiB
	DraftBytes   int64 // that one person's drafts keep, text and attachments; default 500 MiB
	PartnerBytes int64 // of attachments that a partner may send in 24 hours; default 20 GiB

	AuditAddressLife time.Duration // how long the audit trail keeps where an act came from; default 90 days
	Shutdown         time.Duration // from being told to stop until the process has ended; default 30 s
	Drain            time.Duration // of it, for whoever asks at /readyz to send nothing more; default none

	Backups Backups // that the server makes by itself; without a folder none

	Zone            *time.Location // zone of what is shown; default America/Sao_Paulo
	SessionIdle     time.Duration  // default 30 min
	SessionAbsolute time.Duration  // default 12 h
	Version         string
	Clock           func() time.Time                   // nil means time.Now
	Free            func(folder string) (int64, error) // bytes that can be written to a folder; nil asks the system
	Hasher          password.Hasher                    // of passwords; nil means argon2id with its defaults
	Logger          *slog.Logger                       // nil means slog.Default

	disk   *diskspace.Disk // of what serves the folder; nil for other commands
	staged bool            // the folder is being restored: what it was copied from is the copy of it as it was
	beside bool            // a program may work with the rows: their schema stays that of its version
}

// withDefaults fills what tests replace and a command leaves out.
func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.AuditAddressLife = cmp.Or(c.AuditAddressLife, 90*24*time.Hour)
	c.MinFree = cmp.Or(c.MinFree, 512<<20)
	c.Backups.Every = cmp.Or(c.Backups.Every, 24*time.Hour)
	if c.Free == nil {
		c.Free = diskspace.Free
	}
	if c.Zone == nil {
		c.Zone, _ = time.LoadLocation("America/Sao_Paulo") // embedded by tzdata
	}
	c.Shutdown = cmp.Or(c.Shutdown, DefaultShutdown)
	c.MaxConnections = cmp.Or(c.MaxConnections, DefaultConnections)
	c.MaxConnectionsPerAddress = cmp.Or(c.MaxConnectionsPerAddress, DefaultConnectionsPerAddress)
	return c
}

// DefaultShutdown is how long a server may take to end where nothing else is set.
const DefaultShutdown = 30 * time.Second

// How many connections there may be where nothing else is set. A whole clinic, with six
// for each browser, may come from one address.
const (
	DefaultConnections           = 2000
	DefaultConnectionsPerAddress = 500
)
