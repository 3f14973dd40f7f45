package authorization_test

import (
	"slices"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// entries makes an answer with an authorization of each code; one that ends in "!" says
// with sucesso that it did not succeed.
func entries(success bool, codes ...string) authorization.Answer {
	answer := authorization.Answer{Success: success}
	for _, code := range codes {
		status, fails := authorization.Status(code), false
		if last := len(code) - 1; last > 0 && code[last] == '!' {
			status, fails = authorization.Status(code[:last]), true
		}
		answer.Authorizations = append(answer.Authorizations, authorization.Authorization{Status: status, Success: !fails})
	}
	return answer
}

func TestAnswer_Standing(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer authorization.Answer
		status authorization.Status
		group  authorization.Group
	}{
		{"Nothing", entries(true), "", 0},
		{"Authorized", entries(true, "A"), "A", authorization.Ready},
		{"OneIsNotSettled", entries(true, "A", "R"), "R", authorization.Waiting},
		{"OtherOrder", entries(true, "R", "A"), "R", authorization.Waiting},
		{"Contradiction", entries(true, "A!"), "A", authorization.YourTurn},
		{"ContradictionBesideDenied", entries(true, "N", "W!"), "W", authorization.YourTurn},
		{"ContradictionIsLessThanAttachment", entries(true, "A!", "S"), "S", authorization.YourTurn},
		{"WholeAnswerFailed", entries(false, "A", "A"), "A", authorization.YourTurn},
		{"WholeAnswerFailedForTheDenied", entries(false, "A", "N"), "N", authorization.Refusal},
		{"DeniedWithoutSuccess", entries(false, "N!"), "N", authorization.Refusal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if status, group := tt.answer.Standing(); status != tt.status || group != tt.group {
				t.Errorf("got %q of %d, want %q of %d", status, group, tt.status, tt.group)
			}
		})
	}
}

func TestAnswer_Tally(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer authorization.Answer
		want   string
	}{
		{"One", entries(true, "A"), ""},
		{"AuthorizedAndAnalysis", entries(true, "A", "R"), "1 de 2 autorizados; 1 em análise"},
		{"OtherOrder", entries(true, "R", "A"), "1 de 2 autorizados; 1 em análise"},
		{"All", entries(true, "A", "W"), "2 de 2 autorizados"},
		{"None", entries(true, "N", "N"), "0 de 2 autorizados; 2 negados"},
		{"Many", entries(true, "A", "R", "N", "R", "S"), "1 de 5 autorizados; 1 à espera de anexo, 1 negado, 2 em análise"},
		{"Part", entries(true, "Z", "A"), "1 de 2 autorizados; 1 autorizado em parte"},
		{"Contradiction", entries(true, "A", "A!"), "1 de 2 autorizados; 1 a conferir"},
		{"UnknownCode", entries(true, "A", "Q7", ""), "1 de 3 autorizados; 2 a conferir"},
		{"TwoOfTheSameWords", entries(true, "A", "I", "Ç"), "1 de 3 autorizados; 2 com inconsistência"},
		{"WholeAnswerFailed", entries(false, "A", "W"), "0 de 2 autorizados"},
		{"WholeAnswerFailedForTheDenied", entries(false, "A", "N"), "1 de 2 autorizados; 1 negado"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.answer.Tally(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAnswer_StandingInAnyOrder: the status that needs action first, wherever it stands.
func TestAnswer_StandingInAnyOrder(t *testing.T) {
	for _, tt := range []struct {
		codes []string
		want  authorization.Status
	}{
		{[]string{"A", "S", "N"}, "S"}, {[]string{"E", "A"}, "A"}, {[]string{"A", "N"}, "N"}, {[]string{"A", "??"}, "??"},
		{[]string{"R", "A"}, "R"}, {[]string{"C", "R"}, "R"}, {[]string{"??", "N"}, "N"}, {[]string{"N", "V"}, "V"},
		{[]string{"V", "Z"}, "Z"}, {[]string{"S", "H"}, "S"}, {[]string{"Z", "S"}, "S"}, {[]string{"W", "A", "K"}, "K"},
		{[]string{"X", "R"}, "R"}, {[]string{"Q2", "Q1"}, "Q1"}, {[]string{"-", "E"}, "E"},
	} {
		for range 2 {
			if got, _ := entries(true, tt.codes...).Standing(); got != tt.want {
				t.Errorf("%v: got %q, want %q", tt.codes, got, tt.want)
			}
			slices.Reverse(tt.codes)
		}
	}
}

// TestOutcome_OfRepetition: who refuses a repetition before looking at its key says nothing about the
// first, which may have been acted on.
func TestOutcome_OfRepetition(t *testing.T) {
	const refused, unknown = authorization.OutcomeRefused, authorization.OutcomeUnknown
	for _, tt := range []struct {
		repeated bool
		kind     authorization.OutcomeKind
		status   int
		want     authorization.OutcomeKind
	}{
		{true, refused, 400, unknown}, {true, refused, 404, unknown}, {true, refused, 405, unknown}, {true, refused, 413, unknown},
		{true, refused, 415, unknown}, {true, refused, 422, refused}, {true, refused, 200, refused},
		{false, refused, 400, refused}, {false, refused, 415, refused},
		{true, authorization.OutcomeAnswered, 400, authorization.OutcomeAnswered},
		{true, authorization.OutcomeRetry, 404, authorization.OutcomeRetry},
	} {
		o := authorization.Outcome{Kind: tt.kind, Fields: []problem.Field{{Path: "anexos"}}}.OfRepetition(tt.repeated, tt.status)
		if o.Kind != tt.want || (len(o.Fields) == 0) != (tt.want == unknown) {
			t.Errorf("%+v: got %s with %v", tt, o.Kind, o.Fields)
		}
	}
}

// TestGroup_Contradicts: only what authorizes and did not succeed is to be asked about.
func TestGroup_Contradicts(t *testing.T) {
	for code, want := range map[string]bool{"A!": true, "W!": true, "A": false, "S": false, "S!": false, "N!": false} {
		a := entries(true, code).Authorizations[0]
		if got := a.Group().Contradicts(a.Status); got != want || a.Contradictory() != want {
			t.Errorf("%s: got %v, %v, want %v", code, got, a.Contradictory(), want)
		}
	}
}
