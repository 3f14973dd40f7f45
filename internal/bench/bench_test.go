package bench_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"guiche/internal/bench"
	"guiche/internal/bench/data"
)

// TestMain answers like a bare server when it is started as one: what measures starts
// itself for that.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "-bare" {
		if err := bench.Bare(context.Background(), os.Args[2], os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// mustOptions builds the program, as one whose profile can be taken, and makes data of two small sizes.
func mustOptions(t *testing.T) bench.Options {
	t.Helper()
	made := data.Options{Folder: t.TempDir(), Sizes: []int{120, 400}, Seed: 3, Log: t.Output()}
	if err := data.Make(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	few, err := made.Name(made.Sizes[0])
	many, manyErr := made.Name(made.Sizes[1])
	if err := errors.Join(err, manyErr); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "guiche")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "profile", "-o", binary, "guiche/cmd/guiche")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return bench.Options{Binary: binary, Few: few, Many: many, Rested: data.Rested, Brief: true, Log: t.Output()}
}

// TestHistory_Submit: each figure that is promised is printed, as one line of its own.
func TestHistory_Submit(t *testing.T) {
	o := mustOptions(t)
	var out bytes.Buffer
	table := &bench.Table{Log: &out}
	for name, measure := range map[string]func(context.Context, bench.Options, *bench.Table) error{
		"history": bench.History, "submit": bench.Submit, "clerks": bench.Clerks, "profile": bench.Profile,
	} {
		if err := measure(t.Context(), o, table); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out.String())
		}
	}
	for _, line := range []string{
		`first page growth 1k to 1M: [\d.]+x`, `deep page growth 1k to 1M: [\d.]+x`, `queue growth 1k to 1M: [\d.]+x`,
		`two-word search p99 at 1M: [\d.]+ ms`, `history page over bare answer: [\d.]+`, `queue page over bare answer: [\d.]+`,
		`case page over bare answer: [\d.]+`, `history page over bare answer, both compressed: [\d.]+`,
		`(history page over PocketBase's list: [\d.]+x|not run: PocketBase's list .*)`,
		`first visit of the heaviest page, compressed: [\d.]+ kB`, `submit overhead: -?[\d.]+ fdatasync`,
		`authorizations a second with 8 callers: [\d.]+`, `500 clerks, a service of 300 ms: p99 over direct: [\d.]+x`,
		`GET /historico, its own time:`, `GET /casos/{uid}, our functions with the libraries they use:`, `POST enviar, its own time:`,
	} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(out.String()) {
			t.Errorf("no line like %q", line)
		}
	}
	if t.Failed() {
		t.Log(out.String())
	}
}
