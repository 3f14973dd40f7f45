package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// IntegrityView is GET /integridade.
type IntegrityView struct {
	layout.Page
	State   component.Notice
	Rows    []DamageRow // newest first
	Checked string      // when all was checked
}

// DamageRow is one thing that is damaged.
type DamageRow struct {
	What   string // "Arquivo"
	Where  string // "do serviço de autorização", "" for the desk
	Name   string // of the file; table and key of a row
	Case   string // identifier of the case that shows it, "" where none is known
	Since  string // "hoje, 14:00"
	Remedy string // what to do
	From   string // the copy, "" where none is known
	To     string // where it belongs, "" for what is no file
}
