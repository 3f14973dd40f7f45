package service

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/google/uuid"
)

// places bound how many calls of each credential run at once: a slow operator
// fills its own places and nobody else's.
type places struct {
	limit int

	mu sync.Mutex
	of map[uuid.UUID]chan struct{}
}

func newPlaces(limit int) *places {
	return &places{limit: limit, of: map[uuid.UUID]chan struct{}{}}
}

func (p *places) channel(credential uuid.UUID) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	ch, ok := p.of[credential]
	if !ok {
		ch = make(chan struct{}, p.limit)
		p.of[credential] = ch
	}
	return ch
}

// free returns how many places are left at the moment.
func (p *places) free(credential uuid.UUID) int { return p.limit - len(p.channel(credential)) }

// take waits for a place until wait or ctx is over. What it returns gives the
// place back and is called once; nil means that there was none.
func (p *places) take(ctx context.Context, credential uuid.UUID, wait time.Duration) (leave func()) {
	ch := p.channel(credential)
	leave = func() { <-ch }
	select {
	case ch <- struct{}{}:
		return leave
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case ch <- struct{}{}:
		return leave
	case <-ctx.Done():
		return nil
	}
}

// withoutAddress is an operator's error as it may be logged: an address of net/url
// may carry a card in its query.
func withoutAddress(err error) error {
	var asked *url.Error
	if errors.As(err, &asked) {
		return fmt.Errorf("%s: %w", asked.Op, asked.Err)
	}
	return err
}

// within runs a call to an operator and stops waiting for it when ctx ends; the
// place is taken until the call really is over. A panic is an error.
func within[T any](ctx context.Context, leave func(), call func(context.Context) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer leave()
		var o outcome
		defer func() {
			if cause := recover(); cause != nil {
				o.err = panicError(cause)
			}
			done <- o
		}()
		o.value, o.err = call(ctx)
		o.err = withoutAddress(o.err)
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
