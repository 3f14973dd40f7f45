package backup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// listed is a line of a list of blobs: a file below the folder of blobs and its size.
// Lines are in the order of their shards, the first two letters.
type listed struct {
	file string // with a slash: "ab/abcdef…"
	size int64
}

func (l listed) shard() string { return l.file[:2] }

func (l listed) line() string { return l.file + " " + strconv.FormatInt(l.size, 10) + "\n" }

// sum is the hash that the file's name says it has.
func (l listed) sum() string {
	name := strings.TrimSuffix(l.file[3:], ageSuffix)
	return name[strings.LastIndexByte(name, '.')+1:]
}

func (l listed) path(folder string) string {
	return filepath.Join(folder, blobsFolder, filepath.FromSlash(l.file))
}

var errList = errors.New("backup: a list of blobs is damaged")

// parseListed reads one line; what names a file elsewhere is refused.
func parseListed(line string) (l listed, err error) {
	file, size, ok := strings.Cut(line, " ")
	l.file = file
	l.size, err = strconv.ParseInt(size, 10, 64)
	if !ok || err != nil || len(file) < 67 || file[2] != '/' || strings.ContainsAny(file[3:], `/\`) || len(l.sum()) != 64 {
		return listed{}, errList
	}
	return l, nil
}

// listReader reads a list shard by shard.
type listReader struct {
	file  *os.File
	lines *bufio.Scanner
	next  *listed
}

func openList(path string) (*listReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("backup: read list: %w", err)
	}
	return &listReader{file: f, lines: bufio.NewScanner(f)}, nil
}

// shard returns the lines of a shard; shards are asked for in their order.
func (r *listReader) shard(shard string) (all []listed, err error) {
	for {
		if r.next == nil {
			l, err := r.read()
			if errors.Is(err, io.EOF) {
				return all, nil
			}
			if err != nil {
				return all, err
			}
			r.next = &l
		}
		switch s := r.next.shard(); {
		case s > shard:
			return all, nil
		case s < shard:
			return all, errList // out of order
		}
		all = append(all, *r.next)
		r.next = nil
	}
}

func (r *listReader) read() (listed, error) {
	if !r.lines.Scan() {
		if err := r.lines.Err(); err != nil {
			return listed{}, err
		}
		return listed{}, io.EOF
	}
	return parseListed(r.lines.Text())
}

func (r *listReader) close() { _ = r.file.Close() } // only read
