package service

import (
	"bufio"
	"context"
	"net/http"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// findByGuide serves GET /api/v2/autorizacoes?guiaPrestador= (row 18). No items
// and no errors mean that the request never arrived; one that arrived and has no
// answer yet is refused as in a repetition.
func (s *Service) findByGuide(w http.ResponseWriter, c *call) error {
	values, err := parameters(c)
	if err != nil {
		return err
	}
	number := values.Get("guiaPrestador")
	if number == "" {
		return invalid(problem.Field{Path: "guiaPrestador", Code: authorization.CodeRequired, Message: "Informe a guia do prestador."})
	}
	record, err := s.store.RecordByGuide(c.Context(), c.profile.ID, number)
	if problem.Is(err, problem.NotFound) {
		return s.sendFound(w, c, nil, nil)
	}
	if err != nil {
		return err
	}
	if record.GuideID != uuid.Nil && record.Answer == "" {
		return s.sendFound(w, c, []authorization.Authorization{undecided(record)}, nil)
	}
	if s.flights.active(record.ID) {
		return errBusy()
	}
	if record, err = s.settle(c.Context(), record.ID); err != nil {
		return err
	}
	if record.Answer == "" {
		return s.reply(w, c, record)
	}
	entries, err := s.store.Authorizations(c.Context(), record.ID)
	if err != nil {
		return err
	}
	return s.sendFound(w, c, entries, record.Errors)
}

func (s *Service) sendFound(w http.ResponseWriter, c *call, entries []authorization.Authorization, errors []authorization.AnswerError) error {
	return s.stream(w, c.Context(), func(a *answerWriter) { a.found(entries, errors) })
}

// readAuthorization serves GET /api/v2/autorizacoes/{guiaId} (row 18).
func (s *Service) readAuthorization(w http.ResponseWriter, c *call) error {
	id, err := guideID(c)
	if err != nil {
		return err
	}
	entry, err := s.store.Authorization(c.Context(), c.profile.ID, id)
	if problem.Is(err, problem.NotFound) {
		entry, err = s.acceptedAuthorization(c, id)
	}
	if problem.Is(err, problem.NotFound) {
		return errNoAuthorization()
	}
	if err != nil {
		return err
	}
	return s.stream(w, c.Context(), func(a *answerWriter) { a.single(entry) })
}

// acceptedAuthorization returns an authorization whose request was accepted and
// not decided yet; one that was decided since the look before is looked up again.
func (s *Service) acceptedAuthorization(c *call, guideID uuid.UUID) (authorization.Authorization, error) {
	record, err := s.store.RecordByGuideID(c.Context(), c.profile.ID, guideID)
	if err != nil {
		return authorization.Authorization{}, err
	}
	if record.Answer == "" {
		return undecided(record), nil
	}
	return s.store.Authorization(c.Context(), c.profile.ID, guideID)
}

// guideID is the authorization that the address names.
func guideID(c *call) (uuid.UUID, error) {
	text := c.PathValue("guiaId")
	if !isUUID(text) {
		return uuid.Nil, errNoAuthorization()
	}
	return uuid.Parse(text)
}

func errNoAuthorization() error {
	return problem.New(problem.NotFound, "Esta autorização não existe.")
}

// stream sends an answer whose length is not known before.
func (s *Service) stream(w http.ResponseWriter, ctx context.Context, write func(*answerWriter)) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	a := answerWriter{ctx: ctx, blobs: s.blobs, w: bufio.NewWriterSize(w, 64<<10)}
	write(&a)
	return a.end()
}
