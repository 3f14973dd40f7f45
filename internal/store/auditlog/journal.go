package auditlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/audit"

	"github.com/google/uuid"
)

const (
	journalSlot  = 512 // bytes of one entry
	journalSlots = 1024
)

// Journal keeps entries about looks while the database has no space for them: a file of
// fixed size, written over in place, which therefore needs none. It is safe for
// concurrent use.
type Journal struct {
	key  audit.Key
	file *os.File

	mu   sync.Mutex
	kept []journalEntry
}

// journalEntry is an entry in the journal. It is sealed with its place in the file, so
// that none can be put there from outside.
type journalEntry struct {
	At       time.Time   `json:"at"`
	Actor    uuid.UUID   `json:"actor"`
	Event    audit.Event `json:"event"`
	Object   string      `json:"object"`
	ObjectID uuid.UUID   `json:"object_id"`
	Detail   string      `json:"detail"`
	Address  string      `json:"address"`
	MAC      []byte      `json:"mac,omitempty"`
}

// OpenJournal opens the journal beside a trail and gives it all its space.
func OpenJournal(path string, key audit.Key) (_ *Journal, err error) {
	if err := atomicfile.EnsureFolder(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("auditlog: open journal: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("auditlog: open journal: %w", err)
	}
	j := &Journal{key: key, file: f}
	if err := j.read(); err != nil {
		return nil, errors.Join(fmt.Errorf("auditlog: open journal: %w", err), f.Close())
	}
	return j, nil
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// read finds what is kept from before, and fills the file where it is short.
func (j *Journal) read() error {
	content := make([]byte, journalSlot*journalSlots)
	n, err := j.file.ReadAt(content, 0)
	if errors.Is(err, io.EOF) { // a new one, or one that ended while it was made
		_, err = j.file.WriteAt(content[n:], int64(n))
		err = errors.Join(err, j.file.Sync())
	}
	for slot := 0; err == nil && slot < journalSlots; slot++ {
		e, ok := j.decode(slot, content[slot*journalSlot:(slot+1)*journalSlot])
		if !ok {
			break
		}
		j.kept = append(j.kept, e)
	}
	return err
}

// decode reads the entry of a slot; false for none, and for one that is not whole.
func (j *Journal) decode(slot int, text []byte) (e journalEntry, ok bool) {
	err := json.Unmarshal(bytes.TrimRight(text, "\x00"), &e)
	return e, err == nil && bytes.Equal(e.MAC, j.seal(slot, e))
}

// seal is the MAC of an entry at its place: that of a trail of which it is the only link.
func (j *Journal) seal(slot int, e journalEntry) []byte {
	e.MAC = nil
	text, _ := json.Marshal(e) // its types cannot fail
	link := j.key.Next(audit.Head{Position: -1 - int64(slot)}, audit.Entry{Event: "journal", Detail: string(text)})
	return link.MAC[:]
}

// add keeps an entry, unless the same was kept since a moment. false: there is no place.
func (j *Journal) add(e journalEntry, since time.Time) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !since.IsZero() {
		for i := len(j.kept) - 1; i >= 0 && !j.kept[i].At.Before(since); i-- {
			if same(j.kept[i], e) {
				return true
			}
		}
	}
	slot := len(j.kept)
	if slot == journalSlots {
		return false
	}
	e.MAC = j.seal(slot, e)
	text, err := json.Marshal(e)
	if err != nil || len(text) > journalSlot {
		return false
	}
	if _, err := j.file.WriteAt(append(text, make([]byte, journalSlot-len(text))...), int64(slot*journalSlot)); err != nil {
		return false
	}
	if err := j.file.Sync(); err != nil {
		return false
	}
	j.kept = append(j.kept, e)
	return true
}

// same reports whether two entries say the same, their times aside.
func same(a, b journalEntry) bool {
	return a.Actor == b.Actor && a.Event == b.Event && a.Object == b.Object && a.ObjectID == b.ObjectID && a.Detail == b.Detail &&
		a.Address == b.Address
}

// empty hands what is kept to write, and forgets it when that was written.
func (j *Journal) empty(write func([]journalEntry) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.kept) == 0 {
		return nil
	}
	if err := write(j.kept); err != nil {
		return err
	}
	_, err := j.file.WriteAt(make([]byte, len(j.kept)*journalSlot), 0)
	if err = errors.Join(err, j.file.Sync()); err != nil {
		return fmt.Errorf("auditlog: empty journal: %w", err)
	}
	j.kept = nil
	return nil
}
