package app

import (
	"guiche/internal/blob/sweep"
	"guiche/internal/store/blobnames"
	"guiche/internal/store/engine"
	"guiche/internal/store/unsynced"
)

// newSweeper removes the files of one half that none of its rows name.
func newSweeper(c Config, blobs blobStore, rows sweep.Rows) *sweep.Sweeper {
	return sweep.New(sweep.Config{Files: blobs, Rows: rows, Clock: c.Clock, Logger: c.Logger})
}

// newSyncer brings the files of a half to disk that were put in place without that.
func newSyncer(c Config, db engine.DB, blobs blobStore, names *blobnames.Names) *unsynced.Syncer {
	return unsynced.New(unsynced.Config{DB: db, Files: blobs, Names: names, Logger: c.Logger})
}
