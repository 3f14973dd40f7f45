package faultservice

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
)

// Fault misbehaves on one call. The constructors of this file cover what is
// usual; any function of this shape will do.
type Fault func(*Call)

// Call is one request that a rule strikes at.
type Call struct {
	Writer  http.ResponseWriter
	Request *http.Request

	service *Service
	entry   Entry
	answer  answer // what the ordinary work would say, or has said
}

// strike follows a rule.
func (c *Call) strike(r Rule) {
	if r.After {
		c.answer = c.service.work(c.entry)
	}
	if r.Hold != nil && !c.wait(r.Hold) {
		panic(http.ErrAbortHandler) // no answer at all
	}
	switch {
	case r.Fault != nil:
		c.fillAnswer(r)
		r.Fault(c)
	case r.After:
		c.send(c.answer)
	default:
		c.send(c.service.work(c.entry))
	}
}

// fillAnswer fills in the answer of work that is not done.
func (c *Call) fillAnswer(r Rule) {
	if !r.After {
		_, body := c.service.cfg.Answer(c.entry)
		c.answer = jsonAnswer(http.StatusOK, string(body))
	}
}

// wait returns true when the channel closes, false when the client goes or the
// service stops before.
func (c *Call) wait(until <-chan struct{}) bool {
	select {
	case <-until:
		return true
	case <-c.Request.Context().Done():
	case <-c.service.done:
	}
	return false
}

// send writes a complete answer.
func (c *Call) send(a answer) {
	for name, values := range a.header {
		c.Writer.Header()[name] = values
	}
	c.Writer.WriteHeader(a.status)
	_, _ = c.Writer.Write(a.body) // the client may be gone: the ledger has what matters
}

// raw takes the connection over, writes bytes as they are and hands it on; it is
// closed afterwards.
func (c *Call) raw(text string, then func(net.Conn)) {
	conn, _, err := http.NewResponseController(c.Writer).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // no connection to take over: end it
	}
	defer func() { _ = conn.Close() }() // the fault
	_, _ = io.WriteString(conn, text)   // the client may be gone
	if then != nil {
		then(conn)
	}
}

// head returns a status line and headers.
func head(status int, header http.Header) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = header.Write(&b) // a buffer takes everything
	b.WriteString("\r\n")
	return b.String()
}

func withLength(h http.Header, n int) http.Header {
	h = h.Clone()
	h.Set("Content-Length", strconv.Itoa(n))
	return h
}

// Answer answers with a status, headers and a body; headers come as pairs of name
// and value.
func Answer(status int, body string, headers ...string) Fault {
	return func(c *Call) {
		a := jsonAnswer(status, body)
		for i := 0; i+1 < len(headers); i += 2 {
			a.header.Set(headers[i], headers[i+1])
		}
		c.send(a)
	}
}

// HTML answers with the page of some machine in between.
func HTML(status int) Fault {
	return Answer(status, "<!doctype html><title>Erro</title><h1>Erro</h1>", "Content-Type", "text/html; charset=utf-8")
}

// ContentType gives the ordinary answer another content type.
func ContentType(value string) Fault {
	return func(c *Call) {
		c.answer.header.Set("Content-Type", value)
		c.send(c.answer)
	}
}

// Redirect points to another address.
func Redirect(status int, location string) Fault {
	return Answer(status, "", "Location", location)
}

// Reset drops the connection so that the client sees it reset, without a byte of
// an answer.
func Reset() Fault { return func(c *Call) { c.raw("", reset) } }

func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // without it the close is a polite one
	}
}

// HangUp closes the connection without a byte of an answer.
func HangUp() Fault { return func(c *Call) { c.raw("", nil) } }

// Never keeps the connection open and says nothing until the client goes.
func Never() Fault {
	return func(c *Call) {
		c.wait(nil)
		panic(http.ErrAbortHandler) // no answer at all
	}
}

// Cut breaks the ordinary answer off after n bytes of its body.
func Cut(n int) Fault {
	return func(c *Call) {
		body := c.answer.body
		c.raw(head(c.answer.status, withLength(c.answer.header, len(body)))+string(body[:min(n, len(body))]), nil)
	}
}

// CutBytes drops the connection after n bytes of the whole ordinary answer, status line
// and headers included, so that the client sees it reset.
func CutBytes(n int) Fault {
	return func(c *Call) {
		whole := head(c.answer.status, withLength(c.answer.header, len(c.answer.body))) + string(c.answer.body)
		c.raw(whole[:min(n, len(whole))], reset)
	}
}

// Stall sends n bytes of the ordinary answer's body, and then nothing until the client
// goes.
func Stall(n int) Fault {
	return func(c *Call) {
		body := c.answer.body
		c.raw(head(c.answer.status, withLength(c.answer.header, len(body)))+string(body[:min(n, len(body))]), func(conn net.Conn) {
			gone := make(chan struct{})
			go func() {
				_, _ = conn.Read(make([]byte, 1)) // the client sends nothing more: it ends when it goes
				close(gone)
			}()
			select {
			case <-gone:
			case <-c.service.done:
			}
		})
	}
}

// Rewrite changes the body of the ordinary answer; headers come as pairs of name and
// value.
func Rewrite(rewrite func(body string) string, headers ...string) Fault {
	return func(c *Call) { Answer(c.answer.status, rewrite(string(c.answer.body)), headers...)(c) }
}

// WrongLength gives the ordinary answer a Content-Length that is off by some
// bytes, and hangs up after it.
func WrongLength(off int) Fault {
	return func(c *Call) {
		c.raw(head(c.answer.status, withLength(c.answer.header, len(c.answer.body)+off))+string(c.answer.body), nil)
	}
}

// Early answers and drops the connection while the request is still coming; use
// it with Rule.Unread. Bytes that nobody reads make the connection reset.
func Early(status int, body string) Fault {
	return func(c *Call) {
		header := http.Header{"Content-Type": {"application/json"}, "Connection": {"close"}}
		c.raw(head(status, withLength(header, len(body)))+body, nil)
	}
}

// Drip sends one byte of the ordinary answer for each tick.
func Drip(ticks <-chan struct{}) Fault {
	return func(c *Call) {
		c.raw(head(c.answer.status, withLength(c.answer.header, len(c.answer.body))), func(conn net.Conn) {
			for i := range c.answer.body {
				select {
				case <-ticks:
				case <-c.service.done:
					return
				}
				if _, err := conn.Write(c.answer.body[i : i+1]); err != nil {
					return
				}
			}
		})
	}
}

// Endless sends the ordinary answer in a chunk, and then no other and no end.
func Endless() Fault {
	return func(c *Call) {
		for name, values := range c.answer.header {
			c.Writer.Header()[name] = values
		}
		c.Writer.WriteHeader(c.answer.status)
		_, _ = c.Writer.Write(c.answer.body)             // the client may be gone
		_ = http.NewResponseController(c.Writer).Flush() // likewise
		c.wait(nil)
		panic(http.ErrAbortHandler) // no last chunk
	}
}

// Huge answers with one JSON string of so many bytes.
func Huge(size int64) Fault {
	return func(c *Call) {
		c.Writer.Header().Set("Content-Type", "application/json")
		_, err := io.WriteString(c.Writer, `{"sucesso":true,"erros":[],"data":"`)
		piece := bytes.Repeat([]byte("A"), 32<<10)
		for left := size; err == nil && left > 0; left -= int64(len(piece)) {
			_, err = c.Writer.Write(piece[:min(left, int64(len(piece)))])
		}
		_, _ = io.WriteString(c.Writer, `"}`) // the client may be gone
	}
}
