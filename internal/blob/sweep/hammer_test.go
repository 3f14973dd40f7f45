package sweep_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"guiche/internal/blob"
)

// TestSweeper_Hammer: while equal bytes are stored, named, refused and dropped by two
// processes at once, and both remove what nothing names, no name is ever without its
// bytes. In the end the folder holds what rows name and nothing else.
func TestSweeper_Hammer(t *testing.T) {
	const workers, rounds, contents = 4, 120, 2
	e := mustEnv(t)
	other := mustOpen(t, e.dir)
	var sweeping sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	for _, process := range []*env{e, other} {
		sweeping.Go(func() {
			for ctx.Err() == nil {
				process.sweep()
			}
		})
	}
	named := make([][]blob.Ref, workers)
	var working sync.WaitGroup
	for w := range workers {
		working.Go(func() {
			process, random := []*env{e, other}[w%2], rand.New(rand.NewPCG(7, uint64(w)))
			for range rounds {
				named[w] = process.step(random, named[w], fmt.Sprint("content ", random.IntN(contents)))
			}
		})
	}
	working.Wait()
	stop()
	sweeping.Wait()
	all := slices.Concat(named...)
	unnamed := func() bool {
		e.sweep()
		other.sweep()
		return len(e.allStored()) == len(distinct(all))
	}
	e.eventually("only what is named stays", unnamed)
	for _, ref := range all {
		if e.missing(ref) {
			t.Errorf("%s is named and gone", ref)
		}
	}
}

// step stores something and names it or not, or drops one of the names; each worker
// drops only names of its own, and what it has named must be readable.
func (e *env) step(random *rand.Rand, named []blob.Ref, content string) []blob.Ref {
	if len(named) > 0 {
		e.mustRead(named[0])
		if err := e.drop(named[0]); err != nil {
			e.t.Error(err)
		}
		return named[1:]
	}
	ref, hold := e.put(content)
	defer hold.End()
	if random.IntN(2) == 0 {
		return named // refused
	}
	if err := e.name(ref); err != nil {
		e.t.Error(err)
	}
	e.mustRead(ref)
	return append(named, ref)
}

func (e *env) mustRead(ref blob.Ref) {
	f, err := e.files.Open(context.Background(), ref)
	if err != nil {
		e.t.Errorf("named and gone: %v", err)
		return
	}
	defer func() { _ = f.Close() }()
	if _, err := io.Copy(io.Discard, f); err != nil {
		e.t.Errorf("named and damaged: %v", err)
	}
}

// allStored lists the blobs on disk.
func (e *env) allStored() []string {
	paths, err := filepath.Glob(filepath.Join(e.dir, "blobs", "??", "*"))
	e.must(err)
	return paths
}

func distinct(refs []blob.Ref) []blob.Ref {
	refs = slices.Clone(refs)
	slices.Sort(refs)
	return slices.Compact(refs)
}
