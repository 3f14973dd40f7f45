package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"guiche/internal/blob"
)

// smallest is up to which size a blob may be left to a batch: beyond, the database would
// take longer over its bytes than the disk.
const smallest = 128 << 10

// heads are buffers into which small reads.
var heads = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// small reads what is small enough for a batch. Otherwise rest is all of r.
func small(ctx context.Context, r io.Reader) (content blob.Content, rest io.Reader, err error) {
	if known, ok := r.(*blob.ContentReader); ok && known.Size() <= smallest {
		return known.Content, nil, ctx.Err()
	}
	head := heads.Get().(*bytes.Buffer) // the pool has no others
	defer heads.Put(head)
	head.Reset()
	_, err = io.CopyN(head, blob.Until(ctx, r), smallest+1)
	begin := bytes.Clone(head.Bytes())
	switch {
	case errors.Is(err, io.EOF):
		return blob.NewContent(begin), nil, nil
	case err != nil:
		return content, nil, err
	}
	return content, io.MultiReader(bytes.NewReader(begin), r), nil
}

// putUnsynced puts a blob's file in place without waiting for the disk, and leaves the
// bytes to the batch; done is false where it has to be stored as any other. A file that is
// there is never replaced: rows may name it whose bytes are in no batch.
func (s *Store) putUnsynced(ctx context.Context, content blob.Content, batch *blob.Batch) (info blob.Info, done bool, err error) {
	info = blob.Info{Ref: content.Ref, Size: int64(len(content.Bytes))}
	if err := s.holdOf(ctx).addInProcess(info.Ref); err != nil {
		return info, false, err
	}
	name, err := fileName(info.Ref)
	if err != nil {
		return info, false, err
	}
	err = s.create(name, content.Bytes)
	if errors.Is(err, fs.ErrExist) {
		err = s.renew(name, content.Bytes)
	}
	if err != nil {
		return info, false, nil //nolint:nilerr // storing it as any other tells what is wrong
	}
	batch.Add(content)
	s.signalUnsynced()
	return info, true, nil
}

// create makes a file with all its bytes, unless there is one. A program that is killed
// meanwhile leaves a part of them, which counts as damaged: no row names it.
func (s *Store) create(name string, content []byte) error {
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.root.Mkdir(name[:2], folderMode); err == nil || errors.Is(err, fs.ErrExist) {
			f, err = s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
		}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Close())
	if now := s.clock(); err == nil && time.Until(now).Abs() > time.Second { // by its own clock it has its time
		err = s.root.Chtimes(name, time.Time{}, now)
	}
	return err
}

var errOtherBytes = errors.New("blob: the file has other bytes")

// renew gives a file that is whole a new time.
func (s *Store) renew(name string, content []byte) error {
	there, err := s.root.ReadFile(name)
	if err == nil && !bytes.Equal(there, content) {
		err = errOtherBytes
	}
	if err != nil {
		return err
	}
	return s.root.Chtimes(name, time.Time{}, s.clock())
}

// signalUnsynced tells whoever syncs that there is something to sync.
func (s *Store) signalUnsynced() {
	select {
	case s.unsynced <- struct{}{}:
	default: // told already
	}
}

// Unsynced is received from when files were left to a batch.
func (s *Store) Unsynced() <-chan struct{} { return s.unsynced }

// Sync brings blobs to disk that are in place: their bytes and their names. It looks for none
// that are gone.
func (s *Store) Sync(refs []blob.Ref) (gone []blob.Ref, err error) {
	folder, err := s.root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("blob: sync: %w", err)
	}
	if err = syncAll(folder); errors.Is(err, errors.ErrUnsupported) {
		err = s.syncEach(refs)
	}
	if err = errors.Join(err, folder.Close()); err != nil {
		return nil, fmt.Errorf("blob: sync: %w", err)
	}
	return nil, nil
}

// syncEach is Sync where a file system cannot be synced as a whole.
func (s *Store) syncEach(refs []blob.Ref) error {
	folders := map[string]bool{".": true}
	for _, ref := range refs {
		name, err := fileName(ref)
		if err == nil {
			err = s.syncFile(name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			folders[folderOf(ref)] = true
		}
	}
	for folder := range folders {
		if err := s.syncFolder(folder); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) syncFile(name string) error {
	f, err := s.root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
