package audit

// The history: who searched, by which stored filter; what was typed stays there.
const (
	HistorySearched Event = "historico.buscado"

	ObjectFilter = "filtro"
)
