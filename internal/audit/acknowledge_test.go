package audit_test

import (
	"slices"
	"strings"
	"testing"

	"guiche/internal/audit"

	"github.com/google/uuid"
)

// MustExamine examines links that can be read.
func MustExamine(tb testing.TB, k audit.Key, links []audit.Link) audit.Examination {
	tb.Helper()
	x, err := k.Examine(sequence(links))
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

// acknowledge appends the entry by which a person ends the alarm about what is found.
func acknowledge(tb testing.TB, links []audit.Link) []audit.Link {
	tb.Helper()
	x := MustExamine(tb, key, links)
	return appended(links, x.Acknowledgement(uuid.UUID{9}, audit.ReasonDisk))
}

// appended returns the chain with entries after its end.
func appended(links []audit.Link, entries ...audit.Entry) []audit.Link {
	links = slices.Clone(links)
	for _, e := range entries {
		links = append(links, key.Next(links[len(links)-1].Head, e))
	}
	return links
}

// altered returns the chain with another detail in one entry.
func altered(links []audit.Link, position int, detail string) []audit.Link {
	links = slices.Clone(links)
	links[position-1].Entry.Detail = detail
	return links
}

// An alarm that was ended stays so for what was acknowledged, and returns for anything
// else.
func TestExamination_Acknowledgement(t *testing.T) {
	more := audit.Entry{Event: audit.CaseViewed}
	ended := appended(acknowledge(t, altered(chain(9), 3, "x")), more, more)
	for name, tc := range map[string]struct {
		links []audit.Link
		want  int64 // position that is named; 0: no alarm
	}{
		"Open":         {altered(chain(9), 3, "x"), 3},
		"Ended":        {ended, 0},
		"AlteredAgain": {altered(ended, 3, "y"), 3},
		"Before":       {altered(ended, 2, "y"), 2},
		"After":        {altered(ended, 12, "y"), 12},
		"Both":         {acknowledge(t, altered(ended, 2, "y")), 0},
		"Unended":      {altered(ended, 10, "motivo=investigado"), 3},
		"Missing":      {slices.Delete(chain(9), 4, 6), 5},
		"MissingEnded": {acknowledge(t, slices.Delete(chain(9), 4, 6)), 0},
		"OtherKey":     {acknowledge(t, otherChain(9)), 0},
		"Forged":       {append(altered(chain(9), 3, "x"), forged(t)), 3},
		"OtherMAC":     {otherMAC(acknowledge(t, otherMAC(chain(9), 3, 1)), 3, 2), 3},
		"SameMAC":      {acknowledge(t, otherMAC(chain(9), 3, 1)), 0},
		"Nothing":      {acknowledge(t, chain(9)), 0},
		"NothingThen":  {altered(acknowledge(t, chain(9)), 3, "x"), 3},
	} {
		t.Run(name, func(t *testing.T) {
			x := MustExamine(t, key, tc.links)
			switch {
			case tc.want == 0 && x.Broken != nil:
				t.Errorf("got %v, want no alarm", x.Broken)
			case tc.want > 0 && (x.Broken == nil || x.Broken.Position != tc.want):
				t.Errorf("got %v, want entry %d named", x.Broken, tc.want)
			}
			if x.Head != tc.links[len(tc.links)-1].Head {
				t.Errorf("got head %d, want the last one", x.Head.Position)
			}
		})
	}
	x := MustExamine(t, key, ended)
	if x.Acknowledged == nil || x.Acknowledged.Position != 10 || x.Acknowledged.Entry.Reason() != audit.ReasonDisk {
		t.Errorf("got %+v, want the entry of the acknowledgement", x.Acknowledged)
	}
	if (audit.Entry{Event: audit.CaseViewed, Detail: "motivo=investigado"}).Reason() != "" {
		t.Error("another entry has a reason")
	}
}

// otherMAC returns the chain with another MAC of one entry.
func otherMAC(links []audit.Link, position int, mac byte) []audit.Link {
	links = slices.Clone(links)
	links[position-1].MAC = audit.MAC{mac}
	return links
}

// otherChain is a chain under a key that was lost.
func otherChain(n int) []audit.Link {
	var head audit.Head
	links := chain(n)
	for i, link := range links {
		links[i] = audit.Key{8}.Next(head, link.Entry)
		head = links[i].Head
	}
	return links
}

// forged is an acknowledgement by somebody who has not the key.
func forged(tb testing.TB) audit.Link {
	tb.Helper()
	links := altered(chain(9), 3, "x")
	return audit.Key{8}.Next(links[8].Head, MustExamine(tb, key, links).Acknowledgement(uuid.UUID{9}, audit.ReasonDisk))
}

// Addresses that are gone may be acknowledged, and forgotten later with all others.
func TestExamination_Acknowledgement_Addresses(t *testing.T) {
	gone := func(links []audit.Link, positions ...int) []audit.Link {
		links = slices.Clone(links)
		for _, p := range positions {
			links[p-1].Entry.Origin.Address, links[p-1].Entry.Origin.Salt = "", [32]byte{}
		}
		return links
	}
	ended := acknowledge(t, altered(gone(traced(9), 2, 4, 5), 7, "x"))
	for name, tc := range map[string]struct {
		links []audit.Link
		want  int64
	}{
		"Open":      {gone(traced(9), 4, 5), 4},
		"Ended":     {ended, 0},
		"Another":   {gone(ended, 3), 3},
		"Forgotten": {gone(appended(ended, audit.AddressesForgottenBefore(day(60))), 1, 2, 3, 4, 5, 6, 7, 8, 9), 0},
	} {
		t.Run(name, func(t *testing.T) {
			x := MustExamine(t, key, tc.links)
			if got := x.Broken; tc.want == 0 && got != nil || tc.want > 0 && (got == nil || got.Position != tc.want) {
				t.Errorf("got %v, want %d", got, tc.want)
			}
		})
	}
	t.Run("Many", func(t *testing.T) {
		links := traced(900)
		for p := 1; p <= 900; p += 2 {
			links = gone(links, p)
		}
		links = acknowledge(t, links)
		if x := MustExamine(t, key, links); x.Broken != nil || strings.Count(links[900].Entry.Detail, ",") != 199 {
			t.Errorf("got %v, want no alarm, and 200 ranges: %s", x.Broken, links[900].Entry.Detail)
		}
	})
	t.Run("Detail", func(t *testing.T) {
		words := strings.Fields(ended[len(ended)-1].Entry.Detail)
		if len(words) != 3 || words[0] != "motivo=falha_de_disco" || len(words[1]) != len("registros=")+16 || words[2] != "enderecos=2,4-5" {
			t.Errorf("got %q", words)
		}
	})
	t.Run("Unreadable", func(t *testing.T) {
		links := appended(gone(traced(3), 2), audit.Entry{Event: audit.AlarmEnded, Detail: "motivo=x enderecos=a,2-b,-,a-3"})
		if x := MustExamine(t, key, links); x.Broken == nil || x.Broken.Position != 2 {
			t.Errorf("got %v, want entry 2", x.Broken)
		}
	})
}

// The mark changes with whatever else is found broken, and with nothing else.
func TestExamination_Mark(t *testing.T) {
	broken := altered(chain(9), 3, "x")
	mark := MustExamine(t, key, broken).Mark("")
	if got := MustExamine(t, key, appended(broken, audit.Entry{Event: audit.TrailRead})).Mark(""); got != mark {
		t.Error("another entry changes the mark")
	}
	for name, got := range map[string]string{
		"Entry": MustExamine(t, key, altered(broken, 4, "x")).Mark(""),
		"Again": MustExamine(t, key, altered(broken, 3, "y")).Mark(""),
		"Head":  MustExamine(t, key, broken).Mark("9 00"),
		"None":  MustExamine(t, key, chain(9)).Mark(""),
	} {
		if got == mark || len(got) != 16 {
			t.Errorf("%s: got mark %q, want another than %q", name, got, mark)
		}
	}
}
