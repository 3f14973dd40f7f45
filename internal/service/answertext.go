package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"

	"guiche/internal/blob"
	"guiche/internal/service/wire"
)

// AnswerText is an answer without its guide, which is stored anyway: what goes over the wire
// is put together of both. Nearly all answers are kept so.
type AnswerText struct {
	Text    []byte
	Guide   blob.Ref // "" for none
	GuideAt int      // bytes of Text before the guide
	Digest  [sha256.Size]byte
}

// Name is what the answer would be called as a blob.
func (a *AnswerText) Name() blob.Ref { return blob.Ref(hex.EncodeToString(a.Digest[:])) }

// compose writes an answer into memory and keeps what is not its guide.
func (f *guideFiles) compose(ctx context.Context, write func(*wire.Writer)) (text *AnswerText, whole []byte, err error) {
	var out bytes.Buffer
	text = &AnswerText{GuideAt: -1}
	var w *wire.Writer
	w = wire.NewWriter(ctx, &out, func(ctx context.Context, ref blob.Ref) (io.ReadCloser, error) {
		text.Guide, text.GuideAt = ref, out.Len()+w.Buffered()
		out.Grow(base64.StdEncoding.EncodedLen(len(f.pdfs[ref])))
		return f.open(ctx, ref)
	})
	write(w)
	if err := w.Flush(); err != nil {
		return nil, nil, fmt.Errorf("service: write answer: %w", err)
	}
	whole = out.Bytes()
	text.Digest = sha256.Sum256(whole)
	if text.Guide == "" {
		text.Text, text.GuideAt = whole, len(whole)
		return text, whole, nil
	}
	behind := text.GuideAt + base64.StdEncoding.EncodedLen(len(f.pdfs[text.Guide]))
	text.Text = append(bytes.Clone(whole[:text.GuideAt]), whole[behind:]...)
	return text, whole, nil
}

// whole puts an answer together again. It is the one that was given first, or
// blob.ErrDamaged.
func (a *AnswerText) whole(ctx context.Context, blobs blob.Store) ([]byte, error) {
	if a.GuideAt > len(a.Text) {
		return nil, blob.ErrDamaged
	}
	var out bytes.Buffer
	out.Write(a.Text[:a.GuideAt])
	if a.Guide != "" {
		if err := encode(ctx, &out, blobs, a.Guide); err != nil {
			return nil, err
		}
	}
	out.Write(a.Text[a.GuideAt:])
	if sha256.Sum256(out.Bytes()) != a.Digest {
		return nil, blob.ErrDamaged
	}
	return out.Bytes(), nil
}

// encode writes a file in base64.
func encode(ctx context.Context, w io.Writer, blobs blob.Store, ref blob.Ref) error {
	file, err := blobs.Open(ctx, ref)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	encoder := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := io.Copy(encoder, file); err != nil {
		return err
	}
	return encoder.Close()
}

// OpenAnswer returns a stored answer byte for byte as it was given first. Where that cannot
// be, the error is blob.ErrDamaged, at the end of reading at the latest, or problem.NotFound.
func (s *Service) OpenAnswer(ctx context.Context, a Answer) (io.ReadSeekCloser, error) {
	if a.Text == nil {
		return s.blobs.Open(ctx, a.Blob)
	}
	whole, err := a.Text.whole(ctx, s.blobs)
	return inMemory{bytes.NewReader(whole)}, err
}

// inMemory is an answer that is in memory as a whole: it has one guide at most.
type inMemory struct{ *bytes.Reader }

// Close implements io.Closer.
func (inMemory) Close() error { return nil }
