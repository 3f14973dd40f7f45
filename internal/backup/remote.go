package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"guiche/internal/blob"
)

// Remote are the blobs of a half that do not lie in the installation's folder, such as those
// in a bucket that keeps earlier versions. A backup names them and holds no copies.
type Remote interface {
	// Where names the place for a person.
	Where() string
	// List returns the sizes of those whose names begin so.
	List(ctx context.Context, shard string) (map[blob.Ref]int64, error)
	// Open returns the bytes of one, which end with blob.ErrDamaged where they are others, or
	// fs.ErrNotExist.
	Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error)
	// BringBack undoes the removal of one where the place keeps what was removed; ok is false
	// where it does not have it any more.
	BringBack(ctx context.Context, ref blob.Ref) (ok bool, err error)
}

// ErrRemote says that a backup holds no copies of the files, and that nobody said how their
// place is reached.
var ErrRemote = errors.New("backup: it names files that lie elsewhere: say how that place is reached")

// nameHalf lists the blobs that a copied database names and that lie elsewhere.
func nameHalf(ctx context.Context, from Remote, contents Contents, list string) (h HalfInfo, err error) {
	h.Place = from.Where()
	f, err := os.OpenFile(list, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return h, fmt.Errorf("backup: list blobs: %w", err)
	}
	for _, shard := range shards() {
		lines, missing, err := nameShard(ctx, from, contents, shard)
		for _, l := range lines {
			if err == nil {
				_, err = f.WriteString(l.line())
			}
		}
		if err != nil {
			return h, errors.Join(fmt.Errorf("backup: list blobs: %w", err), f.Close())
		}
		h.Blobs += len(lines)
		h.Missing = append(h.Missing, missing...)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return h, fmt.Errorf("backup: list blobs: %w", err)
	}
	return h, nil
}

// nameShard looks for the blobs of one shard. Those that the database itself holds until they are
// brought there are in its copy.
func nameShard(ctx context.Context, from Remote, contents Contents, shard string) (lines []listed, missing []string, err error) {
	refs, err := contents.BlobNames(ctx, shard)
	if err != nil || len(refs) == 0 {
		return nil, nil, err
	}
	there, err := from.List(ctx, shard)
	if err != nil {
		return nil, nil, err
	}
	for _, ref := range refs {
		size, ok := there[ref]
		if content, inside := held(ctx, contents, ref); !ok && inside {
			size, ok = int64(len(content)), true
		}
		if ok {
			lines = append(lines, listed{shard + "/" + string(ref), size})
		} else {
			missing = append(missing, string(ref))
		}
	}
	return lines, missing, nil
}

// lacking are the blobs that a database names, and that neither it holds nor the place where they
// lie; those that were missing when it was copied are no surprise.
func lacking(ctx context.Context, from Remote, contents Contents, known []string, sizes map[blob.Ref]int64,
	shard string) (refs []blob.Ref, err error) {
	named, err := contents.BlobNames(ctx, shard)
	if err != nil || len(named) == 0 {
		return nil, err
	}
	there, err := from.List(ctx, shard)
	if err != nil {
		return nil, err
	}
	for _, ref := range named {
		size, ok := there[ref]
		if want, told := sizes[ref]; ok && told && size != want {
			ok = false
		}
		if _, inside := held(ctx, contents, ref); !ok && !inside && !slices.Contains(known, string(ref)) {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// sizesOf are the sizes of a list's lines.
func sizesOf(lines []listed) map[blob.Ref]int64 {
	sizes := map[blob.Ref]int64{}
	for _, l := range lines {
		sizes[blob.Ref(l.sum())] = l.size
	}
	return sizes
}

// verifyRemote checks a half whose blobs lie elsewhere: that each is there, with its size.
func (v *verifier) verifyRemote(ctx context.Context, h HalfInfo, contents Contents, list *listReader) error {
	if v.Remote == nil || contents == nil {
		v.Unchecked = append(v.Unchecked, "Os arquivos ficam em "+h.Place+": a cópia só os nomeia, e não foram conferidos aqui.")
		return nil
	}
	from := v.Remote(h.Name)
	for _, shard := range shards() {
		lines, err := list.shard(shard)
		if err != nil {
			v.damaged("A lista de arquivos está danificada: " + h.List)
			return nil //nolint:nilerr // damage is in the report
		}
		v.Blobs += len(lines)
		refs, err := lacking(ctx, from, contents, h.Missing, sizesOf(lines), shard)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			v.damaged("Arquivo ausente ou de outro tamanho em " + from.Where() + ": " + string(ref))
		}
	}
	return nil
}

// restoreRemote sees to it that no row of a restored half names a blob that is not where it lies.
func (r *restorer) restoreRemote(ctx context.Context, h HalfInfo, contents Contents, list *listReader) error {
	if r.Remote == nil {
		return fmt.Errorf("%w: %s", ErrRemote, h.Place)
	}
	from, lost := r.Remote(h.Name), []blob.Ref(nil)
	for _, shard := range shards() {
		lines, err := list.shard(shard)
		if err != nil {
			return err
		}
		refs, err := lacking(ctx, from, contents, h.Missing, sizesOf(lines), shard)
		if err != nil {
			return fmt.Errorf("backup: restore: %w", err)
		}
		for _, ref := range refs {
			switch ok, err := from.BringBack(ctx, ref); {
			case err != nil: // such as keys that may not: it may be there to be brought back
				return fmt.Errorf("backup: restore: bring %s back to %s: %w", ref, from.Where(), err)
			case !ok:
				lost = append(lost, ref)
			}
		}
	}
	if len(lost) > 0 {
		return fmt.Errorf("%w: %d files that it names are not in %s, such as %s: bring them back there first, from their earlier versions",
			errNotWhole, len(lost), from.Where(), lost[0])
	}
	return nil
}

// isWholeRemote reads a blob; an error tells nothing about it.
func isWholeRemote(ctx context.Context, from Remote, ref blob.Ref) (bool, error) {
	f, err := from.Open(ctx, ref)
	if err == nil {
		_, err = io.Copy(io.Discard, blob.Until(ctx, f))
		err = errors.Join(err, f.Close())
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, blob.ErrDamaged) {
		return false, nil
	}
	return err == nil, err
}

// remoteShard reads the blobs of an installation that lie elsewhere.
func (r *Report) remoteShard(ctx context.Context, from Remote, contents Contents, refs []blob.Ref) error {
	for _, ref := range refs {
		whole, err := isWholeRemote(ctx, from, ref)
		if err != nil {
			return err
		}
		if _, inside := held(ctx, contents, ref); !whole && !inside && stillNamed(ctx, contents, ref) {
			r.damaged("Arquivo danificado ou ausente em " + from.Where() + ": " + string(ref))
		}
		r.Blobs++
	}
	return nil
}
