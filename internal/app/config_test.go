package app_test

import (
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/connection"
)

func TestConfig_Check(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*app.Config)
		names  string // variable that the message names; "" means fine
	}{
		{"Loopback", func(*app.Config) {}, ""},
		{"Loopback6", func(c *app.Config) { c.Addr = "[::1]:80" }, ""},
		{"Localhost", func(c *app.Config) { c.Addr = "localhost:80" }, ""},
		{"NoPort", func(c *app.Config) { c.Addr = "127.0.0.1" }, "GUICHE_ADDR"},
		{"OtherAddress", func(c *app.Config) { c.Addr = "0.0.0.0:80" }, "GUICHE_TLS_CERT"},
		{"EmptyHost", func(c *app.Config) { c.Addr = ":80" }, "GUICHE_TLS_CERT"},
		{"Insecure", func(c *app.Config) { c.Addr = ":80"; c.InsecureHTTP = true }, ""},
		{"Proxy", func(c *app.Config) {
			c.Addr, c.PublicURL, c.TrustedProxies = ":80", "https://guiche.clinica", []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")}
		}, ""},
		{"ProxyUnnamed", func(c *app.Config) { c.Addr, c.PublicURL = ":80", "https://guiche.clinica" }, "GUICHE_TRUSTED_PROXIES"},
		{"PublicURLPlain", func(c *app.Config) { c.PublicURL = "http://guiche.clinica" }, "GUICHE_PUBLIC_URL"},
		{"PublicURLUser", func(c *app.Config) { c.PublicURL = "https://ana:senha@guiche.clinica" }, "GUICHE_PUBLIC_URL: want"},
		{"PublicURLQuery", func(c *app.Config) { c.PublicURL = "https://guiche.clinica?x" }, "GUICHE_PUBLIC_URL: want"},
		{"PublicURLPath", func(c *app.Config) { c.PublicURL = "https://guiche.clinica/x" }, "GUICHE_PUBLIC_URL"},
		{"CertWithoutKey", func(c *app.Config) { c.TLSCert = "a" }, "GUICHE_TLS_KEY"},
		{"CertMissing", func(c *app.Config) { c.TLSCert, c.TLSKey = "none.pem", "none.key" }, "GUICHE_TLS_CERT"},
		{"NoFolder", func(c *app.Config) { c.DataDir = "" }, "GUICHE_DATA"},
		{"BaseURL", func(c *app.Config) { c.Connection.BaseURL, c.APIKey = "https://servico/x", "k" }, ""},
		{"BaseURLWithoutKey", func(c *app.Config) { c.Connection.BaseURL = "https://servico" }, "GUICHE_API_KEY"},
		{"Login", func(c *app.Config) {
			c.Connection.BaseURL, c.Connection.User, c.ServicePassword, c.Connection.LoginPath = "https://servico", "u", "p", "/api/v2/auth/login"
		}, ""},
		{"LoginWithoutPassword", func(c *app.Config) { c.Connection.BaseURL, c.Connection.User = "https://servico", "u" },
			"GUICHE_SERVICE_PASSWORD"},
		{"LoginWithoutUser", func(c *app.Config) { c.Connection.BaseURL, c.ServicePassword = "https://servico", "p" }, "GUICHE_SERVICE_USER"},
		{"LoginPath", func(c *app.Config) {
			c.Connection.BaseURL, c.Connection.User, c.ServicePassword, c.Connection.LoginPath = "https://servico", "u", "p", "https://outro/login"
		}, "GUICHE_LOGIN_PATH"},
		{"Client", func(c *app.Config) {
			c.Connection.BaseURL, c.Connection.ClientID, c.ClientSecret = "https://servico", "c", "s"
		}, ""},
		{"ClientWithoutSecret", func(c *app.Config) { c.Connection.BaseURL, c.Connection.ClientID = "https://servico", "c" },
			"GUICHE_CLIENT_SECRET"},
		{"TokenPath", func(c *app.Config) {
			c.Connection.BaseURL, c.Connection.ClientID, c.ClientSecret, c.Connection.TokenPath = "https://servico", "c", "s", "token"
		}, "GUICHE_TOKEN_PATH"},
		{"TwoWays", func(c *app.Config) {
			c.Connection.BaseURL, c.APIKey, c.Connection.ClientID, c.ClientSecret = "https://servico", "k", "c", "s"
		}, "GUICHE_API_KEY, GUICHE_CLIENT_SECRET"},
		{"AccessToNowhere", func(c *app.Config) { c.ClientSecret = "s" }, "GUICHE_BASE_URL"},
		{"UploadFiles", func(c *app.Config) { c.Connection.UploadFiles = -1 }, "GUICHE_UPLOAD_FILES"},
		{"BaseURLWrong", func(c *app.Config) { c.Connection.BaseURL, c.APIKey = "ftp://servico", "k" }, "GUICHE_BASE_URL"},
		{"BaseURLSimulated", func(c *app.Config) { c.Connection.BaseURL, c.APIKey, c.Simulated = "https://servico", "k", true },
			"GUICHE_SIMULATED"},
		{"Negative", func(c *app.Config) { c.Connection.Deadline = -time.Second }, "GUICHE_DEADLINE"},
		{"Uploads", func(c *app.Config) { c.Connection.UploadFile, c.Connection.UploadTotal = 2, 1 }, "GUICHE_UPLOAD_FILE_MB"},
		{"SessionIdle", func(c *app.Config) { c.SessionIdle = -1 }, "GUICHE_SESSION_IDLE"},
		{"SessionMax", func(c *app.Config) { c.SessionAbsolute = -1 }, "GUICHE_SESSION_MAX"},
		{"Shutdown", func(c *app.Config) { c.Shutdown = -time.Second }, "GUICHE_SHUTDOWN"},
		{"Wait", func(c *app.Config) { c.Wait = -time.Second }, "GUICHE_WAIT"},
		{"RulesWithoutOperators", func(c *app.Config) { c.OperatorRules = "rules.json" }, "GUICHE_OPERATOR_RULES"},
		{"BaseURLQuery", func(c *app.Config) { c.Connection.BaseURL, c.APIKey = "https://servico?a=b", "k" }, "GUICHE_BASE_URL"},
		{"BaseURLUser", func(c *app.Config) { c.Connection.BaseURL, c.APIKey = "https://ana:senha@servico", "k" }, "GUICHE_BASE_URL"},
		{"UserToNowhere", func(c *app.Config) { c.Connection.User = "u" }, "GUICHE_BASE_URL"},
		{"SettingsOfThePage", func(c *app.Config) { c.Connection.LoginPath, c.Connection.Answer = "/entrar", time.Second }, ""},
		{"PublicURLWrong", func(c *app.Config) { c.PublicURL = "https://\x00" }, "GUICHE_PUBLIC_URL"},
		{"BackupsApart", func(c *app.Config) { c.Backups.Folder = c.DataDir + "-copias" }, ""},
		{"BackupsBesideDesk", func(c *app.Config) { c.Backups.Folder = filepath.Join(c.DataDir, "copias") }, ""},
		{"BackupsInDesk", func(c *app.Config) { c.Backups.Folder = filepath.Join(c.DataDir, "desk", "copias") }, "GUICHE_BACKUP_TO"},
		{"DataInBackups", func(c *app.Config) { c.Backups.Folder = filepath.Dir(c.DataDir) }, ""},
		{"DataNotYetThere", func(c *app.Config) { c.DataDir, c.Backups.Folder = "no-data", "no-data/desk" }, "GUICHE_BACKUP_TO"},
		{"Shape", func(c *app.Config) { c.Connection.Attachments = "xml" }, "GUICHE_ATTACHMENT_SHAPE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := app.Config{Addr: "127.0.0.1:0", DataDir: t.TempDir()}
			tt.change(&c)
			err := c.Check()
			if tt.names == "" && err != nil {
				t.Errorf("got %v, want no error", err)
			}
			if tt.names != "" && (err == nil || !strings.Contains(err.Error(), tt.names)) {
				t.Errorf("got %v, want an error that names %s", err, tt.names)
			}
		})
	}
}

// Everything that is wrong is said at once.
func TestConfig_Check_All(t *testing.T) {
	err := app.Config{Addr: "x", OperatorRules: "x", Connection: connection.Settings{Deadline: -1}}.Check()
	for _, name := range []string{"GUICHE_ADDR", "GUICHE_OPERATOR_RULES", "GUICHE_DATA", "GUICHE_DEADLINE"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %s named", err, name)
		}
	}
}
