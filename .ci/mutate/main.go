// Command mutate tells how well the tests of a package hold its code: it draws a
// seeded sample of small mistakes (mutants), builds the package's own tests with
// each of them in turn, and counts those that a test notices.
//
// No file of the tree is changed: a mutant reaches the compiler by an overlay.
//
//	go run ./.ci/mutate                                  every default package
//	go run ./.ci/mutate -seed 7 -n 20 ./internal/desk    a sample of one package
//	go run ./.ci/mutate -list ./internal/desk            what would be drawn
//	go run ./.ci/mutate -run ID                          one mutant, with its diff and what the tests say
//	go run ./.ci/mutate -again FILE                      the survivors that -json wrote to FILE, once more
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"time"
)

// defaults are the packages whose own tests have to hold them.
var defaults = []string{
	"./internal/authorization", "./internal/client", "./internal/desk", "./internal/jsonscan",
	"./internal/service/...", "./internal/webui/...", "./internal/store/...",
}

// options are what the command line says.
type options struct {
	seed     uint64
	n        int
	jobs     int
	least    time.Duration
	minScore int
	list     bool
	verbose  bool
	short    bool
	id       string
	again    string
	json     string
	dir      string
	patterns []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// parse reads the flags; a second run with -again takes its seed and its mutants from
// the file.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the sample")
	flags.IntVar(&o.n, "n", 60, "mutants a package")
	flags.IntVar(&o.jobs, "j", runtime.NumCPU(), "mutants at a time")
	flags.DurationVar(&o.least, "timeout", 20*time.Second,
		"least time for a run of the tests; they get five times what they take without a mutant")
	flags.IntVar(&o.minScore, "min", 0, "fail where a package's score is under this percentage")
	flags.BoolVar(&o.list, "list", false, "print the sample and run nothing")
	flags.BoolVar(&o.verbose, "v", false, "print every mutant and what became of it on standard error")
	flags.BoolVar(&o.short, "short", false, "run the tests with -short")
	flags.StringVar(&o.id, "run", "", "`ID` of the one mutant to run, with its diff and the output of the tests")
	flags.StringVar(&o.again, "again", "", "run only the survivors in this `file`, which -json wrote")
	flags.StringVar(&o.json, "json", "", "write the results to this `file`")
	flags.StringVar(&o.dir, "C", ".", "`folder` of the module")
	err := flags.Parse(args)
	o.patterns = flags.Args()
	return o, err
}

// run draws the mutants, tries them and writes the report. It fails only when it cannot
// run: survivors are read by a person.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	var previous results
	if o.again != "" {
		if previous, err = readResults(o.again); err != nil {
			return err
		}
		o.seed, o.n = previous.Seed, previous.N
	}
	packages, err := load(ctx, o.dir, o.choose(previous))
	if err != nil {
		return err
	}
	switch {
	case o.id != "":
		return runOne(ctx, o, packages, stdout)
	case o.list:
		return list(o, packages, stdout)
	default:
		return o.runAll(ctx, packages, previous, stdout, stderr)
	}
}

// choose returns the patterns of the packages to load.
func (o options) choose(previous results) []string {
	if o.id != "" {
		return []string{folderOf(o.id)}
	}
	if o.again != "" && len(o.patterns) == 0 {
		return previous.folders()
	}
	if len(o.patterns) == 0 {
		return defaults
	}
	return o.patterns
}

// folderOf returns the folder of the file that a mutant's id begins with.
func folderOf(id string) string {
	file, _, _ := strings.Cut(id, ":")
	if i := strings.LastIndexByte(file, '/'); i >= 0 {
		return "./" + file[:i]
	}
	return "."
}

// list shows the mutants that would be tried, without trying them.
func list(o options, packages []*pkg, stdout io.Writer) error {
	for _, p := range packages {
		drawn := p.draw(o.seed)
		for range o.n {
			m, ok := drawn.next()
			if !ok {
				break
			}
			fmt.Fprintf(stdout, "%s\t%s\n", m.ID, m.Change)
		}
	}
	return nil
}

// runAll tries package after package and saves after each, so that an interrupted run is
// not lost.
func (o options) runAll(ctx context.Context, packages []*pkg, previous results, stdout, stderr io.Writer) error {
	all := results{Seed: o.seed, N: o.n}
	var failed []error
	for _, p := range packages {
		r, err := runPackage(ctx, o, p, previous.survivorsOf(p.folder), stderr)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", p.folder, err))
			continue
		}
		r.write(stdout)
		all.Packages = append(all.Packages, r)
		if r.Score < o.minScore {
			failed = append(failed, fmt.Errorf("%s: %d %% is under %d %%", p.folder, r.Score, o.minScore))
		}
		if o.json != "" {
			if err := all.save(o.json); err != nil {
				return err
			}
		}
	}
	return errors.Join(failed...)
}
