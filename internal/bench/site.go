package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// site is the program over a data folder, with somebody who is logged in.
type site struct {
	*process
	folder string
	facts  facts
	user   *browser
}

// open starts the program over a copy of a data folder, with more settings; the supervisor logs in.
func (o Options) open(ctx context.Context, folder string, more ...string) (*site, error) {
	s := &site{}
	var err error
	if s.facts, err = readFacts(folder); err != nil {
		return nil, err
	}
	if s.folder, err = o.copied(ctx, folder); err != nil {
		return nil, err
	}
	if s.process, err = o.guiche(ctx, s.folder, more...); err != nil {
		return nil, err
	}
	s.user, err = logIn(ctx, s.address, s.facts.Supervisor, s.facts.Password)
	return s, err
}

// filter makes a filter of the history and returns the address of its page.
func (s *site) filter(ctx context.Context, form url.Values) (string, error) {
	v, err := s.user.post(ctx, "/historico", form)
	if err == nil && (v.status != http.StatusSeeOther || !strings.HasPrefix(v.location, "/historico/")) {
		err = fmt.Errorf("%w: %d to a filter", errAnswer, v.status)
	}
	return v.location, err
}

var casePath = regexp.MustCompile(`/casos/([0-9a-f]{8}-[0-9a-f-]{27})`)

// cases are the addresses of the cases on a page, each once.
func cases(page string) (paths []string) {
	seen := map[string]bool{}
	for _, path := range casePath.FindAllString(page, -1) {
		if !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	return paths
}

// deep is the address of a page in the middle of the history.
func (s *site) deep(ctx context.Context) (string, error) {
	middle := s.facts.First.Add(s.facts.Last.Sub(s.facts.First) / 2)
	path, err := s.filter(ctx, url.Values{"ate": {day(middle)}})
	if err != nil {
		return "", err
	}
	v, err := s.user.get(ctx, path)
	if err != nil {
		return "", err
	}
	found := cases(v.body)
	if len(found) == 0 {
		return "", fmt.Errorf("%w: no case before %s", errAnswer, day(middle))
	}
	return "/historico?antes=" + strings.TrimPrefix(found[len(found)-1], "/casos/"), nil
}

func day(t time.Time) string { return t.Format("02/01/2006") }

// caseRequests ask for the pages of so many different cases: a look at each is told to the
// trail.
func (s *site) caseRequests(ctx context.Context, n int) (all [][]byte, err error) {
	for path := "/historico"; len(all) < n; {
		v, err := s.user.get(ctx, path)
		if err != nil {
			return nil, err
		}
		found := cases(v.body)
		if len(found) == 0 {
			return nil, fmt.Errorf("%w: a page without cases", errAnswer)
		}
		for _, one := range found {
			all = append(all, s.user.request(one))
		}
		path = "/historico?antes=" + strings.TrimPrefix(found[len(found)-1], "/casos/")
	}
	return all, nil
}
