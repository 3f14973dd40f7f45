package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mutant is what -json says of one.
type mutant struct {
	ID, Operator, Outcome, By string
	NotRun                    bool `json:"not_run"`
}

type results struct {
	Packages []struct {
		Package                string
		Mutants, Killed, Score int
		TimedOut               int `json:"timed_out"`
		All                    []mutant
	}
}

// MustBuild builds the command.
func MustBuild(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mutate")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// MustMutate runs the command on the fixture and returns what it printed.
func MustMutate(t *testing.T, binary string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, append([]string{"-C", "testdata/fixture"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("mutate %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func TestMutate(t *testing.T) {
	binary := MustBuild(t)
	file := filepath.Join(t.TempDir(), "results.json")
	out := MustMutate(t, binary, "-n", "1000", "-timeout", "5s", "-json", file, "./...")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got results
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Packages) != 2 {
		t.Fatalf("%d packages, want 2", len(got.Packages))
	}

	t.Run("OK", func(t *testing.T) {
		want := []string{
			"fixture.go:12:11:comparison:0", // equal numbers
			"fixture.go:34:2:result:0",      // never called
			"fixture.go:34:9:text:0",
		}
		var survived []string
		for _, m := range got.Packages[0].All {
			if m.Outcome == "survived" {
				survived = append(survived, m.ID)
				if !strings.Contains(out, m.ID) {
					t.Errorf("the report lacks %s", m.ID)
				}
			}
		}
		if !slices.Equal(survived, want) {
			t.Errorf("survived: %q, want %q", survived, want)
		}
	})

	t.Run("Killed", func(t *testing.T) {
		p := got.Packages[0]
		if p.Killed != p.Mutants-3 || p.Score != 100*p.Killed/p.Mutants {
			t.Errorf("%d of %d, %d %%", p.Killed, p.Mutants, p.Score)
		}
		if p.TimedOut == 0 {
			t.Error("no mutant ran out of time")
		}
		for _, m := range p.All {
			if m.Outcome == "killed" && !strings.HasPrefix(m.By, "Test") && m.By != "the process ended" {
				t.Errorf("%s was killed by %q", m.ID, m.By)
			}
			if m.NotRun != strings.HasPrefix(m.ID, "fixture.go:34:") {
				t.Errorf("%s: not run: %v", m.ID, m.NotRun)
			}
		}
	})

	t.Run("Untouched", func(t *testing.T) {
		for _, m := range got.Packages[0].All {
			if strings.HasPrefix(m.ID, "fixture.go:11:") {
				t.Errorf("%s is part of a log message", m.ID)
			}
			if strings.HasPrefix(m.ID, "fixture.go:18:") && m.Operator == "text" {
				t.Errorf("%s is the text of an error", m.ID)
			}
		}
	})

	t.Run("NoTests", func(t *testing.T) {
		if p := got.Packages[1]; p.Package != "untested" || p.Killed != 0 || p.Mutants == 0 {
			t.Errorf("%+v", p)
		}
	})

	t.Run("Again", func(t *testing.T) {
		out := MustMutate(t, binary, "-again", file, ".")
		if !strings.Contains(out, "3 mutants") || !strings.Contains(out, "0 killed") {
			t.Error(out)
		}
	})
}

func TestMutate_Seed(t *testing.T) {
	binary := MustBuild(t)
	first := MustMutate(t, binary, "-list", "-n", "10", "-seed", "7", ".")
	if got := strings.Count(first, "\n"); got != 10 {
		t.Errorf("%d mutants, want 10", got)
	}
	if again := MustMutate(t, binary, "-list", "-n", "10", "-seed", "7", "."); again != first {
		t.Errorf("the same seed drew\n%s\nand then\n%s", first, again)
	}
	if other := MustMutate(t, binary, "-list", "-n", "10", "-seed", "8", "."); other == first {
		t.Error("two seeds drew the same sample")
	}
}

func TestMutate_Run(t *testing.T) {
	out := MustMutate(t, MustBuild(t), "-run", "fixture.go:20:11:arithmetic:0")
	for _, want := range []string{"arithmetic: / → *", "--- FAIL: TestHalf", "killed"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
