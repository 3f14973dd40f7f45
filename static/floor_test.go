package static_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"guiche/static"
)

// comments are not code.
var comments = regexp.MustCompile(`(?s)/\*.*?\*/|(?m)^\s*//.*$`)

func TestFloor_OwnFiles(t *testing.T) {
	for _, tt := range []struct {
		name     string
		files    map[string]string
		refused  []newer
		expected int
	}{
		{"Styles", mustRead(t, "css", ".css"), newerStyles, 10},
		{"Scripts", mustRead(t, "js", ".js"), newerScripts, 10},
		{"Views", mustRead(t, "../web", ".templ"), newerMarkup, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if len(tt.files) < tt.expected {
				t.Fatalf("got %d files, want at least %d", len(tt.files), tt.expected)
			}
			for path, text := range tt.files {
				code := comments.ReplaceAllString(text, "")
				for _, f := range tt.refused {
					if hit := f.pattern.FindString(code); hit != "" {
						t.Errorf("%s: %s (%s): %q", path, f.name, f.since, hit)
					}
				}
			}
		})
	}
}

// The test above can fail: each pattern finds what it is meant to find.
func TestFloor_PatternsBite(t *testing.T) {
	for _, set := range [][]newer{newerStyles, newerScripts, newerMarkup} {
		for _, f := range set {
			if !f.pattern.MatchString(f.sample) {
				t.Errorf("%s does not find %q", f.name, f.sample)
			}
		}
	}
}

// guarded are the calls of htmx 4.0.1 to what the floor lacks, each as it stands
// in the built file: asked for before it is called, or inside try. The layout
// switches two of them off as well (history, includeIndicatorCSS).
var guarded = map[string]*regexp.Regexp{
	"Document.parseHTMLUnsafe, otherwise DOMParser": regexp.MustCompile(`Document\.parseHTMLUnsafe\?\.\(`),
	"Element.moveBefore, otherwise insertBefore": regexp.MustCompile(
		`if\(\w\.moveBefore\)try\{return void \w\.moveBefore`),
	"document.startViewTransition, otherwise the plain swap": regexp.MustCompile(`try\{if\(document\.startViewTransition\)`),
	"navigation, otherwise popstate": regexp.MustCompile(
		`window\.navigation&&!/firefox/i\.test\(navigator\.userAgent\)\?navigation\.`),
	"document.adoptedStyleSheets, otherwise no style for indicators": regexp.MustCompile(`try\{this\.indicatorStyleSheet=new CSSStyleSheet`),
}

// htmx is the one third-party script that the pages cannot do without: it calls
// nothing newer than the floor without asking first.
func TestFloor_HTMX(t *testing.T) {
	if !isBuilt() {
		return // there is no file to read before the build; TestHandler_NotBuilt holds what happens then
	}
	raw, err := fs.ReadFile(static.FS, strings.TrimPrefix(static.Path("htmx.js"), static.Prefix))
	if err != nil {
		t.Fatal(err)
	}
	code := string(raw)
	for name, guard := range guarded {
		if !guard.MatchString(code) {
			t.Errorf("%s: no longer guarded as it was", name)
		}
	}
	for _, f := range newerScripts {
		switch f.name {
		case "eval", "inline style", "moveBefore", "setHTML, parseHTMLUnsafe", "view transitions", "navigation API":
			continue // the first two are the policy's, the others are guarded above
		}
		if hit := f.pattern.FindString(code); hit != "" {
			t.Errorf("%s (%s): %q", f.name, f.since, hit)
		}
	}
	for word, want := range map[string]int{"parseHTMLUnsafe": 1, "startViewTransition": 2, "navigation.": 1, ".moveBefore": 2} {
		if got := strings.Count(code, word); got != want {
			t.Errorf("%s: got %d places, want %d: look whether the new one is guarded", word, got, want)
		}
	}
}
