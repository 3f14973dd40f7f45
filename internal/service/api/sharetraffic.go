package api

import (
	"context"
	"time"

	"guiche/internal/service"
)

// ShareTraffic tells other processes what was counted since the last time. Without news it
// says only from time to time that this process is there.
func (a *API) ShareTraffic(ctx context.Context) error { return a.tell(ctx, false) }

// EndTraffic tells what was counted last. No request is answered any more.
func (a *API) EndTraffic(ctx context.Context) error { return a.tell(ctx, true) }

func (a *API) tell(ctx context.Context, last bool) error {
	t := &a.traffic
	t.sharing.Lock()
	defer t.sharing.Unlock()
	now, news := a.clock(), t.counted()
	news.Last = last
	if a.shared == nil || !t.due(news, now) {
		return nil
	}
	if err := a.shared.AddTraffic(ctx, news); err != nil {
		return err
	}
	t.told, t.opened = now, news.Open
	t.forget(news.Counts)
	return nil
}

// due reports whether others have to be told now.
func (t *traffic) due(news service.TrafficNews, now time.Time) bool {
	if len(news.Counts) > 0 || news.Open != t.opened {
		return true
	}
	if news.Last {
		return !t.told.IsZero()
	}
	return now.Sub(t.told) >= service.ProcessGone/4
}
