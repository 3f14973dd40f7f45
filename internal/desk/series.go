package desk

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// Series is what the repetition of a case goes on from, as in a therapy of many sessions.
type Series struct {
	Case            uuid.UUID // the one that is repeated
	Asked           time.Time
	Next            time.Time // as long after Asked as that was after the one before; zero where there is none before
	Senha           string
	SenhaValidUntil authorization.LocalTime
	Items           []Sessions
}

// Sessions are the authorized units of one procedure.
type Sessions struct {
	Code, Name       string
	Authorized, Used int
}

// Left is how many units were not used yet.
func (s Sessions) Left() int { return max(s.Authorized-s.Used, 0) }

// Series returns what a draft that repeats a case goes on from; a zero Series of any other.
func (d *Desk) Series(ctx context.Context, a permission.Actor, draft Draft) (Series, error) {
	if draft.Copy != Repetition {
		return Series{}, nil
	}
	c, found, err := d.copied(ctx, a, draft.Previous)
	if err != nil || !found {
		return Series{}, err
	}
	series := Series{Case: c.UID, Asked: c.CreatedAt, Senha: c.Senha, SenhaValidUntil: c.SenhaValidUntil, Items: sessionsOf(c)}
	if c.Copy != Repetition {
		return series, nil
	}
	before, found, err := d.copied(ctx, a, c.Previous)
	if err != nil || !found {
		return series, err
	}
	series.Next = d.nextOf(before.CreatedAt, c.CreatedAt)
	return series, nil
}

// nextOf is the day that is as many days after the last one as that is after the one before,
// zero of two on one day.
func (d *Desk) nextOf(before, last time.Time) time.Time {
	last = last.In(d.config.Zone)
	days := authorization.NewLocalTime(before.In(d.config.Zone)).DaysUntil(authorization.NewLocalTime(last))
	if days <= 0 {
		return time.Time{}
	}
	return last.AddDate(0, 0, days)
}

// Sessions are the authorized units of the case and what was used of them, as far as the service tells.
func (c Case) Sessions() []Sessions { return sessionsOf(c) }

// sessionsOf adds up what the latest answer says of each procedure that was authorized.
func sessionsOf(c Case) (items []Sessions) {
	if c.Answer == nil {
		return nil
	}
	at := map[string]int{}
	for _, z := range c.Answer.Authorizations {
		for _, p := range z.Procedures {
			if p.Authorized == 0 {
				continue
			}
			i, ok := at[p.Code]
			if !ok {
				i, at[p.Code] = len(items), len(items)
				items = append(items, Sessions{Code: p.Code, Name: p.Name})
			}
			items[i].Authorized += p.Authorized
			items[i].Used += p.Executed
		}
	}
	return items
}
