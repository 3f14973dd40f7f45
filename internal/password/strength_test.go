package password_test

import (
	"strings"
	"testing"

	"guiche/internal/password"
)

func TestProblems(t *testing.T) {
	names := []string{"Clara Souza Lima", "clara.souza"}
	for _, tt := range []struct {
		name, password string
		want           string // code of the problem, "" for a good password
	}{
		{"Empty", "", "obrigatorio"},
		{"Eleven", "quatro patas"[:11], "limite"},
		{"Twelve", "quatro patas", ""},
		{"ElevenInMoreBytes", "coração-aça", "limite"},
		{"TwelveDecomposed", "ac\u0327a\u0303o e reac", "limite"},
		{"OneHundredTwentyEight", strings.Repeat("vento sul ", 12) + "na vela", ""},
		{"OneHundredTwentyNine", strings.Repeat("vento sul ", 12) + "nas velas", "limite"},
		{"Signs", "vQ7#pL2x9!mZ", ""},
		{"OtherScripts", "🦜🦜🦜 papagaio 🌵🌵", ""},
		{"Sentence", "o gato subiu no telhado", ""},

		{"Common", "correcthorsebatterystaple", "comum"},
		{"CommonSpacedUpperAccented", "ADMINIS TRAÇÃO", "comum"},
		{"CommonWithDigitsAfter", "Recepção@2026!!", "comum"},
		{"CommonWithDigitsBefore", "2026!!-hospital", "comum"},
		{"CommonWithAWordBefore", "meu bom hospital azul", ""},
		{"CommonTwice", "flamengoflamengo", "comum"},
		{"CommonThreeTimes", "senha senha senha", "comum"},
		{"CommonTwiceWithDigits", "12flamengoflamengo34", "comum"},
		{"CommonTwiceAndMore", "flamengoflamengox", "comum"},
		{"UncommonTwice", "fagulhafagulha", "comum"},

		{"OneCharacter", "zzzzzzzzzzzz", "comum"},
		{"TwoCharacters", "xyxyxyxyxyxy", "comum"},
		{"FourCharacters", "x7!qx7!qx7!q", "comum"},
		{"FiveCharacters", "x7!qkx7!qkx7!qk", "comum"},
		{"FourAccented", "ção7ção7ção7", "comum"},

		{"OwnLogin", "clara.souza", "limite"},
		{"OwnLoginAndYear", "clara.souza2026", "comum"},
		{"OwnName", "Clara Souza Lima", "comum"},
		{"OwnNameAndMore", "Clara Souza Lima do mar", ""},
		{"PartOfOwnName", "souza1234567", "comum"},
		{"TwoPartsOfOwnName", "2026claralima", "comum"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			problems := password.Problems(tt.password, names...)
			if tt.want == "" {
				if len(problems) > 0 {
					t.Errorf("got %v, want a good password", problems)
				}
				return
			}
			if len(problems) != 1 || problems[0].Code != tt.want || problems[0].Path != "senha" || problems[0].Message == "" {
				t.Errorf("got %v, want one problem of senha: %s", problems, tt.want)
			}
		})
	}
	t.Run("WithoutNames", func(t *testing.T) {
		for _, names := range [][]string{nil, {""}, {"", " "}} {
			if problems := password.Problems("fagulha.torta2026", names...); problems != nil {
				t.Errorf("%q: got %v, want a good password", names, problems)
			}
			if problems := password.Problems("840275 193662", names...); len(problems) != 0 {
				t.Errorf("%q: got %v, want a good password without letters", names, problems)
			}
		}
	})
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Ana": "ana", "JOÃO da Conceição": "joaodaconceicao", "Concei\u0063\u0327\u0061\u0303o": "conceicao",
		"a\u00a0b\tc\n": "abc", "ﬁm": "fim", "Ｓｅｎｈａ１": "senha1", "x-1_y": "x-1_y",
	} {
		if got := password.Fold(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestNormalize(t *testing.T) {
	for _, same := range [][2]string{{"aça\u0303o", "ac\u0327ão"}, {"ﬁm", "fim"}, {"１２", "12"}} {
		if a, b := password.Normalize(same[0]), password.Normalize(same[1]); a != b {
			t.Errorf("got %q and %q, want the same", a, b)
		}
	}
	for _, kept := range []string{"", "Senha com Espaços ", "coração", "🦜"} {
		if got := password.Normalize(kept); got != kept {
			t.Errorf("got %q, want %q", got, kept)
		}
	}
}
