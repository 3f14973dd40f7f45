package archtest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows says which packages of ours each package may import. A new package gets
// a row here before it gets a line of code.
var arrows = map[string][]string{
	"internal/permission": {"internal/problem"},
	"internal/problem":    {},
	"internal/requestid":  {},
	"internal/retry":      {"internal/problem"},
	"internal/version":    {"internal/problem"},
	"internal/blob":       {},
	"internal/atomicfile": {},
	"internal/diskspace":  {"internal/problem"},
	"internal/limittest":  {},
	"internal/notrun":     {},
	"internal/oneline":    {},
	"internal/blob/files": {"internal/atomicfile", "internal/blob", "internal/diskspace", "internal/problem"},
	"internal/blob/sweep": {"internal/blob"},
	"internal/blob/s3": {
		"internal/atomicfile", "internal/blob", "internal/blob/files", "internal/diskspace", "internal/problem",
	},
	"internal/blob/s3test":          {"internal/atomicfile", "internal/notrun"},
	"internal/blob/blobtest":        {"internal/blob", "internal/problem"},
	"internal/authorization":        {"internal/blob", "internal/oneline", "internal/problem"},
	"internal/authorization/stored": {"internal/authorization", "internal/blob"},
	"internal/audit":                {},
	"internal/backup":               {"internal/atomicfile", "internal/blob", "internal/blob/files", "internal/diskspace", "internal/problem"},
	"internal/integrity":            {"internal/blob", "internal/problem"},
	"internal/store/checksum":       {"internal/problem", "internal/store/engine"},
	"internal/store/damagestore":    {"internal/audit", "internal/integrity", "internal/store/engine"},
	"internal/store/backupstore":    {"internal/audit", "internal/backup", "internal/store/engine"},
	"internal/store/bucketstore":    {"internal/store/engine"},
	"internal/ingress":              {},
	"internal/egress":               {},
	"internal/egress/proxytest":     {},
	"internal/metrics":              {},
	"internal/jsonscan":             {},
	"internal/keyfile":              {"internal/atomicfile"},
	"internal/guide":                {"internal/authorization", "internal/guide/fonts"},
	"internal/guide/fonts":          {},
	"internal/document":             {"internal/problem"},
	"internal/directory": {
		"internal/audit", "internal/authorization", "internal/oneline", "internal/permission", "internal/problem", "internal/version",
	},
	"internal/directory/catalogue": {},
	"internal/password":            {"internal/password/pattern", "internal/problem"},
	"internal/password/pattern":    {},
	"internal/throttle":            {},
	"internal/account": {
		"internal/audit", "internal/oneline", "internal/password", "internal/permission", "internal/problem", "internal/throttle",
		"internal/version",
	},
	"internal/connection": {
		"internal/audit", "internal/authorization", "internal/egress", "internal/permission", "internal/problem", "internal/version",
	},
	"internal/desk": {
		"internal/audit", "internal/authorization", "internal/blob", "internal/document", "internal/oneline", "internal/permission",
		"internal/problem", "internal/requestid", "internal/retry",
	},
	"internal/client":              {"internal/authorization", "internal/blob", "internal/jsonscan", "internal/problem", "internal/requestid"},
	"internal/client/faultservice": {},
	"internal/report": {
		"internal/audit", "internal/authorization", "internal/permission", "internal/problem",
	},
	"internal/service": {"internal/authorization", "internal/authorization/stored", "internal/blob", "internal/document", "internal/guide",
		"internal/problem", "internal/retry", "internal/service/access", "internal/service/wire"},
	"internal/service/access": {"internal/authorization", "internal/password", "internal/problem", "internal/throttle"},
	"internal/service/admin": {
		"internal/authorization", "internal/blob", "internal/document", "internal/oneline", "internal/password", "internal/permission",
		"internal/problem", "internal/service", "internal/service/access",
	},
	"internal/service/api": {"internal/authorization", "internal/blob", "internal/ingress", "internal/jsonscan", "internal/problem",
		"internal/requestid", "internal/service", "internal/service/access", "internal/service/wire"},
	"internal/service/wire":         {"internal/authorization", "internal/blob", "internal/problem"},
	"internal/service/conformance":  {"internal/document"},
	"internal/service/operatortest": {"internal/authorization", "internal/service"},
	"internal/service/servicetest": {
		"internal/authorization", "internal/blob", "internal/blob/files", "internal/password", "internal/service",
		"internal/service/access", "internal/service/admin", "internal/service/api", "internal/service/simulated",
		"internal/store/accessstore", "internal/store/engine", "internal/store/servicestore", "internal/store/storetest", "migrations",
	},
	"internal/service/simulated":     {"internal/authorization", "internal/service"},
	"internal/copying":               {"internal/store/engine"},
	"internal/sqlite":                {"internal/atomicfile", "internal/diskspace", "internal/problem", "internal/store/engine"},
	"internal/store/engine":          {"internal/problem"},
	"internal/store/auditlog":        {"internal/atomicfile", "internal/audit", "internal/problem", "internal/store/engine"},
	"internal/postgres":              {"internal/problem", "internal/store/engine"},
	"internal/postgres/postgrestest": {"internal/notrun"},
	"internal/store/accountstore": {
		"internal/account", "internal/audit", "internal/permission", "internal/problem", "internal/store/engine",
		"internal/throttle",
	},
	"internal/store/blobnames": {"internal/blob", "internal/store/engine"},
	"internal/store/unsynced":  {"internal/blob", "internal/problem", "internal/store/engine"},
	"internal/store/connectionstore": {
		"internal/audit", "internal/connection", "internal/keyfile", "internal/store/engine", "internal/store/keystore",
	},
	"internal/store/keystore": {"internal/keyfile", "internal/store/engine"},
	"internal/store/deskstore": {
		"internal/audit", "internal/authorization", "internal/blob", "internal/desk", "internal/permission", "internal/problem",
		"internal/store/engine", "internal/store/blobnames", "internal/store/caselist", "internal/store/checksum", "internal/store/unsynced",
	},
	"internal/store/caselist": {
		"internal/authorization", "internal/permission", "internal/problem", "internal/store/engine", "internal/store/checksum",
	},
	"internal/store/directorystore": {"internal/audit", "internal/directory", "internal/store/engine"},
	"internal/store/storetest": {
		"internal/postgres", "internal/postgres/postgrestest", "internal/sqlite", "internal/store/checksum", "internal/store/engine",
		"migrations",
	},
	"internal/store/reportstore": {
		"internal/audit", "internal/authorization", "internal/permission", "internal/report", "internal/store/engine",
		"internal/store/caselist", "internal/store/checksum",
	},
	"internal/store/accessstore": {"internal/service/access", "internal/store/engine", "internal/throttle"},
	"internal/store/servicestore": {
		"internal/authorization", "internal/authorization/stored", "internal/blob", "internal/problem",
		"internal/service", "internal/service/admin", "internal/store/engine", "internal/store/blobnames", "internal/store/checksum",
		"internal/store/unsynced",
	},
	"internal/webui": {
		"internal/account", "internal/audit", "internal/authorization", "internal/backup", "internal/blob", "internal/connection",
		"internal/desk", "internal/directory", "internal/diskspace", "internal/document", "internal/egress", "internal/ingress",
		"internal/integrity",
		"internal/permission", "internal/problem", "internal/requestid",
		"internal/report", "internal/version", "internal/webui/console", "internal/webui/form", "static", "web/",
	},
	"internal/webui/console": {
		"internal/audit", "internal/authorization", "internal/permission", "internal/problem", "internal/service",
		"internal/service/access", "internal/service/admin", "internal/service/api", "internal/version", "internal/webui/form", "web/",
	},
	"internal/webui/form": {"internal/authorization", "internal/desk", "internal/oneline", "internal/problem"},
	"internal/app":        {"internal/", "migrations", "static", "web/"},
	"internal/licenses":   {"static"},
	"internal/demo":       {"internal/desk", "internal/directory", "internal/permission", "internal/problem"},
	"cmd/guiche":          {"internal/app", "internal/backup", "internal/connection", "internal/licenses"},
	"migrations":          {},
	"static":              {},
	"web/":                {"internal/authorization", "static", "web/"},
	"internal/archtest":   {},
	"internal/apptest": {"internal/app", "internal/client/faultservice", "internal/connection", "internal/password", "internal/postgres",
		"internal/postgres/postgrestest", "internal/sqlite", "internal/store/checksum", "internal/store/deskstore", "internal/store/engine",
		"internal/store/servicestore", "internal/store/storetest"},
	"internal/e2e":    {},
	"internal/golden": {},

	"internal/bench/data": {
		"internal/account", "internal/audit", "internal/authorization", "internal/blob", "internal/blob/files", "internal/desk",
		"internal/directory", "internal/directory/catalogue", "internal/guide", "internal/keyfile", "internal/permission", "internal/problem",
		"internal/postgres", "internal/postgres/postgrestest", "internal/sqlite", "internal/store/accountstore", "internal/store/auditlog",
		"internal/store/checksum", "internal/store/damagestore", "internal/store/deskstore", "internal/store/directorystore",
		"internal/store/engine", "internal/store/keystore", "migrations",
	},
	"internal/bench":       {"internal/blob/s3test", "internal/client/faultservice", "internal/postgres/postgrestest"},
	"internal/bench/cmd":   {"internal/bench", "internal/bench/data"},
	"internal/torture":     {"internal/atomicfile", "internal/client/faultservice"},
	"internal/torture/cmd": {"internal/torture"},
}

// foreign says who alone may use a library whose types must not spread.
var foreign = map[string][]string{
	"github.com/labstack/echo/v4": {"internal/webui", "internal/webui/console"},
	"github.com/gorilla/sessions": {"internal/webui"},
	"modernc.org/libc":            {"internal/sqlite"},
	"modernc.org/sqlite":          {"internal/sqlite", "internal/torture"},
	"github.com/pdfcpu/pdfcpu/":   {"internal/document"},
	// It brings in a library of terminals whose tables are made at each start, for 20 ms.
	"github.com/pdfcpu/pdfcpu/pkg/api": {},
	"github.com/boombuler/":            {"internal/guide", "internal/webui"},
	"github.com/gofrs/flock":           {"internal/app", "internal/backup", "internal/blob/files", "internal/blob/s3test"},
	"filippo.io/age":                   {"internal/backup"},
	"golang.org/x/net/":                {"internal/client", "internal/egress"},
	"github.com/prometheus/":           {"internal/metrics"},
	"os/exec": { // they drive programs
		"internal/bench", "internal/blob/s3test", "internal/postgres/postgrestest", "internal/torture",
	},
	"github.com/KimMachineGun/": {"cmd/guiche"},
	"github.com/klauspost/":     {"internal/webui", "internal/bench", "internal/guide"},
	"github.com/trustelem/":     {"internal/password", "internal/password/pattern"},
	"github.com/minio/":         {"internal/blob/s3"},
	"github.com/jackc/":         {"internal/postgres", "internal/postgres/postgrestest"},
	"golang.org/x/image/font":   {}, // the build prepares the fonts
}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestArrows(t *testing.T) {
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, "guiche/")
		allowed, ok := row(name)
		if !ok {
			t.Errorf("%s has no row: say what it may import", name)
			continue
		}
		for _, imported := range p.Imports {
			if ours, found := strings.CutPrefix(imported, "guiche/"); found && !matches(allowed, ours) {
				t.Errorf("%s must not import %s", name, ours)
			}
		}
	}
}

// TestArrows_Unused holds the table to what is there: a row permits nothing that its
// package does not import, and belongs to a package.
func TestArrows_Unused(t *testing.T) {
	imported, there := map[string][]string{}, map[string]bool{} // by row
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, "guiche/")
		for row := range arrows {
			if matches([]string{row}, name) {
				imported[row] = append(imported[row], p.Imports...)
				there[row] = true
			}
		}
	}
	for row, allowed := range arrows {
		if !there[row] {
			t.Errorf("%s has a row, and there is no such package", row)
		}
		for _, a := range allowed {
			if !slices.ContainsFunc(imported[row], func(i string) bool { return matches([]string{a}, strings.TrimPrefix(i, "guiche/")) }) {
				t.Errorf("the row of %s permits %s, which it does not import", row, a)
			}
		}
	}
}

func TestForeign(t *testing.T) {
	for _, p := range list(t) {
		name := strings.TrimPrefix(p.ImportPath, "guiche/")
		for library, users := range foreign {
			uses := slices.ContainsFunc(p.Imports, func(i string) bool { return strings.HasPrefix(i+"/", strings.TrimSuffix(library, "/")+"/") })
			if uses && !slices.Contains(users, name) {
				t.Errorf("%s must not import %s", name, library)
			}
		}
	}
}

// row finds the row of a package: its own, or that of a folder ("web/").
func row(name string) ([]string, bool) {
	if allowed, ok := arrows[name]; ok {
		return allowed, true
	}
	for folder, allowed := range arrows {
		if strings.HasSuffix(folder, "/") && strings.HasPrefix(name+"/", folder) {
			return allowed, true
		}
	}
	return nil, false
}

func matches(allowed []string, name string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		return a == name || strings.HasSuffix(a, "/") && strings.HasPrefix(name+"/", a)
	})
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "guiche/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatalf("go list answered what is no JSON: %v", err)
		}
		packages = append(packages, p)
	}
}
