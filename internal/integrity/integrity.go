// Package integrity keeps account of what is damaged in an installation: files whose
// bytes are not those that were stored, and rows that are not as they were written.
package integrity

import (
	"context"
	"errors"
	"time"

	"guiche/internal/blob"

	"github.com/google/uuid"
)

// ErrDamaged says that a row is not as it was written.
var ErrDamaged = errors.New("integrity: a stored row is damaged")

// Half is one half of an installation, by its folder.
type Half string

// The halves.
const (
	Desk    Half = "desk"
	Service Half = "service"
)

// Kind is what is damaged.
type Kind string

// The kinds.
const (
	File Kind = "arquivo"
	Row  Kind = "registro"
)

// Damage is one thing that is damaged.
type Damage struct {
	Half  Half
	Kind  Kind
	Name  string    // of the file; table and key of the row
	Case  uuid.UUID // that shows it; zero where none is known
	Since time.Time // when it was found; Store.Add sets it
}

// Store remembers what is damaged.
type Store interface {
	// Add remembers damage; what is known already stays as it was found.
	Add(ctx context.Context, d Damage) error
	// Remove forgets what is whole again.
	Remove(ctx context.Context, d Damage) error
	// Known picks those of the names that are known to be damaged.
	Known(ctx context.Context, half Half, kind Kind, names ...string) ([]string, error)
	// List returns at most so many, newest first.
	List(ctx context.Context, limit int) ([]Damage, error)
	// Count counts all.
	Count(ctx context.Context) (int, error)
}

// DeskFiles is the account of the desk's files.
type DeskFiles struct{ Store Store }

// FileDamaged remembers that a file of a case, or of a draft, is damaged or missing.
func (f DeskFiles) FileDamaged(ctx context.Context, ref blob.Ref, uid uuid.UUID) error {
	return f.Store.Add(ctx, Damage{Half: Desk, Kind: File, Name: string(ref), Case: uid})
}

// DamagedFiles picks those of the files that are known to be damaged.
func (f DeskFiles) DamagedFiles(ctx context.Context, refs ...blob.Ref) ([]blob.Ref, error) {
	names := make([]string, len(refs))
	for i, ref := range refs {
		names[i] = string(ref)
	}
	known, err := f.Store.Known(ctx, Desk, File, names...)
	damaged := make([]blob.Ref, len(known))
	for i, name := range known {
		damaged[i] = blob.Ref(name)
	}
	return damaged, err
}
