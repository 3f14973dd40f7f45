package app

import (
	"context"
	"log/slog"

	"guiche/internal/integrity"
)

// IndexedFile is what Menders look after.
type IndexedFile = indexedFile

// Menders are what an installation does about damaged indexes of a file: met mends those that somebody
// meets, until ctx is done, daily looks at all of them once.
func Menders(file IndexedFile) (met func(ctx context.Context), daily func(ctx context.Context) error) {
	j := &integrityJob{config: Config{Logger: slog.New(slog.DiscardHandler)}}
	met = func(ctx context.Context) { j.mendMet(ctx, integrity.Desk, file) }
	daily = func(ctx context.Context) error { return j.mendIndexesOf(ctx, integrity.Desk, file, ctx.Err) }
	return met, daily
}
