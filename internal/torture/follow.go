package torture

import (
	"context"
	"strings"
	"time"
)

// followTime is how long a tab stays open.
const followTime = 8 * time.Second

// follow opens a case of several processes in another tab while "Enviar" is on its way, and asks as the page does
// whether the case moved on. The function that it returns waits for the answer, and names the process that told of
// it, "" where the page did not have to wait.
func (c *clerk) follow(ctx context.Context, f *form) (told func() string) {
	if c.world.options.Cluster == nil {
		return func() string { return "" }
	}
	tab, by := &form{card: f.card, draft: f.draft}, make(chan string, 1)
	ctx, stop := context.WithTimeout(ctx, followTime)
	go func() { by <- c.followTab(ctx, tab) }()
	return func() string {
		defer stop()
		return <-by
	}
}

func (c *clerk) followTab(ctx context.Context, tab *form) (by string) {
	for tab.given == "" {
		v, err := c.get(ctx, tab.draft)
		if ctx.Err() != nil {
			return ""
		}
		if err == nil && strings.HasPrefix(v.location, "/casos/") {
			tab.given = v.location
		}
	}
	for {
		if err := c.look(ctx, tab, OnCase); err != nil {
			return "" // where something is wrong the other tab sees it as well
		}
		if !isPending(tab.label) || tab.asks == "" {
			return by
		}
		by = c.moved(ctx, tab.asks)
	}
}

// moved asks until the page is to show something else, and names the process that says so.
func (c *clerk) moved(ctx context.Context, asks string) (by string) {
	for ctx.Err() == nil {
		v, err := c.get(ctx, asks)
		if err == nil && v.header.Get("Hx-Refresh") != "" {
			return v.header.Get(processHeader)
		}
		pause(ctx, 20*time.Millisecond)
	}
	return ""
}
