package service

import (
	"context"
	"fmt"

	"guiche/internal/blob"

	"github.com/google/uuid"
)

// Receive begins to count the attachments of one request or action against what its
// profile may send in a day. The caller ends it when the service has taken the request,
// or refused it.
func (s *Service) Receive(ctx context.Context, profile uuid.UUID) (*blob.Receiving, error) {
	sent, err := s.store.SentBytes(ctx, profile, s.clock())
	if err != nil {
		return nil, err
	}
	return s.intake.Begin(profile, sent, s.limits.DayBytes, func() error { return s.errDayBytes() }), nil
}

// withinDay refuses attachments beyond what a profile may send in a day.
func (s *Service) withinDay(sent int64) error {
	if sent > s.limits.DayBytes {
		return s.errDayBytes()
	}
	return nil
}

func (s *Service) errDayBytes() *Refusal {
	return &Refusal{Reason: DayBytes, Message: fmt.Sprintf(
		"Este parceiro chegou a %d MiB de anexos em 24 horas, o limite do serviço. Envie de novo mais tarde.", s.limits.DayBytes>>20)}
}
