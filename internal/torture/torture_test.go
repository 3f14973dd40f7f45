package torture_test

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/torture"

	_ "modernc.org/sqlite" // the database whose row is taken away
)

// binary is the program, built once.
var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "guiche")
	_, err := exec.Command("go", "build", "-o", path, "guiche/cmd/guiche").Output()
	return path, err
})

// run tortures one installation a little.
func run(t *testing.T, change func(*torture.Options)) torture.Result {
	t.Helper()
	program, err := binary()
	if err != nil {
		t.Fatalf("build: %v", err)
	}
	o := torture.Options{Binary: program, Folder: t.TempDir(), Kinds: []torture.Kind{torture.Silent}, Seed: 1, Submissions: 24, Clerks: 8,
		Quiet: time.Minute, Log: io.Discard}
	change(&o)
	result, err := torture.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestRun(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	got := run(t, func(o *torture.Options) {
		o.Kinds, o.Kills, o.Submissions, o.Faults, o.Log = []torture.Kind{torture.Silent, torture.Both}, 2, 60, 0.3, &log
	})
	line := regexp.MustCompile(`^submissions 60 kills 2 faults \d+% lost 0 duplicated 0 unflagged 0 stuck 0 seed 1$`)
	if !line.MatchString(got.Line()) || got.Wrong() || got.Acted == 0 {
		t.Errorf("got %s, wrong: %v\n%s", got.Line(), got.Wrong(), &log)
	}
}

// TestRun_Repeated: a way to the service that sends a request again, without its key, is
// told of.
func TestRun_Repeated(t *testing.T) {
	t.Parallel()
	got := run(t, func(o *torture.Options) {
		o.Kinds = []torture.Kind{torture.Keys}
		o.Between = func(address string) string {
			return proxy(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
				if r.Method == http.MethodPost {
					again := r.Clone(r.Context())
					again.Header.Del("Idempotency-Key")
					forward(httptest.NewRecorder(), again, address, body)
				}
				forward(w, r, address, body)
			})
		}
	})
	if len(got.Duplicated) != got.Forms || !got.Wrong() {
		t.Errorf("got %d duplicated of %d", len(got.Duplicated), got.Forms)
	}
}

// TestRun_Invented: an authorization that the service never gave is told of.
func TestRun_Invented(t *testing.T) {
	t.Parallel()
	got := run(t, func(o *torture.Options) {
		o.Between = func(address string) string {
			return proxy(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
				answer := httptest.NewRecorder()
				forward(answer, r, address, body)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(answer.Code)
				_, _ = io.WriteString(w, strings.ReplaceAll(answer.Body.String(), `"situacaoAutorizacao":"N"`, `"situacaoAutorizacao":"A"`))
			})
		}
	})
	if len(got.False) == 0 || len(got.Unflagged) == 0 {
		t.Errorf("got %d false, %d unflagged, want those of the denied ones", len(got.False), len(got.Unflagged))
	}
}

// TestRun_Forgotten: a submission that is gone from the desk is told of.
func TestRun_Forgotten(t *testing.T) {
	t.Parallel()
	got := run(t, func(o *torture.Options) { o.Tamper = forget })
	if len(got.Lost) != 1 || !got.Wrong() {
		t.Errorf("got lost %q, want one", got.Lost)
	}
}

// forget takes the newest submission out of the desk's database.
func forget(data string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(data, "desk", "guiche.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query(`SELECT name FROM sqlite_master WHERE type = 'trigger'`)
	if err != nil {
		return err
	}
	defer rows.Close()
	statements := ""
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		statements += "DROP TRIGGER " + name + ";"
	}
	if err := rows.Err(); err != nil {
		return err
	}
	_, err = db.Exec(statements + `DELETE FROM submission_state WHERE submission_id = (SELECT max(id) FROM submission);
		DELETE FROM submission WHERE id = (SELECT max(id) FROM submission)`)
	return err
}

// proxy is a way to the service that does what it is told to.
func proxy(t *testing.T, serve func(http.ResponseWriter, *http.Request, []byte)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read a request: %v", err)
		}
		serve(w, r, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// forward hands a request on, and its answer back.
func forward(w http.ResponseWriter, r *http.Request, address string, body []byte) {
	request, err := http.NewRequestWithContext(context.WithoutCancel(r.Context()), r.Method, address+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header = r.Header.Clone()
	res, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer res.Body.Close()
	w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}
