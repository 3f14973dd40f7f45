package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"sync"

	"guiche/internal/authorization"
	"guiche/internal/blob"
)

// printsAtOnce is how many guides of one answer are stored at the same time.
const printsAtOnce = 8

// prints are drawn guides on their way to disk. An answer takes their bytes from
// here and goes to disk beside them: to wait for the disk once is most of what an
// authorization costs.
type prints struct {
	pdfs       map[blob.Ref][]byte
	aggregated blob.Ref // all guides in one PDF, "" with fewer than two (2.5)

	blobs   blob.Store
	logger  *slog.Logger
	places  chan struct{}
	storing sync.WaitGroup
	mu      sync.Mutex
	lost    map[blob.Ref]bool // those that could not be stored
}

func (s *Service) newPrints(record Record) *prints {
	return &prints{
		pdfs: map[blob.Ref][]byte{}, blobs: s.blobs, logger: s.logger.With("request", record.ID),
		places: make(chan struct{}, printsAtOnce), lost: map[blob.Ref]bool{},
	}
}

// store begins to store a guide and returns its name.
func (p *prints) store(ctx context.Context, pdf []byte) blob.Ref {
	sum := sha256.Sum256(pdf)
	ref := blob.Ref(hex.EncodeToString(sum[:]))
	p.pdfs[ref] = pdf
	p.storing.Go(func() {
		p.places <- struct{}{}
		defer func() { <-p.places }()
		if _, err := p.blobs.Put(ctx, bytes.NewReader(pdf)); err != nil {
			p.logger.Error("guide not stored", "cause", err)
			p.lose(ref)
		}
	})
	return ref
}

func (p *prints) lose(ref blob.Ref) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost[ref] = true
}

// settle waits until every guide is on disk. It takes those that could not be
// stored out of the entries and reports whether there were any.
func (p *prints) settle(entries []authorization.Authorization) bool {
	p.storing.Wait()
	for i, entry := range entries {
		if p.lost[entry.GuidePDF] {
			entries[i].GuidePDF = ""
		}
	}
	if p.lost[p.aggregated] {
		p.aggregated = ""
	}
	return len(p.lost) > 0
}

// beside stores an answer while the guides are stored, and once more without those
// that could not be: no answer names what is not there.
func (p *prints) beside(entries []authorization.Authorization, storeAnswer func() (blob.Info, error)) (blob.Info, error) {
	info, err := storeAnswer()
	if p.settle(entries) {
		return storeAnswer()
	}
	return info, err
}
