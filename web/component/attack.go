package component

import (
	"strconv"
	"strings"
)

// FailedLogins are the failed logins to one account.
type FailedLogins struct {
	Name string // as people know the account
	Day  int    // within 24 hours
	Week int    // within 7 days
}

// manyFailures are more than people mistype in a day.
const manyFailures = 20

// shownAccounts is how many accounts a notice names.
const shownAccounts = 5

// AttackNotice says whose passwords are being guessed, nil when nobody's are.
func AttackNotice(failed []FailedLogins, link Link) *Notice {
	var words []string
	others := 0
	for _, f := range failed {
		switch {
		case f.Day < manyFailures:
		case len(words) == shownAccounts:
			others++
		default:
			words = append(words, f.Name+": "+grouped(f.Day)+" ("+grouped(f.Week)+" em 7 dias)")
		}
	}
	if len(words) == 0 {
		return nil
	}
	if others > 0 {
		words = append(words, "e mais "+strconv.Itoa(others))
	}
	return &Notice{Tone: ToneAttention, Icon: "exclamation-triangle", Strong: "Alguém tenta adivinhar senhas.",
		Text: "Tentativas sem sucesso nas últimas 24 horas: " + strings.Join(words, "; ") +
			". Quem tem a senha certa continua entrando.", Link: link}
}

// grouped writes a number with a point between thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "." + digits[i:]
	}
	return digits
}
