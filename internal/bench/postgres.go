package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"guiche/internal/postgres/postgrestest"
)

// Server is a PostgreSQL server with the same cases as the data folders.
type Server interface {
	// Folder is where keys and files of a number of cases are.
	Folder(cases int) (string, error)
	// Copy makes a database of that name with so many cases, Empty one without any.
	Copy(ctx context.Context, name string, cases int) error
	Empty(ctx context.Context, name string) error
	URL(database string) string
	SocketFolder() string
}

// onServer measures the program on PostgreSQL, beside SQLite and beside psql.
type onServer struct {
	Options
	server  Server
	table   *Table
	service *service
	sizes   []*size
}

// size is the program on both engines over the same number of cases.
type size struct {
	name             string // as rows say it
	cases            int
	database         string
	sqlite, postgres *site
}

// OnServer measures pages, submissions and authorizations on PostgreSQL.
func OnServer(ctx context.Context, o Options, server Server, t *Table) (err error) {
	s := &onServer{Options: o, server: server, table: t}
	defer func() { err = errors.Join(err, s.close()) }()
	for _, step := range []func(context.Context) error{s.open, s.pages, s.ways, s.searches, s.beside, s.submissions, s.held, s.processes} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *onServer) open(ctx context.Context) (err error) {
	if s.service, err = startService(); err != nil {
		return err
	}
	for _, folder := range []string{s.Few, s.Many} {
		f, err := readFacts(folder)
		if err != nil {
			return err
		}
		size := &size{name: shortly(f.Cases), cases: f.Cases, database: fmt.Sprint("bench", f.Cases)}
		s.sizes = append(s.sizes, size)
		if size.sqlite, err = s.Options.open(ctx, folder, "--base-url", s.service.URL()); err != nil {
			return err
		}
		if err := s.server.Copy(ctx, size.database, f.Cases); err != nil {
			return err
		}
		if size.postgres, err = s.openOn(ctx, f.Cases, ".work", s.server.URL(size.database)); err != nil {
			return err
		}
	}
	for _, z := range s.sizes {
		z.sqlite.quiet(s.settling())
		z.postgres.quiet(s.settling())
	}
	return nil
}

// shortly is a number of cases as rows say it.
func shortly(cases int) string {
	if cases%1000 == 0 {
		return fmt.Sprintf("%dk", cases/1000)
	}
	return fmt.Sprint(cases)
}

// openOn starts the program over a database, with a copy of the folder beside it; the supervisor logs in.
func (s *onServer) openOn(ctx context.Context, cases int, work, url string) (*site, error) {
	from, err := s.server.Folder(cases)
	if err != nil {
		return nil, err
	}
	f, err := readFacts(from)
	if err != nil {
		return nil, err
	}
	one := &site{folder: from + work, facts: f}
	if err := s.copyTo(one.folder, from); err != nil {
		return nil, err
	}
	if one.process, err = s.guiche(ctx, one.folder, "--base-url", s.service.URL(), "--database", url); err != nil {
		return nil, err
	}
	one.user, err = logIn(ctx, one.address, f.Supervisor, f.Password)
	return one, err
}

func (s *onServer) close() (err error) {
	for _, z := range s.sizes {
		for _, one := range []*site{z.sqlite, z.postgres} {
			if one != nil && one.process != nil {
				err = errors.Join(err, one.stop())
			}
		}
	}
	s.sizes = nil
	if s.service != nil {
		err = errors.Join(err, s.service.Close())
		s.service = nil
	}
	return err
}

// ways counts how often a page waits for the server.
func (s *onServer) ways(ctx context.Context) (err error) {
	w, err := postgrestest.CountWays(ctx, s.server.SocketFolder())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	z := s.sizes[0]
	if err := s.server.Copy(ctx, "counted", z.cases); err != nil {
		return err
	}
	counted, err := s.openOn(ctx, z.cases, ".counted", w.Through(s.server.URL("counted")))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, counted.stop()) }()
	counted.quiet(s.settling()) // what it does at its start is none of a page's
	for _, p := range listedPages {
		next, err := p.request(ctx, counted)
		if err != nil {
			return err
		}
		awaited, err := waysOf(w, counted.address, some(next, 2*s.asked()))
		if err != nil {
			return err
		}
		most := none
		if p.list {
			most = atMost(4)
		}
		s.table.add(p.name+" on PostgreSQL, ways to the server and back", awaited, "", most)
	}
	return nil
}

// waysOf is how often a page waits for the server, the fewest times of many: at the first ones the server gets
// to know their statements, and the program does something besides at some.
func waysOf(w *postgrestest.Ways, address string, requests [][]byte) (float64, error) {
	var counts []float64
	for _, r := range requests {
		w.Take()
		if _, err := oneByOne(address, [][]byte{r}); err != nil {
			return 0, err
		}
		counts = append(counts, float64(len(w.Take())))
	}
	return slices.Min(counts), nil
}

// searches takes the times of filters with words on both engines, at a steady pace.
func (s *onServer) searches(ctx context.Context) error {
	for _, z := range s.sizes {
		for _, on := range []struct {
			engine string
			site   *site
		}{{"PostgreSQL", z.postgres}, {"SQLite", z.sqlite}} {
			took, err := s.search(ctx, on.site)
			if err != nil {
				return fmt.Errorf("searches on %s: %w", on.engine, err)
			}
			s.table.add("searches on "+on.engine+" at "+z.name+", p50", took.ms(50), "ms", none)
			s.table.add("searches on "+on.engine+" at "+z.name+", p99", took.ms(99), "ms", none)
		}
	}
	return nil
}

func (s *onServer) search(ctx context.Context, on *site) (took times, err error) {
	r := rand.New(rand.NewPCG(13, 200)) //nolint:gosec // no secret
	for _, kind := range kinds {
		var requests [][]byte
		for range s.unlessBrief(kind.n / 2) {
			path, err := on.filter(ctx, kind.form(on, r))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kind.name, err)
			}
			requests = append(requests, on.user.request(path))
		}
		some, err := openLoop(on.address, requests, pace)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind.name, err)
		}
		took = append(took, some...)
	}
	return took, nil
}

// submissions takes the times from "Enviar" until a case is shown as answered.
func (s *onServer) submissions(ctx context.Context) error {
	for _, z := range s.sizes {
		var medians [2]float64
		for i, on := range []*site{z.postgres, z.sqlite} {
			sent, err := s.submit(ctx, on)
			if err != nil {
				return err
			}
			medians[i] = sent.ms(50)
		}
		s.table.add("submission on PostgreSQL at "+z.name+", p50", medians[0], "ms", none)
		s.table.add("submission on SQLite at "+z.name+", p50", medians[1], "ms", none)
	}
	return nil
}

func (s *onServer) submit(ctx context.Context, on *site) (sent times, err error) {
	b, err := logIn(ctx, on.address, on.facts.Receptionist, on.facts.Password)
	if err != nil {
		return nil, err
	}
	at := newClerk(b, on.facts.Form)
	for range s.unlessBrief(3 * eachRound) {
		form, _, _, err := at.prepare(ctx)
		if err != nil {
			return nil, err
		}
		took, err := at.press(ctx, form)
		if err != nil {
			return nil, err
		}
		sent = append(sent, took)
	}
	return sent, nil
}

// held says what a process that was busy holds.
func (s *onServer) held(ctx context.Context) error {
	z := s.sizes[1]
	if _, err := loop(z.postgres.address, always(z.postgres.user.request("/fila")), clerks, 2*s.turn()); err != nil {
		return err
	}
	found, err := psql(ctx, s.server.URL(z.database), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
		AND application_name = 'guiche'`)
	if err != nil {
		return err
	}
	var n float64
	if _, err := fmt.Sscan(found, &n); err != nil {
		return fmt.Errorf("bench: connections: %w", err)
	}
	s.table.add("connections of a process after 16 callers", n, "", none)
	s.table.add("memory high-water of a process on PostgreSQL at "+z.name, z.postgres.peak(), "MiB", none)
	return nil
}

// processes measures authorizations by one, two and three processes.
func (s *onServer) processes(ctx context.Context) error {
	if err := s.close(); err != nil { // the machine is theirs
		return err
	}
	c, err := newCrowd(ctx, s.Options, s.server, filepath.Join(filepath.Dir(s.Few), "crowd"))
	if err != nil {
		s.table.NotRun(fmt.Sprintf("authorizations by several processes: the S3 server cannot be had (%v)", err))
		return nil
	}
	defer func() { _ = c.stop() }() // told below
	for n := 1; n <= 3; n++ {
		if err := c.one(ctx); err != nil {
			return errors.Join(err, c.stop())
		}
		rate, took, err := c.rate(16)
		if err != nil {
			return errors.Join(err, c.stop())
		}
		name := fmt.Sprintf("authorizations a second with %d processes", n)
		if n == 1 {
			name = "authorizations a second with 1 process"
		}
		s.table.add(name+" on PostgreSQL and S3", rate, "", none)
		s.table.note("  16 callers, p50 %.1f ms", took.ms(50))
	}
	s.table.add("memory high-water of the largest of these processes", slices.Max(c.peaks()), "MiB", none)
	return c.stop()
}
