package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"guiche/internal/atomicfile"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
)

// check looks for damage in the target, which has the rows of the source: whatever it finds was there.
func (j *copyJob) check(ctx context.Context) error {
	for _, half := range j.target.halves() {
		j.tell(half + ": conferência")
		err := checksum.Check(ctx, j.target.dbs[half], protectedTables(half), func(row checksum.Row) {
			j.damaged("Registro danificado em %s: %s", half, row)
		}, nil)
		if err != nil {
			return err
		}
	}
	differing, err := deskstore.New(j.target.dbs[deskHalf], j.target.trail).CheckLists(ctx, nil)
	for _, row := range differing {
		j.damaged("%s", listDamage("", row))
	}
	if err != nil {
		return err
	}
	if err := j.checkTrail(ctx); err != nil {
		return err
	}
	j.done.Waiting, err = engine.Get(ctx, j.target.dbs[deskHalf], func(tx *engine.Tx) (n int, err error) {
		err = tx.QueryRow(ctx, `SELECT count(*) FROM submission_state WHERE state IN ('queued', 'sending')`).Scan(&n)
		return n, engine.Error(err)
	})
	return err
}

// mostDamage is how much of it is told one by one.
const mostDamage = 100

func (j *copyJob) damaged(format string, args ...any) {
	if len(j.done.Damage) < mostDamage {
		j.done.Damage = append(j.done.Damage, fmt.Sprintf(format, args...))
	} else if len(j.done.Damage) == mostDamage {
		j.done.Damage = append(j.done.Damage, "E mais: guiche verify diz tudo.")
	}
}

// checkTrail reads the chain at the target, and holds the source to what was written down of its end.
func (j *copyJob) checkTrail(ctx context.Context) error {
	head, err := j.target.trail.Head(ctx)
	if err != nil {
		return err
	}
	if got := fmt.Sprintf("%d %x", head.Position, head.MAC); got != j.source.head {
		return fmt.Errorf("%w: the audit trail ends elsewhere", errDiffers)
	}
	j.done.Trail = head.Position
	for _, check := range []func(context.Context) error{j.target.trail.Verify, j.source.checkHead} {
		err := check(ctx)
		if err == nil {
			continue
		}
		found, err := brokenTrail(err)
		if err != nil {
			return err
		}
		for _, line := range found {
			j.damaged("%s", line)
		}
	}
	return nil
}

// copyJournal copies the looks that the source's database had no space for.
func (j *copyJob) copyJournal() error {
	looks, err := j.source.hasLooks()
	if err != nil || !looks || j.target.config.onServer() {
		return ofSide("FROM", err)
	}
	content, err := os.ReadFile(journal(j.source.config))
	if err == nil {
		err = atomicfile.Write(journal(j.target.config), content, 0o600)
	}
	return err
}

// localFile is where a half of an installation has a file, with a bucket one that is on its way there.
func localFile(c Config, half, path string) string {
	return filepath.Join(c.DataDir, half, filepath.FromSlash(path))
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
