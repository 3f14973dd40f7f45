package form_test

import (
	"testing"
	"time"

	"guiche/internal/webui/form"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func TestWords(t *testing.T) {
	type role string
	f := mustParse(t, "papeis=a&papeis=&papeis=b+c&vazio=")
	for name, want := range map[string][]role{"papeis": {"a", "", "b c"}, "vazio": {""}, "ausente": nil} {
		if diff := cmp.Diff(want, form.Words[role](f, name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestForm_UUIDs(t *testing.T) {
	const one, two = "01935d2c-7f00-7000-8000-000000000001", "01935d2c-7f00-7000-8000-000000000002"
	f := mustParse(t, "unidades="+two+"&unidades="+one+"&estranhas="+one+"&estranhas=x&vazia=")
	got, err := f.UUIDs("unidades")
	if diff := cmp.Diff([]uuid.UUID{uuid.MustParse(two), uuid.MustParse(one)}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := f.UUIDs("ausente"); got != nil || err != nil {
		t.Errorf("got %v, %v of nothing sent", got, err)
	}
	for _, name := range []string{"estranhas", "vazia"} {
		if got, err := f.UUIDs(name); got != nil || err == nil {
			t.Errorf("%s: got %v, %v, want an error and nothing else", name, got, err)
		}
	}
}

func TestForm_Lines(t *testing.T) {
	f := mustParse(t, "sinonimos=+a%0Ab,c%0A%0Ad")
	if diff := cmp.Diff([]string{" a", "b,c", "", "d"}, f.Lines("sinonimos")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestForm_Codes(t *testing.T) {
	for typed, want := range map[string][]string{
		"":                                nil,
		"+%0A+,%3B":                       nil,
		"40901122":                        {"40901122"},
		"2,1%3B3%0D%0A4+5":                {"2", "1", "3", "4", "5"},
		"41*%0A40901122%0A41*,40901122,7": {"41*", "40901122", "7"},
	} {
		if diff := cmp.Diff(want, mustParse(t, "codigos="+typed).Codes("codigos")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", typed, diff)
		}
	}
}

func TestForm_Int(t *testing.T) {
	for typed, want := range map[string]int{"": 0, "++": 0, "0": 0, "+12+": 12, "-3": -3, "1,5": -1, "muitos": -1,
		"99999999999999999999": -1} {
		if got := mustParse(t, "limite="+typed).Int("limite"); got != want {
			t.Errorf("%q: got %d, want %d", typed, got, want)
		}
	}
	if got := form.New(nil).Int("limite"); got != 0 {
		t.Errorf("got %d of nothing sent", got)
	}
}

func TestForm_Seconds(t *testing.T) {
	const longest = 2 * time.Minute
	for typed, want := range map[string]time.Duration{
		"": 0, "++": 0,
		"1,5": 1500 * time.Millisecond, "+1.5+": 1500 * time.Millisecond, "30": 30 * time.Second,
		"0,001": time.Millisecond, "0,0009": -1, "0": -1, "-1": -1,
		"1,2346": 1235 * time.Millisecond,
		"120":    longest, "120,001": -1,
		"1,000,5": -1, "NaN": -1, "Inf": -1, "1e300": -1, "x": -1,
	} {
		if got := mustParse(t, "tempo="+typed).Seconds("tempo", longest); got != want {
			t.Errorf("%q: got %v, want %v", typed, got, want)
		}
	}
}
