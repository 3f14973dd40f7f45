package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"

	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/wire"
)

const contentType = "application/json; charset=utf-8"

// send sends an answer. What it takes from files is read and compared before its first
// byte goes: an answer that has begun cannot be taken back.
func (a *API) send(w http.ResponseWriter, r *http.Request, answer response) error {
	maps.Copy(w.Header(), answer.header)
	status := cmp.Or(answer.status, http.StatusOK)
	switch {
	case answer.stored.Blob != "":
		return a.sendStored(w, r, answer.stored)
	case answer.stream != nil:
		return a.sendStream(w, r, answer)
	}
	markReplayed(w, answer.replayed)
	switch {
	case answer.file != nil:
		sendHeader(w, status, answer.file.contentType, int64(len(answer.file.content)))
		_, err := w.Write(answer.file.content)
		return err
	case answer.body != nil:
		return sendJSON(w, status, answer.body)
	}
	return sendJSON(w, status, wire.NewEnvelope(answer.data, nil))
}

// markReplayed says of an answer that it was given before (row 11).
func markReplayed(w http.ResponseWriter, replayed bool) {
	if replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
}

// sendStored sends a stored answer: from memory where it is short or new, and otherwise by
// reading its file once more.
func (a *API) sendStored(w http.ResponseWriter, r *http.Request, answer service.Answer) error {
	if answer.Content != nil {
		sendHeader(w, http.StatusOK, contentType, answer.Size)
		_, err := w.Write(answer.Content)
		return err
	}
	body, err := a.service.OpenAnswer(r.Context(), answer)
	if err != nil {
		return damagedFile(err)
	}
	defer func() { _ = body.Close() }() // it was only read
	read := beginning{limit: a.limits.AnswerMemory}
	size, err := io.Copy(&read, body)
	if err == nil && !read.whole() {
		_, err = body.Seek(0, io.SeekStart)
	}
	if err != nil {
		return damagedFile(err)
	}
	markReplayed(w, answer.Replayed)
	sendHeader(w, http.StatusOK, contentType, size)
	if read.whole() {
		_, err = w.Write(read.bytes)
		return err
	}
	_, err = io.Copy(w, body)
	return err
}

// sendStream sends an answer that is written with files in it: from memory where it is
// short, and otherwise by writing it once more.
func (a *API) sendStream(w http.ResponseWriter, r *http.Request, answer response) error {
	write := func(to io.Writer) error {
		out := wire.NewWriter(r.Context(), to, wire.FromBlobs(a.blobs))
		answer.stream(out)
		return out.Flush()
	}
	read := beginning{limit: a.limits.AnswerMemory}
	if err := write(&read); err != nil {
		return damagedFile(err)
	}
	markReplayed(w, answer.replayed)
	w.Header().Set("Content-Type", contentType)
	if !read.whole() {
		return write(w)
	}
	_, err := w.Write(read.bytes)
	return err
}

// damagedFile is the error of a file that is not as it was stored, or gone.
func damagedFile(err error) error {
	if errors.Is(err, blob.ErrDamaged) || problem.Is(err, problem.NotFound) {
		return problem.Wrap(problem.Damaged, "O que o serviço guardou disto não está como foi escrito, e por isso não é enviado. "+
			"Fale com a administração do serviço: ela pode restaurar uma cópia de segurança.", err)
	}
	return err
}

// beginning keeps what is written to it as long as it is short.
type beginning struct {
	limit int64
	size  int64
	bytes []byte
}

// Write implements io.Writer.
func (b *beginning) Write(p []byte) (int, error) {
	b.size += int64(len(p))
	if !b.whole() {
		b.bytes = nil
		return len(p), nil
	}
	b.bytes = append(b.bytes, p...)
	return len(p), nil
}

// whole reports whether all that was written is here.
func (b *beginning) whole() bool { return b.size <= b.limit }

func sendJSON(w http.ResponseWriter, status int, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("api: write answer: %w", err)
	}
	sendHeader(w, status, contentType, int64(len(text)))
	_, err = w.Write(text)
	return err
}

func sendHeader(w http.ResponseWriter, status int, kind string, size int64) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	w.WriteHeader(status)
}
