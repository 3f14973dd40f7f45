package blob_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"guiche/internal/blob"

	"github.com/google/uuid"
)

var errFull = errors.New("full")

func full() error { return errFull }

func TestIntake(t *testing.T) {
	var intake blob.Intake
	ana, bia := uuid.New(), uuid.New()
	read := func(r *blob.Receiving, n int) error {
		_, err := io.Copy(io.Discard, r.Reader(strings.NewReader(strings.Repeat("x", n))))
		return err
	}
	first := intake.Begin(ana, 50, 100, full)
	if err := read(first, 30); err != nil {
		t.Errorf("within the quota: %v", err)
	}
	second := intake.Begin(ana, 50, 100, full)
	if err := read(second, 20); err != nil {
		t.Errorf("up to the quota: %v", err)
	}
	if err := read(second, 1); !errors.Is(err, errFull) {
		t.Errorf("beyond it together with another file: got %v, want the quota's error", err)
	}
	if err := read(intake.Begin(bia, 0, 100, full), 100); err != nil {
		t.Errorf("another owner: %v", err)
	}
	second.End()
	second.End() // once more changes nothing
	if err := read(intake.Begin(ana, 50, 100, full), 20); err != nil {
		t.Errorf("after the other ended: %v", err)
	}
	intake.Begin(uuid.New(), 0, 100, full).End() // nothing was read
}

func TestInRoom(t *testing.T) {
	const mib = 1 << 20
	looks := 0
	room := func() error {
		if looks++; looks > 2 {
			return errFull
		}
		return nil
	}
	n, err := io.Copy(io.Discard, blob.InRoom(strings.NewReader(strings.Repeat("x", 5*mib)), room))
	if n != 2*mib || !errors.Is(err, errFull) {
		t.Errorf("got %d bytes, %v; want 2 MiB and the error", n, err)
	}
	if _, err := io.ReadAll(blob.InRoom(strings.NewReader(""), full)); !errors.Is(err, errFull) {
		t.Errorf("before the first byte: got %v, want the error", err)
	}
}
