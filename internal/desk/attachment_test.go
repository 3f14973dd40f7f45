package desk_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/internal/problem"
)

func TestDesk_Attach(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t, small), t.Context()
	t.Run("OK", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		want, err := io.ReadAll(picture(t, 7))
		MustDo(t, err)
		a, err := f.Attach(ctx, ana, d.UID, `C:\pasta\pedido`+"\u202e.png", bytes.NewReader(want))
		MustDo(t, err)
		if a.Name != "pedido.png" || a.ContentType != "image/png" || a.Size != int64(len(want)) {
			t.Errorf("got %+v", a)
		}
		after, err := f.Draft(ctx, ana, d.UID)
		MustDo(t, err)
		if after.Version != d.Version || after.Revision != d.Revision+1 || len(after.Attachments) != 1 || after.Attachments[0] != a {
			t.Errorf("draft: got %+v", after)
		}
		file, err := f.DraftAttachment(ctx, ana, d.UID, a.UID, desk.FileOpen)
		MustDo(t, err)
		if got := MustRead(t, file); !bytes.Equal(got, want) || file.Size != a.Size || file.Name != a.Name {
			t.Errorf("opened: got %d bytes of %q, want %d", len(got), file.Name, len(want))
		}
	})
	t.Run("BeforeTheFirstLetter", func(t *testing.T) {
		uid := MustUID(t)
		_, err := f.Attach(ctx, ana, uid, "a.png", picture(t, 1))
		MustDo(t, err)
		d, err := f.SaveDraft(ctx, ana, uid, fullForm(), 0)
		if err != nil || len(d.Attachments) != 1 || d.Version != 1 {
			t.Errorf("saved after: got %+v, %v", d, err)
		}
	})
	for _, tc := range []struct {
		name, file string
		content    io.Reader
		code       problem.Code
		says       []string
	}{
		{"ErrTooLarge", "laudo.png", io.LimitReader(zeros{}, 5<<10), problem.TooLarge, []string{"laudo.png", "2 kB"}},
		{"ErrEmpty", "vazio.png", strings.NewReader(""), problem.Invalid, []string{"vazio.png", "vazio"}},
		{"ErrDisguised", "laudo.pdf", strings.NewReader("<html><script>1</script></html>"), problem.Unsupported, []string{"laudo.pdf"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := f.MustDraft(t, ana, nil)
			_, err := f.Attach(ctx, ana, d.UID, tc.file, tc.content)
			var p *problem.Error
			if !errors.As(err, &p) || p.Code != tc.code {
				t.Fatalf("got %v, want %s", err, tc.code)
			}
			for _, word := range tc.says {
				if !strings.Contains(p.Message, word) {
					t.Errorf("sentence: got %q, want it to say %q", p.Message, word)
				}
			}
			if after, err := f.Draft(ctx, ana, d.UID); err != nil || len(after.Attachments) != 0 {
				t.Errorf("draft: got %+v, %v, want no attachment", after, err)
			}
		})
	}
	t.Run("ErrReader", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		broken := errors.New("connection lost")
		_, err := f.Attach(ctx, ana, d.UID, "a.png", io.MultiReader(picture(t, 1), failing{broken}))
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want the reader's error", err)
		}
	})
	t.Run("Photo", func(t *testing.T) {
		const place = "GPS -23.5505 -46.6333"
		plain, err := io.ReadAll(picture(t, 9))
		MustDo(t, err)
		said := append([]byte{0, 0, 0, byte(len(place))}, "tEXt"+place...)
		said = append(said, crc(said[4:])...)
		photo := slices.Concat(plain[:len(plain)-12], said, plain[len(plain)-12:])
		d := f.MustDraft(t, ana, nil)
		a, err := f.Attach(ctx, ana, d.UID, "foto.png", bytes.NewReader(photo))
		MustDo(t, err)
		file, err := f.DraftAttachment(ctx, ana, d.UID, a.UID, desk.FileOpen)
		MustDo(t, err)
		if got := MustRead(t, file); !bytes.Equal(got, plain) || a.Size != int64(len(plain)) {
			t.Errorf("kept: got %d bytes, want the picture alone: %d", len(got), len(plain))
		}
		f.sweep(t)
		if got, want := f.stored(t), f.named(t); !slices.Equal(got, want) {
			t.Errorf("got %d files, want the %d that rows name", len(got), len(want))
		}
	})
	t.Run("ErrTooManyAtOnce", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		var refused, attached int
		var mu sync.Mutex
		var all sync.WaitGroup
		for i := range 12 {
			content := picture(t, i)
			all.Go(func() {
				_, err := f.Attach(ctx, ana, d.UID, "a.png", content)
				mu.Lock()
				defer mu.Unlock()
				if problem.Is(err, problem.TooLarge) {
					refused++
				} else if err == nil {
					attached++
				}
			})
		}
		all.Wait()
		if attached != 3 || refused != 9 {
			t.Errorf("got %d attached and %d refused, want 3 and 9", attached, refused)
		}
	})
	t.Run("ErrTooMuchTogether", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		_, err := f.Attach(ctx, ana, d.UID, "a.png", padded(t, 1800))
		MustDo(t, err)
		if _, err = f.Attach(ctx, ana, d.UID, "b.png", padded(t, 1800)); !problem.Is(err, problem.TooLarge) {
			t.Errorf("got %v, want too large", err)
		}
	})
	t.Run("ErrOtherUser", func(t *testing.T) {
		d := f.MustDraft(t, ana, nil)
		a, err := f.Attach(ctx, ana, d.UID, "a.png", picture(t, 1))
		MustDo(t, err)
		if _, err := f.Attach(ctx, bia, d.UID, "b.png", picture(t, 2)); !problem.Is(err, problem.NotFound) {
			t.Errorf("attach: got %v, want not found", err)
		}
		if _, err := f.DraftAttachment(ctx, bia, d.UID, a.UID, desk.FileOpen); !problem.Is(err, problem.NotFound) {
			t.Errorf("open: got %v, want not found", err)
		}
		if err := f.RemoveAttachment(ctx, bia, d.UID, a.UID); !problem.Is(err, problem.NotFound) {
			t.Errorf("remove: got %v, want not found", err)
		}
	})
}

// Limits that change are in force for the next file, and what is attached stays.
func TestDesk_SetLimits(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	d := f.MustDraft(t, ana, nil)
	_, err := f.Attach(ctx, ana, d.UID, "a.png", picture(t, 1))
	MustDo(t, err)
	f.SetLimits(document.Limits{MaxFiles: 1, MaxFile: 1 << 20, MaxTotal: 1 << 20})
	if _, err := f.Attach(ctx, ana, d.UID, "b.png", picture(t, 2)); !problem.Is(err, problem.TooLarge) {
		t.Errorf("one file more: got %v, want too large", err)
	}
	f.SetLimits(document.Limits{MaxFiles: 2, MaxFile: 10, MaxTotal: 1 << 20})
	if _, err := f.Attach(ctx, ana, d.UID, "b.png", picture(t, 2)); !problem.Is(err, problem.TooLarge) {
		t.Errorf("a larger file: got %v, want too large", err)
	}
	f.SetLimits(document.DefaultLimits())
	_, err = f.Attach(ctx, ana, d.UID, "b.png", picture(t, 2))
	MustDo(t, err)
}

func TestDesk_RemoveAttachment(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	d := f.MustDraft(t, ana, nil)
	a, err := f.Attach(ctx, ana, d.UID, "a.png", picture(t, 1))
	MustDo(t, err)
	MustDo(t, f.RemoveAttachment(ctx, ana, d.UID, a.UID))
	if err := f.RemoveAttachment(ctx, ana, d.UID, a.UID); !problem.Is(err, problem.NotFound) {
		t.Errorf("again: got %v, want not found", err)
	}
	if _, err := f.DraftAttachment(ctx, ana, d.UID, a.UID, desk.FileOpen); !problem.Is(err, problem.NotFound) {
		t.Errorf("open: got %v, want not found", err)
	}
}

func TestDesk_CaseAttachment(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	d := f.MustDraft(t, ana, nil)
	want, err := io.ReadAll(picture(t, 3))
	MustDo(t, err)
	a, err := f.Attach(ctx, ana, d.UID, "pedido.png", bytes.NewReader(want))
	MustDo(t, err)
	uid, err := f.Submit(ctx, ana, d.UID)
	MustDo(t, err)

	if _, err := f.CaseAttachment(ctx, bia, uid, a.UID, desk.FileOpen); !problem.Is(err, problem.NotFound) {
		t.Errorf("from another unit: got %v, want not found", err)
	}
	if _, err := f.CaseAttachment(ctx, ana, uid, MustUID(t), desk.FileOpen); !problem.Is(err, problem.NotFound) {
		t.Errorf("another file: got %v, want not found", err)
	}
	file, err := f.CaseAttachment(ctx, celia, uid, a.UID, desk.FileOpen)
	MustDo(t, err)
	if got := MustRead(t, file); !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, want %d", len(got), len(want))
	}
	f.wantTrail(t,
		audit.Entry{Actor: celiaID, Event: audit.AttachmentOpened, Object: audit.ObjectCase, ObjectID: uid,
			Detail: "anexo=" + a.UID.String() + " modo=aberta"},
		audit.Entry{Actor: biaID, Event: audit.AccessDenied, Object: audit.ObjectCase, ObjectID: uid, Detail: "alcance=unidade"},
		audit.Entry{Actor: anaID, Event: audit.RequestSubmitted, Object: audit.ObjectCase, ObjectID: uid})
}

// padded returns a PNG of exactly size bytes.
func padded(tb testing.TB, size int) io.Reader {
	tb.Helper()
	b, err := io.ReadAll(picture(tb, size))
	MustDo(tb, err)
	end := b[len(b)-12:] // the chunk IEND
	room := size - len(b) - 12
	chunk := append([]byte{0, 0, byte(room >> 8), byte(room)}, "IDAT"...)
	chunk = append(chunk, make([]byte, room)...)
	chunk = append(chunk, crc(chunk[4:])...)
	return bytes.NewReader(append(append(b[:len(b)-12:len(b)-12], chunk...), end...))
}

func MustRead(tb testing.TB, file desk.File) []byte {
	tb.Helper()
	b, err := io.ReadAll(file)
	MustDo(tb, err)
	MustDo(tb, file.Close())
	return b
}

// zeros is a file without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
