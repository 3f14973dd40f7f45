// Package limittest makes an overloaded machine for tests: a database that another program
// keeps, a process that can open nothing more.
package limittest

import (
	"context"
	"database/sql"
	"sync"
	"testing"
)

// Occupy keeps a database from being written, as another program does that writes for
// long, until the function that it returns is called.
func Occupy(t *testing.T, db *sql.DB) (release func()) {
	t.Helper()
	conn, err := db.Conn(t.Context())
	if err == nil {
		_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	}
	if err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		if _, err := conn.ExecContext(context.WithoutCancel(t.Context()), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		_ = conn.Close() // nothing was written
	})
}
