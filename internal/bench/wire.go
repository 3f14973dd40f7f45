package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// conn is a connection to a server over which prepared requests are sent.
type conn struct {
	net.Conn
	in *bufio.Reader
}

func dial(address string) (*conn, error) {
	c, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(context.Background(), "tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		return nil, err
	}
	return &conn{c, bufio.NewReaderSize(c, 64<<10)}, nil
}

// errAnswer is an answer that nothing can be measured with.
var errAnswer = errors.New("bench: unexpected answer")

// ask sends a request and reads the answer to its end: its status and the bytes of its body.
func (c *conn) ask(request []byte) (status int, size int64, err error) {
	if _, err := c.Write(request); err != nil {
		return 0, 0, err
	}
	status, length, err := c.head()
	if err != nil {
		return 0, 0, err
	}
	if length >= 0 {
		size, err = io.CopyN(io.Discard, c.in, length)
	} else {
		size, err = c.chunks()
	}
	return status, size, err
}

var contentLength = []byte("content-length:")

// head reads the status and the length of the body, -1 of one in chunks.
func (c *conn) head() (status int, length int64, err error) {
	length = -1
	for first := true; ; first = false {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		switch {
		case first:
			if len(line) < 12 {
				return 0, 0, errAnswer
			}
			status, err = strconv.Atoi(string(line[9:12]))
		case len(line) <= 2:
			if status == http.StatusNotModified || status == http.StatusNoContent {
				length = 0
			}
			return status, length, nil
		case len(line) > len(contentLength) && bytes.EqualFold(line[:len(contentLength)], contentLength):
			length, err = strconv.ParseInt(strings.TrimSpace(string(line[len(contentLength):])), 10, 64)
		}
		if err != nil {
			return 0, 0, err
		}
	}
}

func (c *conn) chunks() (total int64, err error) {
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return total, err
		}
		size, err := strconv.ParseInt(strings.TrimSpace(string(line)), 16, 64)
		if err != nil {
			return total, err
		}
		if _, err := io.CopyN(io.Discard, c.in, size+2); err != nil {
			return total, err
		}
		if size == 0 {
			return total, nil
		}
		total += size
	}
}

// request is what is sent to get a page.
func request(address, path, cookie string, headers ...string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "GET %s HTTP/1.1\r\nHost: %s\r\n", path, strings.TrimPrefix(address, "http://"))
	if cookie != "" {
		fmt.Fprintf(&b, "Cookie: %s\r\n", cookie)
	}
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	b.WriteString("\r\n")
	return []byte(b.String())
}

// loop asks over so many connections, each again as soon as it was answered, for a while,
// and returns the answers in a second.
func loop(address string, next func() []byte, connections int, length time.Duration) (float64, error) {
	counts, errs := make([]int, connections), make([]error, connections)
	var all sync.WaitGroup
	start := time.Now()
	for i := range connections {
		all.Go(func() { counts[i], errs[i] = askFor(address, next, start.Add(length)) })
	}
	all.Wait()
	took, sum := time.Since(start), 0
	for _, n := range counts {
		sum += n
	}
	return float64(sum) / took.Seconds(), errors.Join(errs...)
}

// always asks for the same, and inTurn for one after the other.
func always(one []byte) func() []byte { return func() []byte { return one } }

func inTurn(all [][]byte) func() []byte {
	var n atomic.Int64
	return func() []byte { return all[int(n.Add(1))%len(all)] }
}

func askFor(address string, next func() []byte, until time.Time) (n int, err error) {
	c, err := dial(address)
	if err != nil {
		return 0, err
	}
	defer func() { _ = c.Close() }() // everything was read
	for time.Now().Before(until) {
		if err := c.get(next()); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// get is ask for a page that must be there.
func (c *conn) get(what []byte) error {
	status, _, err := c.ask(what)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%w: %d", errAnswer, status)
	}
	return err
}

// oneByOne asks for each of the requests over one connection.
func oneByOne(address string, requests [][]byte) (all times, err error) {
	c, err := dial(address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }() // everything was read
	for _, r := range requests {
		start := time.Now()
		if err := c.get(r); err != nil {
			return nil, err
		}
		all = append(all, time.Since(start))
	}
	return all, nil
}

// openLoop asks for one thing after the other at fixed moments.
func openLoop(address string, requests [][]byte, every time.Duration) (times, error) {
	return atMoments(len(requests), every, func(n int) error {
		_, err := oneByOne(address, requests[n:n+1])
		return err
	})
}

// atMoments does one thing after the other at fixed moments, whether what was done before is over or
// not, and counts from when it should have begun.
func atMoments(n int, every time.Duration, do func(int) error) (times, error) {
	took, errs := make(times, n), make([]error, n)
	var all sync.WaitGroup
	start := time.Now()
	for i := range n {
		due := start.Add(time.Duration(i) * every)
		pause(context.Background(), time.Until(due))
		all.Go(func() {
			errs[i] = do(i)
			took[i] = time.Since(due)
		})
	}
	all.Wait()
	return took, errors.Join(errs...)
}
