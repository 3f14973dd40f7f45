package webui_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/webui"
)

func TestRights_Pages(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	receptionist := p.LogIn(t, apptest.Reception)
	address, form := receptionist.NewDraft()
	receptionist.Post(address, form)
	page := receptionist.Submit(address, form)
	t.Run("NobodyIsSentToTheEntry", func(t *testing.T) {
		stranger := p.Client(t)
		for _, path := range []string{"/", "/fila", "/nova", page.Path, page.Path + "/guias/0", "/ajuda"} {
			if got := stranger.Get(path); got.Path != "/entrar" {
				t.Errorf("GET %s: at %s with %d", path, got.Path, got.Status)
			}
		}
	})
	t.Run("AdministrationSeesNoPatients", func(t *testing.T) {
		admin := p.LogIn(t, apptest.Administration)
		for _, path := range []string{"/fila", "/nova", page.Path, page.Path + "/guias/0"} {
			if got := admin.Get(path); got.Status != http.StatusForbidden {
				t.Errorf("GET %s: %d, want 403", path, got.Status)
			}
		}
		if got := admin.Get("/"); got.Path != "/pessoas" || got.Status != http.StatusOK {
			t.Errorf("administração starts at %s with %d", got.Path, got.Status)
		}
	})
	t.Run("DraftsAreOnesOwn", func(t *testing.T) {
		mine, form := receptionist.NewDraft()
		receptionist.Post(mine, form)
		if got := p.LogIn(t, apptest.Supervision).Get(mine); got.Status != http.StatusNotFound {
			t.Errorf("another person's draft: %d, want 404", got.Status)
		}
	})
}

var update = flag.Bool("update", false, "write generated documents anew")

// rightsFile is the table as people read it.
const rightsFile = "../../.github/rights.md"

// role is who asks, as the table tells people apart. Things with an owner or a
// unit are those of ownUnit.
type role int

const (
	nobody role = iota
	ownUnit
	otherUnit
	supervisor
	administrator
	roles
)

var roleNames = [roles]string{"nobody", "recepção, own unit", "recepção, other unit", "supervisão", "administração"}

// surface is all addresses of one fixture, and the roles that the table tells
// apart there.
type surface struct {
	words  string // above its table
	routes func() []webui.Route
	roles  []role
	open   func(testing.TB) *fixture
}

var surfaces = map[string]surface{
	"Desk": {"## With a desk: `guiche serve` and `guiche demo`", webui.WithDesk(webui.DeskConfig{}).Routes,
		[]role{nobody, ownUnit, otherUnit, supervisor, administrator}, startDesk},
	"Standalone": {"## The service alone: `guiche service`\n\nWhat the desk has besides is answered with 404 here, to " +
		"everybody.", webui.Standalone().Routes,
		[]role{nobody, ownUnit, supervisor, administrator}, startStandalone},
}

// right is what a role gets on a route.
type right string

const (
	through   right = "yes"
	entry     right = "entry page"
	forbidden right = "403"
	missing   right = "404"
	nothing   right = "nothing" // as for what does not exist, which this route takes for done
)

// settled are routes to which a thing that is not there is no trouble.
var settled = map[string]bool{"POST /nova/:uid/descartar": true}

// admitted says which roles a route lets in.
var admitted = map[string][]role{
	"open":      {nobody, ownUnit, otherUnit, supervisor, administrator},
	"person":    {ownUnit, otherUnit, supervisor, administrator},
	"pacientes": {ownUnit, otherUnit, supervisor},
	"duvidas":   {supervisor},

	"cancelamento": {supervisor},

	"pessoas":   {administrator},
	"cadastros": {administrator},
	"conexao":   {administrator},
	"servico":   {administrator},
	"auditoria": {administrator},
	"copias":    {administrator},
}

// reach says which of the admitted roles find the thing that an address names.
type reach struct {
	prefix string // of the pattern; of two that fit, the longer one
	roles  []role
	thing  func(f *fixture) string // address of one, with the first placeholders filled
}

// reachOf returns the reach of a pattern, false for one that names nothing.
func reachOf(pattern string) (reach, bool) {
	var found reach
	for _, r := range reaches {
		if len(r.prefix) > len(found.prefix) && (pattern == r.prefix || strings.HasPrefix(pattern, r.prefix+"/")) {
			found = r
		}
	}
	return found, found.prefix != ""
}

// rightOf is what a role is to get: the table's rule.
func rightOf(r webui.Route, who role) right {
	of, named := reachOf(r.Pattern)
	switch {
	case !slices.Contains(admitted[r.Access], who) && who == nobody:
		return entry
	case !slices.Contains(admitted[r.Access], who):
		return forbidden
	case named && !slices.Contains(of.roles, who) && settled[r.Method+" "+r.Pattern]:
		return nothing
	case named && !slices.Contains(of.roles, who):
		return missing
	}
	return through
}

// TestRights_Table holds the written table to the routes.
func TestRights_Table(t *testing.T) {
	var b strings.Builder
	b.WriteString(rightsHead)
	for _, name := range []string{"Desk", "Standalone"} {
		surfaces[name].write(t, &b)
	}
	if *update {
		if err := os.WriteFile(rightsFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(rightsFile)
	if err != nil || string(written) != b.String() {
		t.Errorf("%s is not what the routes say (error %v): go test ./internal/webui -run TestRights_Table -update", rightsFile, err)
	}
}

func (s surface) write(t *testing.T, b *strings.Builder) {
	t.Helper()
	fmt.Fprintf(b, "%s\n\n| Route |", s.words)
	for _, who := range s.roles {
		fmt.Fprintf(b, " %s |", roleNames[who])
	}
	fmt.Fprintf(b, " asks for |\n|---|%s---|\n", strings.Repeat("---|", len(s.roles)))
	for _, route := range s.routes() {
		if _, known := admitted[route.Access]; !known {
			t.Errorf("%s %s: say in rights_test.go whom access %q admits", route.Method, route.Pattern, route.Access)
		}
		if _, named := reachOf(route.Pattern); strings.Contains(route.Pattern, ":") && !named {
			t.Errorf("%s %s names something: say in rights_things_test.go who finds it and how to make one", route.Method, route.Pattern)
		}
		fmt.Fprintf(b, "| `%s %s` |", route.Method, route.Pattern)
		for _, who := range s.roles {
			fmt.Fprintf(b, " %s |", rightOf(route, who))
		}
		if route.Confirm {
			b.WriteString(" password |")
		} else {
			b.WriteString("  |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

const rightsHead = `# Who may do what

Generated from the table of routes (internal/webui/routes.go) with ` + "`go test ./internal/webui -run TestRights_Table -update`" + `;
TestRights asks every route as every role and compares. "Own unit" and "other unit" say where the case was opened, or whose the
draft, the filter or the session is: a colleague of the same unit does not find them either. What lies outside one's reach is
answered like what does not exist: with 404, or, where that is no trouble, with nothing done ("nothing"). HEAD is as GET. ` +
	"`/static/` is open; `/api/` and `/oauth/` are the authorization" + `
service's, with keys and tokens of their own. Whoever has several roles may do what each of them may.
"password": it is asked for once more when it was last given over ten minutes ago, and what was typed is kept.

`

// TestRights asks every route as every role. A thing is first asked for by those
// who must not find it and then by those who must, so that a 404 is about the
// person and not about the thing.
func TestRights(t *testing.T) {
	t.Parallel()
	for name, s := range surfaces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := s.open(t)
			for _, route := range s.routes() {
				of, named := reachOf(route.Pattern)
				if strings.Contains(route.Pattern, ":") && !named {
					continue // TestRights_Table says so
				}
				address := route.Pattern
				if named {
					address = f.fill(route.Pattern, of)
				}
				for _, who := range s.refusedFirst(route) {
					f.check(who, route, address)
				}
				f.stayIn()
			}
		})
	}
}

// check holds what a role gets to the table's rule.
func (f *fixture) check(who role, route webui.Route, address string) {
	f.t.Helper()
	want := rightOf(route, who)
	if want == nothing { // TestRights_Discard says what becomes of the thing
		want = through
	}
	methods := []string{route.Method}
	if route.Method == http.MethodGet {
		methods = append(methods, http.MethodHead)
	}
	for _, method := range methods {
		if got := f.ask(who, method, address); got.right != want {
			f.t.Errorf("%s %s as %s: got %s, want %s", method, route.Pattern, roleNames[who], got, want)
		}
	}
}

// refusedFirst returns the roles, those who are to get through last.
func (s surface) refusedFirst(r webui.Route) []role {
	var refused, admitted []role
	for _, who := range s.roles {
		if rightOf(r, who) == through {
			admitted = append(admitted, who)
		} else {
			refused = append(refused, who)
		}
	}
	return append(refused, admitted...)
}

// TestRights_StandaloneHasNoDesk asks the service alone for every page of a desk.
func TestRights_StandaloneHasNoDesk(t *testing.T) {
	t.Parallel()
	f, s := startStandalone(t), surfaces["Standalone"]
	placeholder := regexp.MustCompile(`:\w+`)
	asked := 0
	for _, route := range webui.WithDesk(webui.DeskConfig{}).Routes() {
		if slices.Contains(s.routes(), route) {
			continue
		}
		asked++
		address := placeholder.ReplaceAllString(route.Pattern, "01970000-0000-7000-8000-0000000000aa")
		for _, who := range s.roles {
			if got := f.ask(who, route.Method, address); got.right != missing {
				t.Errorf("%s %s as %s: got %s, want %s", route.Method, route.Pattern, roleNames[who], got, missing)
			}
		}
	}
	if asked < 50 {
		t.Errorf("the desk has %d routes besides, want all of them", asked)
	}
}

// TestRights_Discard: what one cannot discard is still there.
func TestRights_Discard(t *testing.T) {
	t.Parallel()
	f := startDesk(t)
	draft := f.newDraft()
	for _, who := range []role{nobody, otherUnit, supervisor, administrator} {
		f.ask(who, http.MethodPost, draft+"/descartar")
	}
	if got := f.ana.Get(draft); got.Status != http.StatusOK || !attachmentID.Match(got.Body) {
		t.Errorf("after others discarded it: got %d, want the draft with its attachment", got.Status)
	}
}

// TestRights_Colleague: a unit shares its cases, and nothing that is unfinished.
func TestRights_Colleague(t *testing.T) {
	t.Parallel()
	f := startDesk(t)
	rita := f.server.Join(t, app.NewPerson{Login: "rita", Name: "Pessoa rita", Roles: []string{apptest.Reception},
		Units: []string{"Centro"}})
	sent := f.newCase()
	for address, want := range map[string]int{
		sent: http.StatusOK, sent + "/guias/0": http.StatusOK, f.newDraft(): http.StatusNotFound, f.newFilter(): http.StatusNotFound,
	} {
		if got := rita.Get(address); got.Status != want {
			t.Errorf("GET %s: got %d, want %d", address, got.Status, want)
		}
	}
}
