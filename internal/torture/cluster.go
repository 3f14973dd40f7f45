package torture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Cluster says of what several processes are made that share a database and a bucket.
type Cluster struct {
	Processes int    // of the desk
	Services  int    // of the service alone, which partners ask
	Partners  int    // who ask at the same time
	Database  string // postgres://…
	Blobs     string // s3://…
	BlobsKey  string
	BlobsWord string // secret of that key
	Balancer  string // haproxy

	Rounds                      int // of faults, spread over the forms
	KillDatabase, StartDatabase func()
	FailBlobs                   func(fails bool)
}

// cluster are processes behind a balancer, which hands each request to the next one of them.
type cluster struct {
	c               *Cluster
	desks, services group
	balancer        *exec.Cmd
	folder          string
	turn            int // of the process that is killed next
}

// group are processes of one kind.
type group struct {
	url     string // of the balancer for them
	members []*process
	at      []string // their addresses
}

func newCluster(o Options, folder, service string) (*cluster, error) {
	c := &cluster{c: o.Cluster, folder: folder}
	desk := func(own, addr string) *process { return newProcessAt(o, own, service, addr) }
	alone := func(own, addr string) *process { return newServiceAt(o, own, addr) }
	err := c.desks.add("process", o.Cluster.Processes, c, desk)
	if err == nil {
		err = c.services.add("service", o.Cluster.Services, c, alone)
	}
	if err == nil {
		err = c.configure()
	}
	return c, err
}

// add adds so many processes, each with a folder of its own, and an address of the balancer.
func (g *group) add(name string, n int, c *cluster, make func(own, addr string) *process) error {
	ports, err := freePorts(n + 1)
	if err != nil {
		return err
	}
	g.url, g.at = ports[0], ports[1:]
	for i, addr := range g.at {
		own := filepath.Join(c.folder, fmt.Sprint(name, i))
		if err := os.MkdirAll(own, 0o700); err != nil {
			return fmt.Errorf("torture: %w", err)
		}
		p := make(own, addr)
		p.command = append(p.command, "--keys", filepath.Join(c.folder, "keys"), "--drain", "500ms")
		p.env = []string{"GUICHE_DATABASE=" + c.c.Database, "GUICHE_BLOBS=" + c.c.Blobs, "GUICHE_BLOBS_KEY=" + c.c.BlobsKey,
			"GUICHE_BLOBS_SECRET=" + c.c.BlobsWord}
		g.members = append(g.members, p)
	}
	return nil
}

// hanging is the process that hangs in a round of faults, nil where there is none.
func (g *group) hanging() *process {
	if len(g.members) == 0 {
		return nil
	}
	return g.members[len(g.members)-1]
}

// all are the processes of both kinds.
func (c *cluster) all() []*process { return slices.Concat(c.desks.members, c.services.members) }

// freePorts are addresses of this machine that nobody listens on.
func freePorts(n int) (addresses []string, err error) {
	for range n {
		l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("torture: %w", err)
		}
		defer func() { _ = l.Close() }() // all at the end: none is given twice
		addresses = append(addresses, l.Addr().String())
	}
	return addresses, nil
}

// processHeader names the process that answered, which is for those who look alone.
const processHeader = "X-Process"

// balancing and balanced are the balancer's configuration: as cluster.md shows it, with shorter
// pauses.
const (
	balancing = `defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    option redispatch
    retries 3
`
	balanced = `frontend %[1]s
    bind %[2]s
    default_backend %[1]s_processes
backend %[1]s_processes
    balance roundrobin
    option httpchk GET /readyz
    http-check expect status 200
    http-response set-header ` + processHeader + ` %%s
    default-server inter 200ms fall 1 rise 1
`
)

func (c *cluster) configure() error {
	var b strings.Builder
	b.WriteString(balancing)
	for name, g := range map[string]*group{"desk": &c.desks, "service": &c.services} {
		fmt.Fprintf(&b, balanced, name, g.url)
		for n, addr := range g.at {
			fmt.Fprintf(&b, "    server process%d %s check\n", n, addr)
		}
	}
	if err := os.WriteFile(c.configuration(), []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	return nil
}

func (c *cluster) configuration() string { return filepath.Join(c.folder, "haproxy.cfg") }

// start starts all processes, one after the other: the first one makes schema and keys.
func (c *cluster) start(ctx context.Context) error {
	for _, p := range c.all() {
		if err := p.start(ctx); err != nil {
			return err
		}
		if _, err := p.address(ctx); err != nil {
			return err
		}
	}
	if c.balancer != nil {
		return nil
	}
	c.balancer = exec.Command(c.c.Balancer, "-f", c.configuration()) //nolint:gosec,noctx // ended by stop
	c.balancer.Stderr = os.Stderr
	if err := c.balancer.Start(); err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	if len(c.services.members) == 0 {
		return c.desks.answers(ctx)
	}
	return errors.Join(c.desks.answers(ctx), c.services.answers(ctx))
}

// answers waits until the balancer hands requests on.
func (g *group) answers(ctx context.Context) error {
	for ctx.Err() == nil {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+g.url+"/readyz", nil)
		if err != nil {
			return err
		}
		if res, err := http.DefaultClient.Do(r); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		pause(ctx, 20*time.Millisecond)
	}
	return ctx.Err()
}

// access waits for the key that a service makes for whoever runs it.
func (c *cluster) access(ctx context.Context) (string, error) {
	var said struct {
		APIKey string `json:"api_key"`
	}
	for ctx.Err() == nil {
		text, err := os.ReadFile(filepath.Join(c.services.members[0].data, "service.json"))
		if err == nil && json.Unmarshal(text, &said) == nil && said.APIKey != "" {
			return said.APIKey, nil
		}
		pause(ctx, 20*time.Millisecond)
	}
	return "", ctx.Err()
}

// hangTime is longer than a process that is silent keeps its right to send.
const hangTime = 24 * time.Second

// disturb is one round of faults: a process of each kind hangs, as its machine may, and meanwhile the
// database is killed and comes back, and the bucket fails for a while.
func (c *cluster) disturb(ctx context.Context) (err error) {
	for _, p := range []*process{c.desks.hanging(), c.services.hanging()} {
		if p == nil {
			continue
		}
		p.mu.Lock()
		running := p.cmd.Process
		p.mu.Unlock()
		if err := suspend(running); err != nil {
			return fmt.Errorf("torture: %w", err)
		}
		defer func() { err = errors.Join(err, resume(running)) }()
	}
	hung := time.After(hangTime)
	c.c.KillDatabase()
	pause(ctx, 2*time.Second)
	c.c.StartDatabase()
	pause(ctx, 3*time.Second)
	c.c.FailBlobs(true)
	pause(ctx, 3*time.Second)
	c.c.FailBlobs(false)
	select {
	case <-hung:
	case <-ctx.Done():
	}
	return nil
}

// next is the process whose turn it is: all but those that hang.
func (c *cluster) next() *process {
	var all []*process
	for _, g := range []*group{&c.desks, &c.services} {
		all = append(all, g.members[:max(min(1, len(g.members)), len(g.members)-1)]...)
	}
	c.turn++
	return all[c.turn%len(all)]
}

func (c *cluster) kill(ctx context.Context) error { return c.next().kill(ctx) }

func (c *cluster) restart(ctx context.Context) error { return c.next().restart(ctx) }

func (c *cluster) stop() error {
	var err error
	if c.balancer != nil && c.balancer.Process != nil {
		_ = c.balancer.Process.Kill()
		_ = c.balancer.Wait()
		c.balancer = nil
	}
	for _, p := range c.all() {
		err = errors.Join(err, p.stop())
	}
	return err
}

// address implements program: whoever is up answers there.
func (c *cluster) address(context.Context) (string, error) { return "http://" + c.desks.url, nil }

// firstLogin implements program: each start invites anew.
func (c *cluster) firstLogin() string { return c.desks.hanging().firstLogin() }

func (c *cluster) dataFolder() string { return c.desks.members[0].data }

func (c *cluster) onEnd(told func(error)) {
	for _, p := range c.all() {
		p.onEnd(told)
	}
}
