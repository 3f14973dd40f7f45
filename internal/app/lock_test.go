package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
)

func TestConfig_Lock(t *testing.T) {
	t.Parallel()
	c := app.Config{DataDir: filepath.Join(t.TempDir(), "new")}
	unlock := mustLock(t, c)
	if info, err := os.Stat(filepath.Join(c.DataDir, "guiche.lock")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, error %v, want mode 0600", info, err)
	}
	if _, err := c.Lock(t.Context()); err == nil || !strings.Contains(err.Error(), c.DataDir) || !strings.Contains(err.Error(), "--wait") {
		t.Errorf("got %v, want it refused, and the folder and the way out named", err)
	}
	t.Run("Waits", func(t *testing.T) {
		waiting := c
		waiting.Wait = time.Hour
		got := make(chan error)
		go func() {
			unlock, err := waiting.Lock(t.Context())
			if err == nil {
				unlock()
			}
			got <- err
		}()
		unlock()
		if err := <-got; err != nil {
			t.Errorf("got %v, want the lock as soon as it is free", err)
		}
	})
	t.Run("Stopped", func(t *testing.T) {
		defer mustLock(t, c)()
		waiting := c
		waiting.Wait = time.Hour
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := waiting.Lock(ctx); err == nil {
			t.Error("got the lock of another")
		}
	})
	t.Run("FolderIsAFile", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		mustWrite(t, file, "x")
		if _, err := (app.Config{DataDir: file}).Lock(t.Context()); err == nil || !strings.Contains(err.Error(), "GUICHE_DATA") {
			t.Errorf("got %v, want the setting named", err)
		}
	})
	t.Run("NoFile", func(t *testing.T) {
		folder := t.TempDir()
		if err := os.Mkdir(filepath.Join(folder, "guiche.lock"), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := (app.Config{DataDir: folder}).Lock(t.Context()); err == nil || !strings.Contains(err.Error(), "GUICHE_DATA") {
			t.Errorf("got %v, want the setting named", err)
		}
	})
}

func mustLock(t *testing.T, c app.Config) (unlock func()) {
	t.Helper()
	unlock, err := c.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return unlock
}
