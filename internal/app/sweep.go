package app

import (
	"guiche/internal/blob/files"
	"guiche/internal/blob/sweep"
)

// newSweeper removes the files of one half that none of its rows name.
func newSweeper(c Config, blobs *files.Store, rows sweep.Rows) *sweep.Sweeper {
	return sweep.New(sweep.Config{Files: blobs, Rows: rows, Clock: c.Clock, Logger: c.Logger})
}
