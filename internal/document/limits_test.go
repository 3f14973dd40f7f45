package document_test

import (
	"errors"
	"testing"

	"guiche/internal/document"
	"guiche/internal/problem"
)

func TestFormatSize(t *testing.T) {
	for _, tt := range []struct {
		bytes int64
		want  string
	}{
		{0, "0 bytes"}, {1, "1 byte"}, {1023, "1023 bytes"}, {1024, "1 kB"}, {412 << 10, "412 kB"},
		{1024*1024 - 1, "1 MB"}, {1 << 20, "1 MB"}, {5033165, "4,8 MB"}, {15 << 20, "15 MB"}, {15<<20 + 1, "15 MB"},
		{99 << 19, "50 MB"}, {10443817, "10 MB"}, {1 << 30, "1 GB"}, {1 << 50, "1024 TB"},
	} {
		if got := document.FormatSize(tt.bytes); got != tt.want {
			t.Errorf("%d: got %q, want %q", tt.bytes, got, tt.want)
		}
	}
}

func TestLimits_CheckSet(t *testing.T) {
	l := document.DefaultLimits()
	for _, tt := range []struct {
		name  string
		sizes []int64
		want  string
	}{
		{"None", nil, ""},
		{"AtTheLimits", []int64{15 << 20, 15 << 20, 15 << 20, 15 << 20, 0, 0, 0, 0, 0, 0}, ""},
		{"TooMany", make([]int64, 11), "São 11 arquivos; o limite é 10."},
		{"TooLarge", []int64{40 << 20, 32 << 20}, "Os anexos somam 72 MB; o limite é 60 MB."},
		{"BarelyTooLarge", []int64{60 << 20, 1}, "Os anexos somam pouco mais de 60 MB; o limite é 60 MB."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := l.CheckSet(tt.sizes...)
			got := ""
			var p *problem.Error
			if errors.As(err, &p) {
				got = p.Message
			}
			if got != tt.want || (err != nil && problem.CodeOf(err) != problem.TooLarge) {
				t.Errorf("got %v %q, want %q", err, got, tt.want)
			}
		})
	}
}
