package blob

import "io"

// roomEvery is how many bytes are read between two looks at the disk.
const roomEvery = 1 << 20

// InRoom returns the bytes of r as long as there is room for more: the error of room ends
// them, before the first byte and again after each MiB, for others write too.
func InRoom(r io.Reader, room func() error) io.Reader { return &roomReader{r: r, room: room} }

type roomReader struct {
	r    io.Reader
	room func() error
	left int64 // until the next look
}

// Read implements io.Reader.
func (r *roomReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		if err := r.room(); err != nil {
			return 0, err
		}
		r.left = roomEvery
	}
	n, err := r.r.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}
