package authorization_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/authorization"

	"github.com/google/go-cmp/cmp"
)

// told is a full authorization as a service first tells of it.
func told() authorization.Authorization {
	return authorization.Authorization{Number: 1, Success: true, Status: authorization.UnderAnalysis, GuideID: "g", GuideNumber: "G",
		Senha: "S", SenhaValidUntil: authorization.DateOf(2026, 12, 20), Protocol: "P", ProviderGuide: "26", PartnerGuide: "PG",
		RequestNumber: "R", AuthorizedAt: authorization.DateOf(2026, 11, 20), GuidePDF: "pdf",
		Procedures: []authorization.ProcedureResult{{Code: "1", Quantity: 2}}}
}

var sameDates = cmp.Comparer(func(a, b authorization.LocalTime) bool { return a == b })

// TestAuthorization_Then: what a service leaves out later it has told before, but for the
// PDF of another status; what it tells counts.
func TestAuthorization_Then(t *testing.T) {
	bare := authorization.Authorization{Success: true, Status: authorization.UnderAnalysis}
	if diff := cmp.Diff(told(), told().Then(bare), sameDates); diff != "" {
		t.Errorf("nothing but the status (-want +got):\n%s", diff)
	}
	if got := told().Then(authorization.Authorization{Status: authorization.UnderAnalysis, GuidePDF: "pdf2"}).GuidePDF; got != "pdf2" {
		t.Errorf("another PDF of the same status: got %q", got)
	}
	bare.Status, bare.Senha, bare.Number = authorization.Authorized, "S2", 7
	want := told()
	want.Status, want.Senha, want.GuidePDF = authorization.Authorized, "S2", ""
	if diff := cmp.Diff(want, told().Then(bare), sameDates); diff != "" {
		t.Errorf("another status (-want +got):\n%s", diff)
	}
}

// TestAuthorization_Same: every word counts, PDFs only where there was none.
func TestAuthorization_Same(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*authorization.Authorization)
		same   bool
	}{
		"Equal":      {func(*authorization.Authorization) {}, true},
		"DrawnAnew":  {func(a *authorization.Authorization) { a.GuidePDF = "pdf2" }, true},
		"Kept":       {func(a *authorization.Authorization) { a.Protocol = "P\x00" }, true},
		"NoPDF":      {func(a *authorization.Authorization) { a.GuidePDF = "" }, false},
		"Status":     {func(a *authorization.Authorization) { a.Status = authorization.Denied }, false},
		"Success":    {func(a *authorization.Authorization) { a.Success = false }, false},
		"Senha":      {func(a *authorization.Authorization) { a.Senha = "S2" }, false},
		"Validity":   {func(a *authorization.Authorization) { a.SenhaValidUntil = authorization.DateOf(2026, 12, 21) }, false},
		"Procedures": {func(a *authorization.Authorization) { a.Procedures[0].Executed = 1 }, false},
		"Errors":     {func(a *authorization.Authorization) { a.Errors = []authorization.AnswerError{{Message: "m"}} }, false},
	} {
		other := told()
		tc.change(&other)
		if got := told().Same(other); got != tc.same {
			t.Errorf("%s: got %v, want %v", name, got, tc.same)
		}
	}
}

// TestBusy: who asks to wait is still the error that it was.
func TestBusy(t *testing.T) {
	cause := errors.New("status 429")
	if err := error(&authorization.Busy{Err: cause}); !errors.Is(err, cause) || err.Error() != "status 429" {
		t.Errorf("got %v", err)
	}
}

// TestAnswer_Awaited: an answer waits for the operator while one of its authorizations is
// undecided, and is open while one may change.
func TestAnswer_Awaited(t *testing.T) {
	for codes, want := range map[string][2]bool{"R": {true, true}, "S": {true, true}, "X": {true, true}, "Ω": {true, true},
		"A": {false, true}, "Z": {false, true}, "W": {false, true}, "N": {}, "E": {}, "Ç": {}, "": {}} {
		answer := entries(true, "A", "R")
		if codes != "R" {
			answer = entries(true, codes)
		}
		if codes == "" {
			answer = entries(true)
		}
		if got := [2]bool{answer.Awaited(), answer.Open()}; got != want {
			t.Errorf("%q: got awaited, open %v, want %v", codes, got, want)
		}
	}
}

// TestInOrder: what a service lists in another order than before is put back into that, unless one of it does not say which
// it is. An authorization is written as its identifier, its guide and its number.
func TestInOrder(t *testing.T) {
	read := func(words string) (all []authorization.Authorization) {
		for word := range strings.FieldsSeq(words) {
			of := strings.Split(word, ",")
			number, _ := strconv.Atoi(of[2])
			all = append(all, authorization.Authorization{GuideID: of[0], GuideNumber: of[1], Number: number})
		}
		return all
	}
	for name, tt := range map[string]struct{ before, now, want string }{
		"Identifier":     {"a,,1 b,,2", "B,,1 A,,2", "A,,2 B,,1"},
		"Guide":          {",7,1 ,8,2", "x,8,1 y,7,2", "y,7,2 x,8,1"},
		"IdentifierLost": {"x,7,1 y,8,2", ",8,1 ,7,2", ",7,2 ,8,1"},
		"GuideLost":      {",7,1 ,8,2", ",,2 ,,1", ",,1 ,,2"},
		"Number":         {",,1 ,8,2", ",8,2 ,9,1", ",9,1 ,8,2"},
		"OneGuideForTwo": {",7,1 ,7,2", ",7,3 ,7,4", ",7,3 ,7,4"},
		"Unnamed":        {",7,0 ,,0", ",8,0 ,7,0", ",8,0 ,7,0"},
		"More":           {"b,,0", "a,,0 b,,0", "b,,0 a,,0"},
	} {
		var got []string
		for _, a := range authorization.InOrder(read(tt.before), read(tt.now)) {
			got = append(got, fmt.Sprintf("%s,%s,%d", a.GuideID, a.GuideNumber, a.Number))
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
