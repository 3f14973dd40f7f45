package webui

import (
	"cmp"
	"context"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/web/component"

	"github.com/google/uuid"
)

// attackNotice says whose passwords are being guessed, nil for nobody's.
func (s *server) attackNotice(ctx context.Context, by permission.Actor, people []account.User) (*component.Notice, error) {
	week, err := s.Accounts.FailedLogins(ctx, by, s.now().Add(-7*24*time.Hour))
	if err != nil {
		return nil, err
	}
	today, err := s.Accounts.FailedLogins(ctx, by, s.now().Add(-24*time.Hour))
	if err != nil {
		return nil, err
	}
	names := distinctNames(people)
	for _, p := range people {
		names[p.UID] = cmp.Or(names[p.UID], personName(p))
	}
	names[uuid.Nil] = "usuários que não existem"
	inWeek := make(map[uuid.UUID]int, len(week))
	for _, f := range week {
		inWeek[f.Person] = f.All()
	}
	failed := make([]component.FailedLogins, len(today))
	for i, f := range today {
		failed[i] = component.FailedLogins{Name: names[f.Person], Day: f.All(), Week: inWeek[f.Person]}
	}
	link := component.Link{Href: "/auditoria?evento=" + string(audit.LoginFailed), Text: "Ver na auditoria."}
	return component.AttackNotice(failed, link), nil
}
