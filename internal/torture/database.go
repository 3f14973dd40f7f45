package torture

import (
	"database/sql"
	"fmt"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver of the databases
)

// openDatabase opens the desk's database beside the program.
func openDatabase(data string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(data, "desk", "guiche.db"))
	if err != nil {
		return nil, fmt.Errorf("torture: %w", err)
	}
	return db, nil
}
