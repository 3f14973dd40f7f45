package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"guiche/internal/blob"
)

// DataHalf is one half of an installation at rest: its folder and the database in it.
type DataHalf struct {
	Name, File string
	Remote     Remote // where its blobs lie; nil for those in its folder
}

// present are those of the halves that an installation has.
func present(data string, halves []DataHalf) (there []DataHalf) {
	for _, h := range halves {
		if _, err := os.Stat(filepath.Join(data, h.Name, h.File)); err == nil {
			there = append(there, h)
		}
	}
	return there
}

// IsData reports whether a folder is that of an installation.
func IsData(path string, halves []DataHalf) bool { return len(present(path, halves)) > 0 }

// VerifyData checks an installation, which may be in use, with its keys. Nothing in
// it is changed.
func VerifyData(ctx context.Context, path, keys string, halves []DataHalf, look Look) (Report, error) {
	r := Report{Path: path}
	for _, h := range present(path, halves) {
		if err := r.dataHalf(ctx, h, keys, look); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *Report) dataHalf(ctx context.Context, h DataHalf, keys string, look Look) (err error) {
	file := filepath.Join(r.Path, h.Name, h.File)
	contents, err := look(ctx, Place{Half: h.Name, Path: file, Keys: keys, InUse: true})
	if err != nil {
		return r.failed(ctx, err, "O banco de dados não pôde ser aberto: "+h.Name+"/"+h.File)
	}
	defer func() { err = errors.Join(err, contents.Close()) }()
	damage, unchecked, err := contents.Check(ctx)
	if err != nil {
		return err
	}
	r.damaged(damage...)
	r.Unchecked = append(r.Unchecked, unchecked...)
	return r.VerifyBlobs(ctx, r.Path, h, contents)
}

// VerifyBlobs reads the blobs that the rows of a half name, a few names at a time: in the half's folder within
// data, or where its Remote says. What is missing or holds other bytes is damage.
func (r *Report) VerifyBlobs(ctx context.Context, data string, h DataHalf, contents Contents) error {
	for _, shard := range shards() {
		if err := r.dataShard(ctx, data, h, contents, shard); err != nil {
			return err
		}
	}
	return nil
}

// dataShard reads the blobs that rows name. One that is missing may have been thrown away
// since the row was read, so that the row is asked for once more.
func (r *Report) dataShard(ctx context.Context, data string, h DataHalf, contents Contents, shard string) error {
	refs, err := contents.BlobNames(ctx, shard)
	if err != nil {
		return r.failed(ctx, err, "O banco de dados não pôde ser lido: "+h.Name+"/"+h.File)
	}
	if h.Remote != nil {
		return r.remoteShard(ctx, h.Remote, contents, refs)
	}
	for _, ref := range refs {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(data, h.Name, filepath.FromSlash(ref.Path()))
		s, err := sumFile(path)
		if errors.Is(err, fs.ErrNotExist) && !stillNamed(ctx, contents, ref) {
			continue
		}
		r.Blobs++
		if err == nil && s.sum == string(ref) {
			continue
		}
		if _, ok := held(ctx, contents, ref); ok {
			continue
		}
		if err := r.failed(ctx, err, fmt.Sprintf("Arquivo danificado ou ausente: %s/%s", h.Name, ref.Path())); err != nil {
			return err
		}
	}
	return nil
}

func stillNamed(ctx context.Context, contents Contents, ref blob.Ref) bool {
	refs, err := contents.BlobNames(ctx, string(ref[:63]))
	for _, r := range refs {
		if r == ref {
			return true
		}
	}
	return err != nil
}
