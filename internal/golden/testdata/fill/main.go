// Command fill makes the data folder that the tests of internal/golden restore:
// it drives a Guichê from outside, by its forms and its API, until the folder holds
// every kind of row, and writes it down as SQL, blobs and keys.
//
// The program that is driven is the release that wrote the folder first; README.md
// beside this folder says which one and how to build it.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"os"
	"path/filepath"
	"time"
)

func main() {
	log.SetFlags(0)
	binary := flag.String("program", "", "the release to drive")
	out := flag.String("out", "", "testdata folder to write to")
	keep := flag.String("data", "", "empty folder to fill and keep; a temporary one without it")
	flag.Parse()
	if *binary == "" || *out == "" {
		log.Fatal("fill: -program and -out are wanted")
	}
	folder := *keep
	if folder == "" {
		folder = must(os.MkdirTemp("", "guiche-fill-"))
		defer os.RemoveAll(folder)
	}
	w := newWorld(*binary, folder, *out)
	defer func() { _ = w.p.cmd.Process.Kill() }() // it is still there only after a failure
	w.fill()
	w.known.At = time.Now().Add(20 * time.Second).Truncate(time.Second)
	dump(folder, *out)
	writeJSON(filepath.Join(*out, "access.json"), w.known)
	writeJSON(filepath.Join(*out, "requests.json"), w.requests)
}

// world is one installation while it is filled, and what a test has to know of it.
type world struct {
	binary, folder, rules, failingRules, slowRules string

	p        *program
	admin    *person
	known    known
	requests []*call
}

// known is access.json: what nobody can read back out of the folder.
type known struct {
	At        time.Time         `json:"at"`        // a moment soon after the folder was closed
	Passwords map[string]string `json:"passwords"` // of people, by login
	Sessions  map[string]string `json:"sessions"`  // cookies of sessions that are open, by login
	Links     map[string]string `json:"links"`     // paths of one-time links that were not used, by login
	Filters   map[string]string `json:"filters"`   // pages of kept filters of the history, by login and number
	Keys      map[string]string `json:"keys"`      // API keys of partners: live ones and ended ones
	Tokens    map[string]string `json:"tokens"`    // access and refresh tokens: live, spent and revoked ones
	Users     map[string]string `json:"users"`     // passwords of the service's users, by name
	Clients   map[string]client `json:"clients"`   // OAuth clients, by name
}

// client is an OAuth client of a partner.
type client struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

func newWorld(binary, folder, out string) *world {
	rules := func(name string) string { return filepath.Join(out, "fill", name) }
	return &world{
		binary: binary, folder: folder,
		rules: filepath.Join(out, "rules.json"), failingRules: rules("failing_rules.json"), slowRules: rules("slow_rules.json"),
		known: known{
			Passwords: map[string]string{}, Sessions: map[string]string{}, Links: map[string]string{}, Filters: map[string]string{},
			Keys: map[string]string{}, Tokens: map[string]string{}, Users: map[string]string{}, Clients: map[string]client{},
		},
	}
}

// fill goes through the life of an installation: the desk with the service inside,
// the service alone, the desk with another service, and a process that is killed.
func (w *world) fill() {
	w.start("serve", "-simulated", "-operator-rules", w.rules)
	w.people()
	w.directory()
	w.partners()
	w.embeddedCases()
	w.partnerRequests()
	w.filters()
	w.p.stop()

	w.start("service", "-simulated", "-operator-rules", w.failingRules)
	w.serviceAlone()
	w.p.stop()

	other := serveOther()
	w.start("serve", "-simulated", "-operator-rules", w.rules)
	w.otherService()
	w.otherCases()
	w.p.stop()

	w.start("serve", "-simulated", "-operator-rules", w.rules, "-deadline", "6s", "-answer-timeout", "2s")
	w.lateCases(other)
	w.p.stop()

	other = serveOther()
	w.start("serve", "-simulated", "-operator-rules", w.rules)
	w.waitingCases()
	w.p.kill()
	w.start("serve", "-simulated", "-operator-rules", w.slowRules)
	w.interruptedCases()
	w.p.kill()
	check(other.Close())
}

// must ends the program on an error.
func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func writeJSON(path string, v any) {
	check(os.WriteFile(path, append(must(json.MarshalIndent(v, "", " ")), '\n'), 0o600))
}
