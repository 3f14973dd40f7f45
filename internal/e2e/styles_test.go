package e2e_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
)

// bootstrapClasses are the classes that Bootstrap has rules for, as JSON.
func bootstrapClasses(t testing.TB) string {
	t.Helper()
	css, err := os.ReadFile("../../static/node_modules/bootstrap/dist/css/bootstrap.min.css")
	if err != nil {
		t.Fatalf("Bootstrap is not there (make assets): %v", err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`\.([a-z][\w-]*)`).FindAllSubmatch(css, -1) {
		names = append(names, string(m[1]))
	}
	raw, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// styled fails the test for each class on the page whose rules the build of our
// style sheet left out: static/bootstrap.mjs keeps the names that it finds.
func (b *browser) styled(page string) {
	b.t.Helper()
	lost := eval[[]string](b, `(known => {
		const kept = new Set(Array.from(document.styleSheets).flatMap(sheet => Array.from(sheet.cssRules))
			.flatMap(rule => rule.cssText.match(/\.[a-z][\w-]*/g) ?? []));
		const worn = new Set(Array.from(document.querySelectorAll('[class]')).flatMap(e => Array.from(e.classList)));
		return known.filter(name => worn.has(name) && !kept.has('.' + name));
	})(Array.from(new Set(`+bootstrapClasses(b.t)+`)))`)
	if len(lost) > 0 {
		b.t.Errorf("%s: the rules of %v are not in app.css", page, lost)
	}
}
