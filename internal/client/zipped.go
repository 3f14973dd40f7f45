package client

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// maxUnzipped bounds what a compressed answer may become.
const maxUnzipped = DefaultMaxAnswer

const reasonBadZip = "gzip_invalido"

var gzipSignature = []byte{0x1f, 0x8b}

// unzip returns the plain bytes of an answer: some services compress without being asked.
// Nothing else that is read begins like gzip.
func unzip(raw io.Reader) (io.Reader, error) {
	b := bufio.NewReader(raw)
	if head, _ := b.Peek(len(gzipSignature)); !bytes.Equal(head, gzipSignature) {
		return b, nil // its end or its error comes again with the first Read
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, &unreadable{reasonBadZip, err}
	}
	return &unzipped{src: z, left: maxUnzipped}, nil
}

// unzipped tells damaged data from a failing source, and ends beyond its bound.
type unzipped struct {
	src  io.Reader
	left int64
}

func (u *unzipped) Read(p []byte) (int, error) {
	n, err := u.src.Read(p)
	if u.left -= int64(n); u.left < 0 {
		return 0, &unreadable{reasonBadZip, errAnswerTooLarge}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = &unreadable{reasonBadZip, err}
	}
	return n, err
}
