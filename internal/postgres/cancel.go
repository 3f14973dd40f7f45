package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// canceler asks the server to stop a statement that nobody waits for any more, and hears its answer even
// when the statement ends first. Hanging up before it, as pgconn's own handler does, ends a PgBouncer
// older than 1.20 with all its connections: it frees the request twice.
type canceler struct {
	conn     *pgconn.PgConn
	answered chan struct{}
}

// apart keeps a request that was answered from reaching the connection's next statement: the server
// answers before it has told the process that is meant.
const apart = 100 * time.Millisecond

// HandleCancel asks, for cancelWithin at most.
func (c *canceler) HandleCancel(context.Context) {
	end := time.Now().Add(cancelWithin)
	_ = c.conn.Conn().SetDeadline(end)
	c.answered = make(chan struct{})
	go func() { //nolint:gosec // the context given has ended
		defer close(c.answered)
		ctx, cancel := context.WithDeadline(context.Background(), end)
		defer cancel()
		_ = c.conn.CancelRequest(ctx) // the deadline ends the statement if nobody hears it
		<-time.After(apart)
	}()
}

// HandleUnwatchAfterCancel waits for the answer.
func (c *canceler) HandleUnwatchAfterCancel() {
	<-c.answered
	_ = c.conn.Conn().SetDeadline(time.Time{})
}
