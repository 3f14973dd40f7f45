package blob

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
)

// Checked returns the bytes of a blob of a known size, which end with ErrDamaged where they are
// not those that were put. It checks what is read from the start without a gap; seeking to
// the start begins a new check.
func Checked(content io.ReadSeekCloser, ref Ref, size int64) (io.ReadSeekCloser, error) {
	r := &checked{content: content, ref: ref, size: size, digest: sha256.New()}
	if r.size == 0 { // a caller that knows the size would not read at all
		return r, r.checkDigest()
	}
	return r, nil
}

type checked struct {
	content io.ReadSeekCloser
	ref     Ref
	size    int64
	pos     int64
	counted int64 // bytes from the start that went through digest
	digest  hash.Hash
}

// checkDigest returns ErrDamaged unless the bytes read so far are the whole blob.
func (r *checked) checkDigest() error {
	if hex.EncodeToString(r.digest.Sum(nil)) != string(r.ref) {
		return ErrDamaged
	}
	return nil
}

// Read implements io.Reader. ErrDamaged comes with the last bytes: some callers know the
// size and do not read up to io.EOF.
func (r *checked) Read(p []byte) (int, error) {
	n, err := r.content.Read(p)
	if r.pos == r.counted {
		r.digest.Write(p[:n])
		r.counted += int64(n)
	}
	r.pos += int64(n)
	if r.counted == r.size && r.checkDigest() != nil {
		return n, ErrDamaged
	}
	return n, err
}

// Seek implements io.Seeker.
func (r *checked) Seek(offset int64, whence int) (int64, error) {
	pos, err := r.content.Seek(offset, whence)
	if err != nil {
		return pos, err
	}
	r.pos = pos
	if pos == 0 {
		r.digest.Reset()
		r.counted = 0
	}
	return pos, nil
}

// Close implements io.Closer.
func (r *checked) Close() error { return r.content.Close() }
