package data

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/damagestore"
	"guiche/migrations"
)

// deskSchema is that of the desk on a server.
const deskSchema = "desk"

// Server is a PostgreSQL server with a database for each number of cases.
type Server struct {
	o      Options
	server *postgrestest.Server
}

// Serve starts the server of these sizes and fills it where that was not done, nil where there is
// no PostgreSQL on this machine.
func (o Options) Serve(ctx context.Context) (*Server, error) {
	folder, err := o.serverFolder()
	if err != nil {
		return nil, err
	}
	kept, err := postgrestest.OnFolder(folder)
	if kept == nil || err != nil {
		return nil, err
	}
	s := &Server{o, kept}
	for _, cases := range o.Sizes {
		if err := s.fill(ctx, cases); err != nil {
			return nil, errors.Join(fmt.Errorf("bench: %d cases on PostgreSQL: %w", cases, err), s.End())
		}
	}
	return s, nil
}

// serverFolder is where the rows of the server are: of this schema, and no other. The user who runs the
// server has to come through.
func (o Options) serverFolder() (string, error) {
	folder, err := o.Name(0)
	if err != nil {
		return "", err
	}
	schema := filepath.Dir(folder)
	if err := o.removeOthers(schema); err != nil {
		return "", err
	}
	if err := os.MkdirAll(schema, 0o700); err != nil {
		return "", err
	}
	for _, open := range []string{o.Folder, schema} {
		if err := os.Chmod(open, 0o711); err != nil { //nolint:gosec // made up cases
			return "", err
		}
	}
	return filepath.Join(schema, "server"), nil
}

// End ends the server.
func (s *Server) End() error { return s.server.End() }

// URL is the address of a database.
func (s *Server) URL(database string) string { return s.server.URL(database) }

// SocketFolder is where the server listens.
func (s *Server) SocketFolder() string { return s.server.Folder() }

// Folder is where keys and files of a number of cases are.
func (s *Server) Folder(cases int) (string, error) {
	folder, err := s.o.Name(cases)
	return folder + ".server", err
}

func databaseOf(cases int) string { return fmt.Sprint("cases", cases) }

// fill fills the database of a number of cases, unless it stands.
func (s *Server) fill(ctx context.Context, cases int) error {
	folder, err := s.Folder(cases)
	if err != nil {
		return err
	}
	if _, err := Read(folder); err == nil {
		_, _ = fmt.Fprintf(s.o.Log, "%s stands\n", folder)
		return nil
	}
	name := databaseOf(cases)
	if err := s.Empty(ctx, name); err != nil {
		return err
	}
	return s.o.makeWith(folder, func(part string) (Facts, error) {
		facts, err := s.o.fillServer(ctx, part, cases, s.URL(name))
		if err != nil {
			return facts, err
		}
		// As the server's own upkeep leaves the tables. Counters that count one case at a time stay in one page; each
		// batch left its versions of them behind.
		return facts, s.server.Do(ctx, name, `VACUUM (ANALYZE)`, `VACUUM (FULL, ANALYZE) desk.queue_count`)
	})
}

// Empty makes an empty database of that name.
func (s *Server) Empty(ctx context.Context, name string) error {
	return s.server.Do(ctx, "postgres", `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`, `CREATE DATABASE `+name)
}

// Copy makes a database of that name with so many cases, of which the daily check has just been done.
func (s *Server) Copy(ctx context.Context, name string, cases int) error {
	err := s.server.Do(ctx, "postgres", `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`,
		`CREATE DATABASE `+name+` TEMPLATE `+databaseOf(cases))
	if err != nil {
		return err
	}
	db, err := postgres.Open(ctx, postgres.Options{URL: s.URL(name), Schema: deskSchema})
	if err != nil {
		return err
	}
	return errors.Join(damagestore.New(db, nil).Checked(ctx), db.Close(), s.server.Do(ctx, name, `CHECKPOINT`))
}

// fillServer fills an empty database, and the folder of its keys and files.
func (o Options) fillServer(ctx context.Context, folder string, cases int, url string) (facts Facts, err error) {
	db, err := postgres.Open(ctx, postgres.Options{URL: url, Schema: deskSchema, Migrations: migrations.PostgresDesk})
	if err != nil {
		return facts, err
	}
	w, err := newWriter(ctx, folder, db)
	if err != nil {
		return facts, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if facts, err = o.write(ctx, w, cases); err != nil {
		return facts, err
	}
	return facts, w.trail.Link(ctx) // otherwise the program that is measured would be at it for minutes
}
