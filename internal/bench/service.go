package bench

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"guiche/internal/client/faultservice"
)

// service is an authorization service that answers at once, and keeps the last request.
type service struct {
	*faultservice.Service
	mu   sync.Mutex
	last []byte
}

func startService() (*service, error) {
	s := &service{}
	s.Service = faultservice.New(faultservice.Config{Key: apiKey, Features: []string{"idempotencia"}, Keep: s.keep})
	return s, s.Start()
}

func (s *service) keep(e faultservice.Entry) {
	if e.Path != faultservice.SubmitPath || e.Event != faultservice.Received {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = e.Body
}

// direct is the last request, as a program would send it.
func (s *service) direct() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return posted(s.URL(), faultservice.SubmitPath, s.last)
}

// posted is a request to a service over a connection.
func posted(address, path string, body []byte, headers ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", path,
		strings.TrimPrefix(address, "http://"), len(body))
	if len(headers) == 0 {
		headers = []string{http.CanonicalHeaderKey("x-api-key") + ": " + apiKey}
	}
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}
