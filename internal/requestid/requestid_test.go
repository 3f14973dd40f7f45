package requestid_test

import (
	"context"
	"testing"

	"guiche/internal/requestid"

	"github.com/google/uuid"
)

const given = "0198a000-0000-4000-8000-00000000000a"

func TestWith(t *testing.T) {
	ctx := context.Background()
	if got := requestid.From(ctx); got != "" {
		t.Errorf("without an id: got %q, want none", got)
	}
	ctx = requestid.With(ctx, given)
	if got := requestid.From(context.WithoutCancel(ctx)); got != given {
		t.Errorf("got %q, want %q", got, given)
	}
}

func TestAccept(t *testing.T) {
	for name, c := range map[string]struct {
		header []string
		want   string // "" is a new one
	}{
		"a UUID":        {[]string{given}, given},
		"in capitals":   {[]string{"0198A000-0000-4000-8000-00000000000A"}, given},
		"none":          {nil, ""},
		"two":           {[]string{given, given}, ""},
		"a word":        {[]string{"HELENA"}, ""},
		"as long":       {[]string{"0198a000-0000-4000-8000-00000000000x"}, ""},
		"as a URN":      {[]string{"urn:uuid:" + given}, ""},
		"without marks": {[]string{"0198a000000040008000000000000000a"}, ""},
	} {
		got := requestid.Accept(c.header)
		if c.want == "" && (uuid.Validate(got) != nil || got == given || got == requestid.Accept(c.header)) || c.want != "" && got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
