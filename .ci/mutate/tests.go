package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// bench is where the mutants of one package are tried: a folder of its own, how
// long the tests may take, and which test runs which code.
type bench struct {
	*pkg
	short   bool
	temp    string
	limit   time.Duration
	covers  []coverage
	notOnce bool // a test fails when it runs without the others
}

// coverage is the code that one test runs.
type coverage struct {
	test   string
	blocks []block
}

// block is a piece of a file, as the coverage of Go's tests divides it.
type block struct {
	file                                       string
	startLine, startColumn, endLine, endColumn int
	run                                        bool
}

// has tells whether a covered block holds the mutant: what no test runs is not tried, it
// survives.
func (b block) has(m mutant) bool {
	if b.file != m.File {
		return false
	}
	after := m.Line > b.startLine || m.Line == b.startLine && m.column >= b.startColumn
	before := m.Line < b.endLine || m.Line == b.endLine && m.column < b.endColumn
	return after && before
}

// prepare runs the package's tests as they are: they have to pass, and they say
// how long they take and what they run.
func prepare(ctx context.Context, o options, p *pkg) (*bench, error) {
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	b := &bench{pkg: p, short: o.short, temp: temp, limit: 10 * time.Minute}
	if !p.hasTests {
		return b, nil
	}
	if err := b.measure(ctx, o.least); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// close removes the mutated copies.
func (b *bench) close() { os.RemoveAll(b.temp) }

// measure runs the unchanged tests once: they must pass, and their time gives the time
// that a mutant gets.
func (b *bench) measure(ctx context.Context, least time.Duration) error {
	clean := filepath.Join(b.temp, "clean.test")
	if out, err := b.build(ctx, clean); err != nil {
		return fmt.Errorf("the tests do not compile: %w\n%s", err, out)
	}
	start := time.Now()
	r := b.run(ctx, clean, "")
	if !r.passed {
		return fmt.Errorf("the tests fail without a mutant\n%s", r.output)
	}
	took := time.Since(start)
	covered := filepath.Join(b.temp, "cover.test")
	if out, err := b.build(ctx, covered, "-cover", "-covermode=set"); err != nil {
		return fmt.Errorf("the tests do not compile with coverage: %w\n%s", err, out)
	}
	if err := b.cover(ctx, covered); err != nil {
		return err
	}
	b.limit = max(least, 5*took)
	return nil
}

// cover runs each test alone and keeps which code it ran.
func (b *bench) cover(ctx context.Context, binary string) error {
	names, err := b.names(ctx, binary)
	if err != nil {
		return err
	}
	for _, name := range names {
		profile := filepath.Join(b.temp, "profile")
		r := b.run(ctx, binary, "^"+name+"$", "-test.coverprofile="+profile)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		blocks, err := b.read(profile)
		if err != nil || !r.passed {
			b.notOnce = true
			continue
		}
		b.covers = append(b.covers, coverage{name, blocks})
	}
	return nil
}

// names lists the tests of a compiled package.
func (b *bench) names(ctx context.Context, binary string) ([]string, error) {
	cmd := exec.CommandContext(ctx, binary, "-test.list=^(Test|Fuzz|Example)")
	cmd.Dir = b.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests: %w", err)
	}
	return strings.Fields(string(out)), nil
}

// read parses a coverage profile and removes it.
func (b *bench) read(profile string) ([]block, error) {
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	defer os.Remove(profile)
	var blocks []block
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		name, place, ok := strings.Cut(strings.TrimPrefix(lines.Text(), b.path+"/"), ":")
		if !ok || name == "mode" {
			continue
		}
		one := block{file: b.file(name)}
		var statements, count int
		if _, err := fmt.Sscanf(place, "%d.%d,%d.%d %d %d", &one.startLine, &one.startColumn,
			&one.endLine, &one.endColumn, &statements, &count); err != nil {
			return nil, fmt.Errorf("read the coverage: %w", err)
		}
		one.run = count > 0
		blocks = append(blocks, one)
	}
	return blocks, lines.Err()
}

// file returns the name, below the module, of a file of the package.
func (b *bench) file(name string) string {
	if b.folder == "." {
		return name
	}
	return b.folder + "/" + name
}

// covering returns the pattern of the tests that run the code of the mutant, ""
// for all, and whether none does. What stands outside of functions is not measured.
func (b *bench) covering(m mutant) (pattern string, none bool) {
	var names []string
	measured := false
	for _, c := range b.covers {
		has, run := c.runs(m)
		measured = measured || has
		if run {
			names = append(names, c.test)
		}
	}
	switch {
	case !measured || b.notOnce || len(names) == len(b.covers):
		return "", false
	case len(names) == 0:
		return "", true
	default:
		return "^(" + strings.Join(names, "|") + ")$", false
	}
}

// runs reports whether the code of the mutant is measured, and whether the test runs it.
func (c coverage) runs(m mutant) (measured, run bool) {
	for _, one := range c.blocks {
		if one.has(m) {
			measured = true
			run = run || one.run
		}
	}
	return measured, run
}

// build compiles the package's tests.
func (b *bench) build(ctx context.Context, binary string, flags ...string) ([]byte, error) {
	args := append([]string{"test", "-c", "-o", binary, "-ldflags=-s -w"}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, b.path)...)
	cmd.Dir = b.root
	return cmd.CombinedOutput()
}

// ran is what a run of the tests said.
type ran struct {
	passed, timedOut bool
	output           []byte
}

// memory is what one run may take, in KiB: a mistake can allocate for ever.
const memory = 8 << 20

// run runs the tests of a binary that match the pattern, or all, in the folder
// of the package, until the first failure.
func (b *bench) run(ctx context.Context, binary, pattern string, flags ...string) ran {
	temp, err := os.MkdirTemp(b.temp, "run")
	if err != nil {
		return ran{output: []byte(err.Error())}
	}
	defer os.RemoveAll(temp)
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	args := []string{"-c", "ulimit -v " + strconv.Itoa(memory) + ` 2>/dev/null; exec "$@"`, "sh", binary,
		"-test.failfast", "-test.timeout=0", "-test.run=" + pattern}
	if b.short {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(ctx, "sh", append(args, flags...)...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	inGroup(cmd)
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.CombinedOutput()
	return ran{passed: err == nil, timedOut: errors.Is(ctx.Err(), context.DeadlineExceeded), output: out}
}

// try says what becomes of a mutant: "killed", "time-out", "survived", or "" for
// one that the compiler refuses after all.
func (b *bench) try(ctx context.Context, m mutant) (mutant, []byte, error) {
	if !b.hasTests {
		m.Outcome, m.NotRun = "survived", true
		return m, nil, nil
	}
	temp, err := os.MkdirTemp(b.temp, "mutant")
	if err != nil {
		return m, nil, err
	}
	defer os.RemoveAll(temp)
	overlay, err := m.overlay(temp)
	if err != nil {
		return m, nil, err
	}
	binary := filepath.Join(temp, "mutant.test")
	if out, err := b.build(ctx, binary, "-overlay="+overlay); err != nil {
		return m, out, nil
	}
	pattern, none := b.covering(m)
	r := b.run(ctx, binary, pattern)
	if r.passed && pattern != "" {
		r = b.run(ctx, binary, "") // code may also run in a process that a test starts
	}
	m.Outcome, m.By = r.outcome()
	m.NotRun = none && r.passed
	return m, r.output, nil
}

// overlay writes the changed file and what go build wants to know of it.
func (m mutant) overlay(dir string) (string, error) {
	changed := filepath.Join(dir, filepath.Base(m.source.path))
	if err := os.WriteFile(changed, m.apply(), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {m.source.path: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, text, 0o600)
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// outcome tells what became of a mutant, and which test noticed it.
func (r ran) outcome() (outcome, by string) {
	switch {
	case r.timedOut:
		return "time-out", ""
	case r.passed:
		return "survived", ""
	}
	if first := failure.FindSubmatch(r.output); first != nil {
		return "killed", string(first[1])
	}
	return "killed", "the process ended"
}
