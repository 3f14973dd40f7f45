package main

import (
	"context"
	"io"
	"testing"
)

// TestServers_StoppedWhileStarting: whoever stops a server that has not started yet does
// not read that it failed.
func TestServers_StoppedWhileStarting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, command := range []string{"demo", "serve", "service"} {
		env := environment{args: []string{command, "-addr", "127.0.0.1:0", "-data", t.TempDir()}, out: io.Discard, err: io.Discard,
			lookup: func(string) (string, bool) { return "", false }}
		if code := run(ctx, env); code != 0 {
			t.Errorf("%s: got exit code %d, want 0", command, code)
		}
	}
}
