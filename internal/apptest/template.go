package apptest

import (
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/app"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/storetest"
)

// kind is what decides what stands in a fresh data folder.
type kind struct{ standalone, empty, fresh, past, faults bool }

// kind is what decides about the data at the start; options that do not are left out, so
// that more tests share a template.
func (o Options) kind() kind {
	return kind{standalone: o.Standalone, empty: o.Empty, fresh: o.Fresh, past: o.Past, faults: o.Faults != nil}
}

// templates are data folders as the program left them after its first start, by
// kind. Making one takes as long as many a test, so each is made once a process
// and kept in memory.
var templates = struct {
	sync.Mutex
	made map[kind]func() template
}{made: map[kind]func() template{}}

// template is a data folder made once and copied for each test: filling one takes most
// of a test's time.
type template struct {
	files    map[string][]byte // by path in the data folder
	database string            // postgres://… of the rows, which nobody opens any more; "" for the folder
	logins   []app.Login       // of its people
}

// fill puts a copy of the template into the server's folder.
func (s *Server) fill() {
	s.t.Helper()
	k := s.options.kind()
	templates.Lock()
	made, ok := templates.made[k]
	if !ok {
		made = sync.OnceValue(func() template { return makeTemplate(s.t, s.options) })
		templates.made[k] = made
	}
	templates.Unlock()
	s.logins = made().logins
	if url := made().database; url != "" {
		s.database = postgrestest.Copy(s.t, url)
	}
	for name, content := range made().files {
		path := filepath.Join(s.DataDir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

// makeTemplate starts a program on an empty folder, fills it and stops it.
func makeTemplate(t testing.TB, o Options) template {
	t.Helper()
	o.Configure = nil // it is for one test alone
	s := &Server{t: t, options: o, Clock: &Clock{}, Log: &Log{}, DataDir: t.TempDir()}
	if storetest.OnPostgres() {
		s.database = postgrestest.Database(t)
	}
	defer s.closeFaults()
	s.start(nil)
	defer s.Stop()
	s.addPeople(t)
	s.Stop()
	return template{files: readFolder(t, s.DataDir), database: s.database, logins: s.logins}
}

// addPeople adds to a first start whom its options mean.
func (s *Server) addPeople(t testing.TB) {
	t.Helper()
	switch o := s.options; {
	case o.Fresh:
	case o.Faults != nil:
		s.addEveryRole(t)
		s.addDirectory(t)
	case o.Standalone, o.Empty:
		s.addEveryRole(t)
	default:
		s.logins = s.program.(*app.App).Logins()
		if o.Past {
			s.LogIn(t, Reception) // waits for the past, however long that takes to be made
		}
	}
}

// readFolder reads all files below a folder, by their relative path, but for the reserve
// of disk space, which every start makes.
func readFolder(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	root := os.DirFS(folder)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "space.reserve" {
			return err
		}
		files[filepath.FromSlash(name)], err = fs.ReadFile(root, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// addEveryRole lets a person of each role in by a one-time link.
func (s *Server) addEveryRole(t testing.TB) {
	t.Helper()
	s.logins = []app.Login{
		{Role: Reception, User: "ana", Password: Password},
		{Role: Supervision, User: "celia", Password: Password},
		{Role: Administration, User: "rui", Password: Password},
	}
	for _, p := range s.logins {
		s.Join(t, app.NewPerson{Login: p.User, Name: "Pessoa " + p.User, Roles: []string{p.Role}})
	}
}

// addDirectory adds one unit, in which the receptionist works, and one
// professional.
func (s *Server) addDirectory(t testing.TB) {
	t.Helper()
	admin := s.LogIn(t, Administration)
	for path, form := range map[string]url.Values{
		"/cadastros/unidades/nova": {"nome": {"Centro"}, "pontosAtendimento[0].nome": {"Balcão"}},
		"/cadastros/executantes/novo": {"nome": {"Dra. Elisa Monteverde"}, "siglaConselho": {"CRM"}, "numeroConselho": {"88213"}, "uf": {"SP"},
			"especialidades[0].id": {"7"}, "especialidades[0].nome": {"Patologia clínica"}, "especialidades[0].cbo": {"225335"}},
	} {
		if got := admin.Post(path, form); got.Status != http.StatusOK || got.Path == path {
			t.Fatalf("POST %s: %d %s", path, got.Status, got.Text("#erros"))
		}
	}
	ana := admin.Get(admin.PersonPath("ana"))
	form := ana.Form("main form")
	form.Set("unidades", ana.Attr("input[name=unidades]", "value"))
	if got := admin.Post(ana.Path, form); got.Status != http.StatusOK {
		t.Fatalf("give ana a unit: %d %s", got.Status, got.Text("#erros"))
	}
}
