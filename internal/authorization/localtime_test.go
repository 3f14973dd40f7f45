package authorization_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
)

func TestParseTypedDate(t *testing.T) {
	today := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for in, want := range map[string]string{
		"31122027": "31/12/2027", "31/12/27": "31/12/2027", "31/12/2027": "31/12/2027", "311227": "31/12/2027",
		"1/2/2028": "01/02/2028", "31-12-2027": "31/12/2027", " 31.12.27 ": "31/12/2027", "01/01/77": "01/01/1977", "01/01/76": "01/01/2076",
		"29/02/2028": "29/02/2028",
	} {
		got, err := authorization.ParseTypedDate(in, today)
		if err != nil || got.Date() != want {
			t.Errorf("ParseTypedDate(%q) = %q, %v, want %q", in, got.Date(), err, want)
		}
	}
	for _, in := range []string{"", "31/13/2027", "29/02/2027", "31/04/2027", "2027-12-31", "amanhã", "3112", "1/1/1", "00/00/0000", "31/12/0027", "31x12x2027", "۳۱/۱۲/۲۷"} {
		if got, err := authorization.ParseTypedDate(in, today); err == nil {
			t.Errorf("ParseTypedDate(%q) = %q, want an error", in, got.Date())
		}
	}
}

func TestParseLocalTime(t *testing.T) {
	for in, want := range map[string]string{
		"2027-12-31T00:00:00": "2027-12-31T00:00:00", "2027-12-31": "2027-12-31T00:00:00", "2027-12-31T10:20:30.123": "2027-12-31T10:20:30",
		"2027-12-31T10:20:30-03:00": "2027-12-31T10:20:30", "2027-12-31T10:20:30Z": "2027-12-31T10:20:30", "2027-12-31T10:20": "2027-12-31T10:20:00",
	} {
		got, err := authorization.ParseLocalTime(in)
		if err != nil || got.String() != want {
			t.Errorf("ParseLocalTime(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", "31/12/2027", "2027-13-01", "ontem", "2027-02-30T00:00:00"} {
		if got, err := authorization.ParseLocalTime(in); err == nil {
			t.Errorf("ParseLocalTime(%q) = %q, want an error", in, got)
		}
	}
}

func TestLocalTime_DaysUntil(t *testing.T) {
	from := authorization.DateOf(2026, 11, 21)
	if got := from.DaysUntil(authorization.DateOf(2026, 12, 21)); got != 30 {
		t.Errorf("got %d, want 30", got)
	}
	if got := from.DaysUntil(authorization.DateOf(2026, 11, 20)); got != -1 {
		t.Errorf("got %d, want -1", got)
	}
}
