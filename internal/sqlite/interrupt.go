package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"reflect"
	"time"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// interruptEvery is how often a reader is interrupted whose context has ended: SQLite forgets
// what comes right before a statement begins.
const interruptEvery = time.Millisecond

// handleOf is SQLite's own handle of a connection. The driver interrupts by a goroutine
// for each statement, and hands out no other way.
func handleOf(connection driver.Conn) (uintptr, error) {
	v := reflect.ValueOf(connection)
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		if handle := v.Elem().FieldByName("db"); handle.IsValid() && handle.Kind() == reflect.Uintptr {
			return uintptr(handle.Uint()), nil
		}
	}
	return 0, fmt.Errorf("sqlite: no handle in the driver's %T", connection)
}

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
		sqlite3.Xsqlite3_interrupt(tls, c.handle)
		select {
		case <-over:
			return
		case <-again.C:
		}
	}
}
