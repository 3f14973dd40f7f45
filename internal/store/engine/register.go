package engine

import "sync"

// Registers keep what seldom changes and nearly every page reads, from one snapshot to the next.
// They are of a database that no other process writes to.
type Registers struct {
	mu       sync.Mutex
	turn     uint64 // grows when a change may come, and when it has come or not
	changing int    // transactions that change a register and are not over
	kept     map[any]any
}

// Keep has transactions of a database share its registers.
func (tx *Tx) Keep(r *Registers) {
	r.mu.Lock()
	defer r.mu.Unlock()
	tx.registers, tx.turn = r, r.turn
}

// Register is Once whose finding is kept until a transaction Changes a register. Nobody changes
// what it returns.
func Register[T any](tx *Tx, key any, read func() (T, error)) (T, error) {
	if found, ok := tx.registers.find(tx, key).(T); ok {
		return found, nil
	}
	found, err := Once(tx, key, read)
	if err == nil {
		tx.registers.put(tx, key, found)
	}
	return found, err
}

// Changes says that the transaction changes what Register keeps. Whoever began before it is over
// reads for himself: nobody knows which of the two he sees.
func (tx *Tx) Changes() {
	if tx.registers == nil || tx.changes {
		return
	}
	tx.changes = true
	tx.registers.change(1)
}

// Over says that everybody sees what the transaction did, or nobody ever will. Engines call it.
func (tx *Tx) Over() {
	if tx.changes {
		tx.changes = false
		tx.registers.change(-1)
	}
}

func (r *Registers) change(by int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn++
	r.changing += by
	r.kept = nil
}

// open reports whether a transaction sees what all others see that began in its turn.
func (r *Registers) open(tx *Tx) bool { return r.changing == 0 && r.turn == tx.turn }

func (r *Registers) find(tx *Tx, key any) any {
	if r == nil || tx.write {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.open(tx) {
		return nil
	}
	return r.kept[key]
}

func (r *Registers) put(tx *Tx, key, found any) {
	if r == nil || tx.write {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.open(tx) {
		return
	}
	if r.kept == nil {
		r.kept = map[any]any{}
	}
	r.kept[key] = found
}
