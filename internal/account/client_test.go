package account_test

import (
	"strings"
	"testing"

	"guiche/internal/account"
	"guiche/internal/permission"
)

func TestDevice(t *testing.T) {
	const webkit = " AppleWebKit/537.36 (KHTML, like Gecko) "
	for agent, want := range map[string]string{
		windowsChrome: "Chrome no Windows",
		"Mozilla/5.0 (Windows NT 6.1; Win64; x64)" + webkit +
			"Chrome/109.0.0.0 Safari/537.36 Edg/109.0.1518.140": "Edge no Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:115.0) Gecko/20100101 Firefox/115.0": "Firefox no Windows",
		"Mozilla/5.0 (X11; Linux x86_64)" + webkit +
			"Chrome/131.0.0.0 Safari/537.36 OPR/116.0.0.0": "Opera no Linux",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)" + webkit +
			"Chrome/131.0.0.0 Safari/537.36": "Chrome no ChromeOS",
		"Mozilla/5.0 (Linux; Android 14; Pixel 8)" + webkit +
			"Chrome/131.0.0.0 Mobile Safari/537.36": "Chrome no Android",
		"Mozilla/5.0 (Linux; Android 13; SM-S901B)" + webkit +
			"SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36": "Samsung Internet no Android",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.4 " +
			"Safari/605.1.15": "Safari no macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile " +
			"Safari/604.1": "Chrome no iPhone",
		"Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 " +
			"Safari/604.1": "Safari no iPad",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/130.0 Mobile " +
			"Safari/605.1.15": "Firefox no iPhone",
		"curl/8.9.1 (Linux)":           "Navegador no Linux",
		"Firefox/115.0":                "Firefox",
		"":                             "Navegador desconhecido",
		strings.Repeat("texto ", 5000): "Navegador desconhecido",
	} {
		if got := account.Device(agent); got != want {
			t.Errorf("%.60q: got %q, want %q", agent, got, want)
		}
	}
}

// An address with a zone of any length does not keep a person out.
func TestClient_LongAddress(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	long := account.Client{Address: "fe80::1%" + strings.Repeat("é", 500)}
	if _, _, err := o.Login(t.Context(), "clara", typedPassword, long); err != nil {
		t.Fatal(err)
	}
	sessions, err := o.Sessions(t.Context(), user.UID)
	if err != nil || len(sessions) != 1 || len([]rune(sessions[0].Address)) != 64 {
		t.Errorf("got %+v, error %v", sessions, err)
	}
}
