package main_test

import (
	"context"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestServe_Second: one process serves a folder. Another one that would is refused, waits
// when it is told to, and takes over from one that was killed; commands go on beside it.
func TestServe_Second(t *testing.T) {
	binary, folder := MustBuild(t), t.TempDir()
	first := serve(t, binary, "serve", "--addr", "127.0.0.1:0", "--data", folder)
	first.line("Guichê em ")
	for _, command := range []string{"serve", "demo", "service"} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // one that is not refused would serve for ever
		out, err := exec.CommandContext(ctx, binary, command, "--addr", "127.0.0.1:0", "--data", folder).CombinedOutput()
		cancel()
		if err == nil || !strings.Contains(string(out), "GUICHE_DATA") || !strings.Contains(string(out), "--wait") {
			t.Errorf("%s: got %v, %s, want it refused and the way out named", command, err, out)
		}
	}
	for name, args := range map[string][]string{
		"User":   {"user", "add", "-login", "lia", "-name", "Lia"},
		"Rotate": {"key", "rotate"},
		"List":   {"key", "list"},
	} {
		if out, err := exec.CommandContext(t.Context(), binary, append(args, "--data", folder)...).CombinedOutput(); err != nil {
			t.Errorf("%s: got %v, %s, want it to work beside the server", name, err, out)
		}
	}
	out, err := exec.CommandContext(t.Context(), binary, "key", "replace", "-name", "browser", "--data", folder).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "GUICHE_DATA") {
		t.Errorf("key replace: got %v, %s, want it refused: the server would go on with the lost key", err, out)
	}
	waiting := serve(t, binary, "serve", "--addr", "127.0.0.1:0", "--data", folder, "--wait", "40s")
	if err := first.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	waiting.line("Guichê em ")
	if err := waiting.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = waiting.cmd.Wait()
	next := serve(t, binary, "service", "--addr", "127.0.0.1:0", "--data", folder)
	next.line("Serviço de autorização")
	if err := next.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
