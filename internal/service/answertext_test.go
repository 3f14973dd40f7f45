package service_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"
)

// stored are the files of blobs.
func stored(t *testing.T, e *env) (paths []string) {
	t.Helper()
	e.Must(filepath.WalkDir(filepath.Join(e.Dir, "blobs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && len(d.Name()) == 64 {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

func opened(t *testing.T, e *env, a service.Answer) ([]byte, error) {
	t.Helper()
	answer, err := e.Service.OpenAnswer(t.Context(), a)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Close() }()
	return io.ReadAll(answer)
}

// TestService_Submit_OneFile: an answer with one guide leaves one file, and is put together
// of it byte for byte, also by the next process.
func TestService_Submit_OneFile(t *testing.T) {
	e := MustEnv(t, limits{})
	first, err := e.Service.Submit(t.Context(), submission("g"))
	e.Must(err)
	if n := len(stored(t, e)); n != 1 {
		t.Errorf("%d files, want 1: the guide", n)
	}
	if !bytes.Contains(first.Content, []byte(`"pdfGuiaAutorizacao":"JVBERi0`)) {
		t.Error("the answer has no guide")
	}
	e.Restart()
	again, err := e.Service.Submit(t.Context(), submission("g"))
	e.Must(err)
	whole, err := opened(t, e, again)
	if err != nil || !bytes.Equal(whole, first.Content) || again.Size != int64(len(whole)) {
		t.Errorf("again: %d bytes, %v; want the %d bytes of the first", len(whole), err, len(first.Content))
	}
}

// TestService_Submit_NoFile: an answer without a guide leaves no file, and comes again byte for
// byte, also from the next process.
func TestService_Submit_NoFile(t *testing.T) {
	e := MustEnv(t, limits{})
	denied := submission("g")
	denied.Request.CardNumber = "999904"
	first, err := e.Service.Submit(t.Context(), denied)
	e.Must(err)
	if n := len(stored(t, e)); n != 0 || !bytes.Contains(first.Content, []byte(`"situacaoAutorizacao":"N"`)) {
		t.Errorf("%d files and %s, want none and a denial", n, first.Content)
	}
	e.Restart()
	again, err := e.Service.Submit(t.Context(), denied)
	e.Must(err)
	if whole, err := opened(t, e, again); err != nil || !bytes.Equal(whole, first.Content) {
		t.Errorf("again: %s, %v; want %s", whole, err, first.Content)
	}
}

// TestService_OpenAnswer_Damaged: nothing is answered that is not what was answered first.
func TestService_OpenAnswer_Damaged(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(path string, a *service.Answer) error
		want func(error) bool
	}{
		"OtherGuide": {func(path string, _ *service.Answer) error { return os.WriteFile(path, []byte("%PDF-1.4"), 0o600) }, isDamaged},
		"NoGuide":    {func(path string, _ *service.Answer) error { return os.Remove(path) }, isGone},
		"OtherText":  {func(_ string, a *service.Answer) error { a.Text.Text[20] ^= 1; return nil }, isDamaged},
		"NoText":     {func(_ string, a *service.Answer) error { a.Text.Text = nil; return nil }, isDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			a, err := e.Service.Submit(t.Context(), submission("g"))
			e.Must(err)
			e.Must(c.harm(stored(t, e)[0], &a))
			if whole, err := opened(t, e, a); !c.want(err) {
				t.Errorf("got %d bytes, %v", len(whole), err)
			}
		})
	}
}

func isDamaged(err error) bool { return errors.Is(err, blob.ErrDamaged) }

func isGone(err error) bool { return problem.Is(err, problem.NotFound) }
