package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/blob"
	"guiche/internal/blob/files"

	"filippo.io/age"
)

// Folders in that of an installation while it is restored. The first is filled; once it
// has the name of the second, the restore has happened, and Complete does the rest.
const (
	restoring = ".restoring"
	restored  = ".restored"
)

// RestoreConfig says what is restored where.
type RestoreConfig struct {
	From       string // one backup, or a folder of which the newest is taken
	Data       string // folder of the installation: empty, or not there
	Look       Look
	Now        time.Time
	Identities []age.Identity    // that open encrypted backups
	KeyFiles   map[string]string // of the installation's keys by their names, for a backup without any; none where they are lost

	// Remote reaches the blobs of a half that the backup only names; nil where nobody does.
	Remote func(half string) Remote

	// Finish makes an installation of what was copied to a folder, before it counts.
	Finish func(ctx context.Context, folder string, m Manifest) error
}

// Errors of a restore; nothing was restored.
var (
	ErrNotEmpty   = errors.New("backup: the folder to restore to is not empty")
	errSealed     = errors.New("backup: it is encrypted, and no identity was given that opens it")
	errNotWhole   = errors.New("backup: it is damaged; nothing was restored")
	errUnfinished = errors.New("backup: a restore did not end here: run it again, or delete the folder .restoring")
)

// Restore makes an installation of a backup. All of it is there in the end, or nothing. The
// caller sees to it that no other process begins to use the folder.
func Restore(ctx context.Context, c RestoreConfig) (m Manifest, err error) {
	from, err := find(c.From, c.Now)
	if err != nil {
		return m, err
	}
	if m, err = ReadManifest(from); err != nil {
		return m, err
	}
	r := restorer{RestoreConfig: c, opener: opener{c.Identities}, from: from, stage: filepath.Join(c.Data, restoring)}
	if !r.can(m) {
		return m, errSealed
	}
	if err := atomicfile.MkdirAll(c.Data, folderMode); err != nil {
		return m, fmt.Errorf("backup: restore: %w", err)
	}
	if err := empty(c.Data); err != nil {
		return m, err
	}
	if err := r.restore(ctx, m); err != nil {
		return m, errors.Join(err, os.RemoveAll(r.stage))
	}
	return m, Complete(c.Data)
}

// empty refuses a folder with anything in it but locks, and what a restore leaves that was
// killed.
func empty(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("backup: restore: %w", err)
	}
	for _, e := range entries {
		if e.Name() != restoring && e.Name() != "lost+found" && filepath.Ext(e.Name()) != ".lock" {
			return fmt.Errorf("%w: %s has %s in it", ErrNotEmpty, folder, e.Name())
		}
	}
	return nil
}

// restorer restores one backup.
type restorer struct {
	RestoreConfig
	opener
	from, stage string
}

func (r *restorer) restore(ctx context.Context, m Manifest) error {
	if err := errors.Join(os.RemoveAll(r.stage), os.Mkdir(r.stage, folderMode)); err != nil {
		return fmt.Errorf("backup: restore: %w", err)
	}
	for _, f := range m.Files {
		if err := r.file(ctx, f); err != nil {
			return err
		}
	}
	if err := r.copyKeys(ctx); err != nil {
		return err
	}
	for _, h := range m.Halves {
		if err := r.half(ctx, h, m.Trail); err != nil {
			return err
		}
	}
	if err := r.Finish(ctx, r.stage, m); err != nil {
		return err
	}
	err := syncTree(r.stage)
	if err == nil {
		err = os.Rename(r.stage, filepath.Join(r.Data, restored))
	}
	if err == nil {
		err = syncFolder(r.Data)
	}
	if err != nil {
		return fmt.Errorf("backup: restore: %w", err)
	}
	return nil
}

// file restores a file that is as the manifest says; lists stay where they are.
func (r *restorer) file(ctx context.Context, f File) error {
	from := filepath.Join(r.from, filepath.FromSlash(f.Path))
	s, err := sumFile(from)
	if err != nil || s.sum != f.SHA256 {
		return fmt.Errorf("%w: %s", errNotWhole, f.Path)
	}
	if filepath.Base(f.Path) == blobList {
		return nil
	}
	if err := r.extract(ctx, from, plainPath(r.stage, f.Path)); err != nil {
		return fmt.Errorf("backup: restore %s: %w", f.Path, err)
	}
	return nil
}

// copyKeys takes the keys from where they were kept apart. Those that the backup holds itself are those of its data;
// the installation's may have been renewed since.
func (r *restorer) copyKeys(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(r.stage, keysFolder)); err == nil {
		return nil
	}
	for name, path := range r.KeyFiles {
		if err := r.extract(ctx, path, filepath.Join(r.stage, keysFolder, name)); err != nil {
			return fmt.Errorf("backup: keys: %w", err)
		}
	}
	return nil
}

// half restores the blobs of a half and holds them to what its database names.
func (r *restorer) half(ctx context.Context, h HalfInfo, head Head) (err error) {
	contents, err := r.Look(ctx, Place{Half: h.Name, Path: plainPath(r.stage, h.Database), Head: head})
	if err != nil {
		return fmt.Errorf("backup: restore: %w", err)
	}
	defer func() { err = errors.Join(err, contents.Close()) }()
	damage, _, err := contents.Check(ctx)
	if err != nil {
		return fmt.Errorf("backup: restore: %w", err)
	}
	if len(damage) > 0 {
		return fmt.Errorf("%w: %s", errNotWhole, strings.Join(damage, "; "))
	}
	list, err := openList(filepath.Join(r.from, filepath.FromSlash(h.List)))
	if err != nil {
		return err
	}
	defer list.close()
	if h.Place != "" {
		return r.restoreRemote(ctx, h, contents, list)
	}
	blobs, err := files.Open(files.Options{Dir: filepath.Join(r.stage, h.Name)})
	if err != nil {
		return fmt.Errorf("backup: restore: %w", err)
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	for _, shard := range shards() {
		if err := r.shard(ctx, h, contents, list, blobs, shard); err != nil {
			return err
		}
	}
	return nil
}

func (r *restorer) shard(ctx context.Context, h HalfInfo, contents Contents, list *listReader, blobs *files.Store, shard string) error {
	lines, err := list.shard(shard)
	if err != nil {
		return err
	}
	there := map[blob.Ref]bool{}
	for _, ref := range h.Missing {
		there[blob.Ref(ref)] = true // it was missing in the installation, too
	}
	for _, l := range lines {
		info, err := r.blob(ctx, l, blobs)
		if err != nil {
			return err
		}
		there[info.Ref] = true
	}
	refs, err := contents.BlobNames(ctx, shard)
	if err != nil {
		return fmt.Errorf("backup: restore: %w", err)
	}
	for _, ref := range refs {
		if !there[ref] {
			return fmt.Errorf("%w: %s lacks %s", errNotWhole, h.Name, ref)
		}
	}
	return nil
}

// blob restores one blob, whose name is the hash of what it is now.
func (r *restorer) blob(ctx context.Context, l listed, blobs *files.Store) (info blob.Info, err error) {
	path := l.path(filepath.Dir(r.from))
	content, err := r.open(path)
	if err != nil {
		return info, fmt.Errorf("%w: %s: %w", errNotWhole, l.file, err)
	}
	defer func() { _ = content.Close() }() // only read
	info, err = blobs.Put(ctx, content)
	if err != nil {
		return info, fmt.Errorf("backup: restore %s: %w", l.file, err)
	}
	if !strings.HasSuffix(l.file, ageSuffix) && string(info.Ref) != l.sum() {
		return info, fmt.Errorf("%w: %s", errNotWhole, l.file)
	}
	return info, nil
}

// syncTree brings the names in a folder and below it to disk.
func syncTree(folder string) error {
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return syncFolder(path)
	})
}

// Complete finishes a restore that a kill cut short after it had happened. Every start
// calls it. A restore that had not happened yet is an error: the folder is no new
// installation.
func Complete(data string) error {
	from := filepath.Join(data, restored)
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(filepath.Join(data, restoring)); err == nil {
			return fmt.Errorf("%w: %s", errUnfinished, data)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("backup: complete: %w", err)
	}
	for _, e := range entries {
		err := os.Rename(filepath.Join(from, e.Name()), filepath.Join(data, e.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may be completing it, too
			return fmt.Errorf("backup: complete: %w", err)
		}
	}
	if err := syncFolder(data); err != nil {
		return fmt.Errorf("backup: complete: %w", err)
	}
	if err := os.Remove(from); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("backup: complete: %w", err)
	}
	return nil
}
