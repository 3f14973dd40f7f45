package postgres

import (
	"crypto/sha256"
	"slices"
	"sync"
)

// pageKey is the hash of a page and of who reads it, zero for one that nobody reads again.
type pageKey [sha256.Size]byte

func pageKeyOf(page string) pageKey {
	if page == "" {
		return pageKey{}
	}
	return sha256.Sum256([]byte(page))
}

// mostPages is how many pages are remembered, of a few kB each.
const mostPages = 1024

// pages is what pages asked the last time. One that asks the same again gets all of it by one way.
type pages struct {
	mu  sync.Mutex
	all map[pageKey][]waiting
}

// asked are the queries of a page, to be asked.
func (p *pages) asked(page pageKey) (soon []*ahead) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.all[page] {
		soon = append(soon, &ahead{waiting: w})
	}
	return soon
}

// remember keeps what a page asked, but for what is planned for its values: those may be words of a search.
func (p *pages) remember(page pageKey, asked []waiting) {
	if page == (pageKey{}) {
		return
	}
	asked = slices.DeleteFunc(asked, func(w waiting) bool { return w.statement.byValue })
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil || len(p.all) >= mostPages {
		p.all = map[pageKey][]waiting{}
	}
	p.all[page] = asked
}

// forget reports whether the page was remembered.
func (p *pages) forget(page pageKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, found := p.all[page]
	delete(p.all, page)
	return found
}

// notes keeps what is asked in a transaction that goes on.
func (c *conn) notes(s *statement) {
	if c.goesOn && !slices.ContainsFunc(c.asked, func(w waiting) bool { return w.is(s, c.values) }) {
		c.asked = append(c.asked, c.waiting(s))
	}
}
