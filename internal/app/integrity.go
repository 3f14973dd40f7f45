package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"

	"guiche/internal/backup"
	"guiche/internal/blob"
	"guiche/internal/integrity"
	"guiche/internal/problem"
	"guiche/internal/store/backupstore"
	"guiche/internal/store/checksum"
	"guiche/internal/store/damagestore"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/servicestore"
	"guiche/internal/webui"
)

// integrityJob keeps account of what is damaged in this installation.
type integrityJob struct {
	*damagestore.Store
	config    Config
	data      *deskData
	blobs     map[integrity.Half]blobStore // of the halves that are open
	place     blobPlace
	databases map[integrity.Half]database
	found     chan func(context.Context) error // writes down a damaged row
	halves    []protected
	cases     *deskstore.Store // nil without a desk
}

// protected are the rows of a half that carry checksums.
type protected struct {
	half   integrity.Half
	db     database
	tables []checksum.Table
	caseOf func(context.Context, checksum.Row) (uuid.UUID, error) // nil where rows belong to no case
}

// openIntegrity makes the account; the parts that are opened later are added to it.
func (s *baseServer) openIntegrity() {
	s.integrity = &integrityJob{Store: damagestore.New(s.data.db, s.data.trail), config: s.config, data: s.data,
		blobs: map[integrity.Half]blobStore{}, databases: map[integrity.Half]database{integrity.Desk: s.data.db},
		found: make(chan func(context.Context) error, foundRows)}
	s.pages.Integrity = s.integrity
	s.afterFirst(s.integrity.run)
}

// foundRows is how many damaged rows may wait to be written down; others are found again
// when they are read again.
const foundRows = 256

// watchDesk takes the desk's rows into the account.
func (j *integrityJob) watchDesk(store *deskstore.Store) {
	j.cases = store
	j.halves = append(j.halves, protected{integrity.Desk, j.data.db, deskstore.ProtectedTables(), store.CaseOfRow})
	store.OnDamage(func(row checksum.Row) { j.rowFound(integrity.Desk, row, store.CaseOfRow) })
}

// watchService takes the service's rows into the account.
func (j *integrityJob) watchService(e *embedded) {
	j.halves = append(j.halves, protected{half: integrity.Service, db: e.db, tables: servicestore.ProtectedTables()})
	e.ledger.OnDamage(func(row checksum.Row) { j.rowFound(integrity.Service, row, nil) })
	e.damaged = func(ref blob.Ref) {
		j.note(func(ctx context.Context) error {
			return j.Add(ctx, integrity.Damage{Half: integrity.Service, Kind: integrity.File, Name: string(ref)})
		})
	}
}

// run gives rows from before their checksums, and writes down what is found damaged, until
// ctx is done.
func (j *integrityJob) run(ctx context.Context) {
	var checking sync.WaitGroup
	defer checking.Wait()
	checking.Go(func() { j.check(ctx) })
	j.eachIndexed(func(half integrity.Half, file indexedFile) { checking.Go(func() { j.mendMet(ctx, half, file) }) })
	for {
		select {
		case <-ctx.Done():
			return
		case write := <-j.found:
			if err := write(ctx); err != nil && ctx.Err() == nil {
				j.config.Logger.ErrorContext(ctx, "damage was not written down", "error", err)
			}
		}
	}
}

// fill gives rows from before their checksums, puts them into the queue, and then notes whom they tell of.
func (j *integrityJob) fill(ctx context.Context) {
	for _, h := range j.halves {
		j.fillOne(ctx, "rows of the "+string(h.half)+" from before got no checksums", func() error {
			return checksum.Fill(ctx, h.db, h.tables)
		})
	}
	if j.cases == nil {
		return
	}
	j.fillOne(ctx, "the queue lacks cases from before", func() error { return j.cases.FillQueue(ctx) })
	j.fillOne(ctx, "beneficiaries of requests from before are not all known", func() error { return j.cases.FillKnown(ctx) })
}

// fillPause is before what could not be filled is tried again.
const fillPause = 5 * time.Second

// fillOne fills one thing. It goes on where it was cut short once the database can be written to again: left to the
// next start it would be missing for weeks. What it lacks is said once.
func (j *integrityJob) fillOne(ctx context.Context, lacking string, fill func() error) {
	for said := false; ; said = true {
		err := fill()
		if !said {
			j.log(ctx, lacking, err)
		}
		if !problem.Passing(err) || pause(ctx, fillPause) != nil {
			return
		}
	}
}

// rowFound has a damaged row written down. It does not wait: the row is being read.
func (j *integrityJob) rowFound(half integrity.Half, row checksum.Row, caseOf func(context.Context, checksum.Row) (uuid.UUID, error)) {
	j.note(func(ctx context.Context) error {
		d := integrity.Damage{Half: half, Kind: integrity.Row, Name: row.String()}
		if caseOf != nil {
			var err error
			if d.Case, err = caseOf(ctx, row); err != nil {
				d.Case = uuid.Nil // that may be what is damaged
			}
		}
		return j.Add(ctx, d)
	})
}

// note has damage written down beside the requests. It does not wait.
func (j *integrityJob) note(write func(context.Context) error) {
	select {
	case j.found <- write:
	default:
	}
}

// Remedy implements webui.Integrity.
func (j *integrityJob) Remedy(ctx context.Context, d integrity.Damage) (webui.Remedy, error) {
	if d.Kind == integrity.Row {
		return j.backupBefore(ctx, d.Since)
	}
	if len(d.Name) != 64 {
		return webui.Remedy{}, nil
	}
	ref := blob.Ref(d.Name)
	r := webui.Remedy{Place: j.place.where(j.config, d.Half, ref), InBucket: j.place.bucket != nil}
	b := j.config.Backups
	if b.Folder == "" || r.InBucket {
		return r, nil
	}
	c := backup.Config{Folder: b.Folder, Recipients: b.Recipients}
	if len(b.Recipients) > 0 {
		var err error
		if c.NameKey, err = backupNameKey(ctx, j.data.db, j.config.keyPlace()); err != nil {
			return r, fmt.Errorf("app: names in backups: %w", err)
		}
	}
	if found, ok := backup.FindBlob(c, ref); ok {
		r.Copy, r.Encrypted = found.Path, found.Encrypted
	}
	return r, nil
}

// backupBefore names the newest backup from before a moment that was checked and is whole.
func (j *integrityJob) backupBefore(ctx context.Context, at time.Time) (webui.Remedy, error) {
	runs, err := backupstore.New(j.data.db, j.data.trail).Latest(ctx, mostRechecked)
	for _, r := range runs {
		if r.Good() && !r.VerifiedAt.IsZero() && r.At.Before(at) {
			return webui.Remedy{Copy: filepath.Join(j.config.Backups.Folder, r.Name), Encrypted: r.Encrypted}, nil
		}
	}
	return webui.Remedy{}, err
}

// mostRechecked bounds what a look at known damage reads.
const mostRechecked = 1000

// Recheck implements webui.Integrity.
func (j *integrityJob) Recheck(ctx context.Context) error {
	known, err := j.List(ctx, mostRechecked)
	if err != nil {
		return err
	}
	for _, d := range known {
		whole, err := j.isWhole(ctx, d)
		if err == nil && whole {
			err = j.Remove(ctx, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isWhole reads what was found damaged once more.
func (j *integrityJob) isWhole(ctx context.Context, d integrity.Damage) (bool, error) {
	if d.Kind == integrity.Row {
		return j.isRowWhole(ctx, d)
	}
	store, open := j.blobs[d.Half]
	if !open {
		return false, nil
	}
	return readWhole(ctx, store, blob.Ref(d.Name))
}

// isRowWhole compares a row that was found damaged once more.
func (j *integrityJob) isRowWhole(ctx context.Context, d integrity.Damage) (whole bool, err error) {
	for _, h := range j.halves {
		if h.half != d.Half {
			continue
		}
		if table, row, ok := checksum.Named(h.tables, d.Name); ok {
			return engine.Get(ctx, h.db, func(tx *engine.Tx) (bool, error) { return table.IsWhole(ctx, tx, row.Key...) })
		}
	}
	if j.cases == nil {
		return false, nil
	}
	return j.cases.IsBack(ctx, d.Name)
}

// readWhole reports whether a file is as it was stored; an error tells nothing about it.
func readWhole(ctx context.Context, store blob.Store, ref blob.Ref) (bool, error) {
	f, err := store.Open(ctx, ref)
	if err == nil {
		_, err = io.Copy(io.Discard, f)
		err = errors.Join(err, f.Close())
	}
	if problem.Is(err, problem.NotFound) || errors.Is(err, blob.ErrDamaged) {
		return false, nil
	}
	return err == nil, err
}
