package torture

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// copies is where backups of a world go.
func (w *world) copies() string { return filepath.Join(w.folder, "copies") }

// copyNow makes a backup while people go on.
func copyNow(ctx context.Context, o Options, data string) error {
	return run(ctx, o.Binary, "backup", "--data", data, "--to", filepath.Join(filepath.Dir(data), "copies"))
}

func run(ctx context.Context, binary string, args ...string) error {
	if out, err := exec.CommandContext(ctx, binary, args...).CombinedOutput(); err != nil { //nolint:gosec // the program
		return fmt.Errorf("torture: %s: %w: %s", args[0], err, out)
	}
	return nil
}

// goBack restores the backup that was made while people worked, as if the disk were lost
// at the end of the day, and has them go on: what was sent after the copy is not in it.
func (w *world) goBack(ctx context.Context, clerks []*clerk) error {
	if err := w.process.stop(); err != nil {
		return err
	}
	lost := w.process.dataFolder() + "-lost"
	if err := os.Rename(w.process.dataFolder(), lost); err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	err := run(ctx, w.options.Binary, "restore", "--from", w.copies(), "--data", w.process.dataFolder(), "--keys", filepath.Join(lost, "keys"))
	if err != nil {
		return err
	}
	if err := w.process.start(ctx); err != nil {
		return err
	}
	for _, c := range clerks {
		for _, f := range c.forms {
			f.old = true
			w.form(Restored, f)
		}
	}
	whole := w.options.Submissions + w.options.Submissions/2
	w.begun.Store(int64(w.options.Submissions))
	return each(clerks, func(c *clerk) error { return w.work(ctx, c, whole) })
}
