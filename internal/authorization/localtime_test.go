package authorization_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
)

func TestParseTypedDate(t *testing.T) {
	today := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for in, want := range map[string]string{
		"31122027": "31/12/2027", "31/12/27": "31/12/2027", "31/12/2027": "31/12/2027", "311227": "31/12/2027",
		"1/2/2028": "01/02/2028", "31-12-2027": "31/12/2027", " 31.12.27 ": "31/12/2027", "31 12 2027": "31/12/2027",
		"01/01/77": "01/01/1977", "01/01/76": "01/01/2076", "01/01/26": "01/01/2026", "01/01/00": "01/01/2000", "01/01/99": "01/01/1999",
		"29/02/2028": "29/02/2028", "01/01/1900": "01/01/1900", "31/12/9999": "31/12/9999",
		"2027-12-31": "31/12/2027", "2028-2-9": "09/02/2028", "12/2027": "31/12/2027", "2/2028": "29/02/2028", "02-2027": "28/02/2027",
		"11.2026": "30/11/2026", "12/9999": "31/12/9999",
		"\u202a31/12/2027\u202c": "31/12/2027", "31/12/\u200b27": "31/12/2027", "31\u00a012\t2027\ufeff": "31/12/2027",
	} {
		got, err := authorization.ParseTypedDate(in, today)
		if err != nil || got.Date() != want {
			t.Errorf("ParseTypedDate(%q) = %q, %v, want %q", in, got.Date(), err, want)
		}
	}
	for _, in := range []string{
		"", "31/13/2027", "29/02/2027", "31/04/2027", "amanhã", "3112", "7", "12", "1/1/1", "00/00/0000", "31/12/0027", "31x12x2027",
		"۳۱/۱۲/۲۷", "٣/1/2027", "31/12", "31/12/2027/1", "311/2/2027", "31/122/2027", "31/12/202", "31/12/20277", "3112202",
		"311220277", "31/12/1899",
		"0/1/2027", "32/1/2027", "1/0/2027", "-1/-1/2027a",
		"2027-02-30", "2027-13-01", "2027-12-311", "202-12-31", "13/2027", "0/2027", "12/27", "123/2027", "12/1899", "2027/12", "122027/1",
	} {
		if got, err := authorization.ParseTypedDate(in, today); err == nil {
			t.Errorf("ParseTypedDate(%q) = %q, want an error", in, got.Date())
		}
	}
	t.Run("YearNearestToToday", func(t *testing.T) {
		for year, want := range map[int]map[string]string{
			2026: {"76": "2076", "77": "1977"}, 2049: {"99": "2099", "00": "2000"}, 2050: {"00": "2100", "01": "2001"},
			1999: {"49": "2049", "50": "1950"},
		} {
			for typed, want := range want {
				got, err := authorization.ParseTypedDate("01/01/"+typed, time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC))
				if err != nil || got.Date() != "01/01/"+want {
					t.Errorf("%s in %d: got %s, %v, want %s", typed, year, got.Date(), err, want)
				}
			}
		}
	})
}

// TestDateMessage: a day that does not exist is told apart from what is no date.
func TestDateMessage(t *testing.T) {
	const none, unreadable = "Validade: esta data não existe. Confira dia, mês e ano.", "Escreva assim."
	for typed, want := range map[string]string{"31/02/2027": none, "31/13/2027": none, "amanhã": unreadable, "12": unreadable} {
		_, err := authorization.ParseTypedDate(typed, time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))
		if got := authorization.DateMessage(err, "Validade", unreadable); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

func TestParseTypedStart(t *testing.T) {
	today := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	for in, want := range map[string]string{
		"11/2026": "01/11/2026", "2-2028": "01/02/2028", "20/11/2026": "20/11/2026", "2026-11-20": "20/11/2026", "201126": "20/11/2026",
	} {
		got, err := authorization.ParseTypedStart(in, today)
		if err != nil || got.Date() != want {
			t.Errorf("ParseTypedStart(%q) = %q, %v, want %q", in, got.Date(), err, want)
		}
	}
	for _, in := range []string{"", "13/2026", "11/26", "31/02/2026"} {
		if got, err := authorization.ParseTypedStart(in, today); err == nil {
			t.Errorf("ParseTypedStart(%q) = %q, want an error", in, got.Date())
		}
	}
}

func TestParseLocalTime(t *testing.T) {
	for in, want := range map[string]string{
		"2027-12-31T00:00:00": "2027-12-31T00:00:00", "2027-12-31": "2027-12-31T00:00:00",
		"2027-12-31T10:20:30.123":   "2027-12-31T10:20:30",
		"2027-12-31T10:20:30-03:00": "2027-12-31T10:20:30", "2027-12-31T10:20:30Z": "2027-12-31T10:20:30",
		"2027-12-31T10:20":    "2027-12-31T10:20:00",
		"2027-12-31 10:20:30": "2027-12-31T10:20:30", " 2027-12-31\n": "2027-12-31T00:00:00",
		"2027-12-31T23:59:59.999999999+14:00": "2027-12-31T23:59:59",
	} {
		got, err := authorization.ParseLocalTime(in)
		if err != nil || got.String() != want {
			t.Errorf("ParseLocalTime(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", "31/12/2027", "2027-13-01", "ontem", "2027-02-30T00:00:00", "2027-12-31T24:00:00"} {
		got, err := authorization.ParseLocalTime(in)
		if err == nil || !got.IsZero() {
			t.Errorf("ParseLocalTime(%q) = %q, want an error", in, got)
		}
		if err != nil && in != "" && strings.Contains(err.Error(), in) {
			t.Errorf("got %q, want an error without what was sent", err)
		}
	}
}

func TestNewLocalTime(t *testing.T) {
	zone := time.FixedZone("", -3*60*60)
	at := time.Date(2026, 11, 20, 23, 59, 58, 999, zone)
	got := authorization.NewLocalTime(at)
	if got.String() != "2026-11-20T23:59:58" || got != authorization.NewLocalTime(time.Date(2026, 11, 20, 23, 59, 58, 0, time.UTC)) {
		t.Errorf("got %v, want the wall clock to the second", got)
	}
	if back := got.In(zone); !back.Equal(at.Truncate(time.Second)) {
		t.Errorf("got %v, want %v", back, at)
	}
}

// TestLocalTime_In: what summer time skips is later on the same day, and what it repeats is the first.
func TestLocalTime_In(t *testing.T) {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	noon := authorization.NewLocalTime(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for _, tt := range []struct {
		in   authorization.LocalTime
		want string
	}{
		{authorization.DateOf(2018, 11, 3), "2018-11-03T00:00:00-03:00"}, {authorization.DateOf(2018, 11, 4), "2018-11-04T01:00:00-02:00"},
		{authorization.DateOf(2018, 11, 5), "2018-11-05T00:00:00-02:00"}, {authorization.DateOf(2019, 2, 17), "2019-02-17T00:00:00-03:00"},
		{noon, "2026-11-20T12:00:00-03:00"},
	} {
		if got := tt.in.In(zone).Format(time.RFC3339); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestLocalTime_AddDays(t *testing.T) {
	day := authorization.DateOf
	for _, tt := range []struct {
		from authorization.LocalTime
		days int
		want authorization.LocalTime
	}{
		{day(2026, 12, 31), 1, day(2027, 1, 1)}, {day(2028, 2, 28), 1, day(2028, 2, 29)}, {day(2027, 2, 28), 1, day(2027, 3, 1)},
		{day(2027, 3, 1), -1, day(2027, 2, 28)}, {day(2026, 11, 20), 0, day(2026, 11, 20)},
	} {
		if got := tt.from.AddDays(tt.days); got != tt.want {
			t.Errorf("%v and %d days: got %v, want %v", tt.from, tt.days, got, tt.want)
		}
	}
}

func TestLocalTime_Text(t *testing.T) {
	var absent authorization.LocalTime
	at := authorization.NewLocalTime(time.Date(2027, 3, 4, 5, 6, 7, 0, time.UTC))
	for name, tt := range map[string]struct{ got, want string }{
		"String": {at.String(), "2027-03-04T05:06:07"}, "Date": {at.Date(), "04/03/2027"}, "DateTime": {at.DateTime(), "04/03/2027 05:06"},
		"StringAbsent": {absent.String(), ""}, "DateAbsent": {absent.Date(), ""}, "DateTimeAbsent": {absent.DateTime(), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", name, tt.got, tt.want)
		}
	}
	if !absent.IsZero() || at.IsZero() {
		t.Errorf("got %v and %v, want only the zero value absent", absent.IsZero(), at.IsZero())
	}
}

func TestLocalTime_Before(t *testing.T) {
	day := authorization.DateOf
	noon := authorization.NewLocalTime(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	for _, tt := range []struct {
		a, b authorization.LocalTime
		want bool
	}{
		{day(2026, 11, 20), day(2026, 11, 21), true}, {day(2026, 11, 21), day(2026, 11, 20), false},
		{day(2025, 12, 31), day(2026, 1, 1), true}, {day(2026, 11, 21), noon, false}, {noon, day(2026, 11, 21), false},
	} {
		if got := tt.a.Before(tt.b); got != tt.want {
			t.Errorf("%v before %v: got %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestLocalTime_DaysUntil(t *testing.T) {
	from := authorization.DateOf(2026, 11, 21)
	if got := from.DaysUntil(authorization.DateOf(2026, 12, 21)); got != 30 {
		t.Errorf("got %d, want 30", got)
	}
	late := authorization.NewLocalTime(time.Date(2026, 11, 22, 23, 59, 59, 0, time.UTC))
	if got := from.DaysUntil(late); got != 1 {
		t.Errorf("got %d, want 1 whatever the time of day", got)
	}
	if got := late.DaysUntil(from); got != -1 {
		t.Errorf("got %d, want -1 whatever the time of day", got)
	}
	if got := from.DaysUntil(authorization.DateOf(9999, 12, 31)); got != 2_912_118 { // how services write that there is no end
		t.Errorf("until the last day there is: got %d", got)
	}
	if got := from.DaysUntil(authorization.DateOf(2026, 11, 20)); got != -1 {
		t.Errorf("got %d, want -1", got)
	}
}

func TestLocalTime_MarshalText(t *testing.T) {
	for _, want := range []authorization.LocalTime{{}, authorization.NewLocalTime(time.Date(2027, 12, 31, 14, 5, 9, 0, time.UTC))} {
		text, err := json.Marshal(want)
		if err != nil || string(text) != `"`+want.String()+`"` {
			t.Fatalf("got %s, %v, want %q", text, err, want)
		}
		got := authorization.DateOf(1999, 1, 1)
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("read back: got %v, %v, want %v", got, err, want)
		}
	}
	var l authorization.LocalTime
	if err := json.Unmarshal([]byte(`"31/12/2027"`), &l); err == nil {
		t.Error("a date that is not ISO 8601 was read")
	}
}
