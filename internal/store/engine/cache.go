package engine

import "sync"

// Cache keeps what nearly every page reads and seldom changes, from one snapshot to the next. It
// is of a database that no other process writes to. What is found in it is what the transaction
// would read itself.
type Cache struct {
	mu       sync.Mutex
	turn     uint64 // grows when a change may come, and when it has come or not
	changing int    // transactions that change what is kept and are not over
	kept     map[any]any
}

// UseCache has the transactions of a database share its cache.
func (tx *Tx) UseCache(c *Cache) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tx.cache, tx.turn = c, c.turn
}

// Cached is Once whose finding is kept until a transaction calls Invalidate. It is others' as well:
// who hands it out to somebody who may change it hands out a copy.
func Cached[T any](tx *Tx, key any, read func() (T, error)) (T, error) {
	if found, ok := tx.cache.find(tx, key).(T); ok {
		return found, nil
	}
	found, err := Once(tx, key, read)
	if err == nil {
		tx.cache.put(tx, key, found)
	}
	return found, err
}

// Invalidate says that the transaction changes what Cached keeps. Whoever began before it is over
// reads for himself: nobody knows which of the two he sees.
func (tx *Tx) Invalidate() {
	if tx.cache == nil || tx.invalidates {
		return
	}
	tx.invalidates = true
	tx.cache.change(1)
}

// Over says that everybody sees what the transaction did, or nobody ever will. Engines call it.
func (tx *Tx) Over() {
	if tx.invalidates {
		tx.invalidates = false
		tx.cache.change(-1)
	}
}

func (c *Cache) change(by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	c.changing += by
	c.kept = nil
}

// serves reports whether a transaction sees what all others see that began in its turn.
func (c *Cache) serves(tx *Tx) bool { return c.changing == 0 && c.turn == tx.turn }

func (c *Cache) find(tx *Tx, key any) any {
	if c == nil || tx.write {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.serves(tx) {
		return nil
	}
	return c.kept[key]
}

func (c *Cache) put(tx *Tx, key, found any) {
	if c == nil || tx.write {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.serves(tx) {
		return
	}
	if c.kept == nil {
		c.kept = map[any]any{}
	}
	c.kept[key] = found
}
