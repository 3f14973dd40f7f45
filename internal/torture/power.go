package torture

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// traceFile is where the calls of a world's program stand.
func traceFile(folder string) string { return filepath.Join(folder, "trace") }

// power replays the calls of a program that has ended, and looks at the disk as it would
// be had the power failed: while it started for the first time, and at each moment at which a
// clerk was told that a request is sent.
type power struct {
	options Options
	disk    *powerDisk
	luck    *dice
	scratch string
	sent    []string // cases of which a clerk was told
	wired   []string // guiaPrestador of what left for the service
	syncs   int
	images  int // that were looked at
	starts  int // of them, those from which the program was started
}

var (
	caseTold  = regexp.MustCompile(`^HTTP/1\.1 303 [\s\S]*\r\nLocation: /casos/([0-9a-f-]{36})`)
	guideSent = regexp.MustCompile(`"guiaPrestador"\s*:\s*"(\d+)"`)
)

// replay is the whole of it for the installation of a folder.
func replay(ctx context.Context, o Options, folder string) error {
	trace, err := os.Open(traceFile(folder))
	if err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	defer func() { _ = trace.Close() }() // read only
	p := &power{options: o, disk: newPowerDisk(folder), luck: newDice(o.Seed, "power"), scratch: filepath.Join(folder, "image")}
	err = readTrace(trace, func(c call) error { return p.follow(ctx, c) })
	fmt.Fprintf(o.Log, "  power failed %d times, of them %d in the first start: %d cases told and %d requests sent by then, all there\n",
		p.images, p.starts, len(p.sent), len(p.wired))
	return err
}

// follow applies a call, and fails the power at the moments that count.
func (p *power) follow(ctx context.Context, c call) error {
	if err := p.disk.apply(c); err != nil {
		return err
	}
	switch {
	case c.name == "write" && len(c.args) > 1 && caseTold.MatchString(c.args[1]):
		p.sent = append(p.sent, caseTold.FindStringSubmatch(c.args[1])[1])
		return errors.Join(p.fail(ctx, nil, p.look), p.fail(ctx, p.luck, p.look))
	case c.name == "write" && len(c.args) > 1 && strings.HasPrefix(c.paths[0], "socket:") && guideSent.MatchString(c.args[1]):
		p.wired = append(p.wired, guideSent.FindStringSubmatch(c.args[1])[1])
		return p.fail(ctx, nil, p.look)
	case strings.HasSuffix(c.name, "sync") && len(p.sent) == 0 && p.disk.now[c.paths[0]] != nil:
		return p.whileStarting(ctx)
	}
	return nil
}

// startImages is how many of the first start's syncs the power fails at, and every how many.
const startImages, startEvery = 40, 5

func (p *power) whileStarting(ctx context.Context) error {
	p.syncs++
	if p.syncs%startEvery != 0 || p.starts >= startImages {
		return nil
	}
	p.starts++
	var luck *dice
	if p.starts%2 == 0 {
		luck = p.luck
	}
	return p.fail(ctx, luck, p.begin)
}

// fail writes the disk down and looks at it.
func (p *power) fail(ctx context.Context, luck *dice, look func(ctx context.Context, data string) error) error {
	p.images++
	if err := os.RemoveAll(p.scratch); err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	if err := os.MkdirAll(p.scratch, 0o700); err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	if err := p.disk.restore(p.scratch, luck); err != nil {
		return fmt.Errorf("torture: image: %w", err)
	}
	if err := look(ctx, filepath.Join(p.scratch, "data")); err != nil {
		return fmt.Errorf("torture: power loss %d: %w", p.images, err)
	}
	return nil
}

// look holds what must be on a disk: every case that a clerk was told of, an attempt for
// every request that left, and a whole installation.
func (p *power) look(ctx context.Context, data string) error {
	if err := run(ctx, p.options.Binary, "verify", data); err != nil {
		return err
	}
	db, err := openDatabase(data)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // a copy
	cases, err := column(ctx, db, `SELECT lower(hex(uid)) FROM submission`)
	if err != nil {
		return err
	}
	for _, uid := range p.sent {
		if !cases[strings.ReplaceAll(uid, "-", "")] {
			return fmt.Errorf("case %s was told of and is lost", uid)
		}
	}
	attempts, err := column(ctx, db, `SELECT provider_guide FROM submission s JOIN attempt a ON a.submission_id = s.id`)
	if err != nil {
		return err
	}
	for _, guide := range p.wired {
		if !attempts[guide] {
			return fmt.Errorf("request %s left, and the disk does not know", guide)
		}
	}
	return nil
}

// column is the set of what a query returns.
func column(ctx context.Context, db *sql.DB, query string) (map[string]bool, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("torture: %w", err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	set := map[string]bool{}
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, fmt.Errorf("torture: %w", err)
		}
		set[value] = true
	}
	return set, rows.Err()
}

// begin starts the program from what a first start left.
func (p *power) begin(ctx context.Context, data string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, p.options.Binary, "serve", "--addr", "127.0.0.1:0", "--data", data) //nolint:gosec // the program
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	answers := false
	for buffer := make([]byte, 4096); !answers; {
		n, err := out.Read(buffer)
		answers = bytes.Contains(buffer[:n], []byte("Ctrl+C"))
		if err != nil {
			break
		}
	}
	cancel()
	_ = cmd.Wait() // killed
	if !answers {
		return fmt.Errorf("the program does not start: %s", said.String())
	}
	return nil
}
