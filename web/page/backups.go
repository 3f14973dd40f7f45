package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// BackupsView is GET /copias.
type BackupsView struct {
	layout.Page
	State   component.Notice // whether there is a backup to rely on
	Planned bool             // the server makes them by itself
	Plan    []Fact           // where, how often, how many
	Rows    []BackupRow      // newest first

	Elsewhere bool // they are made without this program
}

// BackupRow is one try to make a backup.
type BackupRow struct {
	At      string // "hoje, 14:00"
	Result  string // "Feita", "Não foi feita"
	Size    string // "12,4 MB", "" where none was made
	Checked string // "sem danos, hoje, 14:01"
	Note    string // why not, or what is missing
}
