package authorization_test

import (
	"strings"
	"testing"

	"guiche/internal/authorization"
)

// TestDomains holds the tables to the codes of row 3 and of the ANS's tables, the
// first of each being what a form offers first.
func TestDomains(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options []authorization.Option
		want    string
	}{
		{"AccidentTypes", authorization.AccidentTypes(), "9 0 1 2"},
		{"CareRegimes", authorization.CareRegimes(), "E U 01 02 03 04 05"},
		{"CareTypes", authorization.CareTypes(), "05 01 02 03 04 06 07 08 09 10 11 13 23"},
		{"Councils", authorization.Councils(), "CRM CRO CREFITO CRP CRFA CRN COREN CRBM CRBIO CRF CRESS CREF CRMV CRTR OUT"},
		{"States", authorization.States(), "AC AL AP AM BA CE DF ES GO MA MT MS MG PA PB PR PE PI RJ RN RS RO RR SC SP SE TO EX"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var codes []string
			labels := map[string]bool{}
			for _, o := range tt.options {
				codes = append(codes, o.Code)
				if o.Label == "" || labels[o.Label] {
					t.Errorf("%s: got label %q, want one of its own", o.Code, o.Label)
				}
				labels[o.Label] = true
				if got := authorization.Label(tt.options, o.Code); got != o.Label {
					t.Errorf("%s: got %q, want %q", o.Code, got, o.Label)
				}
			}
			if got := strings.Join(codes, " "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			for _, other := range []string{"", "e", "99", " " + codes[0]} {
				if got := authorization.Label(tt.options, other); got != "" {
					t.Errorf("%q: got %q, want no label", other, got)
				}
			}
		})
	}
}

func TestDomains_Defaults(t *testing.T) {
	for code, options := range map[string][]authorization.Option{
		authorization.DefaultAccidentType: authorization.AccidentTypes(),
		authorization.DefaultCareRegime:   authorization.CareRegimes(),
		authorization.DefaultCareType:     authorization.CareTypes(),
	} {
		if options[0].Code != code {
			t.Errorf("got %q first, want the default %q", options[0].Code, code)
		}
	}
}
