package apptest

import (
	"strings"
	"sync"
)

// Log is what a program has logged: JSON, one line each.
type Log struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns everything so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Contains reports whether a text stands in the log.
func (l *Log) Contains(text string) bool { return strings.Contains(l.String(), text) }
