//go:build !linux

package sqlite

// logFile does nothing: on other systems SQLite writes its log as its authors found best.
type logFile struct{}

func (*handle) ownLog() {}

// keepPages does nothing: on other systems SQLite forgets its pages with each commit of another connection.
func (*handle) keepPages() {}

func (*logFile) gather() (done func()) { return func() {} }

func (*logFile) hasten() {}
