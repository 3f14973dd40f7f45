package bench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

// traced is how many forms are sent off while the calls of the program are written down.
const traced = 20

// syncs counts how often the program waits for the disk for a form, where strace is
// installed.
func (s *submitting) syncs(ctx context.Context) error {
	program, _ := exec.LookPath("strace")
	if program == "" {
		s.table.note("strace is not installed: syncs are not counted")
		return nil
	}
	forms, err := s.prepared(ctx, traced)
	if err != nil {
		return err
	}
	file := filepath.Join(s.folder, "trace")
	calls, err := s.trace(ctx, program, file, func() error {
		for _, form := range forms {
			if _, err := s.clerk.press(ctx, form); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.table.note("strace may not look at the program: syncs are not counted (%v)", err)
		return nil
	}
	s.table.add("syncs a submission, counted", float64(calls)/traced, "", atMost(4))
	return nil
}

// syncCall is a call that waits for the disk. A sync_file_range without a flag to wait only begins.
var syncCall = regexp.MustCompile(`(?m)^\d+\s+((fsync|fdatasync|syncfs)\(|sync_file_range\(.*SYNC_FILE_RANGE_WAIT)`)

// trace counts the calls that wait for the disk while something is done.
func (s *submitting) trace(ctx context.Context, program, file string, do func() error) (int, error) {
	cmd := exec.CommandContext(ctx, program, "-f", "-e", "trace=fsync,fdatasync,syncfs,sync_file_range", "-o", file, //nolint:gosec // ours
		"-p", strconv.Itoa(s.program.cmd.Process.Pid))
	told, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(told)
	attached := lines.Scan() && strings.Contains(lines.Text(), "attached")
	said := lines.Text()
	go func() {
		for lines.Scan() { // threads that it finds
		}
	}()
	if attached {
		err = do()
	}
	_ = cmd.Process.Signal(syscall.SIGINT) // it may have ended
	_ = cmd.Wait()                         // it tells of the signal
	if !attached {
		return 0, fmt.Errorf("%w: %s", errAnswer, said)
	}
	text, readErr := os.ReadFile(file)
	if err == nil {
		err = readErr
	}
	return len(syncCall.FindAll(text, -1)), err
}
