// Package permission says who may do what: the roles of people, what each role
// permits, and the actor for whom the desk, the history, the accounts, the
// directory, the connection and the service's administration ask.
//
// Handlers decide nothing: a route names the permission of its page, and what is
// done behind it asks for the same permission again.
package permission

import (
	"slices"

	"guiche/internal/problem"
)

// Role is a kind of work; a user may have several.
type Role string

// The roles.
const (
	Reception      Role = "recepcao"      // creates and sends, sees the cases of their units
	Supervision    Role = "supervisao"    // sees all cases, decides about those of unknown outcome
	Decision       Role = "decisao"       // as reception, and decides about cases of unknown outcome in their units
	Administration Role = "administracao" // people, directory, settings, audit; no clinical data

	program Role = "programa" // the program itself, see Program
)

// Roles lists the roles that a user may have, in the order in which they are shown.
func Roles() []Role { return []Role{Reception, Supervision, Decision, Administration} }

// Label returns the role as people read it.
func (r Role) Label() string {
	switch r {
	case Reception:
		return "Recepção"
	case Supervision:
		return "Supervisão"
	case Decision:
		return "Decisão"
	case Administration:
		return "Administração"
	default:
		return string(r)
	}
}

// Permission is something that not everybody may do.
type Permission string

// The permissions.
const (
	SeePatients   Permission = "pacientes" // cases, drafts, guides, attachments and the history, within the reach
	SeeAllUnits   Permission = "unidades"  // SeePatients reaches every unit, not only one's own
	DecideUnknown Permission = "duvidas"   // ends the doubt about requests, records what the operator said of them, within the reach
	// CancelAuthorizations asks operators to cancel authorizations, within the reach.
	CancelAuthorizations Permission = "cancelamento"

	ManagePeople     Permission = "pessoas"
	ManageDirectory  Permission = "cadastros" // units, professionals, procedures, credentials
	ManageConnection Permission = "conexao"   // which authorization service the desk speaks to
	ManageService    Permission = "servico"   // the embedded service: partners, credentials, ledger
	ReadAudit        Permission = "auditoria"
	ManageBackups    Permission = "copias" // when the installation was copied, and to have it copied
)

// Permissions lists all permissions.
func Permissions() []Permission {
	return []Permission{SeePatients, SeeAllUnits, DecideUnknown, CancelAuthorizations, ManagePeople, ManageDirectory, ManageConnection,
		ManageService, ReadAudit, ManageBackups}
}

// granted is the whole table: what each role permits. Whoever has several roles may
// do what each of them permits.
var granted = map[Role][]Permission{
	Reception:      {SeePatients},
	Supervision:    {SeePatients, SeeAllUnits, DecideUnknown, CancelAuthorizations},
	Decision:       {SeePatients, DecideUnknown, CancelAuthorizations},
	Administration: {ManagePeople, ManageDirectory, ManageConnection, ManageService, ReadAudit, ManageBackups},
	program:        {ManagePeople, ManageDirectory, ManageConnection, ManageService},
}

// Grants reports whether a role permits something.
func (r Role) Grants(p Permission) bool { return slices.Contains(granted[r], p) }

// denied returns what a person reads who may not do something.
func (p Permission) denied() error {
	if p == SeePatients || p == SeeAllUnits {
		return problem.New(problem.Forbidden, "Seu acesso não inclui dados de pacientes.")
	}
	return problem.New(problem.Forbidden, "Seu acesso não inclui esta página.")
}
