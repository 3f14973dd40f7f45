package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"guiche/internal/service"
	"guiche/internal/service/wire"
)

const contentType = "application/json; charset=utf-8"

// writeData sends data in an envelope.
func writeData(w http.ResponseWriter, status int, data any) error {
	return writeJSON(w, status, wire.NewEnvelope(data, nil))
}

// writeJSON sends an envelope, alone or with members beside it.
func writeJSON(w http.ResponseWriter, status int, body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("api: write answer: %w", err)
	}
	writeHeader(w, status, int64(len(text)))
	_, err = w.Write(text)
	return err
}

// writeHeader sends the header of an answer of so many bytes.
func writeHeader(w http.ResponseWriter, status int, size int64) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	w.WriteHeader(status)
}

// replay marks an answer that was given before (row 11).
func replay(w http.ResponseWriter, replayed bool) {
	if replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
}

// writeStored sends a stored answer byte for byte.
func (a *API) writeStored(w http.ResponseWriter, c *call, answer service.Answer) error {
	replay(w, answer.Replayed)
	body, err := a.blobs.Open(c.Context(), answer.Blob)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }() // it was only read
	writeHeader(w, http.StatusOK, answer.Size)
	_, err = io.Copy(w, body)
	return err
}

// stream sends an answer whose length is not known before.
func (a *API) stream(ctx context.Context, w http.ResponseWriter, write func(*wire.Writer)) error {
	w.Header().Set("Content-Type", contentType)
	out := wire.NewWriter(ctx, w, wire.FromBlobs(a.blobs))
	write(out)
	return out.Flush()
}
