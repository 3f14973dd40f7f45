package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"guiche/internal/blob"
	"guiche/internal/integrity"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
)

const (
	// startCheck is how long the look at the newest rows may take at a start.
	startCheck = time.Second
	// wholeCheck is the pause between two checks of all that is stored.
	wholeCheck = 24 * time.Hour
	// checkPause is the shortest pause between two pieces of a check, checkRest how much longer than the
	// piece it is, longestPause the longest: a check is in no hurry, and leaves the machine to others.
	checkPause   = 100 * time.Millisecond
	checkRest    = 20
	longestPause = time.Second
	// mendPause is the longest time that a damaged index is left alone that could not be made anew.
	mendPause = time.Minute
)

// check gives rows from before their checksums, looks at the newest rows, and then at all
// that is stored, again and again until ctx is done.
func (j *integrityJob) check(ctx context.Context) {
	j.fill(ctx)
	j.log(ctx, "what an older version left was not made again", j.catchUp(ctx))
	soon, cancel := context.WithTimeout(ctx, startCheck)
	within := checksum.Within(j.config.Clock, startCheck)
	j.log(soon, "the newest rows were not checked", j.eachHalf(func(h protected) error {
		return checksum.Newest(soon, h.db, h.tables, func(row checksum.Row) { j.rowFound(h.half, row, h.caseOf) }, within)
	}))
	cancel()
	ticker := time.NewTicker(wholeCheck)
	defer ticker.Stop()
	for {
		j.log(ctx, "what is stored was not checked", j.checkAll(ctx))
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// catchUp makes again what an older version did not keep while it wrote: what differs then
// is no damage.
func (j *integrityJob) catchUp(ctx context.Context) error {
	for half, db := range j.databases {
		older, err := engine.WrittenByOlder(ctx, db)
		if err != nil {
			return err
		}
		if !older {
			continue
		}
		if half == integrity.Desk && j.cases != nil {
			differing, err := j.cases.CheckLists(ctx, nil)
			if err == nil && len(differing) > 0 {
				_, err = j.cases.RepairLists(ctx, differing)
			}
			if err != nil {
				return err
			}
		}
		if err := engine.CaughtUp(ctx, db); err != nil {
			return err
		}
	}
	return nil
}

// log tells of an error, unless the time was up.
func (j *integrityJob) log(ctx context.Context, message string, err error) {
	if err != nil && ctx.Err() == nil && !errors.Is(err, checksum.ErrTime) {
		j.config.Logger.ErrorContext(ctx, message, "error", err)
	}
}

func (j *integrityJob) eachHalf(do func(protected) error) error {
	var errs []error
	for _, h := range j.halves {
		errs = append(errs, do(h))
	}
	return errors.Join(errs...)
}

// checkAll compares all rows, with their checksums and with their indexes, and reads all
// files, in pieces that each end their snapshot.
func (j *integrityJob) checkAll(ctx context.Context) error {
	err := j.eachHalf(func(h protected) error {
		return checksum.Check(ctx, h.db, h.tables, func(row checksum.Row) { j.rowFound(h.half, row, h.caseOf) },
			rests(ctx))
	})
	err = errors.Join(err, j.mendIndexes(ctx))
	if err == nil && j.cases != nil {
		err = errors.Join(j.checkLists(ctx), j.cases.MergeWords(ctx, rests(ctx)))
	}
	for half := range j.blobs {
		err = errors.Join(err, j.checkFiles(ctx, half))
	}
	if err == nil {
		err = j.Recheck(ctx)
	}
	if err == nil {
		err = j.Checked(ctx)
	}
	return err
}

// checkLists compares what lists are read from with the cases, and has what differs made
// again from them: the trail tells of both.
func (j *integrityJob) checkLists(ctx context.Context) error {
	differing, err := j.cases.CheckLists(ctx, rests(ctx))
	if err != nil || len(differing) == 0 {
		return err
	}
	for _, row := range differing {
		d := integrity.Damage{Half: integrity.Desk, Kind: integrity.Row, Name: row.String()}
		if deskstore.IsLost(row) { // lists name it from now on
			if d.Case, err = j.cases.CaseOfRow(ctx, row); err != nil {
				return err
			}
		}
		if err := j.Add(ctx, d); err != nil {
			return err
		}
	}
	repaired, err := j.cases.RepairLists(ctx, differing)
	for _, row := range repaired {
		err = errors.Join(err, j.Remove(ctx, integrity.Damage{Half: integrity.Desk, Kind: integrity.Row, Name: row.String()}))
	}
	j.config.Logger.WarnContext(ctx, "lists differed from their cases and were made again",
		"differing", len(differing), "repaired", len(repaired))
	return err
}

// indexedFile is a database in a file of its own. A server looks after its own indexes.
type indexedFile interface {
	MendIndexes(ctx context.Context, met bool, mended func(table string), pause func() error) error
	IndexDamaged() <-chan struct{}
}

// eachIndexed does something for every open database that is a file.
func (j *integrityJob) eachIndexed(do func(integrity.Half, indexedFile)) {
	for half, db := range j.databases {
		if file, ok := db.(indexedFile); ok {
			do(half, file)
		}
	}
}

// mendIndexes compares indexes with their rows in every database that is open: counters and
// lists are read from them.
func (j *integrityJob) mendIndexes(ctx context.Context) error {
	var errs []error
	j.eachIndexed(func(half integrity.Half, file indexedFile) {
		_, err := j.mendIndexesOf(ctx, half, file, false, rests(ctx))
		errs = append(errs, err)
	})
	return errors.Join(errs...)
}

// mendIndexesOf reports whether there was anything to mend.
func (j *integrityJob) mendIndexesOf(ctx context.Context, of integrity.Half, file indexedFile, met bool,
	rest func() error) (mended bool, err error) {
	err = file.MendIndexes(ctx, met, func(table string) {
		mended = true
		j.config.Logger.ErrorContext(ctx, "an index was not as its rows, and was made anew", "half", of, "table", table)
	}, rest)
	return mended, err
}

// mendMet has an index that somebody met damaged made anew at once, until ctx is done. Whoever met it
// was told to come again. Where nothing was mended, because nothing can be or because the daily check
// was faster, it is left alone for much longer than the look took.
func (j *integrityJob) mendMet(ctx context.Context, half integrity.Half, file indexedFile) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-file.IndexDamaged():
		}
		began := time.Now()
		mended, err := j.mendIndexesOf(ctx, half, file, true, ctx.Err)
		j.log(ctx, "a damaged index was not made anew", err)
		if !mended && pause(ctx, min(checkRest*time.Since(began), mendPause)) != nil {
			return
		}
	}
}

// checkFiles reads the files that rows of a half name. Of those in a bucket, where reading costs
// money, it reads what the bucket's list lacks.
func (j *integrityJob) checkFiles(ctx context.Context, half integrity.Half) error {
	names := blobNamesOf(string(half), j.databases[half])
	for shard := range 256 {
		prefix := fmt.Sprintf("%02x", shard)
		refs, err := names.Beginning(ctx, prefix)
		if err == nil && len(refs) > 0 {
			refs, err = j.place.unlisted(ctx, half, prefix, refs)
		}
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if err := j.checkFile(ctx, half, ref); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFile reads a file, and pauses for as long as that took: others read, too. One that
// no row names any more may be gone.
func (j *integrityJob) checkFile(ctx context.Context, half integrity.Half, ref blob.Ref) error {
	start := time.Now()
	whole, err := readWhole(ctx, j.blobs[half], ref)
	if err != nil {
		return err
	}
	if !whole {
		named, err := blobNamesOf(string(half), j.databases[half]).NamedBlobs(ctx, []blob.Ref{ref})
		if err != nil {
			return err
		}
		if len(named) > 0 {
			return j.Add(ctx, integrity.Damage{Half: half, Kind: integrity.File, Name: string(ref)})
		}
	}
	return pause(ctx, min(time.Since(start), time.Second))
}

// rests returns what a check calls between two pieces: it waits, the longer the more time the piece took.
func rests(ctx context.Context) func() error {
	began := time.Now()
	return func() error {
		err := pause(ctx, min(max(checkPause, checkRest*time.Since(began)), longestPause))
		began = time.Now()
		return err
	}
}

// pause waits, or ends with ctx.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
