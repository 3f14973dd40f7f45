package auditlog

import (
	"context"
	"errors"
	"fmt"

	"guiche/internal/audit"

	"github.com/google/uuid"
)

// EndAlarm ends the alarm about what a person has seen, by the mark of that state: an
// entry says who did and why, and the head is written anew. Whatever is found broken
// beyond it raises the alarm again. audit.ErrOtherAlarm when that is so already.
func (m *Monitor) EndAlarm(ctx context.Context, by uuid.UUID, reason audit.Reason, mark string) error {
	state, x, err := m.look(ctx)
	switch {
	case err != nil:
		return err
	case state.Broken == nil || state.Mark != mark:
		m.setState(ctx, state)
		return audit.ErrOtherAlarm
	}
	if err := m.Record(ctx, x.Acknowledgement(by, reason)); err != nil {
		return err
	}
	if err := m.replaceHead(ctx); err != nil {
		return fmt.Errorf("auditlog: end alarm: %w", err)
	}
	_, err = m.Check(ctx)
	return err
}

// replaceHead writes the head, whatever stands in its places.
func (m *Monitor) replaceHead(ctx context.Context) (err error) {
	m.writing.Lock()
	defer m.writing.Unlock()
	head, err := m.Head(ctx)
	if err != nil {
		return err
	}
	for _, place := range m.places {
		err = errors.Join(err, replaceHead(ctx, place, head))
	}
	return err
}
