package main_test

import (
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// TestKey_RotateKilled kills "guiche key rotate" at ever later moments beside a running
// server: after each of them what is sealed opens, there and after a restart.
func TestKey_RotateKilled(t *testing.T) {
	binary := MustBuild(t)
	p := apptest.Start(t, apptest.Options{})
	o := apptest.StartOtherService(t, nil)
	p.LogIn(t, apptest.Administration).ConnectTo(t, o, nil)
	reached := func() bool {
		page := p.LogIn(t, apptest.Reception).PostHTMX("/busca/credenciais", url.Values{"Busca": {"fora"}})
		return strings.Contains(string(page.Body), "Operadora de Fora")
	}
	took := rotate(t, binary, p.DataDir)
	for i := range 12 {
		cmd := exec.CommandContext(t.Context(), binary, "key", "rotate", "--data", p.DataDir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		moment := time.AfterFunc(took*time.Duration(i)/10, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // it was killed, or was faster
		moment.Stop()
		if !reached() {
			t.Fatalf("kill %d: the running server does not reach the service", i)
		}
		if p.Restart(nil); !reached() {
			t.Fatalf("kill %d: after a restart the service is not reached", i)
		}
	}
	rotate(t, binary, p.DataDir)
}

// rotate renews the key to the end, finds the one secret sealed anew, and returns how long
// that took.
func rotate(t *testing.T, binary, folder string) time.Duration {
	t.Helper()
	began := time.Now()
	out, err := exec.CommandContext(t.Context(), binary, "key", "rotate", "--data", folder).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Segredos selados com ela: 1.") {
		t.Fatalf("got %v: %s", err, out)
	}
	return time.Since(began)
}
