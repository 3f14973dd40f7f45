// Package migrations holds the schema of the databases as numbered .sql files for
// goose: forward only, each in a transaction. A file that was released is never
// changed; a change is a new file, of the same number for each engine.
package migrations

import (
	"embed"
	"io/fs"
)

//go:embed desk service postgres
var files embed.FS

// The migrations of the two databases, each rooted at its folder of .sql files.
var (
	Desk    = folder("desk")    // guiche.db: the front desk, its people and its audit trail
	Service = folder("service") // service.db: the embedded authorization service
)

// The same for PostgreSQL, each for a schema of its own.
var (
	PostgresDesk    = folder("postgres/desk")
	PostgresService = folder("postgres/service")
)

func folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // only for a name that is no valid path
	}
	return sub
}
