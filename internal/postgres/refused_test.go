package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/problem"
)

// TestDB_Refused: a database whose server lets nobody in is out of reach until it does, and
// says why in words that quote nobody. To open it then is a mistake that does not pass.
func TestDB_Refused(t *testing.T) {
	server := postgrestest.Start(t)
	server.Exec(t, `CREATE ROLE clerk LOGIN SUPERUSER`)
	server.Exec(t, `CREATE DATABASE desk`)
	url := strings.Replace(server.URL("desk"), "://guiche@", "://clerk@", 1)
	db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = url, false })
	for why, change := range map[string][2]string{
		"it does not take this user (SQLSTATE 28000)": {`ALTER ROLE clerk NOLOGIN`, `ALTER ROLE clerk LOGIN`},
		"it has no such database (SQLSTATE 3D000)":    {`ALTER DATABASE desk RENAME TO old`, `ALTER DATABASE old RENAME TO desk`},
		"the database takes no connections (SQLSTATE 55000)": {`ALTER DATABASE desk ALLOW_CONNECTIONS false`,
			`ALTER DATABASE desk ALLOW_CONNECTIONS true`},
	} {
		must(t, addNote(t, db))
		server.Exec(t, `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'desk'`)
		server.Exec(t, change[0])
		for what, err := range map[string]error{"write": addNote(t, db), "read": readNotes(t, db)} {
			if !problem.Is(err, problem.Busy) || !postgres.IsAway(err) || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: got %v, want that the server is away: %s", what, err, why)
			}
		}
		if _, err := postgres.Open(t.Context(), postgres.Options{URL: url, Schema: "desk"}); !errors.Is(err, postgres.ErrRefused) {
			t.Errorf("opened: got %v, want %v", err, postgres.ErrRefused)
		}
		server.Exec(t, change[1])
	}
	must(t, readNotes(t, db))
}
