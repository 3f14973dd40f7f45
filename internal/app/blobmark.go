package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"guiche/internal/atomicfile"
	"guiche/internal/store/bucketstore"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// blobMark says in which bucket an installation keeps its blobs, and by what name the bucket knows
// it. The zero one is that of an installation that keeps them in its folder.
type blobMark struct {
	Place        string `json:"place"`
	Installation string `json:"installation"`
	// Claim is set by a restore: the next start takes the bucket over.
	Claim bool `json:"claim,omitempty"`
}

// blobMarks keep the mark of an installation.
type blobMarks interface {
	read(ctx context.Context) (blobMark, error)
	// write returns what is kept then: another process may have named the installation first.
	write(ctx context.Context, m blobMark) (blobMark, error)
}

// blobMarks are those of the data folder, or of the database that processes share.
func (c Config) blobMarks(db engine.DB) blobMarks {
	if db.Shared() {
		return databaseMarks{bucketstore.New(db)}
	}
	return folderMarks(c.DataDir)
}

const blobMarkFile = "blobs.json"

// folderMarks is a data folder, "" for none.
type folderMarks string

func (folder folderMarks) read(context.Context) (m blobMark, err error) {
	if folder == "" {
		return m, nil
	}
	text, err := os.ReadFile(filepath.Join(string(folder), blobMarkFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return m, fmt.Errorf("GUICHE_DATA: %s: %w", blobMarkFile, err)
	}
	return m, nil
}

func (folder folderMarks) write(_ context.Context, m blobMark) (blobMark, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = atomicfile.Write(filepath.Join(string(folder), blobMarkFile), append(text, '\n'), 0o600)
	}
	return m, err
}

// databaseMarks keep it in the database.
type databaseMarks struct{ store *bucketstore.Store }

func (d databaseMarks) read(ctx context.Context) (blobMark, error) {
	return markOf(d.store.Find(ctx))
}

func (d databaseMarks) write(ctx context.Context, m blobMark) (blobMark, error) {
	name, err := uuid.Parse(m.Installation)
	if err != nil {
		return m, fmt.Errorf("app: name of an installation: %w", err)
	}
	return markOf(d.store.Put(ctx, bucketstore.Mark{Place: m.Place, Installation: name}))
}

func markOf(m bucketstore.Mark, err error) (blobMark, error) {
	if err != nil || m == (bucketstore.Mark{}) || m.Place == folderPlace {
		return blobMark{}, err
	}
	return blobMark{Place: m.Place, Installation: m.Installation.String()}, nil
}
