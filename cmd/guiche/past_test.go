package main_test

import (
	"context"
	"database/sql"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the databases are read beside the program
)

// pastOf counts the cases of a demo's folder by their states.
func pastOf(t *testing.T, folder string) map[string]int {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "desk", "guiche.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	counts := map[string]int{}
	rows, err := db.QueryContext(t.Context(), `SELECT state, COUNT(*) FROM submission_state GROUP BY state`)
	if err != nil {
		return counts // not made yet
	}
	defer rows.Close()
	for rows.Next() {
		var state string
		var n int
		if err := rows.Scan(&state, &n); err != nil {
			t.Fatal(err)
		}
		counts[state] = n
		counts["all"] += n
	}
	if err := rows.Err(); err != nil {
		t.Log(err) // the program writes
	}
	return counts
}

// enter logs in as the demo's supervisor, which waits for the past.
func enter(t *testing.T, address string) {
	t.Helper()
	jar, _ := cookiejar.New(nil) // only options can be wrong
	client := http.Client{Jar: jar}
	res, err := client.PostForm(address+"/entrar", url.Values{"usuario": {"celia"}, "senha": {"painel-demo"}})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), "/casos/") {
		t.Errorf("got %d at %s, %v, want the queue", res.StatusCode, res.Request.URL.Path, err)
	}
}

// TestDemo_Killed: whenever the first start is killed, the next one makes the past whole.
func TestDemo_Killed(t *testing.T) {
	binary, want := MustBuild(t), 0
	for _, killedAt := range []int{0, 1, 7, 30, 55} {
		folder := filepath.Join(t.TempDir(), "demo")
		if killedAt > 0 {
			s := serve(t, binary, "demo", "--addr", "127.0.0.1:0", "--data", folder)
			s.line("Guichê em ")
			for pastOf(t, folder)["all"] < killedAt {
				if t.Context().Err() != nil {
					t.Fatal("no past is made")
				}
				pause(t)
			}
			_ = s.cmd.Process.Kill()
			_, _ = io.Copy(io.Discard, s.out)
			_ = s.cmd.Wait()
		}
		s := serve(t, binary, "demo", "--addr", "127.0.0.1:0", "--data", folder)
		enter(t, strings.TrimPrefix(s.line("Guichê em "), "Guichê em "))
		got := settledPast(t, folder)
		if killedAt == 0 {
			want = got["all"]
		}
		if got["all"] != want || got["unknown"] > 2 || want < 60 {
			t.Errorf("killed at %d cases: got %v in the end, want %d cases that are settled", killedAt, got, want)
		}
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	}
}

// settledPast counts the cases once none waits any more: a few of the past are sent again
// in the present, when their pauses are over.
func settledPast(t *testing.T, folder string) map[string]int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		got := pastOf(t, folder)
		if got["all"] > 0 && got["queued"]+got["sending"] == 0 {
			return got
		}
		if ctx.Err() != nil {
			t.Fatalf("got %v, want cases that are settled", got)
		}
		pause(t)
	}
}

// pause is between two looks at a folder.
func pause(t *testing.T) {
	t.Helper()
	select {
	case <-time.After(5 * time.Millisecond):
	case <-t.Context().Done():
	}
}
