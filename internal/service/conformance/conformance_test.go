package conformance_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/service/conformance"
)

var configFile = flag.String("config", "", "file that says which service is judged; without it the demo's")

// judged is what all tests of this package share.
var judged struct {
	config  conformance.Config
	suite   *conformance.Suite
	results []conformance.Result
}

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := judge(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func judge(m *testing.M) (code int, err error) {
	whole := !filtered("test.run", "test.skip", "test.list")
	stop, err := open()
	defer stop()
	if err != nil {
		return 1, err
	}
	code = m.Run()
	if err := everySentence(); whole && err != nil {
		return 1, err
	}
	if testing.Verbose() {
		err = conformance.Report(os.Stdout, judged.results)
	}
	return code, err
}

// open makes the service ready that is judged: the one that the configuration names,
// by the sentences alone, or else the demo's.
func open() (stop func(), err error) {
	stop = func() {}
	if *configFile == "" {
		judged.config, stop, err = startDemo()
	} else {
		judged.config, err = sentencesOnly(*configFile)
	}
	if err != nil {
		return stop, err
	}
	judged.suite = conformance.New(judged.config, nil)
	return stop, judged.suite.Ready(context.Background())
}

// sentencesOnly reads a configuration, and leaves out the tests of the suite itself.
func sentencesOnly(path string) (conformance.Config, error) {
	if !filtered("test.run") {
		if err := flag.Set("test.run", "^Test(Section|Row)"); err != nil {
			return conformance.Config{}, err
		}
	}
	return conformance.Load(path)
}

// filtered says that only some of the tests were asked for.
func filtered(flags ...string) bool {
	return slices.ContainsFunc(flags, func(name string) bool { return flag.Lookup(name).Value.String() != "" })
}

// everySentence says so when a chapter has no test.
func everySentence() error {
	want := 0
	for _, chapter := range judged.suite.Chapters() {
		want += len(chapter.Checks)
	}
	if got := len(judged.results); got < want {
		return fmt.Errorf("%d of %d sentences were tried: each chapter needs its test", got, want)
	}
	return nil
}

// startDemo runs the demo in a folder of its own until stop.
func startDemo() (c conformance.Config, stop func(), err error) {
	folder, err := os.MkdirTemp("", "guiche-conformance-")
	if err != nil {
		return c, func() {}, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	a, err := app.New(ctx, app.Config{Addr: "127.0.0.1:0", DataDir: folder, Demo: true, Simulated: true, Version: "test",
		Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		cancel()
		return c, func() {}, err
	}
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	stop = func() {
		cancel()
		<-done
		a.Close()
		_ = os.RemoveAll(folder)
	}
	c, err = demoConfig(a, filepath.Join(folder, "demo.json"))
	return c, stop, err
}

// demoConfig takes from demo.json how to get in. The cards are those of the
// simulated operators' rules.
func demoConfig(a *app.App, path string) (conformance.Config, error) {
	res, err := http.Get(a.URL() + "/entrar") // answers once the file stands
	if err != nil {
		return conformance.Config{}, err
	}
	res.Body.Close()
	content, err := os.ReadFile(path)
	if err != nil {
		return conformance.Config{}, err
	}
	var demo struct {
		URL    string            `json:"url"`
		APIKey string            `json:"api_key"`
		OAuth  conformance.OAuth `json:"oauth"`
		User   struct {
			User     string `json:"user"`
			Password string `json:"password"`
		} `json:"service_user"`
	}
	if err := json.Unmarshal(content, &demo); err != nil {
		return conformance.Config{}, fmt.Errorf("demo.json: %w", err)
	}
	return conformance.Config{
		BaseURL: demo.URL, Guiche: true, APIKey: demo.APIKey, OAuth: &demo.OAuth,
		Login: &conformance.Login{User: demo.User.User, Password: demo.User.Password},
	}, nil
}

// hold makes the checks of the chapter that the test is named after, a subtest
// each. Where another service differs from our decisions, the test says so and passes.
func hold(t *testing.T) {
	t.Helper()
	name := strings.TrimPrefix(t.Name(), "Test")
	for _, chapter := range judged.suite.Chapters() {
		if chapter.Name != name {
			continue
		}
		for _, check := range chapter.Checks {
			t.Run(check.Name, func(t *testing.T) { tell(t, judged.suite.Run(t.Context(), chapter, check)) })
		}
	}
}

// tell notes a result for the report and says it as a test does.
func tell(t *testing.T, r conformance.Result) {
	t.Helper()
	judged.results = append(judged.results, r)
	for _, finding := range r.Findings {
		t.Logf("%s %s", conformance.OpenMark, finding)
	}
	for _, p := range r.Problems {
		if r.Verdict == conformance.Differs {
			t.Logf("%s %s\n\tdecision: %s", r.Verdict, p, r.Sentence)
		} else {
			t.Errorf("%s\n\tsentence: %s", p, r.Sentence)
		}
	}
}
