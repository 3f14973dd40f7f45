// Command cmd measures the program from outside: see package bench. Without -what it makes
// the data on which that is done.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"guiche/internal/bench"
	"guiche/internal/bench/data"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	made := data.Options{Log: os.Stderr, Sizes: []int{1_000, 1_000_000}}
	o := bench.Options{Log: os.Stderr, Rested: data.Rested}
	what := flag.String("what", "data", "data, history or submit")
	bare := flag.String("bare", "", "answer whatever is asked with this file's bytes, and nothing else")
	flag.StringVar(&o.Binary, "binary", "bin/guiche", "the program")
	flag.StringVar(&made.Folder, "data", ".bench", "folder of the data on which speed is measured")
	flag.Uint64Var(&made.Seed, "seed", 12, "of the cases")
	flag.IntVar(&made.Sizes[1], "cases", made.Sizes[1], "in the large data folder")
	flag.Parse()
	if *bare != "" {
		return bench.Bare(ctx, *bare, os.Stdout)
	}
	if *what == "data" {
		debug.SetGCPercent(400) // memory for speed
		return data.Make(ctx, made)
	}
	return measure(ctx, *what, o, made)
}

// measure prints each figure as it comes, and all with their aims at the end.
func measure(ctx context.Context, what string, o bench.Options, made data.Options) (err error) {
	if o.Few, err = made.Name(made.Sizes[0]); err != nil {
		return err
	}
	if o.Many, err = made.Name(made.Sizes[1]); err != nil {
		return err
	}
	start, table := time.Now(), &bench.Table{Log: os.Stdout}
	switch what {
	case "history":
		err = bench.History(ctx, o, table)
	case "submit":
		err = bench.Submit(ctx, o, table)
	default:
		err = fmt.Errorf("%q is nothing that is measured", what)
	}
	table.Print(os.Stdout)
	_, _ = fmt.Fprintf(os.Stdout, "in %s\n", time.Since(start).Round(time.Second))
	return err
}
