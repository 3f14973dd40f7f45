package service

import "net/http"

// listFeatures serves GET /api/v2/recursos (row 17): what the service itself does,
// and what at least one of its operators does.
func (s *Service) listFeatures(w http.ResponseWriter, _ *call) error {
	data := struct {
		Features []string `json:"recursos"`
	}{s.features()}
	return writeEnvelope(w, http.StatusOK, newEnvelope(data, nil))
}

func (s *Service) features() []string {
	words := []string{"idempotencia", "situacao", "consulta-por-guia"}
	for _, f := range []struct {
		word string
		can  func(Operator) bool
	}{
		{"anexos", attaching.can}, {"biometria", collecting.can}, {"cancelamento", cancelling.can},
		{"elegibilidade", implements[EligibilityChecker]},
	} {
		for _, o := range s.operators {
			if f.can(o) {
				words = append(words, f.word)
				break
			}
		}
	}
	return append(words, "cadastros")
}
