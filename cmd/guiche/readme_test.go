package main

import (
	"flag"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/connection"
)

// documented is a variable in the README's table. Its default is "" where there is none
// or where it is more than a word.
type documented struct{ name, initial string }

var (
	quoted  = regexp.MustCompile("`([^`]+)`")
	tableOf = regexp.MustCompile("(?m)^\\| (`GUICHE_[^|]*) \\|([^|]*)\\|")
)

// readConfiguration returns the README's table of variables. `…_FILE` is the file of
// the variable before it.
func readConfiguration(t *testing.T) []documented {
	t.Helper()
	content, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []documented
	for _, row := range tableOf.FindAllStringSubmatch(string(content), -1) {
		names, initials := quoted.FindAllStringSubmatch(row[1], -1), quoted.FindAllStringSubmatch(row[2], -1)
		names = slices.DeleteFunc(names, func(m []string) bool { return m[1] == "…_FILE" })
		for i, name := range names {
			d := documented{name: name[1]}
			if len(initials) == len(names) {
				d.initial = initials[i][1]
			}
			all = append(all, d)
		}
	}
	return all
}

// shortTime writes "24h0m0s" as people do: "24h".
func shortTime(text string) string {
	for _, rest := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, rest) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// The README's table has every variable once, with its default.
func TestReadme_Configuration(t *testing.T) {
	var c app.Config
	want := map[string]string{}
	serveSettings(environment{err: io.Discard}, &c).flags.VisitAll(func(f *flag.Flag) {
		want[variable(f.Name)] = shortTime(f.DefValue)
	})
	for _, f := range connection.Fields() {
		if f.Flag != "" {
			want[f.Variable()] = f.FlagDefault()
		}
	}
	want["GUICHE_ZONE"] = c.Zone.String()
	for _, got := range readConfiguration(t) {
		initial, ok := want[got.name]
		if !ok {
			t.Errorf("%s is no variable, or stands there twice", got.name)
			continue
		}
		if got.initial != initial {
			t.Errorf("%s: the README says %q by default, the program %q", got.name, got.initial, initial)
		}
		delete(want, got.name)
	}
	for name := range want {
		t.Errorf("%s is missing", name)
	}
}
