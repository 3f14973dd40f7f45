//go:build unix

package files_test

import (
	"strings"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/limittest"
	"guiche/internal/problem"
)

// TestStore_NoDescriptors: bytes that cannot be opened or stored now are refused by their
// code; those that come only once wait.
func TestStore_NoDescriptors(t *testing.T) {
	store := MustOpen(t, t.TempDir())
	info, err := store.Put(t.Context(), strings.NewReader("stored before"))
	if err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	limittest.WithoutDescriptors(t, func() {
		if _, err := store.Open(t.Context(), info.Ref); !problem.Is(err, problem.Busy) {
			t.Errorf("open: got %v, want that it is out of reach", err)
		}
		if _, err := store.Put(t.Context(), strings.NewReader("new")); !problem.Is(err, problem.Busy) {
			t.Errorf("put: got %v, want that it is out of reach", err)
		}
		go func() {
			_, err := store.Put(blob.WaitForSpace(t.Context(), t.Context()), strings.NewReader("an answer"))
			waited <- err
		}()
		select {
		case err := <-waited:
			t.Errorf("it did not wait: %v", err)
		default:
		}
	})
	if err := <-waited; err != nil {
		t.Errorf("what waited: %v", err)
	}
}
