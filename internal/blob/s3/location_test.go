package s3_test

import (
	"strings"
	"testing"

	"guiche/internal/blob/s3"
)

func TestParseLocation(t *testing.T) {
	for text, want := range map[string]struct {
		place   string
		exposed bool
	}{
		"s3://clinica":         {"s3://clinica", false},
		"s3://clinica/guiche/": {"s3://clinica/guiche", false},
		"s3://clinica/a/b?endpoint=store.local:9000":              {"s3://clinica/a/b", false},
		"s3://clinica?endpoint=http://127.0.0.1:9000":             {"s3://clinica", false},
		"s3://clinica?endpoint=http://[::1]:9000":                 {"s3://clinica", false},
		"s3://clinica?endpoint=http://localhost":                  {"s3://clinica", false},
		"s3://clinica?endpoint=http://10.0.0.5:9000":              {"s3://clinica", true},
		"s3://clinica?endpoint=https://10.0.0.5&region=sa-east-1": {"s3://clinica", false},
	} {
		l, err := s3.ParseLocation(text)
		if err != nil || l.String() != want.place || l.Exposed() != want.exposed {
			t.Errorf("%s: got %s, exposed %t, %v", text, l, l.Exposed(), err)
		}
	}
	for text, want := range map[string]string{
		"":                                       "want s3://bucket/prefix",
		"clinica":                                "want s3://bucket/prefix",
		"https://store/clinica":                  "want s3://bucket/prefix",
		"s3:///guiche":                           "want s3://bucket/prefix",
		"s3://key:secret@clinica":                "GUICHE_BLOBS_KEY",
		"s3://clinica?endpont=https://store":     `"endpont" is not known`,
		"s3://clinica?endpoint=ftp://store":      "want https://host:port",
		"s3://clinica?endpoint=https://store/s3": "want https://host:port",
	} {
		if _, err := s3.ParseLocation(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// TestNew_Exposed: health data goes over plain http to another machine only where that was
// asked for.
func TestNew_Exposed(t *testing.T) {
	location, err := s3.ParseLocation("s3://clinica?endpoint=http://10.0.0.5:9000")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s3.New(s3.Config{Location: location, Key: "k", Secret: "s"})
	if err == nil || !strings.Contains(err.Error(), "GUICHE_BLOBS_INSECURE") {
		t.Errorf("got %v", err)
	}
	if _, err := s3.New(s3.Config{Location: location, Key: "k", Secret: "s", Insecure: true}); err != nil {
		t.Errorf("asked for: %v", err)
	}
}
