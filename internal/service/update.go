package service

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"

	"github.com/google/uuid"
)

// Stood is an authorization as the ledger has it.
type Stood struct {
	ProfileID     uuid.UUID
	Record        Record
	Authorization authorization.Authorization
	Since         time.Time // when it came to its status
}

// Updated is what an operator told of an authorization after its decision.
type Updated struct {
	GuideID       uuid.UUID
	Before        authorization.Status        // problem.Conflict when it is another one by now
	Way           []authorization.Status      // the statuses after Before, the last being the new one
	Authorization authorization.Authorization // as it is now
	At            time.Time
	Actor         string
	Due           time.Time // when the operator is asked again; zero for never
	Act           uuid.UUID // the act that this answers; uuid.Nil for none
	Answer        blob.Info // the answer to the act
}

// update commits what an operator told; act is the act that it answers, nil for
// none. It returns the authorization as it stands then.
func (s *Service) update(ctx context.Context, stood Stood, credential Credential, u Update, act *uuid.UUID) (authorization.Authorization, error) {
	before := stood.Authorization
	a := u.Authorization
	a.Number, a.GuideID, a.ProviderGuide, a.GuidePDF = before.Number, before.GuideID, before.ProviderGuide, ""
	updated := Updated{
		GuideID: uuid.MustParse(before.GuideID), Before: before.Status, At: s.clock(), Actor: credential.Operator,
		Due: s.nextFollow(credential, a.Status, u.Again, 0),
	}
	if stillInvalid := before.Status == authorization.InvalidBiometrics && a.Status == before.Status; !stillInvalid {
		if updated.Way = way(before.Status, a.Status); updated.Way == nil {
			return before, errLife
		}
	}
	d := Decision{Simulated: u.Simulated, Authorizations: []authorization.Authorization{a}}
	drawn := s.drawGuides(ctx, stood.Record, credential, d)
	if act != nil {
		var err error
		updated.Act = *act
		if updated.Answer, err = drawn.beside(d.Authorizations, func() (blob.Info, error) { return s.storeEntry(ctx, d.Authorizations[0], drawn) }); err != nil {
			return before, err
		}
	}
	drawn.settle(d.Authorizations)
	updated.Authorization = d.Authorizations[0]
	err := s.store.AddUpdate(ctx, updated)
	s.wake()
	return updated.Authorization, err
}

// storeEntry writes the answer to an act into a blob.
func (s *Service) storeEntry(ctx context.Context, a authorization.Authorization, drawn *prints) (blob.Info, error) {
	reader, writer := io.Pipe()
	go func() {
		out := answerWriter{ctx: ctx, blobs: s.blobs, drawn: drawn.pdfs, w: bufio.NewWriterSize(writer, 64<<10)}
		out.single(a)
		_ = writer.CloseWithError(out.end()) // never fails
	}()
	info, err := s.blobs.Put(ctx, reader)
	_ = reader.Close() // lets the writer go when Put ended early
	if err != nil {
		err = fmt.Errorf("service: store answer: %w", err)
	}
	return info, err
}

// single writes the answer that is one authorization (row 18).
func (a *answerWriter) single(entry authorization.Authorization) {
	a.text(`{"sucesso":true,"erros":[],"errosDetalhados":[],"data":`)
	a.entry(entry, nameStatus)
	a.text("}")
}
