package torture

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

// Row is one more thing that may happen to an installation while people work.
type Row struct {
	Name string
	Do   func(*Options)
}

// Rows are all of them, in the order in which they run.
func Rows() []Row {
	return []Row{
		{"descriptors", func(o *Options) { o.Wrapper = []string{"prlimit", "--nofile=64"} }},
		{"busy", func(o *Options) { o.During = holdDatabase }},
		{"disk", func(o *Options) { o.DiskMB, o.Faults = 48, 0.1 }},           // as root
		{"second", func(o *Options) { o.During, o.Kills = secondProcess, 0 }}, // nobody else may have the folder while it is dead
		{"restore", func(o *Options) { o.During, o.Restore, o.Kills, o.Quiet = copyNow, true, 0, time.Minute }},
		{"clock", clock}, // with a program built for it
		{"hang", hang},
		{"flips", func(o *Options) { o.After, o.Kinds, o.Kills = flip, o.Kinds[:1], 0 }},
		{"power", func(o *Options) { o.Trace, o.After, o.Kills = true, replay, 0 }},
	}
}

// busyTime is how long another process keeps the desk's database from being written.
const busyTime = 60 * time.Second

// holdDatabase keeps the desk's database from being written for a while.
func holdDatabase(ctx context.Context, o Options, data string) error {
	db, err := openDatabase(data)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // nothing is written
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	defer func() { _ = conn.Close() }() // back to the pool
	for {
		if _, err = conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err == nil || ctx.Err() != nil {
			break
		}
		pause(ctx, time.Millisecond)
	}
	fmt.Fprintf(o.Log, "  another process writes for %s\n", busyTime)
	pause(ctx, busyTime)
	_, err = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return err
}

// refusedWithin is how soon a second process must have been refused.
const refusedWithin = 5 * time.Second

// secondProcess starts programs over the same folder, which must be refused, and commands
// that must work beside the first.
func secondProcess(ctx context.Context, o Options, data string) error {
	slowest := time.Duration(0)
	for range 5 {
		for _, command := range []string{"serve", "demo", "service"} {
			began := time.Now()
			err := exec.CommandContext(ctx, o.Binary, command, "--addr", "127.0.0.1:0", "--data", data).Run() //nolint:gosec // the program
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() <= 0 {
				return fmt.Errorf("torture: a second %s ended with %w, want a refusal", command, err)
			}
			if took := time.Since(began); took > refusedWithin {
				return fmt.Errorf("torture: a second %s took %s to be refused", command, took)
			}
			slowest = max(slowest, time.Since(began))
		}
		to := filepath.Join(filepath.Dir(data), "copies")
		if err := run(ctx, o.Binary, "backup", "--data", data, "--to", to); err != nil {
			return err
		}
	}
	fmt.Fprintf(o.Log, "  15 second programs refused within %s, 5 backups beside the first\n", slowest.Round(time.Millisecond))
	return nil
}
