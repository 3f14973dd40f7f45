package directory

import (
	"context"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// SeeCredentials remembers the names and codes of credentials that the service
// just listed, and prefills biometrics (interface.md, row 20) as long as no
// administrator decided otherwise. One whose id is no UUID is left out.
func (r *Directory) SeeCredentials(ctx context.Context, seen []authorization.Credential) error {
	news, err := r.news(ctx, seen)
	if err != nil || len(news) == 0 {
		return err
	}
	return r.store.Write(ctx, func(tx Tx) error {
		for _, c := range news {
			if err := see(ctx, tx, uuid.Nil, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// Source is where credentials come from.
type Source interface {
	// SearchCredentials lists credentials whose name or code holds the text
	// (specification 4.1).
	SearchCredentials(ctx context.Context, text string) ([]authorization.Credential, error)
}

// AskCredentials asks the source for all its credentials and remembers them. It
// returns how many there are; errors of the source pass as they are.
func (r *Directory) AskCredentials(ctx context.Context, by permission.Actor, from Source) (int, error) {
	if err := by.Require(permission.ManageDirectory); err != nil {
		return 0, err
	}
	seen, err := from.SearchCredentials(ctx, "")
	if err != nil {
		return 0, err
	}
	news, err := r.news(ctx, seen)
	if err != nil {
		return 0, err
	}
	return len(seen), r.store.Write(ctx, func(tx Tx) error {
		for _, c := range news {
			if err := see(ctx, tx, by.User, c); err != nil {
				return err
			}
		}
		return tx.Append(ctx, audit.Entry{Actor: by.User, Event: audit.DirectoryRefreshed, Object: audit.ObjectCredential,
			Detail: fmt.Sprintf("credenciais=%d", len(seen))})
	})
}

// news reads what the service listed and returns what is not known yet.
func (r *Directory) news(ctx context.Context, seen []authorization.Credential) ([]Credential, error) {
	credentials := make([]Credential, 0, len(seen))
	for _, s := range seen {
		if c, ok := credentialOf(s); ok {
			credentials = append(credentials, c)
		}
	}
	return r.store.News(ctx, credentials)
}

// see remembers one credential. What is damaged stays as it is.
func see(ctx context.Context, tx Tx, by uuid.UUID, c Credential) error {
	event := audit.DirectoryChanged
	switch _, err := tx.Credential(ctx, c.UID); {
	case problem.Is(err, problem.NotFound):
		event = audit.DirectoryAdded
	case problem.Is(err, problem.Damaged):
		return nil
	case err != nil:
		return err
	}
	if err := tx.SeeCredential(ctx, c); err != nil {
		return err
	}
	return tx.Append(ctx, audit.Entry{Actor: by, Event: event, Object: audit.ObjectCredential, ObjectID: c.UID})
}

// Offered returns those of the credentials that the service just listed which no
// administrator switched off, each with the desk's own setting for biometrics.
func (r *Directory) Offered(ctx context.Context, seen []authorization.Credential) ([]authorization.Credential, error) {
	known, err := r.store.Credentials(ctx)
	if err != nil {
		return nil, err
	}
	settings := make(map[uuid.UUID]Credential, len(known))
	for _, c := range known {
		settings[c.UID] = c
	}
	var offered []authorization.Credential
	for _, s := range seen {
		own, ok := credentialOf(s)
		if set, found := settings[own.UID]; ok && found {
			if !set.Active {
				continue
			}
			s.Biometrics = set.Biometrics
		}
		offered = append(offered, s)
	}
	return offered, nil
}
