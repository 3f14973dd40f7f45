// Command cmd tortures the binary: see package torture.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"time"

	"guiche/internal/torture"
)

// errBroken is a promise that did not hold; what it was is printed already.
var errBroken = errors.New("a promise was broken")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

// rowNames lists the names of the rows.
func rowNames() string {
	var names []string
	for _, r := range torture.Rows() {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}

// add has a row happen.
func add(name string, o *torture.Options) error {
	for _, r := range torture.Rows() {
		if r.Name == name {
			r.Do(o)
			return nil
		}
	}
	if name != "" {
		return fmt.Errorf("there is no row %q among %s", name, rowNames())
	}
	return nil
}

func run(ctx context.Context) error {
	o := torture.Options{Log: os.Stdout}
	kinds := flag.String("kinds", "keys,silent", "kinds of services, with commas: keys, silent, lookup, both")
	flag.StringVar(&o.Binary, "binary", "bin/guiche", "the program")
	flag.StringVar(&o.Folder, "folder", "", "empty folder for data and records, which stay; a temporary one without it")
	flag.Uint64Var(&o.Seed, "seed", rand.Uint64N(1_000_000), "of faults and kills") //nolint:gosec // no secret
	flag.IntVar(&o.Submissions, "submissions", 2000, "forms")
	flag.IntVar(&o.Kills, "kills", 20, "by signal 9")
	flag.IntVar(&o.Clerks, "clerks", 70, "who send at the same time, at each installation")
	flag.Float64Var(&o.Faults, "faults", 0.33, "share of the service's requests that meet a fault")
	flag.IntVar(&o.DiskMB, "disk-mb", 0, "size of a disk of the data folder's own that is full half of the time (as root); 0: none")
	flag.DurationVar(&o.Quiet, "quiet", 90*time.Second, "time in which everything must have ended after the last form")
	row := flag.String("row", "", "what else happens to the installation: "+rowNames())
	flag.Parse()
	var err error
	if o.Kinds, err = torture.ParseKinds(*kinds); err != nil {
		return err
	}
	if err := add(*row, &o); err != nil {
		return err
	}
	if o.Folder == "" {
		if o.Folder, err = os.MkdirTemp("", "guiche-torture-"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(o.Folder) }() // the system clears it away otherwise
	}
	result, err := torture.Run(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.Log, "false %d, unknown where the service ends doubts %d, %s\n", len(result.False), len(result.Undecided),
		result.Took.Round(time.Second))
	fmt.Fprintln(o.Log, result.Line())
	if result.Wrong() {
		return errBroken
	}
	return nil
}
