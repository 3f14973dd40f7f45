package torture

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Act is what a clerk did with a form, or learned about it.
type Act string

// The acts.
const (
	Pressed   Act = "pressed"   // "Enviar" is about to be pressed
	Confirmed Act = "confirmed" // the program led to the case
	Found     Act = "found"     // the form's address leads to the case, without a confirmation
	Restored  Act = "restored"  // a copy was restored after it was sent: it may not be in it
	Gone      Act = "gone"      // a form that was saved is not there any more
)

// Form is a line about a form. The card is the form's own: no other has it.
type Form struct {
	At   time.Duration // since the run began
	Act  Act
	Card string
	Case string // address, of Confirmed and Found
}

// Where a screen was seen.
const (
	OnCase = "case"
	InList = "list"
	AtEnd  = "end" // the last look at a case
	ByEnd  = "all" // its row in the last list of all
	Doubts = "sem-resposta"
)

// Screen is what a page said about a case.
type Screen struct {
	At    time.Duration // when the page had arrived
	Where string
	Case  string // address
	Label string // "Autorizado"; "404" where there is no such page
	Senha string // "" where the page has none
}

// Line is a line of the service's ledger.
type Line struct {
	At     time.Duration
	Event  string // "received", "acted" or "replayed"
	Card   string
	Guide  string // guiaPrestador
	Key    string // Idempotency-Key
	Status string // of Acted: what was decided
	Senha  string // of Acted
	Fault  string // what strikes at the request
}

// journal is a file of lines of JSON.
type journal struct {
	mu      sync.Mutex
	file    *os.File
	buffer  *bufio.Writer
	encoder *json.Encoder
	failed  error
}

func newJournal(folder, name string) (*journal, error) {
	file, err := os.OpenFile(filepath.Join(folder, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("torture: %w", err)
	}
	buffer := bufio.NewWriter(file)
	return &journal{file: file, buffer: buffer, encoder: json.NewEncoder(buffer)}, nil
}

func (j *journal) add(record any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.encoder.Encode(record); err != nil && j.failed == nil {
		j.failed = err
	}
}

// close writes what is left, and returns what went wrong on the way.
func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return errors.Join(j.failed, j.buffer.Flush(), j.file.Close())
}

// The files of the records.
const (
	formsFile   = "forms.jsonl"
	screensFile = "screens.jsonl"
	ledgerFile  = "ledger.jsonl"
	toldFile    = "told.jsonl"
)

// readJournal hands each line of a file on.
func readJournal[T any](folder, name string, each func(T)) error {
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	defer func() { _ = file.Close() }() // read only
	for d := json.NewDecoder(bufio.NewReader(file)); ; {
		var record T
		err := d.Decode(&record)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("torture: %s: %w", name, err)
		}
		each(record)
	}
}
