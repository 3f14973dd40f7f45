package app

import (
	"context"
	"log/slog"

	"guiche/internal/integrity"
)

// IndexedFile is what MendMet looks after.
type IndexedFile = indexedFile

// MendMet is what an installation does about damaged indexes of a file.
func MendMet(ctx context.Context, file IndexedFile) {
	j := &integrityJob{config: Config{Logger: slog.New(slog.DiscardHandler)}}
	j.mendMet(ctx, integrity.Desk, file)
}
