package catalogue_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"guiche/internal/directory/catalogue"
)

var code = regexp.MustCompile(`^[1-5]\d{7}$`)

func TestProcedures(t *testing.T) {
	all := catalogue.Procedures()
	if len(all) < 320 {
		t.Errorf("got %d procedures, want at least 320", len(all))
	}
	names := map[string]string{}
	for i, p := range all {
		if !code.MatchString(p.Code) {
			t.Errorf("got code %q, want 8 digits of a chapter from 1 to 5", p.Code)
		}
		if i > 0 && p.Code <= all[i-1].Code {
			t.Errorf("got %s after %s, want each code once and in order", p.Code, all[i-1].Code)
		}
		if other := names[p.Name]; other != "" {
			t.Errorf("got the name of %s for %s too, want names that tell them apart", other, p.Code)
		}
		names[p.Name] = p.Code
		checkText(t, p.Code, p.Name)
		if first, _ := utf8.DecodeRuneInString(p.Name); !unicode.IsUpper(first) && !unicode.IsDigit(first) {
			t.Errorf("%s: got name %q, want sentence case", p.Code, p.Name)
		}
		checkAliases(t, p)
	}
}

func checkAliases(t *testing.T, p catalogue.Procedure) {
	t.Helper()
	for i, a := range p.Aliases {
		checkText(t, p.Code, a)
		if slices.Contains(p.Aliases[:i], a) || strings.EqualFold(a, p.Name) {
			t.Errorf("%s: got alias %q again, want it to add something", p.Code, a)
		}
	}
}

func checkText(t *testing.T, code, s string) {
	t.Helper()
	if n := utf8.RuneCountInString(s); n < 1 || n > 150 || strings.Join(strings.Fields(s), " ") != s {
		t.Errorf("%s: got text %q of %d characters, want 1 to 150 without stray spaces", code, s, n)
	}
	if strings.ToUpper(s) == s && len(strings.Fields(s)) > 3 {
		t.Errorf("%s: got %q, want no shouting", code, s)
	}
}

func TestProcedures_found(t *testing.T) {
	for _, tt := range []struct{ word, code string }{
		{"consulta eletiva", "10101012"}, {"TSH", "40316521"}, {"hemograma", "40304361"}, {"ultrassom abdome", "40901122"},
		{"raio X tórax", "40805018"}, {"tomografia crânio", "41001010"}, {"ressonância joelho", "41101316"}, {"MMG", "40808041"},
		{"DMO", "40808130"}, {"ECG", "40101010"}, {"EDA", "40201120"}, {"fundo de olho", "41301439"}, {"fisio", "50000160"},
		{"fono", "50000616"}, {"psicólogo", "50000470"}, {"pontos", "30101794"}, {"EAS", "40311210"}, {"Papanicolau", "40601137"},
	} {
		t.Run(tt.word, func(t *testing.T) {
			i := slices.IndexFunc(catalogue.Procedures(), func(p catalogue.Procedure) bool { return p.Code == tt.code })
			if i < 0 {
				t.Fatalf("got no procedure %s, want one", tt.code)
			}
			p := catalogue.Procedures()[i]
			text := strings.ToLower(strings.Join(append([]string{p.Name}, p.Aliases...), "\n"))
			if !strings.Contains(text, strings.ToLower(tt.word)) {
				t.Errorf("got %q, want a way to find it by %q", text, tt.word)
			}
		})
	}
}

func TestProcedures_copy(t *testing.T) {
	catalogue.Procedures()[0].Name = "changed"
	if got := catalogue.Procedures()[0].Name; got == "changed" {
		t.Errorf("got the change of another caller, want a list of one's own")
	}
}
