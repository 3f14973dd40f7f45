package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"

	"golang.org/x/sync/semaphore"
)

// maxTurning is how much memory photos that are being turned may take together: one of
// 64 million pixels as phones store them, or several smaller ones.
const maxTurning = 192 << 20

var turning = semaphore.NewWeighted(maxTurning)

// maxParts is how many pieces may lie scattered among what is removed: cameras write a dozen.
const maxParts = 4096

// photo is a JPEG or PNG taken apart.
type photo struct {
	parts       []part // the picture and what it takes to show it
	colours     []part // those of parts that say what its colours mean
	orientation int    // as Exif counts, 1 for upright
	memory      int64  // bytes that it takes to turn it
	format      photoFormat
	quality     int // of a JPEG
}

// part is a piece of a file, or bytes in its place.
type part struct {
	from, to int64
	literal  []byte
}

// photoFormat is what the formats do differently.
type photoFormat struct {
	decode func(io.Reader) (image.Image, error)
	encode func(io.Writer, image.Image, int) error
	head   int // bytes of an encoded photo before which nothing may stand, and of the first part
	exif   func(tiff []byte) []byte
}

// CleanPhoto writes a JPEG or PNG that Check accepted, without what it tells beside its
// picture: place, time, camera and owner, comments, previews, and whatever follows its
// end. What it takes to show the colours stays.
//
// An upright photo is not decoded, so its pixels stay as they were. One that its camera
// held otherwise is turned, as fine as it was stored. What is too large to be turned in
// memory, or coded as only few programs read it, keeps its orientation as the only tag.
//
// CleanPhoto waits for memory until ctx ends. Errors: problem.Invalid for a photo of
// thousands of scattered pieces; any other comes from r, w or ctx.
func CleanPhoto(ctx context.Context, w io.Writer, r io.ReadSeeker, info Info) error {
	f := file{r: r, name: info.Name, size: info.Size}
	p, err := f.takeApart(info.Kind)
	if err != nil {
		return err
	}
	if p.orientation != upright {
		turned, err := f.writeTurned(ctx, w, p)
		if turned || err != nil {
			return err
		}
		p.parts = slices.Insert(p.parts, 1, part{literal: p.format.exif(orientationTag(p.orientation))})
	}
	return f.writeParts(w, p.parts)
}

func (f file) takeApart(kind Kind) (p photo, err error) {
	switch kind {
	case JPEG:
		p, err = f.takeApartJPEG()
	case PNG:
		p, err = f.takeApartPNG()
	default:
		err = fmt.Errorf("document: %q is no photo", kind)
	}
	if err == nil && len(p.parts) > maxParts {
		err = f.refuseDamaged()
	}
	return p, err
}

// keep adds a part, to the one before it where they touch. The first stands alone.
func (p *photo) keep(next part) {
	if last := &p.parts[len(p.parts)-1]; len(p.parts) > 1 && last.to == next.from {
		last.to = next.to
	} else if len(p.parts) <= maxParts {
		p.parts = append(p.parts, next)
	}
}

func (f file) writeParts(w io.Writer, parts []part) error {
	for _, p := range parts {
		if _, err := f.r.Seek(p.from, io.SeekStart); err != nil {
			return fmt.Errorf("seek in a photo: %w", err)
		}
		if _, err := io.Copy(w, io.MultiReader(bytes.NewReader(p.literal), io.LimitReader(f.r, p.to-p.from))); err != nil {
			return fmt.Errorf("copy a photo: %w", err)
		}
	}
	return nil
}

// writeTurned writes the photo upright, or nothing when it cannot be turned.
func (f file) writeTurned(ctx context.Context, w io.Writer, p photo) (turned bool, err error) {
	if p.memory > maxTurning {
		return false, nil
	}
	if err := turning.Acquire(ctx, p.memory); err != nil {
		return false, fmt.Errorf("wait to turn a photo: %w", err)
	}
	defer turning.Release(p.memory)
	var colours bytes.Buffer
	if err := f.writeParts(&colours, p.colours); err != nil {
		return false, err
	}
	r, err := f.stream(0)
	if err != nil {
		return false, err
	}
	stored, err := p.format.decode(r)
	if err != nil {
		return false, nil // what only few programs read is not turned
	}
	m, err := turn(stored, p.orientation)
	if errors.Is(err, errCannotTurn) {
		return false, nil
	}
	if err := p.format.encode(&insertWriter{w: w, after: p.format.head, insert: colours.Bytes()}, m, p.quality); err != nil {
		return false, fmt.Errorf("write a turned photo: %w", err)
	}
	return true, nil
}

// insertWriter writes bytes between the first ones and the others.
type insertWriter struct {
	w      io.Writer
	after  int
	insert []byte
}

// Write implements io.Writer.
func (i *insertWriter) Write(b []byte) (int, error) {
	head := min(i.after, len(b))
	i.after -= head
	n, err := i.w.Write(b[:head])
	if err != nil || i.after > 0 {
		return n, err
	}
	if _, err := i.w.Write(i.insert); err != nil {
		return n, err
	}
	i.insert = nil
	m, err := i.w.Write(b[head:])
	return n + m, err
}
