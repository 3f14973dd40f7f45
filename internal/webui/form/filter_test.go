package form_test

import (
	"testing"
	"time"

	"guiche/internal/webui/form"

	"github.com/google/uuid"
)

func TestReadSearch(t *testing.T) {
	for posted, want := range map[string]form.Search{
		"":                     {Page: 1},
		"Busca=+ana+&pagina=3": {Text: "ana", Page: 3},
		"pagina=x":             {Page: 1},
		"pagina=-2":            {Page: 1},
		"pagina=99999999999":   {Page: 1_000_000},
		"Busca=a&Busca=b":      {Text: "a", Page: 1},
	} {
		if got := form.ReadSearch(mustValues(t, posted)); got != want {
			t.Errorf("%q: got %+v, want %+v", posted, got, want)
		}
	}
}

func TestForm_Period(t *testing.T) {
	zone := time.FixedZone("", -3*3600)
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, zone)
	day := func(month time.Month, d int) time.Time { return time.Date(2026, month, d, 0, 0, 0, 0, zone) }
	for name, c := range map[string]struct {
		posted      string
		from, until time.Time
		problem     string // field and message
	}{
		"None":     {"", time.Time{}, time.Time{}, ""},
		"Blank":    {"de=+&ate=+", time.Time{}, time.Time{}, ""},
		"From":     {"de=01/11/2026", day(11, 1), time.Time{}, ""},
		"Until":    {"ate=011126", time.Time{}, day(11, 2), ""},
		"OneDay":   {"de=+30.11.26+&ate=30-11-2026", day(11, 30), day(12, 1), ""},
		"Month":    {"de=11/2026&ate=11/2026", day(11, 1), day(12, 1), ""},
		"BadFrom":  {"de=31/02/2026&ate=01/11/2026", time.Time{}, day(11, 2), "de De: esta data não existe. Confira dia, mês e ano."},
		"NoFrom":   {"de=x&ate=01/11/2026", time.Time{}, day(11, 2), "de De: informe a data como DD/MM/AAAA."},
		"BadUntil": {"de=01/11/2026&ate=x", day(11, 1), time.Time{}, "ate Até: informe a data como DD/MM/AAAA."},
		"Reversed": {"de=02/11/2026&ate=01/11/2026", day(11, 2), day(11, 2), "ate O fim vem antes do começo."},
	} {
		t.Run(name, func(t *testing.T) {
			f := mustParse(t, c.posted)
			from, until := f.Period(now)
			if !from.Equal(c.from) || !until.Equal(c.until) {
				t.Errorf("got %v until %v, want %v until %v", from, until, c.from, c.until)
			}
			got := ""
			for _, p := range f.Problems() {
				got += p.Path + " " + p.Message
			}
			if got != c.problem {
				t.Errorf("got problem %q, want %q", got, c.problem)
			}
		})
	}
}

// TestForm_Period_SummerTime: a day that begins at one o'clock is whole, and so are those beside it.
func TestForm_Period_SummerTime(t *testing.T) {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	for posted, want := range map[string]string{
		"de=04/11/2018&ate=04/11/2018": "2018-11-04T01:00:00-02:00 2018-11-05T00:00:00-02:00",
		"de=03/11/2018&ate=03/11/2018": "2018-11-03T00:00:00-03:00 2018-11-04T01:00:00-02:00",
	} {
		from, until := mustParse(t, posted).Period(time.Date(2018, 11, 20, 14, 0, 0, 0, zone))
		if got := from.Format(time.RFC3339) + " " + until.Format(time.RFC3339); got != want {
			t.Errorf("%s: got %s, want %s", posted, got, want)
		}
	}
}

func TestForm_UUID(t *testing.T) {
	const text = "01935d2c-7f00-7000-8000-000000000001"
	f := mustParse(t, "pessoa="+text+"&parceiro=outro&vazio=")
	if got := f.UUID("pessoa", "x"); got != uuid.MustParse(text) {
		t.Errorf("got %s", got)
	}
	if f.UUID("vazio", "x") != uuid.Nil || f.UUID("ausente", "x") != uuid.Nil || f.Invalid() {
		t.Errorf("got %v of nothing chosen", f.Problems())
	}
	if got := f.UUID("parceiro", "Escolha um parceiro da lista."); got != uuid.Nil || len(f.Problems()) != 1 ||
		f.Problems()[0].Path != "parceiro" {
		t.Errorf("got %s, %v", got, f.Problems())
	}
}
