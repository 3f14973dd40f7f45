package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a program that serves, in a process of its own.
type process struct {
	cmd     *exec.Cmd
	address string
	began   time.Time
	ended   chan struct{} // closed when it has
}

var addressWords = regexp.MustCompile(`http://[0-9.]+:\d+`)

// start starts a program and waits until it says where it is.
func start(ctx context.Context, env []string, command ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // the program, or this one
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, began: time.Now(), ended: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("bench: start %s: %w", command[0], err)
	}
	for lines := bufio.NewScanner(out); p.address == "" && lines.Scan(); {
		p.address = addressWords.FindString(lines.Text())
	}
	go func() {
		_, _ = io.Copy(io.Discard, out) // what else it says
		_ = cmd.Wait()                  // it was told to end
		close(p.ended)
	}()
	if p.address == "" {
		return nil, fmt.Errorf("bench: %s says no address: %w", command[0], p.stop())
	}
	return p, nil
}

// guiche starts the program over a data folder, or with more for another service than its
// own.
func (o Options) guiche(ctx context.Context, folder string, more ...string) (*process, error) {
	command := append([]string{o.Binary, "serve", "--addr", "127.0.0.1:0", "--data", folder, "--min-free-mb", "1"}, more...)
	env := o.env
	if len(more) > 0 {
		env = append(slices.Clip(env), "GUICHE_API_KEY="+apiKey)
	}
	p, err := start(ctx, env, command...)
	if err != nil {
		return nil, err
	}
	_, err = p.firstAnswer(ctx, entryPage)
	return p, err
}

// entryPage is there as soon as the program works.
const entryPage = "/entrar"

// firstAnswer waits until a page is there, and returns how long that took from the start of the
// process.
func (p *process) firstAnswer(ctx context.Context, page string) (time.Duration, error) {
	ask := request(p.address, page, "")
	for ctx.Err() == nil {
		if c, err := dial(p.address); err == nil {
			status, _, err := c.ask(ask)
			_ = c.Close()
			if err == nil && status == http.StatusOK {
				return time.Since(p.began), nil
			}
		}
		pause(ctx, 200*time.Microsecond)
	}
	return 0, ctx.Err()
}

// pause waits, or ends with ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// stop ends the process and waits for it.
func (p *process) stop() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.ended:
		return nil
	case <-time.After(20 * time.Second):
		return errors.Join(errors.New("bench: the program does not stop"), p.cmd.Process.Kill())
	}
}

// quiet waits until the process has done what it does after its start, but no longer than
// that.
func (p *process) quiet(most time.Duration) {
	before := p.ticks()
	for over := time.Now().Add(most); time.Now().Before(over); {
		pause(context.Background(), 250*time.Millisecond)
		now := p.ticks()
		if now-before <= 2 { // of 25
			return
		}
		before = now
	}
}

// ticks are the hundredths of a second that the process has worked, 0 where the system does
// not tell.
func (p *process) ticks() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return user + system
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peak is the most MiB that the process has held, 0 where the system does not tell.
func (p *process) peak() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
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
