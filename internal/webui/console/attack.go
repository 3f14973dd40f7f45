package console

import (
	"context"
	"time"

	"guiche/web/component"

	"github.com/google/uuid"
)

// attackNotice says which users' passwords are being guessed, nil for nobody's.
func (k *console) attackNotice(ctx context.Context) (*component.Notice, error) {
	week, err := k.admin.FailedLogins(ctx, 7*24*time.Hour)
	if err != nil {
		return nil, err
	}
	today, err := k.admin.FailedLogins(ctx, 24*time.Hour)
	if err != nil {
		return nil, err
	}
	inWeek := make(map[uuid.UUID]int, len(week))
	for _, f := range week {
		inWeek[f.User] = f.Tried + f.Refused
	}
	failed := make([]component.FailedLogins, len(today))
	for i, f := range today {
		name := "usuário " + f.Name
		if f.Name == "" {
			name = "usuários que não existem"
		}
		failed[i] = component.FailedLogins{Name: name, Day: f.Tried + f.Refused, Week: inWeek[f.User]}
	}
	return component.AttackNotice(failed, component.Link{Href: partnersPath, Text: "Ver os parceiros."}), nil
}
