package torture

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// program is what is tortured: a process, or several behind a balancer.
type program interface {
	// start starts it; it may return before anybody answers.
	start(ctx context.Context) error
	// stop ends it as an administrator does.
	stop() error
	// kill ends a process at once, restart as an administrator does; both start the next one.
	kill(ctx context.Context) error
	restart(ctx context.Context) error
	// address waits until somebody answers, and returns where.
	address(ctx context.Context) (string, error)
	// firstLogin is the path of the one-time address that the first start prints.
	firstLogin() string
	// dataFolder is where a process keeps what it keeps itself.
	dataFolder() string
	// onEnd has a function called when a process ends by itself.
	onEnd(func(error))
}

// process is the program over one data folder, started again whenever it ends.
type process struct {
	folder, data string
	command      []string // with its arguments
	env          []string // beside that of this process

	mu    sync.Mutex
	cmd   *exec.Cmd
	ended chan struct{} // closed when cmd has ended
	url   string        // "" while nobody answers
	up    chan struct{} // closed when url is set
	setup string        // path of the one-time address of the first start
	told  bool          // cmd was sent a signal
	died  func(error)   // called when the program ends by itself
}

func newProcess(o Options, folder, service string) *process {
	return newProcessAt(o, folder, service, "127.0.0.1:0")
}

// newProcessAt is newProcess for an address.
func newProcessAt(o Options, folder, service, addr string) *process {
	data := filepath.Join(folder, "data")
	if o.Trace {
		o.Wrapper = tracer(traceFile(folder))
	}
	return &process{folder: folder, data: data, up: make(chan struct{}), command: append(slices.Clone(o.Wrapper), o.Binary,
		"serve", "--addr", addr, "--data", data, "--base-url", service, "--connect-timeout", "1s", "--query-timeout", "2s",
		"--answer-timeout", answerTime.String(), "--shutdown", "3s", "--min-free-mb", "1", "--wait", "90s",
	)}
}

// newServiceAt is the service alone, with simulated operators.
func newServiceAt(o Options, folder, addr string) *process {
	data := filepath.Join(folder, "data")
	return &process{folder: folder, data: data, up: make(chan struct{}), command: append(slices.Clone(o.Wrapper), o.Binary,
		"service", "--addr", addr, "--data", data, "--simulated", "--shutdown", "3s", "--min-free-mb", "1", "--wait", "90s",
	)}
}

var (
	addressWords = regexp.MustCompile(`Guichê em (http://\S+)`)
	setupWords   = regexp.MustCompile(`http://[^/\s]+(/ativar/\S+)`)
)

// start starts the program. It returns before the program answers.
func (p *process) start(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(p.folder, "log.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	defer func() { _ = log.Close() }()                              // the program has it
	cmd := exec.CommandContext(ctx, p.command[0], p.command[1:]...) //nolint:gosec // the program
	cmd.Stderr, cmd.Env = log, slices.Concat(os.Environ(), p.env, []string{"GUICHE_API_KEY=" + key, "TORTURE_CLOCK=" + clockFile(p.data)})
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("torture: start: %w", err)
	}
	ended := make(chan struct{})
	p.mu.Lock()
	p.cmd, p.ended, p.told = cmd, ended, false
	p.mu.Unlock()
	go func() {
		p.read(cmd, out)
		p.end(cmd, cmd.Wait())
		close(ended)
	}()
	return nil
}

func (p *process) dataFolder() string { return p.data }

func (p *process) onEnd(told func(error)) { p.died = told }

func (p *process) firstLogin() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.setup
}

// end tells of a program that ended without being told to.
func (p *process) end(cmd *exec.Cmd, err error) {
	p.mu.Lock()
	byItself := p.cmd == cmd && !p.told
	p.mu.Unlock()
	if byItself && p.died != nil {
		p.died(fmt.Errorf("torture: the program ended by itself: %w: %s", err, p.lastWords()))
	}
}

// lastWords is the last line that the program wrote for whoever runs it.
func (p *process) lastWords() string {
	text, err := os.ReadFile(filepath.Join(p.folder, "log.jsonl"))
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// read reads what the program prints until it ends.
func (p *process) read(cmd *exec.Cmd, out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := addressWords.FindStringSubmatch(lines.Text()); m != nil {
			p.mu.Lock()
			if p.cmd == cmd {
				p.url = m[1]
			}
			p.mu.Unlock()
		}
		if m := setupWords.FindStringSubmatch(lines.Text()); m != nil {
			p.mu.Lock()
			p.setup = m[1]
			p.mu.Unlock()
		}
		if strings.Contains(lines.Text(), "Ctrl+C") {
			p.mu.Lock()
			close(p.up)
			p.mu.Unlock()
		}
	}
}

// address waits until the program answers, and returns where.
func (p *process) address(ctx context.Context) (string, error) {
	for {
		p.mu.Lock()
		url, up := p.url, p.up
		p.mu.Unlock()
		select {
		case <-up:
			return url, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// down forgets the address: who asks for it waits for the next start.
func (p *process) down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.up:
		p.url, p.up = "", make(chan struct{})
	default:
	}
}

// signal sends a signal to the running program; the address is of the next one.
func (p *process) signal(s os.Signal) (ended <-chan struct{}) {
	p.mu.Lock()
	cmd, done := p.cmd, p.ended
	p.told = true
	p.mu.Unlock()
	p.down()
	_ = cmd.Process.Signal(s) // it may have ended by itself
	return done
}

// kill ends the program at once and starts it again.
func (p *process) kill(ctx context.Context) error {
	<-p.signal(syscall.SIGKILL)
	return p.start(ctx)
}

// restart tells the program to stop and starts the next one, which waits for it.
func (p *process) restart(ctx context.Context) error {
	ended := p.signal(syscall.SIGTERM)
	if err := p.start(ctx); err != nil {
		return err
	}
	select {
	case <-ended:
		return nil
	case <-time.After(20 * time.Second):
		return errors.New("torture: the program does not stop")
	}
}

// stop ends the program as an administrator does.
func (p *process) stop() error {
	select {
	case <-p.signal(syscall.SIGTERM):
		return nil
	case <-time.After(20 * time.Second):
		<-p.signal(syscall.SIGKILL)
		return errors.New("torture: the program does not stop")
	}
}
