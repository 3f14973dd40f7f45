package connection

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"guiche/internal/problem"
)

// tryFeatures returns also the words that count from here on.
func tryFeatures(ctx context.Context, p Plan, trial Trial) ([]string, Result, string) {
	if p.ByHand {
		return p.Features, Skipped, "Os recursos estão definidos à mão."
	}
	words, err := trial.Announced(ctx)
	switch {
	case problem.Is(err, problem.Throttled):
		return nil, Failed, sentence(err)
	case err != nil:
		return nil, Failed, "O serviço não diz o que oferece. Defina os recursos à mão ou siga sem eles."
	case len(words) == 0:
		return nil, Passed, "O serviço não anuncia nada além da especificação."
	}
	return words, Passed, "O serviço anuncia: " + strings.Join(words, ", ") + "."
}

// tryLists reads both lists and keeps neither.
func tryLists(ctx context.Context, trial Trial) (Result, string) {
	units, unitsErr := trial.Units(ctx)
	professionals, professionalsErr := trial.Professionals(ctx)
	lists := []struct {
		err   error
		found string
		name  string
	}{
		{unitsErr, counted(len(units), "unidade", "unidades"), "Unidades"},
		{professionalsErr, counted(len(professionals), "executante", "executantes"), "Executantes"},
	}
	result := Skipped
	var words []string
	for _, l := range lists {
		switch {
		case l.err == nil && result == Skipped:
			result = Passed
		case l.err != nil && !problem.Is(l.err, problem.NotFound):
			result = Failed
		}
		if l.err == nil {
			words = append(words, "O serviço lista "+l.found+".")
		} else {
			words = append(words, l.name+": "+sentence(l.err))
		}
	}
	return result, strings.Join(words, " ")
}

// tryEligibility says whether eligibility will be asked for. To ask would take a
// card.
func tryEligibility(p Plan, features []string) (Result, string) {
	announced := slices.Contains(features, "elegibilidade")
	switch {
	case p.Eligibility == EligibilityNever:
		return Skipped, "Desligada nesta página."
	case p.Eligibility == EligibilityAlways:
		return Skipped, "Ligada nesta página, em " + p.EligibilityPath + ". Perguntar pediria uma carteira: por isso não foi testada."
	case announced && p.ByHand:
		return Skipped, "Marcada nos recursos. Perguntar pediria uma carteira: por isso não foi testada."
	case announced:
		return Passed, "O serviço a anuncia. Perguntar pediria uma carteira: isso não foi feito."
	}
	return Skipped, "O serviço não a anuncia: não será perguntada."
}

// counted writes a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
