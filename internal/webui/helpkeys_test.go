package webui_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

// spelled are keys as browsers name them, by how the pages write them.
var spelled = strings.NewReplacer("Esc", "Escape", "Ctrl", "Control", "↓", "ArrowDown")

// keysOfHelp are the keys that the help page tells of, "Control+Enter", and what the picture
// of the keyboard says of each function key.
func keysOfHelp(help *apptest.Page) (told []string, drawn map[string]string) {
	help.Find("#teclas dt").Each(func(_ int, term *goquery.Selection) {
		keys := term.Find("kbd").Map(func(_ int, key *goquery.Selection) string { return spelled.Replace(key.Text()) })
		if keys[0] == "Control" {
			keys = []string{strings.Join(keys, "+")}
		}
		told = append(told, keys...)
	})
	drawn = map[string]string{}
	help.Find("#teclas .keyboard .used").Each(func(_ int, key *goquery.Selection) {
		name := key.Find("b").Text()
		drawn[name] = strings.ReplaceAll(strings.Trim(strings.TrimPrefix(key.Text(), name), " \u00a0"), "\u00ad", "")
	})
	return told, drawn
}

// keysOfScripts are the keys that the scripts ask for by name.
func keysOfScripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../static/js/*.js")
	if err != nil || len(files) < 10 {
		t.Fatalf("got %d scripts, %v", len(files), err)
	}
	found := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\bkey [!=]== '(\w+)'`).FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
		if strings.Contains(string(text), "addEventListener('paste'") {
			found["Control+v"] = true
		}
	}
	return slices.Collect(maps.Keys(found))
}

// TestHelp_Keys: the help page tells of the keys that controls and scripts have, and of no
// others; its picture of the keyboard says of each what stands on its control.
func TestHelp_Keys(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	authorized := ana.SubmitWith(map[string]string{"numeroCarteira": "99990100001"}).Path
	controls := map[string]string{} // what stands on those of each key
	for _, path := range []string{"/fila", "/fila?grupo=ok", "/nova", authorized, "/historico"} {
		page := ana.Get(path)
		page.Find("[aria-keyshortcuts]").Each(func(_ int, control *goquery.Selection) {
			words := control.Text() + control.AttrOr("aria-label", "") + page.Text("label[for='"+control.AttrOr("id", "-")+"']")
			for key := range strings.FieldsSeq(control.AttrOr("aria-keyshortcuts", "")) {
				controls[key] += words + "\n"
			}
		})
	}
	told, drawn := keysOfHelp(ana.Get("/ajuda"))
	scripts := keysOfScripts(t)
	for _, key := range slices.Concat(slices.Collect(maps.Keys(controls)), scripts) {
		if !slices.ContainsFunc(told, func(one string) bool { return strings.EqualFold(one, key) }) {
			t.Errorf("the help does not tell of %s", key)
		}
	}
	for _, key := range told {
		if _, ok := controls[key]; !ok && !slices.ContainsFunc(scripts, func(one string) bool { return strings.EqualFold(one, key) }) {
			t.Errorf("the help tells of %s, which neither a control nor a script has", key)
		}
	}
	for key, words := range controls {
		if says, ok := drawn[key]; strings.HasPrefix(key, "F") && (!ok || !strings.Contains(strings.ToLower(words), strings.ToLower(says))) {
			t.Errorf("the picture says %q of %s, whose controls say %q", says, key, words)
		}
	}
	for key := range drawn {
		if controls[key] == "" {
			t.Errorf("the picture shows %s, which no control has", key)
		}
	}
}
