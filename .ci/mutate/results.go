package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
)

// results is what -json writes.
type results struct {
	Seed     uint64   `json:"seed"`
	N        int      `json:"n"`
	Packages []result `json:"packages"`
}

// result is what became of the mutants of one package.
type result struct {
	Package  string   `json:"package"`
	Seed     uint64   `json:"seed"`
	Mutants  int      `json:"mutants"`
	Killed   int      `json:"killed"`
	TimedOut int      `json:"timed_out"` // part of Killed
	Score    int      `json:"score"`     // percent, rounded down
	NoTests  bool     `json:"no_tests,omitempty"`
	All      []mutant `json:"all"`
}

// readResults reads what an earlier run saved.
func readResults(path string) (results, error) {
	var r results
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("read %s: %w", path, err)
	}
	return r, nil
}

// save writes the results where -again finds them.
func (r results) save(path string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}

// folders are the packages that still have survivors.
func (r results) folders() []string {
	var folders []string
	for _, p := range r.Packages {
		if p.Killed < p.Mutants {
			folders = append(folders, "./"+p.Package)
		}
	}
	return folders
}

// survivorsOf returns the ids of the mutants that survived in a package.
func (r results) survivorsOf(folder string) []string {
	var ids []string
	for _, p := range r.Packages {
		if p.Package == folder {
			for _, m := range p.survivors() {
				ids = append(ids, m.ID)
			}
		}
	}
	return ids
}

// survivors are the mutants that no test noticed: each is a missing test, or a change
// that nobody can notice.
func (r result) survivors() []mutant {
	return slices.DeleteFunc(slices.Clone(r.All), func(m mutant) bool { return m.Outcome != "survived" })
}

// write prints a line for the package and one for each survivor.
func (r result) write(w io.Writer) {
	row := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(row, "%-34s\t%3d mutants\t%3d killed\t%d by time-out\t%3d %%\tseed %d\n",
		r.Package, r.Mutants, r.Killed, r.TimedOut, r.Score, r.Seed)
	row.Flush()
	if r.NoTests {
		fmt.Fprintln(w, "  it has no tests of its own")
	}
	for _, m := range r.survivors() {
		fmt.Fprintln(w, m.report())
	}
}

// report is the line of a survivor.
func (m mutant) report() string {
	note := ""
	if m.NotRun {
		note = " (no test runs it)"
	}
	return fmt.Sprintf("  %s  %s  in: %s%s", m.ID, m.Change, m.Code, note)
}

// runPackage tries a sample of a package, or, of that sample, only those given.
func runPackage(ctx context.Context, o options, p *pkg, only []string, progress io.Writer) (result, error) {
	b, err := prepare(ctx, o, p)
	if err != nil {
		return result{}, err
	}
	defer b.close()
	f := &field{bench: b, next: p.draw(o.seed).next, want: o.n, progress: io.Discard}
	if len(only) > 0 {
		f.next = p.these(only)
	}
	if o.verbose {
		f.progress = progress
	}
	if err := f.work(ctx, o.jobs); err != nil {
		return result{}, err
	}
	r := result{Package: p.folder, Seed: o.seed, NoTests: !p.hasTests, All: f.done}
	slices.SortFunc(r.All, func(a, b mutant) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.ID, b.ID)
	})
	r.count()
	return r, nil
}

// count makes the sums. A mutant that hangs the tests counts as killed, and is named
// apart.
func (r *result) count() {
	r.Mutants = len(r.All)
	for _, m := range r.All {
		if m.Outcome != "survived" {
			r.Killed++
		}
		if m.Outcome == "time-out" {
			r.TimedOut++
		}
	}
	r.Score = 100
	if r.Mutants > 0 {
		r.Score = 100 * r.Killed / r.Mutants
	}
}

// these gives the mutants of some ids, but for those that the code has no place for
// any more.
func (p *pkg) these(ids []string) func() (mutant, bool) {
	return func() (mutant, bool) {
		for len(ids) > 0 {
			m, ok := p.find(ids[0])
			ids = ids[1:]
			if ok && p.compiles(m) {
				return m, true
			}
		}
		return mutant{}, false
	}
}

// field hands mutants to several workers.
type field struct {
	*bench
	next     func() (mutant, bool)
	want     int
	progress io.Writer

	mu    sync.Mutex
	taken int
	done  []mutant
	err   error
}

// work tries mutants on several processors until enough have been tried.
func (f *field) work(ctx context.Context, jobs int) error {
	var all sync.WaitGroup
	for range max(1, jobs) {
		all.Go(func() {
			for ctx.Err() == nil {
				m, ok := f.take()
				if !ok {
					return
				}
				m, _, err := f.try(ctx, m)
				f.put(m, err)
			}
		})
	}
	all.Wait()
	return f.err
}

// take hands out the next mutant, until as many as were wanted are on their way.
func (f *field) take() (mutant, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.taken == f.want || f.err != nil {
		return mutant{}, false
	}
	m, ok := f.next()
	if ok {
		f.taken++
	}
	return m, ok
}

// put takes a tried mutant back. One that does not compile is replaced by another.
func (f *field) put(m mutant, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.err = err
		return
	}
	if m.Outcome == "" {
		f.taken-- // the compiler refuses it: another one in its place
		return
	}
	f.done = append(f.done, m)
	fmt.Fprintf(f.progress, "%-9s %s  %s  %s\n", m.Outcome, m.ID, m.Change, m.By)
}

// runOne tries the mutant that -run names and prints all there is to know of it.
func runOne(ctx context.Context, o options, packages []*pkg, w io.Writer) error {
	for _, p := range packages {
		m, ok := p.find(o.id)
		if !ok {
			continue
		}
		b, err := prepare(ctx, o, p)
		if err != nil {
			return err
		}
		defer b.close()
		m, out, err := b.try(ctx, m)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n  %s\n\n%s\n%s %s\n", m.ID, m.Change, out, m.Outcome, m.By)
		return nil
	}
	return fmt.Errorf("no mutant %s: has the file changed since?", o.id)
}

// find returns the mutant of an id.
func (p *pkg) find(id string) (mutant, bool) {
	for _, s := range p.sites() {
		for way := range s.ways {
			if m := s.mutant(way); m.ID == id {
				return m, true
			}
		}
	}
	return mutant{}, false
}
