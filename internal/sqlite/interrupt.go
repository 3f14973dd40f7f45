package sqlite

import (
	"context"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// interruptEvery is how often a reader is interrupted whose context has ended: SQLite forgets
// what comes right before a statement begins.
const interruptEvery = time.Millisecond

// interruptAfter interrupts what the connection does from when the context ends until
// it is let go.
func (c *conn) interruptAfter(ctx context.Context) (letGo func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		c.interrupt(over)
	})
	return func() {
		if !stop() {
			close(over)
			<-ended // the next one's statement is none to interrupt
		}
	}
}

// interrupt goes on until over is closed.
func (c *conn) interrupt(over <-chan struct{}) {
	tls := libc.NewTLS() // that of the connection is in use
	defer tls.Close()
	again := time.NewTicker(interruptEvery)
	defer again.Stop()
	for {
		sqlite3.Xsqlite3_interrupt(tls, c.own.db)
		select {
		case <-over:
			return
		case <-again.C:
		}
	}
}
