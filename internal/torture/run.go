package torture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// Result is what came of a run.
type Result struct {
	Findings
	Seed          uint64
	Kills, Terms  int
	Faults        int // per cent of the service's requests
	FaultKinds    int
	Undecided     []string // cases that are unknown although their service ends doubts
	Troubles      map[string]int
	Took          time.Duration
	LastSubmitted int
}

// Line is the last line of a run.
func (r Result) Line() string {
	return fmt.Sprintf("submissions %d kills %d faults %d%% lost %d duplicated %d unflagged %d stuck %d seed %d", r.Forms, r.Kills, r.Faults,
		len(r.Lost), len(r.Duplicated), len(r.Unflagged), len(r.Stuck), r.Seed)
}

// Wrong reports whether a promise was broken.
func (r Result) Wrong() bool { return r.Findings.Wrong() || len(r.Undecided) > 0 }

// Run tortures an installation of each kind, all at the same time, and checks the records.
func Run(ctx context.Context, o Options) (Result, error) {
	started := time.Now()
	results, errs := make([]Result, len(o.Kinds)), make([]error, len(o.Kinds))
	var all sync.WaitGroup
	for n, kind := range o.Kinds {
		own := o
		own.Submissions, own.Kills = part(o.Submissions, len(o.Kinds), n), part(o.Kills, len(o.Kinds), n)
		all.Go(func() { results[n], errs[n] = runOne(ctx, own, kind) })
	}
	all.Wait()
	total := Result{Seed: o.Seed, Troubles: map[string]int{}, Took: time.Since(started)}
	for n, r := range results {
		total.add(r, len(results))
		r.tell(o.Log, o.Kinds[n])
	}
	return total, errors.Join(errs...)
}

// runOne tortures one installation.
func runOne(ctx context.Context, o Options, kind Kind) (Result, error) {
	w, err := newWorld(ctx, o, kind)
	if err != nil {
		return Result{}, err
	}
	err = errors.Join(w.run(ctx), w.close())
	if err == nil && o.After != nil {
		err = o.After(ctx, o, w.folder)
	}
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", kind, err)
	}
	records, err := ReadRecords(w.folder)
	if err != nil {
		return Result{}, err
	}
	struck := w.service.struckBy()
	r := Result{Findings: records.Check(), Seed: o.Seed, Kills: w.kills, Terms: w.terms, FaultKinds: len(struck), Troubles: w.troubles,
		Took: time.Since(w.began)}
	r.Followed = int(w.followed.Load())
	if all := w.service.requests.Load() + w.service.unseen.Load(); all > 0 {
		r.Faults = int(100 * w.service.struck.Load() / all)
	}
	if kind.endsDoubts() && !o.Doubts && r.Unknown > 0 {
		r.Undecided = append(r.Undecided, fmt.Sprintf("%s: %d unknown at the end", kind, r.Unknown))
	}
	return r, nil
}

// add sums up the parts of a run.
func (r *Result) add(one Result, parts int) {
	r.Forms, r.Confirmed, r.Acted = r.Forms+one.Forms, r.Confirmed+one.Confirmed, r.Acted+one.Acted
	r.Screens, r.Unknown, r.Copied = r.Screens+one.Screens, r.Unknown+one.Unknown, r.Copied+one.Copied
	r.Asked, r.Followed = r.Asked+one.Asked, r.Followed+one.Followed
	r.Kills, r.Terms = r.Kills+one.Kills, r.Terms+one.Terms
	r.Faults, r.FaultKinds = r.Faults+one.Faults/parts, max(r.FaultKinds, one.FaultKinds)
	r.Lost, r.Duplicated = append(r.Lost, one.Lost...), append(r.Duplicated, one.Duplicated...)
	r.Unflagged, r.Stuck = append(r.Unflagged, one.Unflagged...), append(r.Stuck, one.Stuck...)
	r.False, r.Undecided = append(r.False, one.False...), append(r.Undecided, one.Undecided...)
	for what, n := range one.Troubles {
		r.Troubles[what] += n
	}
}

// tell prints the figures of one installation, and each thing that must not be.
func (r Result) tell(out io.Writer, kind Kind) {
	fmt.Fprintf(out, "%-6s %d forms, %d confirmed, %d acted on, %d screens, %d kills, %d SIGTERM, %d%% faults of %d kinds, %d unknown, %s\n",
		kind, r.Forms, r.Confirmed, r.Acted, r.Screens, r.Kills, r.Terms, r.Faults, r.FaultKinds, r.Unknown, r.Took.Round(100*time.Millisecond))
	if r.Asked > 0 {
		fmt.Fprintf(out, "  %d requests of partners\n", r.Asked)
	}
	if r.Followed > 0 {
		fmt.Fprintf(out, "  %d pages were told by another process than the one that was pressed\n", r.Followed)
	}
	if r.Copied > 0 {
		fmt.Fprintf(out, "  %d doubts of the copy are left for people to end\n", r.Copied)
	}
	for _, what := range slices.Sorted(maps.Keys(r.Troubles)) {
		fmt.Fprintf(out, "  answered %d times with %s\n", r.Troubles[what], what)
	}
	for _, list := range []struct {
		name string
		all  []string
	}{{"LOST", r.Lost}, {"DUPLICATED", r.Duplicated}, {"UNFLAGGED", r.Unflagged}, {"STUCK", r.Stuck},
		{"FALSE", r.False}, {"UNKNOWN", r.Undecided}} {
		for _, sentence := range list.all[:min(len(list.all), 20)] {
			fmt.Fprintln(out, " ", list.name, sentence)
		}
	}
}
