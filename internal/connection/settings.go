// Package connection is which authorization service the desk speaks to, and how:
// the settings that an administrator keeps, the secrets sealed under a key outside
// the database, the addresses that may be dialled, and the test of all of it that
// sends no authorization.
package connection

import (
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"
)

// Method is one of the three ways to authenticate (specification 5).
type Method string

// The methods.
const (
	APIKey   Method = "chave" // header x-api-key
	Password Method = "senha" // login with user and password, bearer token
	OAuth    Method = "oauth" // client credentials, bearer token
)

// EligibilityMode says whether eligibility is asked for.
type EligibilityMode string

// The modes.
const (
	EligibilityAnnounced EligibilityMode = "recursos" // as the features say, announced or by hand
	EligibilityAlways    EligibilityMode = "sempre"
	EligibilityNever     EligibilityMode = "nunca"
)

// Shapes of an item of anexos (interface.md, row 2).
const (
	AttachmentObject = "object"
	AttachmentString = "string"
)

// Settings say which service the desk speaks to, and how. Which of them count
// depends on Embedded and Method; the others are kept as they were typed.
type Settings struct {
	Embedded     bool
	BaseURL      string // http(s)://host[:port][/path]
	InternalHost string // the host of BaseURL where it may lie in a local network, else ""

	Method        Method
	User          string // of Password
	LoginPath     string // of Password, with the two field names (interface.md, row 23)
	UserField     string
	PasswordField string
	RefreshPath   string // of Password; "" for a service that renews no token
	ClientID      string // of OAuth
	TokenPath     string // of OAuth
	Scope         string // of OAuth, words separated by spaces; "" asks for all that the client has
	ClientBasic   bool   // of OAuth: the client in HTTP Basic instead of the form

	UnitsPath         string // lists of interface.md, row 13; "" for a service that has none
	ProfessionalsPath string
	Eligibility       EligibilityMode // interface.md, row 15
	EligibilityPath   string

	Attachments string        // AttachmentObject or AttachmentString
	UploadFiles int           // attachments of one request (interface.md, row 10)
	UploadFile  int64         // bytes of one of them
	UploadTotal int64         // bytes of all
	Connect     time.Duration // name, connection and TLS
	Query       time.Duration // of a question at which a person waits
	Answer      time.Duration // of the service to a request
	Deadline    time.Duration // what has not left by then is refused

	ByHand   bool     // the features are those below, not what the service announces
	Features []string // words of recursos (interface.md, row 17)
}

// Defaults are the settings of a new installation
// (interface.md, rows 2, 10, 13, 15 and 23 and the times below its outcome table;
// specification 4.6 and 4.7).
func Defaults() Settings {
	return Settings{
		Embedded: true, Method: APIKey, LoginPath: "/api/v1/auth/login", UserField: "usuario", PasswordField: "senha",
		RefreshPath: "/api/v1/auth/refresh", TokenPath: "/oauth/token",
		UnitsPath: "/api/v2/unidades", ProfessionalsPath: "/api/v2/profissionais-executantes",
		Eligibility: EligibilityAnnounced, EligibilityPath: "/api/v1/elegibilidade",
		Attachments: AttachmentObject, UploadFiles: 10, UploadFile: 15 << 20, UploadTotal: 60 << 20,
		Connect: 5 * time.Second, Query: 10 * time.Second, Answer: time.Minute, Deadline: 30 * time.Minute,
	}
}

// FeatureNames are the features that a service can announce (interface.md, row 17).
func FeatureNames() []string {
	return []string{"idempotencia", "situacao", "consulta-por-guia", "anexos", "biometria", "cancelamento", "elegibilidade", "cadastros"}
}

// Origin is the scheme, host and port that a secret is valid for, "" where BaseURL is
// no address.
func (s Settings) Origin() string {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Host == "" {
		return ""
	}
	return strings.ToLower(u.Scheme) + "://" + hostPort(u)
}

// fullAddress is Origin with the path, a slash at its end: several services may share
// an origin.
func (s Settings) fullAddress() string {
	u, err := url.Parse(s.BaseURL)
	if err != nil {
		return ""
	}
	return s.Origin() + u.JoinPath("/").EscapedPath()
}

// Host is the host of BaseURL in lower case, without its port.
func (s Settings) Host() string {
	u, err := url.Parse(s.BaseURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// hostPort returns host and port of an address, the port of its scheme where it
// names none.
func hostPort(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case strings.EqualFold(u.Scheme, "https"):
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// Secret is an API key, a password or a client_secret; no formatting shows it.
type Secret string

// String keeps the secret out of formatted texts.
func (Secret) String() string { return "[segredo]" }

// GoString keeps the secret out of %#v.
func (Secret) GoString() string { return "[segredo]" }

// LogValue keeps the secret out of logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText keeps the secret out of JSON, which is how logs write what holds it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
