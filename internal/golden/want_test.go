package golden_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// record writes what the program answers in place of comparing it: only the release
// that the folder comes from may do that.
var record = flag.Bool("record", false, "write testdata/want from what this program answers")

// question is who asks for what; a form makes it a POST.
type question struct{ who, path, form string }

func (q question) String() string {
	return strings.TrimSpace(strings.Join([]string{q.who, q.path, q.form}, "\t"))
}

// section is a question with what the answer said.
type section struct {
	question
	facts    []fact
	anyOrder map[string]bool // labels whose values may come in another order than then
}

// MustReadWant reads a file of testdata/want: "## " begins a question, each line
// after it is a label and a value, and "# " begins a remark.
func MustReadWant(t *testing.T, name ...string) (all []section) {
	t.Helper()
	for line := range strings.Lines(string(MustRead(t, name...))) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "# ") {
			continue
		}
		if text, ok := strings.CutPrefix(line, "## "); ok {
			parts := append(strings.Split(text, "\t"), "", "")
			all = append(all, section{question: question{parts[0], parts[1], parts[2]}})
			continue
		}
		label, value, _ := strings.Cut(line, "\t")
		last := &all[len(all)-1]
		last.facts = append(last.facts, fact{label, value})
	}
	return all
}

func mustWriteWant(t *testing.T, name string, all []section) {
	t.Helper()
	var b strings.Builder
	for _, s := range all {
		b.WriteString("## " + s.String() + "\n")
		for _, f := range s.facts {
			b.WriteString(f.label + "\t" + f.value + "\n")
		}
	}
	must(t, os.WriteFile(filepath.Join(MustMake(t, "testdata", "want"), name), []byte(b.String()), 0o600))
}

// answers compares what the program says with what the first release said, question
// by question; start begins the search for questions when they are recorded. alone names files of what this program
// alone means to say otherwise.
func (p *program) answers(t *testing.T, name string, start func(*testing.T) []question, alone ...string) {
	t.Helper()
	if *record {
		mustWriteWant(t, name, p.explore(t, start(t)))
		return
	}
	changed := MustReadWant(t, "changed.txt")
	for _, file := range alone {
		changed = append(changed, MustReadWant(t, file)...)
	}
	for _, want := range MustReadWant(t, "want", name) {
		compare(t, want.but(changed), factsOf(t, p.put(t, want.question)))
	}
}

// but is the section with what a later release means to say otherwise: each label of the
// same question takes the values given there, none for an empty one, for * its own in any
// order, for "- x" its own but one x, and for "x ⇒ y" its own with y in place of each x.
func (s section) but(changed []section) section {
	s.anyOrder = map[string]bool{}
	for _, c := range changed {
		if c.question != s.question {
			continue
		}
		c.facts = s.replaced(s.dropped(c.facts))
		given := byLabel(c.facts)
		for label, values := range given {
			if slices.Equal(values, []string{"*"}) {
				s.anyOrder[label] = true
				delete(given, label)
			}
		}
		s.facts = slices.DeleteFunc(s.facts, func(f fact) bool { return given[f.label] != nil })
		s.facts = append(s.facts, slices.DeleteFunc(slices.Clone(c.facts), func(f fact) bool { return f.value == "" || f.value == "*" })...)
	}
	return s
}

// replaced writes otherwise what "x ⇒ y" names, and returns the other facts.
func (s *section) replaced(facts []fact) (others []fact) {
	s.facts = slices.Clone(s.facts)
	for _, f := range facts {
		was, is, ok := strings.Cut(f.value, " ⇒ ")
		if !ok {
			others = append(others, f)
			continue
		}
		for i := range s.facts {
			if s.facts[i].label == f.label {
				s.facts[i].value = strings.ReplaceAll(s.facts[i].value, was, is)
			}
		}
	}
	return others
}

// dropped takes the facts out that "- x" names, and returns the other facts.
func (s *section) dropped(facts []fact) (others []fact) {
	for _, f := range facts {
		gone, ok := strings.CutPrefix(f.value, "- ")
		if !ok {
			others = append(others, f)
			continue
		}
		if i := slices.Index(s.facts, fact{f.label, gone}); i >= 0 {
			s.facts = slices.Delete(slices.Clone(s.facts), i, i+1)
		}
	}
	return others
}

// put asks a question.
func (p *program) put(t *testing.T, q question) answer {
	t.Helper()
	if q.form != "" {
		return p.ask(t, q.who, p.request(t, http.MethodPost, q.path, "application/x-www-form-urlencoded", q.form))
	}
	return p.ask(t, q.who, p.request(t, http.MethodGet, q.path, "", ""))
}

// compare wants the same values under each label of then; a label that is new since
// is fine.
func compare(t *testing.T, want section, got []fact) {
	t.Helper()
	now, then := byLabel(got), byLabel(want.facts)
	for label, values := range then {
		if want.anyOrder[label] {
			slices.Sort(values)
			slices.Sort(now[label])
		}
		if !slices.Equal(now[label], values) {
			t.Errorf("%s\n%s:\n got  %q\n want %q", want.question, label, now[label], values)
		}
	}
}

func byLabel(facts []fact) map[string][]string {
	all := map[string][]string{}
	for _, f := range facts {
		all[f.label] = append(all[f.label], f.value)
	}
	return all
}
