package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// checker is a program that looks for accessibility violations in a page.
type checker struct {
	name   string
	file   string // in the npm packages of static
	global string // what the page has once the program is in it
	run    string // JavaScript that gives the violations, a JSON array of texts
}

// checkers see different things: axe takes a placeholder for a label, HTML_CodeSniffer does
// not know every role.
var checkers = []checker{
	// No frame holds the program, and axe would wait half a second for each to say so.
	{"axe", "axe-core/axe.min.js", "axe", `axe.run(document, {resultTypes: ['violations'], iframes: false,
		...` + rules + `}).then(r => JSON.stringify(r.violations.map(
		v => v.id + ': ' + v.nodes.map(n => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).join(' | '))))`},
	{"htmlcs", "html_codesniffer/build/HTMLCS.js", "HTMLCS", `new Promise(done =>
		HTMLCS.process('WCAG2AA', document, () => done(JSON.stringify(HTMLCS.getMessages().filter(m => m.type === HTMLCS.ERROR)
			.map(m => m.code + ': ' + m.msg + ' ' + (m.element.outerHTML ?? '').slice(0, 200))))))`},
}

// rules are those that axe checks: all of them, and in the second theme only those about colours as long as the
// page has the same elements, as large, in the same places: nothing else can differ then.
const rules = `(layout => {
	const same = layout === window.layoutChecked;
	window.layoutChecked = layout;
	return same ? {runOnly: {type: 'rule', values: ['color-contrast', 'link-in-text-block']}} : {rules: {'target-size': {enabled: true}}};
})(Array.from(document.querySelectorAll('*'), e => {
	const r = e.getBoundingClientRect();
	return [e.cloneNode().outerHTML, r.x, r.y, r.width, r.height, e.checkVisibility({visibilityProperty: true, opacityProperty: true})].join();
}).join() + document.body.innerText)`

// source is the checker's program.
func (c checker) source(t testing.TB) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("../../static/node_modules", c.file))
	if err != nil {
		t.Fatalf("%s is not there (make assets): %v", c.name, err)
	}
	return string(source)
}

// violations puts a checker into the page and returns what it finds.
func (b *browser) violations(c checker) (found []string) {
	b.t.Helper()
	if eval[bool](b, "typeof "+c.global+" === 'undefined'") {
		eval[bool](b, c.source(b.t)+"; true")
	}
	answer := eval[string](b, c.run)
	if err := json.Unmarshal([]byte(answer), &found); err != nil {
		b.t.Fatalf("%s answered %.200s", c.name, answer)
	}
	return found
}

// What sticks to the window covers something in every place of a page; that what has the
// focus is not covered is TestFocus_NotCovered's.
const (
	unstick = `document.querySelectorAll('*').forEach(e => {
		if (getComputedStyle(e).position === 'sticky') e.dataset.unstuck = e.style.position = 'static' }); true`
	stick = `document.querySelectorAll('[data-unstuck]').forEach(e => { e.style.position = ''; delete e.dataset.unstuck }); true`
)

// accessible fails the test for each accessibility violation of the page, in both themes.
func (b *browser) accessible(page string) {
	b.t.Helper()
	eval[bool](b, unstick)
	eval[bool](b, "delete window.layoutChecked") // another state of the page begins with all rules
	defer eval[bool](b, stick)
	for _, theme := range []string{"light", "dark"} {
		b.theme(theme)
		for _, c := range checkers {
			for _, v := range b.violations(c) {
				b.t.Errorf("%s, %s, %s: %s", c.name, page, theme, v)
			}
		}
	}
	b.theme("light")
}
