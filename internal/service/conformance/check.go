package conformance

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Chapter is a section of the specification ("Section4_1") or a row of our
// decisions ("Row09_Statuses") with its checks.
type Chapter struct {
	Name   string
	Checks []Check
}

// Decision says that a chapter is a row of ours, which binds Guichê's own service
// alone. Where another service differs from it, that is reported.
func (c Chapter) Decision() bool { return strings.HasPrefix(c.Name, "Row") }

// Check is one sentence and the test of it.
type Check struct {
	Name     string
	Sentence string
	run      func(*Case)
	reports  bool
}

// Reports says that the check only tells what a service does where the
// specification is silent: it cannot fail.
func (c Check) Reports() bool { return c.reports }

// sentence makes a check of one sentence of a row; text is quoted in the report, so it
// is written as interface.md has it.
func sentence(name, text string, run func(*Case)) Check {
	return Check{Name: name, Sentence: text, run: run}
}

// silence is a check that reports.
func silence(name, text string, run func(*Case)) Check {
	return Check{Name: name, Sentence: text, run: run, reports: true}
}

// Verdict is what a check found.
type Verdict string

// The verdicts.
const (
	Kept    Verdict = "kept"
	Broken  Verdict = "BROKEN"
	Differs Verdict = "differs" // from a decision of ours, which does not bind the service
	Open    Verdict = "open"
)

// Result is a check's verdict with its reasons.
type Result struct {
	Chapter, Check, Sentence string
	Verdict                  Verdict
	Problems                 []string // why it is broken, or how it differs
	Findings                 []string // what the service does where nothing is shown
}

// Suite judges one service. It is not safe for concurrent use: checks share answers, so
// that a service is not asked for more authorizations than needed.
type Suite struct {
	config Config
	client *http.Client
	clock  func() time.Time
	cache  cache
}

// answerTime bounds one answer of the service.
const answerTime = 90 * time.Second

// New returns a suite for a service. A nil client takes one without proxy, cookies
// and redirects.
func New(c Config, client *http.Client) *Suite {
	if client == nil {
		client = &http.Client{
			Transport:     &http.Transport{MaxIdleConnsPerHost: 32},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return &Suite{config: c.withDefaults(), client: client, clock: time.Now,
		cache: cache{answers: map[string]answer{}, bodies: map[string]object{}}}
}

// Chapters lists what a service is compared with: the specification, then our
// decisions.
func (s *Suite) Chapters() []Chapter { return append(Specification(), Decisions()...) }

// Run makes one check.
func (s *Suite) Run(ctx context.Context, chapter Chapter, check Check) Result {
	c := &Case{Suite: s, ctx: ctx}
	c.attempt(check.run)
	r := Result{Chapter: chapter.Name, Check: check.Name, Sentence: check.Sentence, Verdict: Kept, Problems: c.problems, Findings: c.findings}
	switch {
	case len(c.problems) > 0 && chapter.Decision() && !s.config.Guiche:
		r.Verdict = Differs
	case len(c.problems) > 0:
		r.Verdict = Broken
	case c.silent:
		r.Verdict = Open
	}
	return r
}

// Case is a check being made.
type Case struct {
	*Suite
	ctx      context.Context
	problems []string
	findings []string
	silent   bool // something could not be judged
}

// stop ends a case from within.
type stop struct{}

// attempt runs the check up to its end or its first fatalf. Any other panic is a mistake
// in the check itself and goes on.
func (c *Case) attempt(run func(*Case)) {
	defer func() {
		if cause := recover(); cause != nil {
			if _, ok := cause.(stop); !ok {
				panic(cause)
			}
		}
	}()
	run(c)
}

// errorf notes a deviation and goes on: one run names all that differs.
func (c *Case) errorf(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// fatalf notes a deviation without which the rest of the check means nothing.
func (c *Case) fatalf(format string, args ...any) {
	c.errorf(format, args...)
	panic(stop{})
}

// open reports what a service does where the specification shows nothing.
func (c *Case) open(format string, args ...any) {
	c.silent = true
	c.note(format, args...)
}

// note reports without leaving the sentence open.
func (c *Case) note(format string, args ...any) {
	c.findings = append(c.findings, fmt.Sprintf(format, args...))
}

// untried ends a case that lacks the means.
func (c *Case) untried(format string, args ...any) {
	c.open(notTried+format, args...)
	panic(stop{})
}

// notTried begins what is said of a case that lacks the means.
const notTried = "not tried: "

// ours ends a case that only Guichê's own service is asked to pass.
func (c *Case) ours(why string) {
	if !c.config.Guiche {
		c.untried("%s", why)
	}
}
