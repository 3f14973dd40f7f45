package page

import (
	"strconv"

	"guiche/web/component"
	"guiche/web/layout"
)

// AuditView is GET /auditoria, and the answer of a filter that cannot be used (422
// with Problems, no rows).
type AuditView struct {
	layout.Page
	Fields    // of the filter: de, ate, pessoa, evento, endereco
	People    []component.Choice
	Events    []component.Choice
	Chain     component.Notice // whether the trail is as it was written
	Alarm     *AlarmView       // how to end the alarm about the trail, nil without one
	Query     string           // of the filter: "", or "?…"
	Filtered  bool             // a filter is in force
	Backups   string           // address of the backups, "" for whoever may not see them
	Integrity string           // address of what is damaged, likewise
	Entries   []AuditRow
	Older     string // address of the next page, "" at the end
	First     string // address of the first page, "" when this is it

	AddressDays int // how long addresses are kept
}

// AuditRow is one entry of the trail.
type AuditRow struct {
	Position string // number in the chain
	At       string // "20/11/2026 14:02:31"
	Who      string // name of the person, "Guichê" for the program itself
	Address  string // where it came from: "192.0.2.7", "" where that is not known, or not any more
	// SameAddress is the page of the entries from that address.
	SameAddress string
	Event       string // "Caso visto"
	Object      string // kind of thing, with the name of one of our people: "Caso", "Pessoa Ana Prado", "" for none
	ID          string // end of its identifier, "" for none
	FullID      string
	Detail      string // fixed words of the entry: "guia 1 na tela"
}

// address is the field of the filter for where somebody acted from.
func (m AuditView) address() component.Field {
	return m.field(component.Field{Name: "endereco", Label: "Endereço de rede", Code: true})
}

func (m AuditView) person() component.Select {
	return m.choice("pessoa", "Pessoa", "Todas", m.People)
}

func (m AuditView) event() component.Select {
	return m.choice("evento", "O que fez", "Tudo", m.Events)
}

// filteredBy says by what the list is filtered.
func (m AuditView) filteredBy() []string {
	return m.inForce([]component.Field{m.from(), m.until(), m.address()}, m.person(), m.event())
}

// addressNote says how long addresses are kept.
func (m AuditView) addressNote() string {
	days := "1 dia"
	if m.AddressDays != 1 {
		days = strconv.Itoa(m.AddressDays) + " dias"
	}
	return "Endereços de rede são apagados depois de " + days + "; os registros ficam."
}
