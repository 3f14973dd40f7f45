package page_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"guiche/static"

	"github.com/PuerkitoBio/goquery"
)

// A page loads htmx where it asks for pieces of itself, and nowhere else; and its style sheet has the rules of each class
// that it wears.
func TestPages_Files(t *testing.T) {
	ruled := classesOfRules(t)
	for _, v := range views() {
		doc := MustRender(t, v.page)
		asks, loads := doc.Find("[hx-get], [hx-post]").Length() > 0, doc.Find(`script[src*="/htmx."]`).Length() > 0
		if asks && !loads {
			t.Errorf("%s: asks for pieces without htmx", v.name)
		}
		if !asks && loads && doc.Find("#caso").Length() == 0 {
			t.Errorf("%s: loads htmx for nothing", v.name)
		}
		sheet := builtClasses(t, doc.Find("link[rel=stylesheet]").AttrOr("href", ""))
		doc.Find("[class]").Each(func(_ int, s *goquery.Selection) {
			for name := range strings.FieldsSeq(s.AttrOr("class", "")) {
				if len(sheet) > 0 && ruled[name] && !sheet[name] {
					t.Errorf("%s: the rules of .%s are not in its style sheet", v.name, name)
				}
			}
		})
	}
}

// classesOfRules are the classes that our style sheets, Bootstrap and the icons have rules for.
func classesOfRules(t *testing.T) map[string]bool {
	t.Helper()
	paths, err := filepath.Glob("../../static/css/*.css")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no style sheets (error %v)", err)
	}
	all := map[string]bool{}
	for _, path := range append(paths, "../../static/node_modules/bootstrap/dist/css/bootstrap.min.css") {
		css, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // Bootstrap is there once something was built
			t.Fatal(err)
		}
		addClasses(all, css)
	}
	for _, name := range MustIcons(t) {
		all["i-"+name] = true
	}
	return all
}

// builtClasses are those of a built style sheet, none before the build.
func builtClasses(t *testing.T, address string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	css, err := fs.ReadFile(static.FS, strings.TrimPrefix(address, static.Prefix))
	if err == nil {
		addClasses(all, css)
	}
	return all
}

func addClasses(all map[string]bool, css []byte) {
	for _, found := range regexp.MustCompile(`\.([a-z][\w-]*)`).FindAllSubmatch(css, -1) {
		all[string(found[1])] = true
	}
}
