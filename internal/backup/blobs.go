package backup

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"guiche/internal/atomicfile"
	"guiche/internal/blob"

	"filippo.io/age"
)

// unfinished begins the name of a blob's file that is being written.
const unfinished = ".new-"

// keeper puts blobs into the folder that all backups share. One that is there already is
// not copied again.
type keeper struct {
	folder  string
	to      []age.Recipient
	secret  []byte // that names of encrypted blobs are made of, with their recipients
	recheck bool   // read what is there already before it is relied on

	Copied, CopiedBytes int64
}

// name is the beginning of a stored blob's name. The name of an encrypted one tells
// nothing: who knows it cannot try what the content might be.
func (k *keeper) name(ref blob.Ref) string {
	if len(k.to) == 0 {
		return string(ref)
	}
	return k.sealedName(ref)
}

func (k *keeper) sealedName(ref blob.Ref) string {
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte(ref))
	return hex.EncodeToString(mac.Sum(nil))
}

// keepHalf keeps all blobs that a copied database names and lists them.
func (k *keeper) keepHalf(ctx context.Context, from Blobs, contents Contents, list string) (h HalfInfo, err error) {
	f, err := os.OpenFile(list, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return h, fmt.Errorf("backup: list blobs: %w", err)
	}
	w := bufio.NewWriter(f)
	for _, shard := range shards() {
		lines, missing, err := k.keepShard(ctx, from, contents, shard)
		if err != nil {
			return h, errors.Join(err, f.Close())
		}
		for _, l := range lines {
			_, _ = w.WriteString(l.line()) // Flush has the error
			h.Blobs, h.Bytes = h.Blobs+1, h.Bytes+l.size
		}
		h.Missing = append(h.Missing, missing...)
	}
	if err := errors.Join(w.Flush(), f.Sync(), f.Close()); err != nil {
		return h, fmt.Errorf("backup: list blobs: %w", err)
	}
	return h, nil
}

// keepShard keeps the blobs of one shard. What the installation itself does not have
// whole is named, and no reason to do without the rest.
func (k *keeper) keepShard(ctx context.Context, from Blobs, contents Contents, shard string) (lines []listed, missing []string, err error) {
	refs, err := contents.BlobNames(ctx, shard)
	if err != nil || len(refs) == 0 {
		return nil, nil, err
	}
	there, err := k.there(shard)
	if err != nil {
		return nil, nil, err
	}
	for _, ref := range refs {
		l, err := k.keep(ctx, from, contents, ref, there[k.name(ref)])
		var lost *lostError
		switch {
		case errors.As(err, &lost):
			missing = append(missing, string(ref))
		case err != nil:
			return nil, nil, fmt.Errorf("backup: keep blob %s: %w", ref, err)
		default:
			lines = append(lines, l)
		}
	}
	slices.SortFunc(lines, func(a, b listed) int { return cmp.Compare(a.file, b.file) })
	// Also where nothing was copied now: who copied it may have been killed before this.
	return lines, missing, syncFolder(filepath.Join(k.folder, blobsFolder, shard))
}

// there are the stored files of a shard by the beginnings of their names; of a blob that
// was encrypted again there are several.
func (k *keeper) there(shard string) (map[string][]string, error) {
	folder := filepath.Join(k.folder, blobsFolder, shard)
	if err := atomicfile.MkdirAll(folder, folderMode); err != nil {
		return nil, fmt.Errorf("backup: folder of blobs: %w", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("backup: folder of blobs: %w", err)
	}
	there := map[string][]string{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinished) { // a killed process left it
			_ = os.Remove(filepath.Join(folder, e.Name()))
			continue
		}
		if name, _, _ := strings.Cut(e.Name(), "."); strings.HasSuffix(e.Name(), ageSuffix) == (len(k.to) > 0) {
			there[name] = append(there[name], e.Name())
		}
	}
	return there, nil
}

// keep keeps one blob, of which there may be files already. One that the installation has
// lost is what its database holds for the next start, or what an earlier backup kept.
func (k *keeper) keep(ctx context.Context, from Blobs, contents Contents, ref blob.Ref, files []string) (l listed, err error) {
	shard := string(ref[:2])
	for _, file := range files {
		if l, ok := k.relied(ctx, from, ref, shard+"/"+file); ok {
			return l, nil
		}
	}
	l, err = k.copy(ctx, from, ref, shard)
	if lost := new(lostError); !errors.As(err, &lost) {
		return l, err
	}
	if content, ok := held(ctx, contents, ref); ok {
		return k.put(ctx, bytes.NewReader(content), ref, shard)
	}
	for _, file := range files {
		if l, ok := k.read(shard + "/" + file); ok {
			return l, nil
		}
	}
	return listed{}, err
}

// relied reports whether a file that is there already is the blob. A plain one has its
// size; recheck reads it.
func (k *keeper) relied(ctx context.Context, from Blobs, ref blob.Ref, file string) (l listed, ok bool) {
	info, err := os.Stat(filepath.Join(k.folder, blobsFolder, filepath.FromSlash(file)))
	if err != nil {
		return l, false
	}
	l = listed{file, info.Size()}
	if source, err := from.Stat(ctx, ref); err == nil && len(k.to) == 0 && source.Size != l.size {
		return l, false
	}
	if k.recheck {
		return k.read(file)
	}
	return l, true
}

// read reads a file that is there already and reports whether it is what its name says.
func (k *keeper) read(file string) (l listed, ok bool) {
	l.file = file
	s, err := sumFile(l.path(k.folder))
	l.size = s.size
	return l, err == nil && s.sum == l.sum()
}

// lostError says that the installation does not have a blob whole.
type lostError struct{ cause error }

// Error implements error.
func (e *lostError) Error() string {
	return "backup: not whole in the installation: " + e.cause.Error()
}

// held are the bytes of a blob that a database has in place of a file that a power cut
// took.
func held(ctx context.Context, contents Contents, ref blob.Ref) (content []byte, ok bool) {
	content, err := contents.Bytes(ctx, ref)
	sum := sha256.Sum256(content)
	return content, err == nil && hex.EncodeToString(sum[:]) == string(ref)
}

// copy stores the installation's file of a blob. A damaged one ends with the error of its
// reader.
func (k *keeper) copy(ctx context.Context, from Blobs, ref blob.Ref, shard string) (listed, error) {
	source, err := from.Open(ctx, ref)
	switch {
	case isExhausted(err): // it may be whole all the same
		return listed{}, err
	case err != nil:
		return listed{}, &lostError{err}
	}
	defer func() { _ = source.Close() }() // only read
	return k.put(ctx, source, ref, shard)
}

// put stores a blob under its name.
func (k *keeper) put(ctx context.Context, source io.Reader, ref blob.Ref, shard string) (l listed, err error) {
	folder := filepath.Join(k.folder, blobsFolder, shard)
	temp := filepath.Join(folder, unfinished+rand.Text())
	defer func() { _ = os.Remove(temp) }() // renamed, it is gone already
	read := &reading{Reader: blob.Until(ctx, source)}
	s, err := store(temp, read, k.to)
	switch {
	case read.err != nil && ctx.Err() == nil:
		return l, &lostError{read.err}
	case err != nil:
		return l, err
	}
	l = listed{shard + "/" + k.name(ref), s.size}
	if len(k.to) > 0 {
		l.file += "." + s.sum + ageSuffix
	}
	k.Copied, k.CopiedBytes = k.Copied+1, k.CopiedBytes+s.size
	return l, os.Rename(temp, l.path(k.folder))
}

// reading remembers an error of what is read, to tell it from one of what is written.
type reading struct {
	io.Reader
	err error
}

// Read implements io.Reader.
func (r *reading) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
