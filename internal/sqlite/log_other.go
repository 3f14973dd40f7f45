//go:build !linux

package sqlite

// logFile does nothing: on other systems SQLite writes its log as its authors found best.
type logFile struct{}

func (*handle) ownLog() {}

func (*logFile) gather() (done func()) { return func() {} }
