package torture

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Cluster says of what several processes are made that share a database and a bucket.
type Cluster struct {
	Processes int
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
	c        *Cluster
	members  []*process
	balancer *exec.Cmd
	folder   string
	url      string // of the balancer
	turn     int    // of the process that is killed next
}

func newCluster(o Options, folder, service string) (*cluster, error) {
	ports, err := freePorts(o.Cluster.Processes + 1)
	if err != nil {
		return nil, err
	}
	c := &cluster{c: o.Cluster, folder: folder, url: "http://" + ports[0]}
	for n, addr := range ports[1:] {
		own := filepath.Join(folder, fmt.Sprint("process", n))
		if err := os.MkdirAll(own, 0o700); err != nil {
			return nil, fmt.Errorf("torture: %w", err)
		}
		p := newProcessAt(o, own, service, addr)
		p.command = append(p.command, "--keys", filepath.Join(folder, "keys"), "--drain", "500ms")
		p.env = []string{"GUICHE_DATABASE=" + o.Cluster.Database, "GUICHE_BLOBS=" + o.Cluster.Blobs, "GUICHE_BLOBS_KEY=" + o.Cluster.BlobsKey,
			"GUICHE_BLOBS_SECRET=" + o.Cluster.BlobsWord}
		c.members = append(c.members, p)
	}
	return c, c.configure(ports)
}

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

// balancing is the balancer's configuration: as the README shows it, with shorter pauses.
const balancing = `defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    option redispatch
    retries 3
frontend desk
    bind %s
    default_backend processes
backend processes
    balance roundrobin
    option httpchk GET /readyz
    http-check expect status 200
    default-server inter 200ms fall 1 rise 1
`

func (c *cluster) configure(ports []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, balancing, ports[0])
	for n, addr := range ports[1:] {
		fmt.Fprintf(&b, "    server process%d %s check\n", n, addr)
	}
	if err := os.WriteFile(c.configuration(), []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	return nil
}

func (c *cluster) configuration() string { return filepath.Join(c.folder, "haproxy.cfg") }

// start starts all processes, one after the other: the first one makes schema and keys.
func (c *cluster) start(ctx context.Context) error {
	for _, p := range c.members {
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
	return c.answers(ctx)
}

// answers waits until the balancer hands requests on.
func (c *cluster) answers(ctx context.Context) error {
	for ctx.Err() == nil {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/readyz", nil)
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

// hangTime is longer than a process that is silent keeps its right to send.
const hangTime = 24 * time.Second

// disturb is one round of faults: a process hangs, as its machine may, and meanwhile the database
// is killed and comes back, and the bucket fails for a while.
func (c *cluster) disturb(ctx context.Context) error {
	p := c.members[len(c.members)-1]
	p.mu.Lock()
	running := p.cmd.Process
	p.mu.Unlock()
	if err := suspend(running); err != nil {
		return fmt.Errorf("torture: %w", err)
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
	return resume(running)
}

// next is the process whose turn it is: all but the last one, which hangs.
func (c *cluster) next() *process {
	c.turn++
	return c.members[c.turn%max(1, len(c.members)-1)]
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
	for _, p := range c.members {
		err = errors.Join(err, p.stop())
	}
	return err
}

// address implements program: whoever is up answers there.
func (c *cluster) address(context.Context) (string, error) { return c.url, nil }

// firstLogin implements program: each start invites anew.
func (c *cluster) firstLogin() string { return c.members[len(c.members)-1].firstLogin() }

func (c *cluster) dataFolder() string { return c.members[0].data }

func (c *cluster) onEnd(told func(error)) {
	for _, p := range c.members {
		p.onEnd(told)
	}
}
