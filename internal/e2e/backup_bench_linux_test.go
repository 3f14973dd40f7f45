package e2e_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// BenchmarkBackup makes a backup of 100,000 cases and restores it, each with the program
// as a process of its own. Times are told beside that of a plain copy of the same files,
// brought to disk; memory is the most that the process held.
func BenchmarkBackup(b *testing.B) {
	p := apptest.Start(b, apptest.Options{})
	p.AddCases(b, 100_000)
	p.Stop()
	binary := filepath.Join(b.TempDir(), "guiche")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "guiche/cmd/guiche").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	for b.Loop() {
		copied := filepath.Join(b.TempDir(), "copy")
		start := time.Now()
		bytes := copyToDisk(b, p.DataDir, copied)
		plain := time.Since(start).Seconds()

		backups, restored := filepath.Join(b.TempDir(), "backups"), filepath.Join(b.TempDir(), "restored")
		made, held := mustMeasure(b, binary, "backup", "-data", p.DataDir, "-to", backups)
		b.ReportMetric(made, "backup-s")
		b.ReportMetric(made/plain, "backup-of-copy")
		b.ReportMetric(held, "backup-MiB")
		b.ReportMetric(float64(sizeOf(b, backups))/float64(bytes), "size-of-data")
		b.ReportMetric(float64(bytes)/(1<<20), "data-MiB")
		made, held = mustMeasure(b, binary, "restore", "-from", backups, "-data", restored, "-keys", filepath.Join(p.DataDir, "keys"))
		b.ReportMetric(made, "restore-s")
		b.ReportMetric(made/plain, "restore-of-copy")
		b.ReportMetric(held, "restore-MiB")
	}
	b.ReportMetric(0, "ns/op") // a round is no operation
}

// mustMeasure runs the program and returns its seconds and the most MiB that it held. What
// the system says of an ended process would be the memory of this one, which it began as.
func mustMeasure(b *testing.B, binary string, args ...string) (seconds, mib float64) {
	b.Helper()
	p := &process{b: b, command: exec.CommandContext(b.Context(), binary, args...)}
	start, ended := time.Now(), make(chan error, 1)
	if err := p.command.Start(); err != nil {
		b.Fatal(err)
	}
	go func() { ended <- p.command.Wait() }()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil {
				b.Fatalf("%v: %v", args, err)
			}
			return time.Since(start).Seconds(), mib
		case <-look.C:
			mib = max(mib, p.peak())
		}
	}
}

// peak is the most MiB that the process has held, 0 when it has ended.
func (p *process) peak() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0
	}
	line := peakLine.FindSubmatch(text)
	if line == nil {
		return 0
	}
	kib, _ := strconv.ParseFloat(string(line[1]), 64)
	return kib / 1024
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// copyToDisk copies the files of a folder, each brought to disk, and returns their bytes.
func copyToDisk(b *testing.B, from, to string) (total int64) {
	b.Helper()
	eachFile(b, from, func(name string, size int64) {
		total += size
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := copyFile(filepath.Join(from, name), target); err != nil {
			b.Fatal(err)
		}
	})
	return total
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close())
}

// sizeOf is how many bytes the files of a folder have together.
func sizeOf(b *testing.B, folder string) (total int64) {
	b.Helper()
	eachFile(b, folder, func(_ string, size int64) { total += size })
	return total
}

// eachFile calls fn with each file of a folder, by its name there.
func eachFile(b *testing.B, folder string, fn func(name string, size int64)) {
	b.Helper()
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			fn(name, info.Size())
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}
