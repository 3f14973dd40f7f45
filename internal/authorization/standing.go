package authorization

import (
	"fmt"
	"slices"
	"strings"
)

// Group returns what is to be done about the authorization: what its status says,
// unless sucesso contradicts it.
func (a Authorization) Group() Group {
	if a.Contradictory() {
		return YourTurn
	}
	return a.Status.Group()
}

// Contradictory reports whether the status authorizes and sucesso says that it did not
// succeed: a person has to ask before anybody is attended.
func (a Authorization) Contradictory() bool { return !a.Success && a.Status.Group() == Ready }

// Contradicts reports whether a group is that of a status which sucesso contradicts.
func (g Group) Contradicts(s Status) bool { return g == YourTurn && s.Group() == Ready }

// Standing is what an answer amounts to as a whole: the status that needs action first
// and its group; "" and 0 without an authorization.
func (a Answer) Standing() (Status, Group) {
	if len(a.Authorizations) == 0 {
		return "", 0
	}
	first := slices.MinFunc(a.Authorizations, func(x, y Authorization) int {
		if order := slices.Index(urgency, x.Group()) - slices.Index(urgency, y.Group()); order != 0 {
			return order
		}
		return comparePlaces(x.Status, y.Status)
	})
	if !a.Success && first.Group() == Ready {
		return first.Status, YourTurn // the answer as a whole says that it failed, and no authorization why
	}
	return first.Status, first.Group()
}

// Open reports whether the operator may still change something of it (row 19).
func (a Answer) Open() bool {
	return slices.ContainsFunc(a.Authorizations, func(one Authorization) bool { return !one.Status.Info().Final })
}

// Awaited reports whether the operator has not decided about all of it.
func (a Answer) Awaited() bool {
	return slices.ContainsFunc(a.Authorizations, func(one Authorization) bool {
		return !one.Status.Info().Final && one.Status.Group() != Ready && one.Status != PartiallyAuthorized
	})
}

// Recorded reports whether a person wrote down a part of it.
func (a Answer) Recorded() bool {
	return slices.ContainsFunc(a.Authorizations, func(one Authorization) bool { return one.Recorded })
}

// Authorized counts the authorizations with which somebody may be attended.
func (a Answer) Authorized() int {
	n := 0
	if status, group := a.Standing(); !a.Success && group.Contradicts(status) {
		return n
	}
	for _, one := range a.Authorizations {
		if one.Group() == Ready {
			n++
		}
	}
	return n
}

// counted are the words for one and for several authorizations of a status.
var counted = map[Status][2]string{
	AwaitingAttachment:   {"à espera de anexo", "à espera de anexo"},
	AwaitingBiometrics:   {"à espera de biometria", "à espera de biometria"},
	InvalidBiometrics:    {"com biometria inválida", "com biometria inválida"},
	PartiallyAuthorized:  {"autorizado em parte", "autorizados em parte"},
	InvalidBeneficiary:   {"com beneficiário inválido", "com beneficiário inválido"},
	Inconsistency:        {"com inconsistência", "com inconsistência"},
	InconsistencyCedilla: {"com inconsistência", "com inconsistência"},
	NotProcessed:         {"não processado", "não processados"},
	Denied:               {"negado", "negados"},
	UnderAnalysis:        {"em análise", "em análise"},
	PendingDispatch:      {"pendente de envio", "pendentes de envio"},
	AwaitingCancellation: {"à espera de cancelamento", "à espera de cancelamento"},
	Executed:             {"executado", "executados"},
	Cancelled:            {"cancelado", "cancelados"},
	NotApplicable:        {"sem situação", "sem situação"},
}

// Tally says how several authorizations stand: "1 de 2 autorizados; 1 em análise". It is
// empty when there are not several.
func (a Answer) Tally() string {
	if len(a.Authorizations) < 2 {
		return ""
	}
	words := fmt.Sprintf("%d de %d autorizados", a.Authorized(), len(a.Authorizations))
	if others := a.countOthers(); len(others) > 0 {
		words += "; " + strings.Join(others, ", ")
	}
	return words
}

// countOthers counts what is not authorized, by status in the order of their table; what
// is unknown or contradicts itself comes last.
func (a Answer) countOthers() []string {
	counts := map[[2]string]int{}
	toCheck := [2]string{"a conferir", "a conferir"}
	for _, one := range a.Authorizations {
		if words, ok := counted[one.Status]; ok {
			counts[words]++
		} else if one.Group() != Ready {
			counts[toCheck]++
		}
	}
	var all []string
	for _, row := range append(Statuses(), StatusInfo{}) {
		words := counted[row.Code]
		if row.Code == "" {
			words = toCheck
		}
		if n := counts[words]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, words[min(n, 2)-1]))
			delete(counts, words)
		}
	}
	return all
}
