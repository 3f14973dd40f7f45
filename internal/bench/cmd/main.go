// Command cmd measures the program from outside: see package bench.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"guiche/internal/bench/data"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	o := data.Options{Log: os.Stderr, Sizes: []int{1_000, 1_000_000}}
	flag.StringVar(&o.Folder, "data", ".bench", "folder of the data on which speed is measured")
	flag.Uint64Var(&o.Seed, "seed", 12, "of the cases")
	many := flag.Int("cases", o.Sizes[1], "in the large data folder")
	flag.Parse()
	o.Sizes[1] = *many
	return data.Make(ctx, o)
}
