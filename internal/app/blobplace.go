package app

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/blob/s3"
	"guiche/internal/blob/sweep"
	"guiche/internal/egress"
	"guiche/internal/integrity"
	"guiche/internal/store/unsynced"

	"github.com/google/uuid"
)

// Blobs says where files are kept that are not kept in the data folder.
type Blobs struct {
	Place       string // s3://bucket/prefix?endpoint=…; "" means the data folder
	Key, Secret string
	Authorities string // file of those that may sign the endpoint's certificate, beside the system's
	Insecure    bool   // plain http to another machine, and certificates that nobody vouches for
	Spool       int64  // bytes that may be on their way at once, of each half; default 1 GiB
}

// blobStore keeps the blobs of one half, whatever in.
type blobStore interface {
	unsynced.Files
	sweep.Files
	Close() error
}

// blobPlace is where the blobs of an installation are.
type blobPlace struct {
	bucket      *s3.Bucket // nil: in the data folder
	owner       string     // the installation's name in the bucket
	shared      bool       // other processes use it as well
	unreachable error      // why it did not answer at the start
}

// bucket is the one of the settings, nil without one. Nothing is asked of it.
func (b Blobs) bucket(c Config) (*s3.Bucket, error) {
	if b.Place == "" {
		if b.Key != "" || b.Secret != "" || b.Authorities != "" || b.Insecure {
			return nil, errors.New("GUICHE_BLOBS: keys, authorities and insecure belong to a bucket, and none is set")
		}
		return nil, nil // without one files are in the data folder
	}
	location, err := s3.ParseLocation(b.Place)
	if err != nil {
		return nil, fmt.Errorf("GUICHE_BLOBS: %w", err)
	}
	if b.Key == "" || b.Secret == "" {
		return nil, errors.New("GUICHE_BLOBS_KEY, GUICHE_BLOBS_SECRET: the bucket of GUICHE_BLOBS wants both")
	}
	var pool *x509.CertPool
	if b.Authorities != "" {
		authorities, err := egress.OpenAuthorities(b.Authorities, c.Logger)
		if err != nil {
			return nil, fmt.Errorf("GUICHE_BLOBS_CA: %w", err)
		}
		pool = authorities.Pool()
	}
	bucket, err := s3.New(s3.Config{Location: location, Key: b.Key, Secret: b.Secret, Insecure: b.Insecure, Authorities: pool})
	if err != nil {
		return nil, fmt.Errorf("GUICHE_BLOBS: %w", err)
	}
	return bucket, nil
}

// checkBlobs refuses a bucket that cannot be reached by its settings.
func (c Config) checkBlobs() error {
	_, err := c.Blobs.bucket(c)
	return err
}

// knownBlobPlace is the place of an installation that is there, for commands that change nothing
// in it.
func (c Config) knownBlobPlace() (blobPlace, error) {
	return c.markedBlobPlace(context.Background(), folderMarks(c.DataDir))
}

// markedBlobPlace is the place that the settings name, for an installation with these marks.
func (c Config) markedBlobPlace(ctx context.Context, marks blobMarks) (p blobPlace, err error) {
	mark, err := marks.read(ctx)
	if err != nil {
		return p, err
	}
	if p.bucket, err = c.Blobs.bucket(c); err != nil {
		return p, err
	}
	if p.owner = mark.Installation; p.bucket == nil && mark.Place != "" {
		return p, fmt.Errorf("GUICHE_BLOBS: this installation keeps its files in %s: set that place, and its keys", mark.Place)
	}
	return p, nil
}

// openBlobPlace is the place of an installation that starts. A bucket is claimed at the first
// start; one that does not answer later is no reason not to start.
func (c Config) openBlobPlace(ctx context.Context, marks blobMarks) (p blobPlace, err error) {
	if p, err = c.markedBlobPlace(ctx, marks); err != nil {
		return p, err
	}
	if err := c.claimFolder(ctx, p.bucket != nil, marks); err != nil || p.bucket == nil {
		return p, err
	}
	if c.Blobs.Insecure {
		c.Logger.WarnContext(ctx, "GUICHE_BLOBS_INSECURE: whoever is on the way to the bucket can read files and change them",
			"place", p.bucket.Location().String())
	}
	if err = c.claimBucket(ctx, &p, marks); err != nil {
		return p, fmt.Errorf("GUICHE_BLOBS: %w", err)
	}
	return p, nil
}

var errOthers = errors.New("the bucket's prefix belongs to another installation: choose another prefix; " +
	"if that installation is gone for good, delete its object named installation")

// claimBucket sees to it that the bucket is this installation's.
func (c Config) claimBucket(ctx context.Context, p *blobPlace, marks blobMarks) error {
	owner, err := p.bucket.Owner(ctx)
	mark, unread := marks.read(ctx) // then: a process that starts at the same time writes it before it claims
	if unread != nil {
		return unread
	}
	place, known := p.bucket.Location().String(), mark.Installation != ""
	switch {
	case err != nil && (!known || mark.Place != place || mark.Claim || s3.IsMisconfigured(err)):
		return err
	case err != nil:
		c.Logger.WarnContext(ctx, "the bucket does not answer: the start goes on without it", "place", place, "error", err)
		p.unreachable = err
		return nil
	case !known:
		mark.Installation = uuid.NewString()
	case owner == mark.Installation && mark.Place == place && !mark.Claim:
		return nil
	case owner == "" && mark.Place != place:
		return fmt.Errorf("this installation keeps its files in %s: copy all that is below there first", mark.Place)
	}
	if owner != "" && owner != mark.Installation && !mark.Claim {
		return errOthers
	}
	mark.Place = place
	if mark, err = marks.write(ctx, mark); err != nil { // first: a claim that is cut short is taken up by the next start
		return err
	}
	p.owner = mark.Installation
	c.Logger.InfoContext(ctx, "files are kept in a bucket", "place", place)
	if err := p.bucket.Claim(ctx, mark.Installation); err != nil || !mark.Claim {
		return err
	}
	mark.Claim = false
	_, err = marks.write(ctx, mark)
	return err
}

// open opens the store of one half.
func (p blobPlace) open(c Config, half string) (blobStore, error) {
	folder := filepath.Join(c.DataDir, half)
	var store blobStore
	var err error
	if p.bucket == nil {
		store, err = files.Open(files.Options{Dir: folder, Clock: c.Clock, Disk: c.disk})
	} else {
		store, err = s3.Open(s3.Options{Bucket: p.bucket.Of(half), Owner: p.owner, Dir: folder, Spool: c.Blobs.Spool, Clock: c.Clock,
			Disk: c.disk, Logger: c.Logger, Shared: p.shared, Unreachable: p.unreachable})
	}
	if err != nil {
		return nil, fmt.Errorf("GUICHE_DATA: %w", err)
	}
	return store, nil
}

// where names the place of a blob's bytes for a person.
func (p blobPlace) where(c Config, half integrity.Half, ref blob.Ref) string {
	if p.bucket != nil {
		return p.bucket.Of(string(half)).Place(ref)
	}
	return filepath.Join(c.DataDir, string(half), filepath.FromSlash(ref.Path()))
}

// openPlace finds out where files are kept; a bucket is watched while the program runs.
func (s *baseServer) openPlace(ctx context.Context) (err error) {
	if err := s.checkOwnRows(ctx); err != nil {
		return err
	}
	s.place, err = s.config.openBlobPlace(ctx, s.config.blobMarks(s.data.db))
	if s.place.shared = s.data.db.Shared(); s.place.shared && s.place.bucket != nil {
		s.monitor.KeepHeadIn(s.place.bucket.Of(deskHalf))
	}
	s.integrity.place = s.place
	return err
}

// openBlobs opens the store of one half and does what it has to do beside the requests.
func (s *baseServer) openBlobs(half string) (blobStore, error) {
	store, err := s.place.open(s.config, half)
	if err != nil {
		return nil, err
	}
	s.integrity.blobs[integrity.Half(half)] = store
	if bucket, ok := store.(*s3.Store); ok {
		s.inBackground(bucket.Run)
		s.degraded = append(s.degraded, degradation{"blobs", func(context.Context) bool { return bucket.Trouble() != nil }})
	}
	return store, nil
}

// unlisted are those of the blobs that a list of the bucket does not show; without a bucket all.
func (p blobPlace) unlisted(ctx context.Context, half integrity.Half, prefix string, refs []blob.Ref) ([]blob.Ref, error) {
	if p.bucket == nil {
		return refs, nil
	}
	there := map[blob.Ref]bool{}
	err := p.bucket.Of(string(half)).List(ctx, prefix, func(b s3.Stored) error {
		there[b.Ref] = true
		return nil
	})
	return slices.DeleteFunc(refs, func(r blob.Ref) bool { return there[r] }), err
}
