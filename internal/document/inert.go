package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"golang.org/x/sync/semaphore"
)

// How long a copy may take, how many are made at a time, and how many objects it may have.
const (
	inertTime    = 5 * time.Second
	inertAtOnce  = 2
	maxObjects   = 500_000
	maxScrubbing = 64 // nested arrays and dictionaries
)

// ErrNotInert is returned by Inert for a PDF that is locked, damaged, or not understood
// well enough to leave out what it does.
var ErrNotInert = errors.New("document: no copy of a PDF that only shows pages")

// ErrNotInTime is the ErrNotInert of a PDF that others left no time for: there may be a copy
// of it later.
var ErrNotInTime = fmt.Errorf("%w now", ErrNotInert)

var inertSlots = semaphore.NewWeighted(inertAtOnce)

// Inert returns a copy of a PDF that only shows its pages: without scripts, actions that
// reach outside, embedded files, media and XFA forms. The copy was inspected like any
// other PDF.
//
// Errors: ErrNotInert, when there can be no such copy, or ErrNotInTime, which is one of them;
// any other comes from r or ctx.
func Inert(ctx context.Context, r io.ReadSeeker) ([]byte, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("size of a PDF: %w", err)
	}
	if size > maxInspected {
		return nil, ErrNotInert
	}
	timed, cancel := context.WithTimeout(ctx, inertTime)
	defer cancel()
	if err := inertSlots.Acquire(timed, 1); err != nil && ctx.Err() == nil {
		return nil, ErrNotInTime
	} else if err != nil {
		return nil, fmt.Errorf("wait to copy a PDF: %w", err)
	}
	original, err := (file{r: r, size: size}).at(0, size)
	if err != nil {
		inertSlots.Release(1)
		return nil, err
	}
	made := make(chan []byte, 1)
	go func() { // it keeps its place when it does not end in time
		defer inertSlots.Release(1)
		made <- inert(timed, original)
	}()
	select {
	case b := <-made:
		if b == nil && ctx.Err() == nil {
			return nil, ErrNotInert
		}
		return b, ctx.Err()
	case <-timed.Done():
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("copy a PDF: %w", err)
		}
		return nil, ErrNotInert
	}
}

// inert is nil when there can be no copy.
func inert(ctx context.Context, original []byte) []byte {
	defer func() {
		_ = recover() // a hostile file must not stop the program
	}()
	pdf, err := pdfcpu.ReadWithContext(ctx, bytes.NewReader(original), inertConfig())
	if err != nil || pdf.Encrypt != nil {
		return nil
	}
	if err := scrubAll(ctx, pdf.Table); err != nil {
		return nil
	}
	var out bytes.Buffer
	if err := write(&out, pdf); err != nil || !inspect(out.Bytes()).Harmless() {
		return nil
	}
	return out.Bytes()
}

func inertConfig() *model.Configuration {
	disablePdfcpuConfig()
	conf := model.NewDefaultConfiguration()
	conf.Offline, conf.ValidationMode = true, model.ValidationRelaxed
	conf.WriteObjectStream, conf.WriteXRefStream = false, false
	conf.Limits.MaxDecodeBytes, conf.Limits.MaxStreamBytes = maxDecoded, maxInspected
	conf.Limits.MaxObjectCount, conf.Limits.MaxXRefEntries = maxObjects, maxObjects
	return conf
}

// scrubAll scrubs the objects of a PDF, also those that are still in object streams.
func scrubAll(ctx context.Context, objects map[int]*model.XRefTableEntry) error {
	for _, entry := range objects {
		if entry == nil || entry.Free {
			continue
		}
		if packed, ok := entry.Object.(types.LazyObjectStreamObject); ok {
			var err error
			if entry.Object, err = packed.DecodedObject(ctx); err != nil {
				return err
			}
		}
		entry.Object = scrub(entry.Object, 0)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// scrubbedKeys are entries of dictionaries, beside activeNames, that do something by
// themselves, or hold what is done or carried.
var scrubbedKeys = map[string]bool{
	"OpenAction": true, "AA": true, "JS": true, "EmbeddedFiles": true, "EF": true, "AF": true,
	"Collection": true, "RichMediaSettings": true, "Requirements": true,
}

// scrub returns an object without what a PDF does beside showing pages.
func scrub(o types.Object, depth int) types.Object {
	if depth > maxScrubbing {
		return nil
	}
	switch o := o.(type) {
	case types.Dict:
		scrubDict(o, depth)
	case types.StreamDict:
		scrubDict(o.Dict, depth)
		if len(o.Dict) == 0 {
			return nil
		}
	case types.Array:
		for i := range o {
			o[i] = scrub(o[i], depth+1)
		}
	case types.Name:
		if activeNames[unescapeName(string(o))] != 0 {
			return types.Name("Removed")
		}
	}
	return o
}

// scrubDict empties a dictionary that is an action, an annotation or a stream of those,
// and takes their entries out of all others.
func scrubDict(d types.Dict, depth int) {
	for _, key := range []string{"S", "Subtype", "Type"} {
		if name := d.NameEntry(key); name != nil && activeNames[unescapeName(*name)] != 0 {
			clear(d)
			return
		}
	}
	for key, value := range d {
		if plain := unescapeName(key); scrubbedKeys[plain] || activeNames[plain] != 0 {
			delete(d, key)
		} else {
			d[key] = scrub(value, depth+1)
		}
	}
}
