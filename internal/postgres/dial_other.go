//go:build !linux

package postgres

import "syscall"

// endUnacknowledged does nothing where the system has no such limit.
func endUnacknowledged(string, string, syscall.RawConn) error { return nil }
