package audit_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"

	"github.com/google/uuid"
)

// day is when entry n of traced happened.
func day(n int) time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC) }

// traced returns a chain of one entry a day, each from an address, and then further
// entries without.
func traced(days int, then ...audit.Entry) []audit.Link {
	var links []audit.Link
	var head audit.Head
	add := func(e audit.Entry) {
		link := key.Next(head, e)
		links, head = append(links, link), link.Head
	}
	for i := range days {
		add(audit.Entry{At: day(i + 1), Actor: uuid.UUID{1}, Event: audit.CaseViewed, Origin: audit.NewOrigin("192.0.2.7")})
	}
	for _, e := range then {
		add(e)
	}
	return links
}

// forget takes the addresses of the first n entries away, as the store does.
func forget(links []audit.Link, n int) []audit.Link {
	for i := range n {
		links[i].Entry.Origin.Address, links[i].Entry.Origin.Salt = "", [32]byte{}
	}
	return links
}

func TestNewOrigin(t *testing.T) {
	a, b := audit.NewOrigin("192.0.2.7"), audit.NewOrigin("192.0.2.7")
	if a.Digest == b.Digest || a.Salt == b.Salt || a.Digest == ([32]byte{}) {
		t.Error("the digests of one address are alike: they would tell who came from the same place")
	}
	if got := audit.NewOrigin(""); got != (audit.Origin{}) {
		t.Errorf("without an address: got %v, want none", got)
	}
}

// TestKey_Verify_Addresses: an address may go once the chain says so, and in no other way.
func TestKey_Verify_Addresses(t *testing.T) {
	forgotten := audit.AddressesForgottenBefore(day(4))
	for name, tc := range map[string]struct {
		links []audit.Link
		want  int64 // position at which it is broken; 0: it is whole
	}{
		"Kept":             {traced(5), 0},
		"Forgotten":        {forget(traced(5, forgotten), 3), 0},
		"NotYetDeleted":    {forget(traced(5, forgotten), 1), 0},
		"ForgottenTooMuch": {forget(traced(5, forgotten), 4), 4},
		"NothingSaid":      {forget(traced(5), 1), 1},
		"SaidByAnother":    {forget(traced(5, audit.Entry{Event: audit.CaseViewed, Detail: forgotten.Detail}), 3), 1},
		"NoMoment":         {forget(traced(5, audit.Entry{Event: audit.AddressesForgotten, Detail: "antes=ontem"}), 3), 1},
		"SaidTwice":        {forget(traced(5, forgotten, audit.AddressesForgottenBefore(day(6))), 5), 0},
		"BehindABreak":     {altered(forget(traced(5), 1), 3, "x"), 1},
		"BeforeABreak":     {altered(slices.Concat(traced(3), forget(traced(5), 5)[3:]), 2, "x"), 2},
		"OtherAddress": {func() []audit.Link {
			links := traced(5)
			links[2].Entry.Origin.Address = "192.0.2.8"
			return links
		}(), 3},
		"OtherOrigin": {func() []audit.Link {
			links := traced(5)
			links[2].Entry.Origin = audit.NewOrigin("192.0.2.8")
			return links
		}(), 3},
		"OriginRemoved": {func() []audit.Link {
			links := traced(5)
			links[2].Entry.Origin = audit.Origin{}
			return links
		}(), 3},
		"AddressAdded": {func() []audit.Link {
			links := chain(5)
			links[2].Entry.Origin.Address = "192.0.2.8"
			return links
		}(), 3},
	} {
		t.Run(name, func(t *testing.T) {
			head, err := key.Verify(sequence(tc.links))
			var broken *audit.BrokenError
			switch {
			case tc.want == 0 && (err != nil || head != tc.links[len(tc.links)-1].Head):
				t.Errorf("got %v at %d, want a whole chain", err, head.Position)
			case tc.want > 0 && (!errors.As(err, &broken) || broken.Position != tc.want):
				t.Errorf("got %v, want entry %d named", err, tc.want)
			}
		})
	}
}

// TestKey_Verify_Older: entries of before there were addresses stay as they are, and
// both kinds stand in one chain.
func TestKey_Verify_Older(t *testing.T) {
	old := chain(3)
	link := key.Next(old[2].Head, audit.Entry{At: day(1), Event: audit.CaseViewed, Origin: audit.NewOrigin("2001:db8::1")})
	if _, err := key.Verify(sequence(slices.Concat(old, []audit.Link{link}))); err != nil {
		t.Error(err)
	}
}

func TestWithAddress(t *testing.T) {
	for given, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:DB8::1": "2001:db8::1", "fe80::1%eth0": "fe80::1",
		"": "", "pipe": "", "<b>": "",
	} {
		if got := audit.AddressFrom(audit.WithAddress(t.Context(), given)); got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
}
