package app

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"guiche/internal/backup"
	"guiche/internal/store/backupstore"
	"guiche/internal/webui"
)

const (
	// backupLook is the pause between two looks at whether a backup is due.
	backupLook = 30 * time.Second
	// backupAgain is how long a backup that failed waits for the next try, at most.
	backupAgain = 15 * time.Minute
)

// backupJob makes backups when they are due or asked for, and checks each of them.
type backupJob struct {
	config Config
	store  *backupstore.Store
	asked  chan struct{}
	files  string // the bucket that keeps files, "" without one

	unchecked string // the backup of this process that could not be checked
}

// openBackups makes backups beside the requests, where a folder for them is set.
func (s *baseServer) openBackups(context.Context) error {
	job := &backupJob{config: s.config, store: backupstore.New(s.data.db, s.data.trail), asked: make(chan struct{}, 1)}
	if s.place.bucket != nil {
		job.files = s.place.bucket.Location().String()
	}
	if s.config.Backups.Folder != "" {
		s.inBackground(job.run)
	}
	if !s.config.onServer() {
		s.inBackground(s.sweepUpdates)
	}
	s.pages.Backups = job
	return nil
}

// run makes what is due until ctx is done.
func (j *backupJob) run(ctx context.Context) {
	ticker := time.NewTicker(backupLook)
	defer ticker.Stop()
	for asked := false; ctx.Err() == nil; {
		if asked || j.due(ctx) {
			j.once(ctx)
		}
		select {
		case <-ctx.Done():
		case <-ticker.C:
			asked = false
		case <-j.asked:
			asked = true
		}
	}
}

// backupsBeside is how many runs are looked through for one of the server's own.
const backupsBeside = 30

// due reports whether it is time for the next backup. A clock that was set back counts as
// time that has passed.
func (j *backupJob) due(ctx context.Context) bool {
	runs, err := j.store.Latest(ctx, backupsBeside)
	if err != nil {
		j.log(ctx, "when backups were made could not be read", err)
		return false
	}
	last := slices.IndexFunc(runs, j.own)
	if last < 0 {
		return true
	}
	pause := j.config.Backups.Every
	if runs[last].Failure != "" {
		pause = min(pause, backupAgain)
	}
	passed := j.config.Clock().Sub(runs[last].At)
	return passed >= pause || passed < 0
}

// own reports whether a server made, or tried, a backup. Those of guiche backup may lie anywhere, so they put nothing off:
// they are written down without a check, and where they fail not at all.
func (j *backupJob) own(r backup.Run) bool {
	return r.Failure != "" || !r.VerifiedAt.IsZero() || r.Name == j.unchecked
}

// once makes a backup, checks it and writes down how it went. After damage was found in
// the folder, what is there already is read again.
func (j *backupJob) once(ctx context.Context) {
	b := j.config.Backups
	if runs, err := j.store.Latest(ctx, 1); err == nil && len(runs) > 0 {
		b.Recheck = b.Recheck || runs[0].Damage > 0
	}
	run := backup.Run{At: j.config.Clock()}
	r, err := makeBackupOf(ctx, j.config, b)
	if ctx.Err() != nil {
		return // the program stops; the next start makes one
	}
	if err != nil {
		j.log(ctx, "a backup was not made, or older ones not removed", err)
	}
	if run = describe(run, r, err); run.Failure == "" {
		j.check(ctx, r.Path, &run)
	}
	if err := j.store.Add(ctx, run); err != nil {
		j.log(ctx, "a backup was not written down", err)
	}
}

// describe is what is remembered of a backup; one that was made counts, even if older
// ones could not be removed.
func describe(run backup.Run, r backup.Result, err error) backup.Run {
	if r.Path == "" {
		run.Failure = backup.FailureOf(err)
		return run
	}
	run.Name, run.Bytes, run.Missing, run.Encrypted = filepath.Base(r.Path), r.Manifest.Bytes(), r.Manifest.Missing(), r.Manifest.Encrypted
	return run
}

// check reads the backup as a whole.
func (j *backupJob) check(ctx context.Context, path string, run *backup.Run) {
	report, err := Verify(ctx, j.config, path, "")
	if err != nil {
		j.log(ctx, "a backup could not be checked", err)
		j.unchecked = run.Name
		return
	}
	run.VerifiedAt, run.Damage = j.config.Clock(), len(report.Damage)+report.More
	if !report.Whole() {
		j.config.Logger.ErrorContext(ctx, "a backup is damaged", "damage", run.Damage)
	}
}

func (j *backupJob) log(ctx context.Context, message string, err error) {
	if ctx.Err() == nil {
		j.config.Logger.ErrorContext(ctx, message, "error", err)
	}
}

// Plan implements webui.Backups.
func (j *backupJob) Plan() webui.BackupPlan {
	b := j.config.Backups
	return webui.BackupPlan{Server: j.config.onServer(), Files: j.files,
		Folder: b.Folder, Every: b.Every, Keep: b.Keep, Encrypted: len(b.Recipients) > 0}
}

// Latest implements webui.Backups.
func (j *backupJob) Latest(ctx context.Context, limit int) ([]backup.Run, error) {
	return j.store.Latest(ctx, limit)
}

// Ask implements webui.Backups: a backup is made now, beside the requests.
func (j *backupJob) Ask() {
	select {
	case j.asked <- struct{}{}:
	default: // one is asked for already
	}
}
