package sqlite_test

import (
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"

	"guiche/internal/diskspace"
	"guiche/internal/sqlite"
)

// TestDB_Write_Reserve: a write that may not fit on the disk any more has the reserve before
// it, not after it has failed.
func TestDB_Write_Reserve(t *testing.T) {
	folder := t.TempDir()
	var free atomic.Int64
	free.Store(1 << 20)
	disk := diskspace.Open(diskspace.Config{Dir: folder, MinFree: 64 << 10, Logger: slog.New(slog.DiscardHandler),
		Free: func(string) (int64, error) { return free.Load(), nil }})
	disk.Look(t.Context())
	if disk.Reserve() == 0 {
		t.Fatal("there is no reserve")
	}
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(folder, "guiche.db"), Migrations: schema, Disk: disk})
	if err != nil {
		t.Fatal(err)
	}
	defer MustClose(t, db)
	if err := db.Write(t.Context(), insert(t.Context(), "while there is room")); err != nil || disk.Reserve() == 0 {
		t.Errorf("while there is room: got %v and a reserve of %d", err, disk.Reserve())
	}
	free.Store(0)
	if err := db.Write(t.Context(), insert(t.Context(), "without room")); err != nil || disk.Reserve() != 0 {
		t.Errorf("without room: got %v and a reserve of %d, want it given up", err, disk.Reserve())
	}
}
