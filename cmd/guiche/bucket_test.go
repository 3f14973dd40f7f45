package main_test

import (
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
)

// withPDF adds an attachment to a request.
func withPDF(t *testing.T, request string, content []byte) string {
	t.Helper()
	var fields map[string]any
	err := json.Unmarshal([]byte(request), &fields)
	if err != nil {
		t.Fatal(err)
	}
	fields["anexos"] = []any{map[string]any{"name": "pedido.pdf", "contentType": "application/pdf",
		"base64": base64.StdEncoding.EncodeToString(content)}}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withhold lets what is put reach the bucket, and the answer to it nobody. It tells of each.
func withhold(server *s3test.Server) (arrived chan struct{}) {
	arrived = make(chan struct{}, 100)
	server.Wrap(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPut || !strings.Contains(r.URL.Path, "/blobs/") {
				next.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(httptest.NewRecorder(), r)
			arrived <- struct{}{}
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		})
	})
	return arrived
}

// objects counts the objects of the service's blobs.
func objects(t *testing.T, server *s3test.Server) (n int) {
	t.Helper()
	err := filepath.WalkDir(server.File("guiche/service/blobs"), func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			n++
		}
		return nil // what went away meanwhile is no error
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestBucket_Killed kills the process when the bucket has a file and no row names it yet, and
// when the database has a guide and the bucket gets it: nothing is lost, doubled or left behind.
func TestBucket_Killed(t *testing.T) {
	server := s3test.Start(t)
	if server == nil {
		return
	}
	binary, folder := MustBuild(t), t.TempDir()
	start := func() *serviceProcess {
		return MustServeAlone(t, binary, folder, "--simulated", "--blobs", server.Place(), "--blobs-key", s3test.Key,
			"--blobs-secret", s3test.Secret)
	}
	a, answers := start(), map[string][]byte{}
	template := a.request(t, "GUIA")
	large, orphan := withPDF(t, template, apptest.PDF(300_000)), withPDF(t, template, apptest.PDF(400_000))
	authorize := func(template, guide string) []byte {
		_, answer := a.authorize(template, guide)
		return answer
	}
	answers["before"] = authorize(large, "before")
	apptest.Eventually(t, "file and guide are in the bucket", func() bool { return objects(t, server) >= 2 })
	before := objects(t, server)
	kill := func(template, guide string) {
		arrived, done := withhold(server), make(chan []byte, 1)
		go func() { done <- authorize(template, guide) }()
		<-arrived
		a.kill()
		<-done
		server.Wrap(func(next http.Handler) http.Handler { return next })
		a = start()
	}
	kill(orphan, "orphan") // the file is in the bucket, and nothing names it
	apptest.Eventually(t, "what nothing names leaves the bucket", func() bool { return objects(t, server) == before })

	other := withPDF(t, template, apptest.PDF(500_000))
	kill(other, "file")
	answers["file"] = nil

	arrived := withhold(server)
	answers["guide"] = authorize(template, "guide") // answered, and its guide on the way to the bucket
	<-arrived
	a.kill()
	server.Wrap(func(next http.Handler) http.Handler { return next })
	a = start()
	for guide, of := range map[string]string{"before": large, "file": other, "guide": template} {
		checkRepeated(t, a, of, map[string][]byte{guide: answers[guide], guide + "-cut": nil, guide + "-whole": authorize(of, guide+"-whole")})
	}
}
