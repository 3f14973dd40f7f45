package files

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"os"

	"guiche/internal/blob"
)

// reader checks the content while it is read from the start without a gap. Seeking
// to the start begins a new check.
type reader struct {
	file    *os.File
	ref     blob.Ref
	size    int64
	pos     int64
	checked int64 // bytes from the start that went through digest
	digest  hash.Hash
}

// newReader checks the digest while it is read, so that a damaged file is never passed
// on as whole.
func newReader(f *os.File, ref blob.Ref) (*reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r := &reader{file: f, ref: ref, size: info.Size(), digest: sha256.New()}
	if r.size == 0 { // a caller that knows the size would not read at all
		return r, r.checkDigest()
	}
	return r, nil
}

// checkDigest returns blob.ErrDamaged unless the bytes read so far are the whole blob.
func (r *reader) checkDigest() error {
	if hex.EncodeToString(r.digest.Sum(nil)) != string(r.ref) {
		return blob.ErrDamaged
	}
	return nil
}

// Read implements io.Reader. blob.ErrDamaged comes with the last bytes: some callers know
// the size and do not read up to io.EOF.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.file.Read(p)
	if r.pos == r.checked {
		r.digest.Write(p[:n])
		r.checked += int64(n)
	}
	r.pos += int64(n)
	if r.checked == r.size && r.checkDigest() != nil {
		return n, blob.ErrDamaged
	}
	return n, err
}

// Seek implements io.Seeker.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	pos, err := r.file.Seek(offset, whence)
	if err != nil {
		return pos, err
	}
	r.pos = pos
	if pos == 0 {
		r.digest.Reset()
		r.checked = 0
	}
	return pos, nil
}

// Close implements io.Closer.
func (r *reader) Close() error { return r.file.Close() }
