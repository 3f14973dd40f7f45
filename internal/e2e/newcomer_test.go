package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/service/conformance"
)

// TestNewcomer types what the README tells a newcomer, from the first command to
// the first authorization.
func TestNewcomer(t *testing.T) {
	t.Parallel()
	blocks := codeBlocks(t, "For integrators")
	commands := commandsOf(blocks[0])
	if n := len(commands); n > 5 {
		t.Errorf("the README needs %d commands, want at most 5", n)
	}
	if !strings.HasSuffix(commands[0], " && make run") {
		t.Errorf("the first command is %q, want the one that runs the demo", commands[0])
	}
	outputs := typed(t, commands[1:])
	answer := outputs[len(outputs)-1]
	if !strings.HasPrefix(answer, `{"sucesso":true`) || !strings.Contains(answer, `"situacaoAutorizacao":"A"`) ||
		!strings.Contains(answer, `"pdfGuiaAutorizacao":"JVBERi0`) {
		t.Errorf("the last command answers %.600s, want an authorization with its guide", answer)
	}
	seen := strings.Join(outputs[:len(outputs)-1], "\n")
	for _, id := range identifiers.FindAllString(commands[len(commands)-1], -1) {
		if !strings.Contains(seen, id) {
			t.Errorf("no command before shows %s", id)
		}
	}
}

var identifiers = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// TestNewcomer_Config holds that the suite reads the file that the README shows.
func TestNewcomer_Config(t *testing.T) {
	t.Parallel()
	blocks := codeBlocks(t, "For integrators")
	path := filepath.Join(t.TempDir(), "service.json")
	if err := os.WriteFile(path, []byte(strings.Join(blocks[len(blocks)-1], "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := conformance.Load(path); err != nil || c.BaseURL == "" || c.Card == "" {
		t.Errorf("got base_url %q, card %q, %v", c.BaseURL, c.Card, err)
	}
}

// codeBlocks returns the lines of each indented block of a section of the README.
func codeBlocks(t *testing.T, section string) (blocks [][]string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n## "+section+"\n")
	if !found {
		t.Fatalf("the README has no section %q", section)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	inside := false
	for line := range strings.Lines(rest) {
		line, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		if indented && !inside {
			blocks = append(blocks, nil)
		}
		if inside = indented; inside {
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], line)
		}
	}
	if len(blocks) == 0 {
		t.Fatalf("section %q has no commands", section)
	}
	return blocks
}

// commandsOf joins the lines of each command: those that go on are indented.
func commandsOf(lines []string) (commands []string) {
	for _, line := range lines {
		if strings.HasPrefix(line, " ") {
			commands[len(commands)-1] += "\n" + line
			continue
		}
		commands = append(commands, line)
	}
	return commands
}

// typed runs commands in one shell beside a running demo and returns what each
// printed.
func typed(t *testing.T, commands []string) []string {
	t.Helper()
	const mark = "\x1e"
	folder := t.TempDir()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.DataDir = filepath.Join(folder, "guiche-demo") }})
	p.APIKey() // its file stands
	script := strings.ReplaceAll(strings.Join(commands, "\nprintf '"+mark+"'\n"), "127.0.0.1:8080", p.Address())
	shell := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	shell.Dir = folder
	out, err := shell.Output()
	if err != nil {
		t.Fatalf("bash: %v after %.600s", err, out)
	}
	return strings.Split(string(out), mark)
}
