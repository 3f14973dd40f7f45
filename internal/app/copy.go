package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"guiche/internal/copying"
	"guiche/internal/store/engine"
)

// Copied is what came of a copy of an installation.
type Copied struct {
	Tables, Rows int // the same on both sides
	Blobs        int // files that rows name and that are whole at the target
	Put          int // of them those that were copied now
	Trail        int64
	// Damage is what was damaged or missing at the source already, as a person reads it: the copy has it as
	// it was.
	Damage []string
	// Waiting is how many requests are queued or on their way, which the target goes on with.
	Waiting int
}

// copySide names the settings of one side in an error.
type copySide struct {
	side string // "FROM" or "TO"
	err  error
}

// Error implements error.
func (e *copySide) Error() string {
	return strings.NewReplacer("GUICHE_DATABASE", "GUICHE_"+e.side+"_DATABASE", "GUICHE_DATA", "GUICHE_"+e.side,
		"GUICHE_", "GUICHE_"+e.side+"_").Replace(e.err.Error())
}

// Unwrap returns what happened there.
func (e *copySide) Unwrap() error { return e.err }

func ofSide(side string, err error) error {
	if err == nil {
		return nil
	}
	return &copySide{side, err}
}

// copyJob copies an installation.
type copyJob struct {
	source *copySource
	target *copyTarget
	tell   func(string)
	done   Copied
}

// Copy makes the installation of the one Config that of the other: rows, files and keys, whatever keeps
// them. It goes on where it was cut short before, and then reads all of both and compares it. The source
// has to be stopped, and nothing in it is changed. The target is nothing that can be started until it is
// whole. Tell, which gets what is done now, may be nil.
func Copy(ctx context.Context, from, to Config, tell func(string)) (done Copied, err error) {
	if tell == nil {
		tell = func(string) {}
	}
	source, err := openCopySource(ctx, from.withDefaults())
	if err != nil {
		return done, ofSide("FROM", err)
	}
	defer func() { err = errors.Join(err, source.close()) }()
	target, err := openCopyTarget(ctx, to.withDefaults(), source)
	if err != nil {
		return done, ofSide("TO", err)
	}
	defer func() { err = errors.Join(err, target.close()) }()
	j := &copyJob{source: source, target: target, tell: tell}
	err = j.run(ctx)
	return j.done, err
}

func (j *copyJob) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{j.copyFiles, j.copyRows, j.compare, j.check, j.finish} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// copyRows copies the rows of both halves.
func (j *copyJob) copyRows(ctx context.Context) error {
	for _, half := range j.target.halves() {
		h := j.half(half)
		if err := h.Copy(ctx, func(table string) { j.tell(half + ": " + table) }); err != nil {
			return err
		}
		if err := j.copyOlder(ctx, half); err != nil {
			return err
		}
	}
	return nil
}

// copyOlder notes whether a version wrote at the source that knew a part of the schema only.
func (j *copyJob) copyOlder(ctx context.Context, half string) error {
	older, err := engine.Get(ctx, j.source.dbs[half], func(tx *engine.Tx) (older int64, err error) {
		err = tx.QueryRow(ctx, `SELECT older FROM schema_floor`).Scan(&older)
		return older, engine.Error(err)
	})
	if err != nil || older == 0 {
		return err
	}
	return j.target.dbs[half].Write(ctx, func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE schema_floor SET older = ?`, older)
		return engine.Error(err)
	})
}

// half is a half as package copying sees it.
func (j *copyJob) half(half string) copying.Half {
	return copyHalf(half, j.source.dbs[half], j.target.dbs[half])
}

// errDiffers says that the comparison at the end found differences.
var errDiffers = errors.New("the copy is not what the source is")

// compare reads all rows of both sides.
func (j *copyJob) compare(ctx context.Context) error {
	var differing []string
	for _, half := range j.target.halves() {
		j.tell(half + ": comparação")
		c, err := j.half(half).Compare(ctx)
		if err != nil {
			return err
		}
		j.done.Tables, j.done.Rows = j.done.Tables+c.Tables, j.done.Rows+c.Rows
		for _, d := range c.Differing {
			differing = append(differing, fmt.Sprintf("%s/%s (%d)", half, d.Table, d.Rows))
		}
	}
	if len(differing) > 0 {
		return fmt.Errorf("%w, in rows of %s: empty the target and begin again", errDiffers, strings.Join(differing, ", "))
	}
	return nil
}

// errWorked says that the source was not at rest.
var errWorked = errors.New("the source worked while it was copied: stop it, empty the target and begin again")

// finish makes the target an installation that may start.
func (j *copyJob) finish(ctx context.Context) error {
	head, err := j.source.state(ctx)
	if err != nil {
		return ofSide("FROM", err)
	}
	if head != j.source.head {
		return errWorked
	}
	if err := j.copyJournal(); err != nil {
		return err
	}
	c, db := j.target.config, j.target.dbs[deskHalf]
	if err := j.target.trail.WriteHead(ctx, filepath.Join(c.DataDir, deskHalf, "audit.head")); err != nil {
		return ofSide("TO", err)
	}
	return ofSide("TO", copying.Unmark(ctx, db))
}

// errCopying refuses to open what is not wholly copied.
var errCopying = errors.New("this is a copy that is not whole yet: run guiche copy again as it was called, which goes on with it")

// checkWhole refuses an installation that is being copied to.
func checkWhole(ctx context.Context, db engine.DB) error {
	source, err := copying.Marked(ctx, db)
	if err == nil && source != "" {
		err = errCopying
	}
	return err
}
