package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/blob"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/charmap"
)

// How much of an answer without an envelope is looked at, and shown.
const (
	maxPlainBytes  = 64 << 10
	maxPlainRunes  = 600
	maxPlainErrors = 10
)

// readable returns what a person can read of an answer whose outcome is unknown: the
// errors of an envelope or of a problem in JSON, or else its text.
func (c *Client) readable(ctx context.Context, ref blob.Ref) ([]authorization.AnswerError, error) {
	raw, err := c.cfg.Blobs.Open(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("open answer: %w", err)
	}
	defer func() { _ = raw.Close() }() // only read
	plain, err := unzip(raw)
	if err != nil {
		return nil, nil // damaged: there is nothing to read
	}
	body, err := io.ReadAll(io.LimitReader(plain, maxPlainBytes))
	if err != nil {
		return nil, nil
	}
	if len(body) == maxPlainBytes {
		body = withoutHalfRune(body) // or all of it would count as Latin-1
	}
	return readPlain(body), nil
}

// withoutHalfRune is a text without the beginning of a letter at its end.
func withoutHalfRune(text []byte) []byte {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			return text[:i]
		}
	}
	return text
}

// readPlain reads a body of any kind.
func readPlain(body []byte) []authorization.AnswerError {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !utf8.Valid(body) && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		body, _ = charmap.Windows1252.NewDecoder().Bytes(body) // never fails
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) == nil && !dec.More() {
		return readPlainJSON(v)
	}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		return plainErrors(markupText(body))
	}
	return plainErrors(string(body))
}

// readPlainJSON reads an envelope's errors, a problem of RFC 9457 or anything else.
func readPlainJSON(v any) []authorization.AnswerError {
	o := object(v)
	if errs := readErrors(o); len(errs) > 0 {
		return errs
	}
	first, known := readError(o)
	if !known {
		return plainErrors(sentence(v))
	}
	if title, detail := text(member(o, "title")), text(member(o, "detail")); title != "" && detail != "" {
		first.Message = title + ": " + detail
	}
	return asPlain(append([]authorization.AnswerError{first}, readErrorList(member(o, "errors"))...))
}

// asPlain marks and bounds messages.
func asPlain(errs []authorization.AnswerError) []authorization.AnswerError {
	var plain []authorization.AnswerError
	for _, e := range errs[:min(len(errs), maxPlainErrors)] {
		for _, one := range plainErrors(e.Message) {
			one.Field = e.Field
			plain = append(plain, one)
		}
	}
	return plain
}

// plainErrors is a text as it can be shown: on one line, without what controls a
// terminal, of bounded length; nothing for what is no text.
func plainErrors(s string) []authorization.AnswerError {
	controls := 0
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || r == utf8.RuneError {
			controls++
			return ' '
		}
		return r
	}, s))
	message := []rune(strings.Join(words, " "))
	if len(message) == 0 || controls > len(message)/4 && controls > 4 {
		return nil
	}
	if len(message) > maxPlainRunes {
		message = append([]rune(strings.TrimSpace(string(message[:maxPlainRunes]))), '…')
	}
	return []authorization.AnswerError{{Code: authorization.CodePlain, Message: string(message)}}
}

// unseen are elements whose text nobody sees.
var unseen = regexp.MustCompile(`^(script|style|noscript|template)$`)

// markupText returns the texts of a page, or of any other markup, with dots between them.
func markupText(body []byte) string {
	var parts []string
	z := html.NewTokenizer(bytes.NewReader(body))
	skip := ""
	for {
		switch z.Next() {
		case html.ErrorToken: // the end, or what cannot be read any further
			return strings.Join(parts, " · ")
		case html.StartTagToken:
			if name, _ := z.TagName(); skip == "" && unseen.Match(name) {
				skip = string(name)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == skip {
				skip = ""
			}
		case html.TextToken:
			if words := strings.Join(strings.Fields(string(z.Text())), " "); words != "" && skip == "" {
				parts = append(parts, words)
			}
		}
	}
}
