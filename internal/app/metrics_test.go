package app_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/sqlite"
	"guiche/internal/store/engine"

	"go.yaml.in/yaml/v3"
)

// measured starts a program whose metrics are read, and returns how to read them.
func measured(t *testing.T, o apptest.Options) (server *apptest.Server, scrape func() string) {
	t.Helper()
	other := o.Configure
	o.Configure = func(c *app.Config) {
		c.Metrics = "127.0.0.1:0"
		if other != nil {
			other(c)
		}
	}
	server = apptest.Start(t, o)
	return server, func() string {
		t.Helper()
		status, text := said("http://" + server.MetricsAddress() + "/metrics")
		if status != http.StatusOK {
			t.Fatalf("metrics: %d", status)
		}
		return text
	}
}

// TestMetrics_Day: after a past of three weeks and a request of today everything can be
// read, and nothing of it is about a person.
func TestMetrics_Day(t *testing.T) {
	t.Parallel()
	backups := filepath.Join(t.TempDir(), "backups")
	server, scrape := measured(t, apptest.Options{Configure: func(c *app.Config) {
		c.Past, c.Backups.Folder = true, backups
	}})
	clerk := server.LogIn(t, apptest.Reception) // answered once the past is made
	apptest.Eventually(t, "it is ready", func() bool { status, _ := said(server.URL + "/readyz"); return status == http.StatusOK })
	clerk.Submit(clerk.NewDraft())
	clerk.Get("/gibtesnicht/HELENA-DUARTE")
	said(server.URL + "/api/v2/autorizacoes/12345")
	apptest.Eventually(t, "a backup is made and checked", func() bool {
		return strings.Contains(scrape(), "guiche_backup_verified_age_seconds ")
	})
	text := scrape()
	for _, want := range []string{
		`guiche_queue_requests{state="queued"} 0`, `guiche_queue_requests{state="held"} 0`, `guiche_queue_requests{state="sending"} 0`,
		`guiche_queue_requests{state="unknown"}`, `guiche_queue_oldest_seconds{state="unknown"}`, `guiche_outages 0`, `guiche_slots 96`,
		`guiche_credential_slots 24`, `guiche_slots_in_use 0`, `guiche_attempt_duration_seconds_count{credential="`,
		`guiche_attempt_outcomes_total{outcome="answered"}`, `guiche_disk_free_bytes{folder="data"}`, `guiche_disk_free_bytes{folder="backups"}`,
		`guiche_disk_floor_bytes`, `guiche_disk_reserve_bytes 1.6777216e+07`,
		`guiche_backup_age_seconds`, `guiche_backup_damage 0`, `guiche_backup_failed 0`, `guiche_backup_scheduled 1`,
		`guiche_audit_entries`, `guiche_audit_broken 0`, `guiche_ready 1`, `guiche_degraded{reason="space"} 0`, `go_goroutines`,
		`guiche_build_info{version="test"} 1`, `route="/casos/:uid"`, `guiche_http_requests_total{code="401",half="service",route=`,
		`guiche_http_requests_total{code="404",half="pages",route="other"}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %s", want)
		}
	}
	if strings.Contains(text, "guiche_collector_up{collector=") && regexp.MustCompile(`guiche_collector_up\{[^}]*\} 0`).MatchString(text) {
		t.Error("a collector fails")
	}
	leaning := regexp.MustCompile(`(?m)^# HELP .*\b([Oo]f them, those|oldest of them|How many do)\b.*`)
	if found := leaning.FindAllString(text, -1); len(found) > 0 {
		t.Errorf("metrics are listed by name, and these do not say by themselves what they count: %q", found)
	}
	personal := personalValues(t, server.DataDir)
	names := measurement.ReplaceAllString(text, "") // a number of today may be that of a case by chance
	for _, value := range personal {
		if strings.Contains(names, value) {
			t.Errorf("the metrics hold %q", value)
		}
	}
	if len(personal) < 100 {
		t.Errorf("looked for %d values only", len(personal))
	}
}

// measurement is the number at the end of a line.
var measurement = regexp.MustCompile(`(?m) [-+.\de]+$`)

// anyone is a value that could be about somebody, and no word of the schema.
var anyone = regexp.MustCompile(`[A-Z0-9 ].{3,}|.{3,}[A-Z0-9 ]`)

// personalValues are the texts that the database keeps of patients, requests and people.
func personalValues(t *testing.T, folder string) (values []string) {
	t.Helper()
	db, err := sqlite.OpenToRead(t.Context(), filepath.Join(folder, "desk", "guiche.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	text := func(row engine.Row) (s string, err error) {
		err = row.Scan(&s)
		return s, err
	}
	err = db.Read(t.Context(), func(tx *engine.Tx) error {
		for _, table := range []string{"submission", "submission_attachment", "submission_procedure", "submission_state", "authorization",
			"person", "draft", "draft_attachment", "care_unit", "professional", "credential"} {
			columns, err := engine.List(t.Context(), tx, text, `SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'`, table)
			if err != nil {
				return err
			}
			for _, column := range columns {
				found, err := engine.List(t.Context(), tx, text, fmt.Sprintf(`SELECT DISTINCT %s FROM %s WHERE length(%[1]s) > 3`, column, table))
				if err != nil {
					return err
				}
				for _, value := range found {
					if anyone.MatchString(value) {
						values = append(values, value)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// TestMetrics_Standalone: the service alone has what it has.
func TestMetrics_Standalone(t *testing.T) {
	t.Parallel()
	server, scrape := measured(t, apptest.Options{Standalone: true})
	if status, _ := said(server.URL + "/metrics"); status == http.StatusOK {
		t.Error("the pages hand out metrics")
	}
	text := scrape()
	if !strings.Contains(text, "guiche_ready 1") || strings.Contains(text, "guiche_queue") {
		t.Errorf("got:\n%s", text)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+server.MetricsAddress()+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "evil.example"
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("under another site's name: %d", res.StatusCode)
	}
}

// TestMetrics_Address: an address that cannot be, and one that is taken, stop the start
// with a sentence.
func TestMetrics_Address(t *testing.T) {
	t.Parallel()
	taken := mustListen(t).Addr().String()
	for name, tc := range map[string]struct{ pages, metrics, says string }{
		"Same":        {"127.0.0.1:8080", "127.0.0.1:8080", "another port"},
		"SameOfAll":   {"127.0.0.1:8080", "0.0.0.0:8080", "another port"},
		"Unsaid":      {"127.0.0.1:0", ":9464", "127.0.0.1:9464 for this machine"},
		"NoPort":      {"127.0.0.1:0", "127.0.0.1", "is not host:port"},
		"Taken":       {"127.0.0.1:0", taken, "GUICHE_METRICS"},
		"TakenByName": {"127.0.0.1:0", "nirgends:1", "GUICHE_METRICS"},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, open := range programs {
				c := quiet(t.TempDir())
				c.Addr, c.Metrics = tc.pages, tc.metrics
				if p, err := open(context.Background(), c); err == nil || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("%s: got %v, want %q", kind, err, tc.says)
					if err == nil {
						p.Close()
					}
				}
			}
		})
	}
}

// TestMetrics_Alerts: the example of alert rules asks for metrics that there are.
func TestMetrics_Alerts(t *testing.T) {
	t.Parallel()
	rules, err := os.ReadFile("../../.github/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, scrape := measured(t, apptest.Options{Configure: func(c *app.Config) { c.Backups.Folder = filepath.Join(t.TempDir(), "backups") }})
	apptest.Eventually(t, "a backup is made and checked", func() bool {
		return strings.Contains(scrape(), "guiche_backup_verified_age_seconds ")
	})
	text := scrape()
	checkRules(t, rules, text)
	told := map[string]string{"space": "guiche_disk_free_bytes", "trail": "guiche_audit_broken"}
	for _, reason := range regexp.MustCompile(`guiche_degraded\{reason="(\w+)"`).FindAllStringSubmatch(text, -1) {
		if want := cmp.Or(told[reason[1]], reason[0]); !strings.Contains(string(rules), want) {
			t.Errorf("no rule tells of %q: want one of %s", reason[1], want)
		}
	}
}

// alertRules is the part of Prometheus' rule files that the example uses.
type alertRules struct {
	Groups []struct {
		Name  string
		Rules []struct {
			Alert       string
			Expr        string
			For         string
			Labels      map[string]string
			Annotations map[string]string
		}
	}
}

// absentUntilOne are metrics that the first attempt, or trouble, brings.
var absentUntilOne = []string{"guiche_attempt_outcomes_total", "guiche_outage_seconds", "guiche_attempt_duration_seconds_bucket"}

func checkRules(t *testing.T, file []byte, scraped string) {
	t.Helper()
	var rules alertRules
	decoder := yaml.NewDecoder(bytes.NewReader(file))
	decoder.KnownFields(true)
	if err := decoder.Decode(&rules); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			count++
			if _, err := time.ParseDuration(r.For); err != nil || r.Alert == "" || r.Annotations["summary"] == "" {
				t.Errorf("%s lacks a name, a time or a summary: %v", r.Alert, err)
			}
			for _, name := range regexp.MustCompile(`guiche_[a-z_]+`).FindAllString(r.Expr, -1) {
				if !strings.Contains(scraped, "# TYPE "+name+" ") && !slices.Contains(absentUntilOne, name) {
					t.Errorf("%s asks for %s, which is not there", r.Alert, name)
				}
			}
		}
	}
	if count < 8 {
		t.Errorf("found %d rules", count)
	}
}
