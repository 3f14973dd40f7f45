package authorization_test

import (
	"testing"

	"guiche/internal/authorization"
)

func TestCompileCard(t *testing.T) {
	for _, tt := range []struct {
		pattern, card string
		want          bool
	}{
		{`\d{4}`, "1234", true}, {`\d{4}`, "12345", false}, {`\d{4}`, "x1234", false}, {`\d{4}`, "", false},
		{`0310\d*|99`, "0310", true}, {`0310\d*|99`, "99", true}, {`0310\d*|99`, "0310x", false}, {`0310\d*|99`, "x99", false},
		{`^\d+$`, "12", true}, {`(?i)ab\d`, "AB1", true},
	} {
		pattern, err := authorization.CompileCard(tt.pattern)
		if err != nil {
			t.Fatalf("%s: %v", tt.pattern, err)
		}
		if got := pattern.MatchString(tt.card); got != tt.want {
			t.Errorf("%s with %q: got %v, want %v", tt.pattern, tt.card, got, tt.want)
		}
	}
	t.Run("Empty", func(t *testing.T) {
		if pattern, err := authorization.CompileCard(""); pattern != nil || err != nil {
			t.Errorf("got %v, error %v, want none of both", pattern, err)
		}
	})
	for _, pattern := range []string{`(`, `\d)|(.*`, `[`, `a{2,1}`, `(?=a)`} {
		if got, err := authorization.CompileCard(pattern); err == nil || got != nil {
			t.Errorf("%s: got %v, want an error", pattern, got)
		}
	}
}

func TestCleanCard(t *testing.T) {
	for in, want := range map[string]string{
		"0310 0045 1206 3345": "0310004512063345", "0011-2233.44/5": "00112233445", "1–2—3": "123",
		" 12\u00a034\t\n": "1234", "\u202e123\u200b": "123", "AB 12": "AB12", "ç+1_2": "ç+1_2", "": "", " .-/": "",
	} {
		if got := authorization.CleanCard(in); got != want {
			t.Errorf("CleanCard(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCleanProcedure(t *testing.T) {
	for in, want := range map[string]string{
		"4.03.16.52-1": "40316521", "40.31.65-21": "40316521", "4031 6521": "40316521", "4031\u00ad6521": "40316521", "40316521": "40316521",
		"4.03.16.52": "4.03.16.52", "12-3456-789": "12-3456-789", "AB-12.34-5": "AB-12.34-5", "": "",
	} {
		if got := authorization.CleanProcedure(in); got != want {
			t.Errorf("CleanProcedure(%q) = %q, want %q", in, got, want)
		}
	}
}
