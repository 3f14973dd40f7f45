package document

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// file is a document being checked.
type file struct {
	r    io.ReadSeeker
	name string
	size int64
}

// at returns up to n bytes from offset on: fewer at the end of the file, none
// outside it.
func (f file) at(offset, n int64) ([]byte, error) {
	if offset < 0 || offset >= f.size {
		return nil, nil
	}
	b := make([]byte, min(n, f.size-offset))
	if _, err := f.r.Seek(offset, io.SeekStart); err != nil {
		return nil, fmt.Errorf("seek in a document: %w", err)
	}
	if _, err := io.ReadFull(f.r, b); err != nil {
		return nil, fmt.Errorf("read a document: %w", err)
	}
	return b, nil
}

// stream reads from offset to the end, in pieces.
func (f file) stream(offset int64) (*bufio.Reader, error) {
	if _, err := f.r.Seek(offset, io.SeekStart); err != nil {
		return nil, fmt.Errorf("seek in a document: %w", err)
	}
	return bufio.NewReaderSize(f.r, 32<<10), nil
}

// readError returns the error for the user when the file ends too early.
func (f file) readError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return f.refuseTruncated()
	}
	return fmt.Errorf("read a document: %w", err)
}

// endsAsZIP reports whether the file could be unpacked as a ZIP archive: programs
// look for its directory at the end, whatever comes before.
func (f file) endsAsZIP() (bool, error) {
	const recordSize, maxComment = 22, 1<<16 - 1
	tail, err := f.at(max(0, f.size-recordSize-maxComment), recordSize+maxComment)
	if err != nil {
		return false, err
	}
	for {
		i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
		if i < 0 {
			return false, nil
		}
		if record := tail[i:]; len(record) >= recordSize {
			comment := int(binary.LittleEndian.Uint16(record[recordSize-2:]))
			if recordSize+comment == len(record) {
				return true, nil
			}
		}
		tail = tail[:i]
	}
}
