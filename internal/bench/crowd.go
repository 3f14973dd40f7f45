package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"guiche/internal/blob/s3test"
)

// crowd are processes of one demonstration that share a database and a bucket.
type crowd struct {
	Options
	folder, database string
	env              []string
	stopBlobs        func()
	members          []*partner
}

// newCrowd makes what they share.
func newCrowd(ctx context.Context, o Options, server Server, folder string) (*crowd, error) {
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	place, stop, err := s3test.Gateway(ctx, filepath.Join(folder, "blobs"))
	if err != nil {
		return nil, err
	}
	c := &crowd{Options: o, folder: folder, database: server.URL("crowd"), stopBlobs: stop, env: []string{
		"GUICHE_BLOBS=" + place, "GUICHE_BLOBS_KEY=" + s3test.Key, "GUICHE_BLOBS_SECRET=" + s3test.Secret}}
	if err := server.Empty(ctx, "crowd"); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	return c, nil
}

// one starts one process more.
func (c *crowd) one(ctx context.Context) error {
	n := len(c.members)
	own := filepath.Join(c.folder, fmt.Sprint("process", n))
	p := &partner{Options: c.Options}
	p.made.Store(int64(n) * 1e9) // no two ask for the same
	c.members = append(c.members, p)
	var err error
	p.program, err = start(ctx, c.env, c.Binary, "demo", "--addr", "127.0.0.1:0", "--data", own, "--min-free-mb", "1",
		"--keys", filepath.Join(c.folder, "keys"), "--database", c.database)
	if err != nil {
		c.members = c.members[:n]
		return err
	}
	if n > 0 {
		p.key = c.members[0].key
	} else if p.key, err = accessOf(ctx, own); err != nil {
		return err
	}
	p.program.quiet(c.settling())
	_, err = oneByOne(p.program.address, [][]byte{p.next(), p.next()})
	return err
}

// rate is how many authorizations there are in a second with so many callers, of whom each has its
// process, and how long each takes one of them.
func (c *crowd) rate(callers int) (rate float64, took times, err error) {
	var rates []float64
	for range c.rounds() {
		sums, errs := make([]float64, len(c.members)), make([]error, len(c.members))
		var all sync.WaitGroup
		for i, p := range c.members {
			own := (callers + i) / len(c.members)
			all.Go(func() { sums[i], errs[i] = loop(p.program.address, p.next, own, 2*c.turn()) })
		}
		all.Wait()
		if err := errors.Join(errs...); err != nil {
			return 0, nil, err
		}
		sum := 0.0
		for _, one := range sums {
			sum += one
		}
		rates = append(rates, sum)
	}
	one := c.members[0]
	took, err = oneByOne(one.program.address, one.some(c.asked()))
	return median(rates), took, err
}

// peaks are the most MiB that each process has held.
func (c *crowd) peaks() (all []float64) {
	for _, p := range c.members {
		all = append(all, p.program.peak())
	}
	return all
}

func (c *crowd) stop() (err error) {
	for _, p := range c.members {
		err = errors.Join(err, p.program.stop())
	}
	c.members = nil
	if c.stopBlobs != nil {
		c.stopBlobs()
		c.stopBlobs = nil
	}
	return errors.Join(err, os.RemoveAll(c.folder))
}
