package postgrestest_test

import (
	"testing"
	"time"

	"guiche/internal/postgres/postgrestest"

	"github.com/jackc/pgx/v5"
)

func TestCopy(t *testing.T) {
	template := postgrestest.Database(t)
	conn := connected(t, template)
	if _, err := conn.Exec(t.Context(), `CREATE TABLE held AS SELECT 7 AS n`); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close(t.Context())
	var oid int
	t.Run("HoldsTheSame", func(t *testing.T) {
		var n int
		conn := connected(t, postgrestest.Copy(t, template)) // still connected when the test is over
		const held = `SELECT n, oid::int FROM held, pg_database WHERE datname = current_database()`
		err := conn.QueryRow(t.Context(), held).Scan(&n, &oid)
		if err != nil || n != 7 {
			t.Fatalf("got %d, %v", n, err)
		}
	})
	t.Run("Dropped", func(t *testing.T) {
		conn, look := connected(t, template), time.NewTicker(10*time.Millisecond)
		defer look.Stop()
		over := time.After(time.Minute)
		for there := true; there; {
			if err := conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_database WHERE oid = $1)`, oid).Scan(&there); err != nil {
				t.Fatal(err)
			}
			select {
			case <-look.C:
			case <-over:
				t.Fatal("the database of a test that is over is still there")
			}
		}
	})
}

func connected(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}
