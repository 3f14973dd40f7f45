package password_test

import (
	"strings"
	"testing"

	"guiche/internal/password"
)

var guessable = []string{
	"mudar123456!", "abcd1234abcd", "zaq12wsxcde3", "1234567890ab", "111122223333", "aaaaaaaaaaab",
	"mariaeduarda", "joaopedro123", "marialuiza12", "senha123456!", "Senha@123456", "guiche123456",
	"guiche@2026!", "clinica12345", "recepcao2026", "Recepção@2026!!", "administrador", "admin123admin",
	"qwertyuiop12", "qwertyuiopas", "asdfghjklç12", "asdfghjklçzx", "1q2w3e4r5t6y", "q1w2e3r4t5y6",
	"1qaz2wsx3edc", "zxcvbnm12345", "poiuytrewq12", "123456789012", "012345678901", "987654321098",
	"abcdefghijkl", "abcabcabcabc", "abc123abc123", "aabbccddeeff", "121212121212", "25122026natal",
	"01011990maria", "15031985joao", "12031985120385", "anabeatriz10", "pedrohenrique", "carlos123456",
	"flamengo2026", "corinthians1", "palmeiras123", "brasil123456", "password1234", "P@ssw0rd1234",
	"iloveyou1234", "fagulhafagulha", "deusefiel123", "jesuscristo1", "saudade12345",
	"x7!q x7! qx7 !qx 7!q", "f l a m e n g o fl amengo", "médico émédico",
}

var good = []string{
	"quatro patas no quintal", "o gato subiu no telhado", "chuva fina de agosto", "girassol no telhado azul",
	"uma frase bem comprida", "uma frase bem longa", "coração de pedra e vento", "o trem das onze passou",
	"minha avó faz bolo de fubá", "doze letras!", "janela aberta pro mar", "cavalo bateria grampo",
	"tomate lâmpada xadrez", "pipoca navio violão", "a rua molhada brilha", "quem canta no chuveiro",
	"três peixes no aquário", "livro velho de capa verde", "sapato furado e meia", "farol de neblina 47",
	"viola caipira no sítio", "espelho girafa moinho", "nove gatos e um relógio", "relógio-cuco-parado-7h",
	"Mingau!de!aveia!frio", "kT9#mQ2$vLx7", "vQ7#pL2x9!mZ", "hG4!zR8@nW1%", "x8Jq2Vw0Tz5L", "bnR7-kdP3-wqX9",
	"gyrhtkwvbnpx", "Zf6uQm1tYc9s", "pL0_wq8_Rn3_x", "840275 193662", "7Kd!rQz2Wp@9", "wcvzqpmkhdtr",
	"meu bom hospital azul", "clara souza gosta de mar", "Clara Souza Lima do mar",
	"outra senha da pessoa", "bicicleta torta na ladeira",
}

func TestProblems_Guessable(t *testing.T) {
	for _, chosen := range guessable {
		problems := password.Problems(chosen)
		if len(problems) != 1 || problems[0].Code != "comum" {
			t.Errorf("%q: got %v, want it refused", chosen, problems)
		}
	}
	for _, chosen := range good {
		if problems := password.Problems(chosen, "Ana Prado", "ana"); len(problems) > 0 {
			t.Errorf("%q: got %v, want a good password", chosen, problems)
		}
	}
}

// The names of the clinic, of its units and of the person are what others try first.
func TestProblems_Names(t *testing.T) {
	for _, chosen := range []string{"vilamadalena1", "Madalena@2026", "zoraide.quintanilha", "quintanilha99"} {
		if problems := password.Problems(chosen, "Zoraide Quintanilha", "zoraide.q", "Clínica Vila Madalena"); len(problems) == 0 {
			t.Errorf("%q: got nothing, want it refused", chosen)
		}
	}
}

// The sentence says what makes a password guessable.
func TestProblems_Why(t *testing.T) {
	for chosen, want := range map[string]string{
		"quintanilha99":  "contém um nome que outros conhecem",
		"15031985joao":   "contém uma data",
		"2026-11-22ab":   "contém uma data",
		"111122223333":   "repete os mesmos caracteres",
		"aaaaaaaaaaab":   "repete os mesmos caracteres",
		"xyxyxyxyxyxy":   "repete os mesmos caracteres",
		"x7!q x7!q x7!q": "repete os mesmos caracteres",
		"123123123123":   "repete os mesmos caracteres",
		"cvbnhjkloiuy":   "segue a ordem das teclas",
		"mnopqrstuvwx":   "contém uma sequência, como 1234 ou abcd",
		"marialuiza12":   "que muita gente usa",
		"Recepção@2026":  "que muita gente usa",
		"senha123456!":   "que muita gente usa",
		"321654ahnes!!!": "que muita gente usa",
	} {
		problems := password.Problems(chosen, "Zoraide Quintanilha")
		if len(problems) != 1 || !strings.Contains(problems[0].Message, want) {
			t.Errorf("%q: got %v, want %q", chosen, problems, want)
		}
	}
}

// Whatever is typed is measured in a bounded time.
func FuzzProblems(f *testing.F) {
	f.Fuzz(func(_ *testing.T, chosen string) { password.Problems(chosen, chosen) })
}

func BenchmarkProblems(b *testing.B) {
	for b.Loop() {
		password.Problems("bicicleta torta na ladeira", "Ana Prado", "ana")
	}
}
