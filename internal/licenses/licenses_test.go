package licenses_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"guiche/internal/licenses"
)

// MustPack returns a folder with what the build would have collected.
func MustPack(t *testing.T, text string) fstest.MapFS {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{licenses.File: {Data: packed.Bytes()}}
}

func TestRead(t *testing.T) {
	t.Run("OK", func(t *testing.T) {
		got, err := licenses.Read(MustPack(t, `[{"name": "a", "version": "v1", "kind": "go", "license": "MIT",
			"texts": [{"file": "LICENSE", "body": "terms"}]}]`))
		if err != nil || len(got) != 1 || got[0].Kind != licenses.Go || got[0].Texts[0].Body != "terms" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("ErrNotCollected", func(t *testing.T) {
		if _, err := licenses.Read(fstest.MapFS{}); !errors.Is(err, licenses.ErrNotCollected) {
			t.Errorf("got %v, want %v", err, licenses.ErrNotCollected)
		}
	})
	for name, dir := range map[string]fstest.MapFS{
		"ErrNotPacked": {licenses.File: {Data: []byte("[]")}},
		"ErrNotJSON":   MustPack(t, "terms"),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := licenses.Read(dir); err == nil || errors.Is(err, licenses.ErrNotCollected) {
				t.Errorf("got %v, want another error", err)
			}
		})
	}
}

func TestWrite(t *testing.T) {
	var out strings.Builder
	err := licenses.Write(&out, []licenses.Component{
		{Name: "first", Version: "v1.2.3", License: "MIT", Texts: []licenses.Text{
			{"LICENSE", "\nthe terms of the first\n"}, {"NOTICE", "a notice"},
		}},
		{Name: "second", Version: "v4", Texts: []licenses.Text{{"COPYING", "the terms of the second"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{"Apache License 2.0", "first", "v1.2.3", "MIT", "second", "v4",
		"first v1.2.3", "LICENSE", "the terms of the first", "NOTICE", "a notice", "second v4", "COPYING", "the terms of the second"} {
		i := strings.Index(out.String()[at:], want)
		if i < 0 {
			t.Fatalf("no %q after what comes before it in\n%s", want, out.String())
		}
		at += i
	}
}
