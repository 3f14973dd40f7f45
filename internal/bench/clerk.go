package bench

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// clerk is somebody at the counter who fills forms.
type clerk struct {
	*browser
	typed url.Values
}

func newClerk(b *browser, typed map[string]string) *clerk {
	c := &clerk{browser: b, typed: url.Values{}}
	for field, value := range typed {
		c.typed.Set(field, value)
	}
	return c
}

// ready is a form that only waits for "Enviar".
type ready struct{ draft, version string }

var (
	draftPath    = regexp.MustCompile(`/nova/[0-9a-f-]{36}`)
	versionField = regexp.MustCompile(`name="versao"[^>]*\svalue="(\d+)"`)
)

// filled is a form that waits for "Revisar".
type filled struct {
	draft string
	typed url.Values
}

// prepare fills a form until it waits for "Enviar", and returns how long opening and
// reviewing took.
func (c *clerk) prepare(ctx context.Context) (r ready, opening, reviewing time.Duration, err error) {
	form, opening, err := c.fill(ctx)
	if err != nil {
		return r, 0, 0, err
	}
	r, reviewing, err = c.review(ctx, form)
	return r, opening, reviewing, err
}

// fill opens a form, which takes that long, and has it saved as typed.
func (c *clerk) fill(ctx context.Context) (f filled, opening time.Duration, err error) {
	start := time.Now()
	v, err := c.get(ctx, "/nova")
	if err != nil {
		return f, 0, err
	}
	opening = time.Since(start)
	if f.draft = draftPath.FindString(v.body); f.draft == "" {
		return f, 0, fmt.Errorf("%w: no form", errAnswer)
	}
	f.typed = maps.Clone(c.typed)
	f.typed.Set("numeroCarteira", fmt.Sprintf("0310%012d", time.Now().UnixMicro()%1e12))
	f.typed.Set("versao", "0")
	v, err = c.send(ctx, http.MethodPost, f.draft, f.typed, "Hx-Request", "true")
	f.typed.Set("versao", versionOf(v))
	return f, opening, err
}

// review asks for the review of a form, and returns how long that took.
func (c *clerk) review(ctx context.Context, f filled) (ready, time.Duration, error) {
	start := time.Now()
	v, err := c.post(ctx, f.draft+"/revisar", f.typed)
	took := time.Since(start)
	if err == nil && (v.status != http.StatusOK || !strings.Contains(v.body, `id="revisao"`)) {
		err = fmt.Errorf("%w: %d to a review", errAnswer, v.status)
	}
	return ready{f.draft, versionOf(v)}, took, err
}

func versionOf(v view) string {
	if m := versionField.FindStringSubmatch(v.body); m != nil {
		return m[1]
	}
	return "0"
}

// press sends a form off, and returns how long it took until the case was shown as
// answered.
func (c *clerk) press(ctx context.Context, r ready) (time.Duration, error) {
	start := time.Now()
	v, err := c.post(ctx, r.draft+"/enviar", url.Values{"versao": {r.version}})
	took := time.Since(start)
	if err == nil && !strings.HasPrefix(v.location, "/casos/") {
		err = fmt.Errorf("%w: %d to a form sent off", errAnswer, v.status)
	}
	return took, err
}
