package page

import "guiche/web/layout"

// TrafficView is GET /servico/trafego.
type TrafficView struct {
	layout.Page
	Since    string // "hoje, 14:00"
	InFlight int    // requests that are being answered
	Rows     []TrafficRow
}

// TrafficRow is the traffic of one address.
type TrafficRow struct {
	Route    string // "/api/v2/credenciais"; "endereço desconhecido"
	Total    int
	Statuses []TrafficStatus
}

// TrafficStatus counts the answers of one status.
type TrafficStatus struct {
	Status string // "200", "cortada"
	Count  string // "1 vez", "15 vezes"
}
