// Command cmd measures the program from outside: see package bench. Without -what it makes
// the data on which that is done.
package main

import (
	"context"
	"errors"
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
	what := flag.String("what", "data", "data, history, submit, clerks, profile or postgres")
	bare := flag.String("bare", "", "answer whatever is asked with this file's bytes, and nothing else")
	flag.StringVar(&o.Binary, "binary", "bin/guiche", "the program")
	flag.StringVar(&made.Folder, "data", ".bench", "folder of the data on which speed is measured")
	flag.Uint64Var(&made.Seed, "seed", 12, "of the cases")
	flag.IntVar(&made.Sizes[1], "cases", made.Sizes[1], "in the large data folder")
	flag.Parse()
	if *bare != "" {
		return bench.Bare(ctx, *bare, os.Stdout)
	}
	if *what == "postgres" && made.Sizes[1] > onServer {
		made.Sizes[1] = onServer
	}
	if *what == "data" {
		debug.SetGCPercent(400) // memory for speed
		return data.Make(ctx, made)
	}
	return measure(ctx, *what, o, made)
}

// onServer is the most cases that are put into PostgreSQL: filling it takes ten times as long.
const onServer = 100_000

// measureServer measures on PostgreSQL what was filled before, or says that there is none.
func measureServer(ctx context.Context, o bench.Options, made data.Options, table *bench.Table) (err error) {
	debug.SetGCPercent(400) // memory for speed
	if err := data.Make(ctx, made); err != nil {
		return err
	}
	server, err := made.Serve(ctx)
	if err != nil {
		return err
	}
	if server == nil {
		table.NotRun("pages on PostgreSQL: pg_ctl and initdb are not found (Debian: apt-get install postgresql)")
		return nil
	}
	defer func() { err = errors.Join(err, server.End()) }()
	debug.SetGCPercent(100)
	return bench.OnServer(ctx, o, server, table)
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
	case "clerks":
		err = bench.Clerks(ctx, o, table)
	case "profile":
		err = bench.Profile(ctx, o, table)
	case "postgres":
		err = measureServer(ctx, o, made, table)
	default:
		err = fmt.Errorf("%q is nothing that is measured", what)
	}
	table.Print(os.Stdout)
	_, _ = fmt.Fprintf(os.Stdout, "in %s\n", time.Since(start).Round(time.Second))
	return err
}
