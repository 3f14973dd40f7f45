package main

import (
	"bytes"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type sample struct {
	addr       string
	idle       time.Duration
	size       int64
	kept       time.Duration
	key        string
	proxies    []netip.Prefix
	recipients []string
	zone       *time.Location
}

func parseSample(t *testing.T, variables map[string]string, args ...string) (*sample, error) {
	t.Helper()
	v := &sample{}
	s := newSettings("test", environment{err: io.Discard, lookup: func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}})
	s.flags.StringVar(&v.addr, "addr", "default", "")
	s.flags.DurationVar(&v.idle, "session-idle", time.Minute, "")
	megabytes(s, &v.size, "upload-file-mb", "")
	s.flags.Var((*days)(&v.kept), "audit-address-days", "")
	s.secret(&v.key, "api-key", "")
	s.prefixes(&v.proxies, "trusted-proxies", "")
	s.list(&v.recipients, "backup-recipient", "")
	s.location(&v.zone, "zone", "America/Sao_Paulo", "")
	return v, s.parse(args)
}

func TestSettings_Parse(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "key")
	for path, content := range map[string]string{secret: "gch_abc\n", secret + ".empty": "\n"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name      string
		variables map[string]string
		args      []string
		check     func(*sample) bool
		fails     string // part of the message, naming the variable
	}{
		{"Defaults", nil, nil, func(v *sample) bool {
			return v.addr == "default" && v.idle == time.Minute && v.size == 0 && v.zone.String() == "America/Sao_Paulo"
		}, ""},
		{"Variable", map[string]string{"GUICHE_ADDR": "x:1", "GUICHE_SESSION_IDLE": "5m", "GUICHE_UPLOAD_FILE_MB": "2"}, nil,
			func(v *sample) bool { return v.addr == "x:1" && v.idle == 5*time.Minute && v.size == 2<<20 }, ""},
		{"FlagWins", map[string]string{"GUICHE_ADDR": "x:1"}, []string{"-addr", "y:2"}, func(v *sample) bool { return v.addr == "y:2" }, ""},
		{"EmptyVariableIsUnset", map[string]string{"GUICHE_ADDR": ""}, nil, func(v *sample) bool { return v.addr == "default" }, ""},
		{"SecretFromFile", map[string]string{"GUICHE_API_KEY_FILE": secret}, nil, func(v *sample) bool { return v.key == "gch_abc" }, ""},
		{"Proxies", map[string]string{"GUICHE_TRUSTED_PROXIES": "10.0.0.1, 192.168.0.0/16"}, nil, func(v *sample) bool {
			return cmp.Equal(v.proxies, []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32"), netip.MustParsePrefix("192.168.0.0/16")},
				cmp.Comparer(func(a, b netip.Prefix) bool { return a == b }))
		}, ""},
		{"List", map[string]string{"GUICHE_BACKUP_RECIPIENT": "age1a, age1b,"}, nil,
			func(v *sample) bool { return slices.Equal(v.recipients, []string{"age1a", "age1b"}) }, ""},
		{"BadDuration", map[string]string{"GUICHE_SESSION_IDLE": "soon"}, nil, nil, "GUICHE_SESSION_IDLE"},
		{"DurationWithoutUnit", map[string]string{"GUICHE_SESSION_IDLE": "30"}, nil, nil, `GUICHE_SESSION_IDLE: "30": want a time with its unit`},
		{"BadSize", map[string]string{"GUICHE_UPLOAD_FILE_MB": "0"}, nil, nil, "GUICHE_UPLOAD_FILE_MB"},
		{"TooLargeSize", map[string]string{"GUICHE_UPLOAD_FILE_MB": "1048577"}, nil, nil, "from 1 to 1048576"},
		{"BrokenSize", map[string]string{"GUICHE_UPLOAD_FILE_MB": "15.5"}, nil, nil, "GUICHE_UPLOAD_FILE_MB"},
		{"Days", map[string]string{"GUICHE_AUDIT_ADDRESS_DAYS": "30"}, nil, func(v *sample) bool { return v.kept == 720*time.Hour }, ""},
		{"BadDays", map[string]string{"GUICHE_AUDIT_ADDRESS_DAYS": "0"}, nil, nil, "GUICHE_AUDIT_ADDRESS_DAYS"},
		{"BadZone", map[string]string{"GUICHE_ZONE": "Lua/Cratera"}, nil, nil, "GUICHE_ZONE"},
		{"BadProxy", map[string]string{"GUICHE_TRUSTED_PROXIES": "proxy"}, nil, nil, "GUICHE_TRUSTED_PROXIES"},
		{"MissingSecretFile", map[string]string{"GUICHE_API_KEY_FILE": secret + "x"}, nil, nil, "GUICHE_API_KEY_FILE"},
		{"EmptySecretFile", map[string]string{"GUICHE_API_KEY_FILE": secret + ".empty"}, nil, nil, "GUICHE_API_KEY_FILE: "},
		{"NoFlag", nil, []string{"-session-idle", "5m", "false", "-addr", "y:2"}, nil, "usage"},
		{"SecretTwice", map[string]string{"GUICHE_API_KEY_FILE": secret, "GUICHE_API_KEY": "k"}, nil, nil, "GUICHE_API_KEY"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := parseSample(t, tt.variables, tt.args...)
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("got %v, want an error that names %s", err, tt.fails)
				}
				return
			}
			if err != nil || !tt.check(v) {
				t.Errorf("got %+v, %v", v, err)
			}
		})
	}
}

// leaning is a text that begins or ends in the middle of what another flag says.
var leaning = regexp.MustCompile(`(?m)^\s+(of (it|them)|the same|another one|how many stay)\b.*|` +
	`.*\b(of them|in it|that they|those proxies)\b.*`)

// named is a flag, in the list of those that a call has or in the text of one.
var named = regexp.MustCompile(`(^|\s)-([a-z][a-z-]*)`)

// TestSettings_Help: what -h lists comes by name and can be searched, so that each flag says by itself what it is of, on
// standard output, and speaks of flags that the call has.
func TestSettings_Help(t *testing.T) {
	calls := map[string]string{"verify": "PATH", "user add": "-login", "user disable": "-login", "user reset": "-login",
		"key list": "-keys", "key rotate": "-prepare", "key replace": "-name"}
	for _, c := range commands() {
		if _, done := calls[c.name]; !done && !slices.Contains([]string{"user", "key", "version", "licenses"}, c.name) {
			calls[c.name] = "Usage of guiche " + c.name
		}
	}
	for call, want := range calls {
		t.Run(call, func(t *testing.T) {
			var out, err bytes.Buffer
			code := run(t.Context(), environment{args: append(strings.Fields(call), "-h"), out: &out, err: &err})
			if code != 0 || !strings.Contains(out.String(), want) || err.Len() > 0 {
				t.Errorf("exit %d, %q on standard error, want 0 and %q among what is printed:\n%s", code, &err, want, &out)
			}
			for _, text := range leaning.FindAllString(out.String(), -1) {
				t.Errorf("%q does not say what it is of", strings.TrimSpace(text))
			}
			_, list, _ := strings.Cut(out.String(), "\n  -")
			list = "\n  -" + list
			for _, m := range named.FindAllStringSubmatch(list, -1) {
				if !strings.Contains(list, "\n  -"+m[2]+" ") && !strings.Contains(list, "\n  -"+m[2]+"\n") {
					t.Errorf("a text speaks of -%s, which is no flag of the call", m[2])
				}
			}
		})
	}
}
