package main_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// MustBuild builds the program as the Makefile does, without a version.
func MustBuild(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "guiche")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// serving is a running process of the program.
type serving struct {
	t   *testing.T
	cmd *exec.Cmd
	out *bufio.Reader
}

func serve(t *testing.T, binary string, args ...string) *serving {
	t.Helper()
	s := &serving{t: t, cmd: exec.CommandContext(t.Context(), binary, args...)}
	s.cmd.Stderr = io.Discard
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// line reads the output until a line contains the text.
func (s *serving) line(text string) string {
	s.t.Helper()
	for {
		line, err := s.out.ReadString('\n')
		if strings.Contains(line, text) {
			return strings.TrimSpace(line)
		}
		if err != nil {
			s.t.Fatalf("the program ended before it printed %q: %v", text, err)
		}
	}
}

// stop sends a signal and returns how the process ended.
func (s *serving) stop(signal os.Signal) error {
	s.t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, s.out)
	return s.cmd.Wait()
}

// healthz returns the status of /healthz, 0 without an answer.
func healthz(url string) int {
	res, err := http.Get(url + "/healthz")
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

func TestProgram(t *testing.T) {
	binary := MustBuild(t)
	ends := []os.Signal{syscall.SIGTERM, os.Interrupt}
	if !signal.Ignored(syscall.SIGHUP) { // of these tests, and so of the program
		ends = append(ends, syscall.SIGHUP)
	}
	for _, end := range ends {
		t.Run("DemoUntil/"+end.String(), func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "demo")
			s := serve(t, binary, "demo", "--addr", "127.0.0.1:0", "--data", folder)
			url := strings.TrimPrefix(s.line("Guichê em "), "Guichê em ")
			if line := s.line("recepcao"); !strings.Contains(line, "ana") {
				t.Errorf("the logins are not printed: %q", line)
			}
			if got := healthz(url); got != http.StatusOK {
				t.Fatalf("healthz: %d", got)
			}
			if err := exec.CommandContext(t.Context(), binary, "healthcheck", "--addr", strings.TrimPrefix(url, "http://")).Run(); err != nil {
				t.Errorf("healthcheck of a running server: %v", err)
			}
			var demo struct{ URL string }
			if content, err := os.ReadFile(filepath.Join(folder, "demo.json")); err != nil || json.Unmarshal(content, &demo) != nil ||
				demo.URL != url {
				t.Errorf("demo.json: %v, url %q, want %q", err, demo.URL, url)
			}
			if err := s.stop(end); err != nil {
				t.Errorf("%v ended it with %v, want a graceful end", end, err)
			}
			if got := healthz(url); got != 0 {
				t.Errorf("the server still answers after it stopped: %d", got)
			}
			if err := exec.CommandContext(t.Context(), binary, "healthcheck", "--addr", strings.TrimPrefix(url, "http://")).Run(); err == nil {
				t.Error("healthcheck of a stopped server succeeds")
			}
		})
	}
	t.Run("ServePrintsTheFirstLink", func(t *testing.T) {
		s := serve(t, binary, "serve", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--data", t.TempDir())
		url := strings.TrimPrefix(s.line("Métricas em "), "Métricas em ")
		if res, err := http.Get(url); err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("GET %s: %v, %v", url, res, err)
		} else {
			_ = res.Body.Close()
		}
		if link := s.line("/ativar/"); !strings.HasPrefix(link, "http://127.0.0.1:") {
			t.Errorf("link %q", link)
		}
		if err := s.stop(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	})
	t.Run("NoTimeToStopIsTheUsual", func(t *testing.T) {
		s := serve(t, binary, "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--shutdown", "0s")
		s.line("Ctrl+C")
		if err := s.stop(syscall.SIGTERM); err != nil {
			t.Errorf("it ended with %v, want it to stop in order", err)
		}
	})
	for name, tt := range map[string]struct {
		args []string
		env  string
		says string
		code int
	}{
		"Version":      {[]string{"version"}, "", "guiche ", 0},
		"Help":         {[]string{"help"}, "", "healthcheck", 0},
		"HelpOfUser":   {[]string{"user", "-h"}, "", "take a person's password away", 0},
		"HelpOfKey":    {[]string{"key", "--help"}, "", "renew the key", 0},
		"NoCommand":    {nil, "", "Usage", 2},
		"Unknown":      {[]string{"fly"}, "", "unknown command", 2},
		"UnknownFlag":  {[]string{"serve", "--fly"}, "", "fly", 2},
		"NoEncryption": {[]string{"serve", "--addr", "0.0.0.0:0"}, "", "GUICHE_TLS_CERT", 1},
		"BadVariable":  {[]string{"serve"}, "GUICHE_DEADLINE=amanhã", "GUICHE_DEADLINE", 1},
		"NoAccess":     {[]string{"serve", "--base-url", "https://servico.exemplo.com.br"}, "", "GUICHE_CLIENT_SECRET", 1},
		"NoPassword": {[]string{"serve", "--base-url", "https://servico.exemplo.com.br", "--service-user", "balcao"}, "",
			"GUICHE_SERVICE_PASSWORD_FILE", 1},
		"NoClient": {[]string{"serve", "--base-url", "https://servico.exemplo.com.br"}, "GUICHE_CLIENT_SECRET=x",
			"GUICHE_CLIENT_ID: GUICHE_CLIENT_SECRET belongs", 1},
		"SecretFile":    {[]string{"serve"}, "GUICHE_SERVICE_PASSWORD_FILE=/does/not/exist", "GUICHE_SERVICE_PASSWORD_FILE", 1},
		"MissingSecret": {[]string{"serve"}, "GUICHE_API_KEY_FILE=/does/not/exist", "GUICHE_API_KEY_FILE", 1},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), binary, tt.args...)
			cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), tt.env)
			out, _ := cmd.CombinedOutput()
			if got := cmd.ProcessState.ExitCode(); got != tt.code || !strings.Contains(string(out), tt.says) {
				t.Errorf("exit %d saying %q, want %d saying %q", got, out, tt.code, tt.says)
			}
		})
	}
}

// TestDemo_FirstLines: whoever tries the demo first reads where it is, not what the
// program logs.
func TestDemo_FirstLines(t *testing.T) {
	s := &serving{t: t, cmd: exec.CommandContext(t.Context(), MustBuild(t), "demo", "-addr", "127.0.0.1:0", "-data",
		filepath.Join(t.TempDir(), "demo"))}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = s.cmd.Stdout
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	for _, want := range []string{"Guichê em http://", "  ", "  ", "  ", "Ctrl+C encerra."} {
		if line, err := s.out.ReadString('\n'); err != nil || !strings.HasPrefix(line, want) {
			t.Errorf("got %q, %v, want a line with %q", line, err, want)
		}
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// TestServe_Memory: the program stays within the machine's memory, or within what
// GOMEMLIMIT says.
func TestServe_Memory(t *testing.T) {
	binary := MustBuild(t)
	for set, want := range map[string]string{"": `"msg":"memory limit","bytes":`, "123MiB": `"bytes":128974848}`} {
		s := &serving{t: t, cmd: exec.CommandContext(t.Context(), binary, "serve", "-addr", "127.0.0.1:0", "-data", t.TempDir())}
		s.cmd.Env = os.Environ()
		if set != "" {
			s.cmd.Env = append(s.cmd.Env, "GOMEMLIMIT="+set)
		}
		out, err := s.cmd.StderrPipe()
		if err == nil {
			err = s.cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		s.out = bufio.NewReader(out)
		if line := s.line("memory limit"); !strings.Contains(line, want) || strings.Contains(line, `"bytes":9223372036854775807`) {
			t.Errorf("GOMEMLIMIT=%s: the log says %s", set, line)
		}
		_ = s.cmd.Process.Kill() // it has hardly started
		_ = s.cmd.Wait()
	}
}
