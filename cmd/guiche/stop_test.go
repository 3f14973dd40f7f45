package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// stuck has this binary started again as a program that does not end when it is told to.
const stuck = "GUICHE_TEST_STUCK"

// TestStuckProgram is what the started binary does; by itself it does nothing.
func TestStuckProgram(t *testing.T) {
	if os.Getenv(stuck) == "" {
		return
	}
	told, tell := context.WithCancel(t.Context())
	defer endWithin(told, time.Millisecond, slog.New(slog.NewJSONHandler(os.Stderr, nil)))()
	tell()
	<-make(chan struct{}) // until it is ended
}

// TestEndWithin: what waits for longer than the time to stop is not waited for.
func TestEndWithin(t *testing.T) {
	var log bytes.Buffer
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStuckProgram$")
	cmd.Env, cmd.Stderr = append(os.Environ(), stuck+"=1"), &log
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(log.String(), "it has not ended in time") {
		t.Errorf("got %v\n%s", err, &log)
	}
}
