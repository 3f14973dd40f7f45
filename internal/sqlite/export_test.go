package sqlite

import "runtime"

// AwaitWaiting returns once so many jobs wait for the writer.
func (db *DB) AwaitWaiting(n int) {
	for db.turns.count() < n {
		runtime.Gosched()
	}
}

func (t *turns) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.waiting)
}
