package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"guiche/internal/client/faultservice"
)

// service is an authorization service that answers at once, or takes its time, and keeps the last
// request.
type service struct {
	*faultservice.Service
	mu    sync.Mutex
	last  []byte
	think time.Duration
}

func startService() (*service, error) {
	s := &service{}
	s.Service = faultservice.New(faultservice.Config{Key: apiKey, Features: []string{"idempotencia"}, Keep: s.keep, Choose: s.choose})
	return s, s.Start()
}

// takes sets how long it takes for an answer from now on.
func (s *service) takes(think time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.think = think
}

// choose has an authorization wait.
func (s *service) choose(r *http.Request) *faultservice.Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.think == 0 || r.URL.Path != faultservice.SubmitPath {
		return nil
	}
	over := make(chan struct{})
	time.AfterFunc(s.think, func() { close(over) })
	return &faultservice.Rule{Hold: over}
}

// ask sends the last request again, as a program does that keeps its connections.
func (s *service) ask(ctx context.Context, program *http.Client) error {
	s.mu.Lock()
	body := bytes.NewReader(s.last)
	s.mu.Unlock()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL()+faultservice.SubmitPath, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", apiKey)
	res, err := program.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // read to its end
	if _, err = io.Copy(io.Discard, res.Body); err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%w: %d", errAnswer, res.StatusCode)
	}
	return err
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
