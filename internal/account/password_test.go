package account_test

import (
	"context"
	"strings"
	"testing"

	"guiche/internal/account"
	"guiche/internal/problem"
)

func TestService_Activate_Password(t *testing.T) {
	o := MustOpen(t)
	_, token := MustInvite(t, o, "clara.souza")
	for name, tc := range map[string]struct {
		password string
		want     string // "" good, else the code of the field senha
	}{
		"Empty":                {"", "obrigatorio"},
		"Eleven":               {"guarda-chuv", "limite"},
		"ElevenAccented":       {"coração-aça", "limite"},
		"OneHundredTwentyNine": {strings.Repeat("ab1 ", 32) + "x", "limite"},
		"Listed":               {"correcthorsebatterystaple", "comum"},
		"ListedSpaced":         {"correct horse battery staple", "comum"},
		"ListedUpper":          {"ADMINISTRADORA", "comum"},
		"ListedAccented":       {"Administração", "comum"},
		"WordAndYear":          {"Recepção@2026!!", "comum"},
		"DigitsAndWord":        {"2026-hospital", "comum"},
		"WordTwice":            {"flamengoflamengo", "comum"},
		"DigitWalk":            {"123456789012", "comum"},
		"OneLetter":            {"aaaaaaaaaaaaaa", "comum"},
		"ShortPieceRepeated":   {"x7!qx7!qx7!q", "comum"},
		"OwnLogin":             {"clara.souza2026", "comum"},
		"OwnName":              {"Nome de Clara.Souza", "comum"},
		"PartOfOwnLogin":       {"clara1234567", "comum"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := o.Activate(t.Context(), token, tc.password)
			wantFields(t, err, []string{"senha " + tc.want})
		})
	}
	for _, good := range []string{"doze letras!", "o gato subiu no telhado", "🦜🦜🦜 papagaio 🌵🌵", "vQ7#pL2x9!mZ",
		strings.Repeat("longa frase ", 9) + "boa mesmo", "clara souza gosta de mar"} {
		t.Run(good, func(t *testing.T) {
			o := MustOpen(t)
			_, token := MustInvite(t, o, "clara.souza")
			if _, err := o.Activate(t.Context(), token, good); err != nil {
				t.Fatalf("got %v, want nil", err)
			}
			if _, _, err := o.Login(t.Context(), "clara.souza", good, address); err != nil {
				t.Errorf("Login: %v", err)
			}
		})
	}
}

// Whoever knows the clinic tries its names first.
func TestService_Activate_ClinicNames(t *testing.T) {
	o := MustOpen(t)
	o.Service = account.New(account.Config{Store: o.store, Hasher: o.hash, Clinic: func(context.Context) ([]string, error) {
		return []string{"Unidade Jatobazeiro"}, nil
	}})
	_, token := MustInvite(t, o, "clara.souza")
	_, err := o.Activate(t.Context(), token, "jatobazeiro2026")
	wantFields(t, err, []string{"senha comum"})
	if got := problem.FieldsOf(err)[0].Message; !strings.Contains(got, "contém um nome que outros conhecem") {
		t.Errorf("got %q", got)
	}
}
