package torture

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// rows notes what the rows of a list say, and returns it by case.
func (w *world) rows(v view, where string) map[string]string {
	labels := map[string]string{}
	v.document().Find(".queue-table tbody tr").Each(func(_ int, row *goquery.Selection) {
		s := Screen{Where: where, Case: row.Find("td:nth-child(2) a").AttrOr("href", ""), Label: text(row.Find("td>b[class]"))}
		labels[s.Case] = s.Label
		w.screen(s)
	})
	return labels
}

// settle waits until nothing is under way any more, as the clerks see it: each finds the
// cases of their forms and looks until they have ended, or the quiet time is over.
func (w *world) settle(ctx context.Context, clerks []*clerk) error {
	quiet, cancel := context.WithTimeout(ctx, w.options.Quiet)
	defer cancel()
	return each(clerks, func(c *clerk) error {
		for _, f := range c.forms {
			if err := c.find(ctx, f); err != nil {
				return err
			}
			for f.given != "" {
				if err := c.look(ctx, f, OnCase); err != nil {
					return err
				}
				if !w.underWay(f) || quiet.Err() != nil {
					break
				}
				pause(quiet, 200*time.Millisecond)
			}
		}
		return nil
	})
}

// underWay reports whether a case has not come to its end. What a copy holds as doubtful
// stays so: nothing of it leaves by itself.
func (w *world) underWay(f *form) bool {
	return isPending(f.label) || isDoubt(f.label) && w.kind.endsDoubts() && !w.options.Doubts && !f.old
}

// find learns what became of a form that was not confirmed to the clerk.
func (c *clerk) find(ctx context.Context, f *form) error {
	if f.given != "" || !f.pressed {
		return nil
	}
	v, err := c.until(ctx, func() (view, error) { return c.get(ctx, f.draft) })
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(v.location, "/casos/"):
		f.given = v.location
		c.world.form(Found, f)
	case v.status == http.StatusNotFound && f.old: // sent after the copy
	case v.status == http.StatusNotFound:
		c.world.form(Gone, f)
	case v.status != http.StatusOK:
		return unexpected(v, "find a form")
	}
	return nil
}

// lastRounds is how often the last looks are taken of cases that change meanwhile.
const lastRounds = 5

// lastLooks reads every case, the list of all and that of doubts. A doubt may end between
// the look at its case and that at a list: what they say differently is looked at again.
func (w *world) lastLooks(ctx context.Context, clerks []*clerk) error {
	var listed, doubts map[string]string
	for round := range lastRounds {
		err := each(clerks, func(c *clerk) error {
			for _, f := range c.forms {
				if f.given == "" || round > 0 && f.asListed(listed, doubts) {
					continue
				}
				if err := c.look(ctx, f, AtEnd); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if round > 0 && agree(clerks, listed, doubts) {
			return nil
		}
		if listed, err = clerks[0].walk(ctx, "/fila", ByEnd); err != nil {
			return err
		}
		if doubts, err = clerks[0].walk(ctx, "/fila?grupo="+Doubts, Doubts); err != nil {
			return err
		}
	}
	return nil
}

// agree reports whether the lists say of all cases what their pages say.
func agree(clerks []*clerk, listed, doubts map[string]string) bool {
	for _, c := range clerks {
		for _, f := range c.forms {
			if f.given != "" && !f.asListed(listed, doubts) {
				return false
			}
		}
	}
	return true
}

// asListed reports whether the lists say of a case what its page said.
func (f *form) asListed(listed, doubts map[string]string) bool {
	_, doubtful := doubts[f.given]
	return listed[f.given] == f.label && (doubtful || !isDoubt(f.label))
}

// walk reads all pages of a list and returns what it says of each case.
func (c *clerk) walk(ctx context.Context, path, where string) (map[string]string, error) {
	labels := map[string]string{}
	for path != "" {
		v, err := c.until(ctx, func() (view, error) { return c.get(ctx, path) })
		if err != nil {
			return nil, err
		}
		if v.status != http.StatusOK {
			return nil, unexpected(v, "walk a list")
		}
		maps.Copy(labels, c.world.rows(v, where))
		path = v.document().Find(`nav[aria-label="Páginas"] a.ms-auto`).AttrOr("href", "")
	}
	return labels, nil
}

// each has all of them do something at the same time, and returns the first error.
func each[T any](them []T, do func(T) error) error {
	failed := make(chan error, len(them))
	var all sync.WaitGroup
	for _, one := range them {
		all.Go(func() {
			if err := do(one); err != nil {
				failed <- err
			}
		})
	}
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}
