package webui

import (
	"context"
	"net/http"

	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

const shownOptions = 12 // of a list under a field

// searchCredentials serves POST /busca/credenciais (specification 4.1).
func (s *deskHandlers) searchCredentials(c echo.Context) error {
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, page.CredentialOptions(s.credentialList(c, values.Get("Busca"))))
}

// credentialList asks the service; trouble with it is a line of the list.
func (s *deskHandlers) credentialList(c echo.Context, text string) page.CredentialList {
	actor := s.actor(c)
	return s.credentialsFound(c.Request().Context(), actor, text, func(ctx context.Context, text string) ([]authorization.Credential, error) {
		return s.Desk.FindCredentials(ctx, actor, text)
	})
}

func (s *deskHandlers) credentialsFound(ctx context.Context, actor permission.Actor, text string,
	find func(context.Context, string) ([]authorization.Credential, error)) page.CredentialList {
	list := page.CredentialList{Search: text}
	found, err := find(ctx, text)
	if err == nil {
		found, err = s.Directory.Offered(ctx, found)
	}
	if err != nil {
		list.Problem = s.searchTrouble(ctx, err)
		return list
	}
	if len(found) > shownOptions {
		list.More = len(found) - shownOptions
		found = found[:shownOptions]
	}
	for _, f := range found {
		option := credentialOption(f)
		if option.Parties, err = s.usualParties(ctx, actor, f.ID); err != nil {
			list.Problem = s.searchTrouble(ctx, err)
			return list
		}
		list.Items = append(list.Items, option)
	}
	return list
}

// usualParties are who attended where last with a credential; none while that cannot be told.
func (s *deskHandlers) usualParties(ctx context.Context, actor permission.Actor, credential string) (map[string]string, error) {
	uid, err := uuid.Parse(credential)
	if err != nil {
		return nil, nil //nolint:nilerr // an identifier that the form refuses
	}
	usual, err := s.Desk.UsualParties(ctx, actor, uid)
	return usual, ignoringPassing(err)
}

// searchInForm is the search of a form's button, which works without a script. It
// counts as any other; the form was saved before.
func (s *deskHandlers) searchInForm(c echo.Context, text string) page.CredentialList {
	if err := s.Accounts.CountSearch(s.current(c).UID, s.clock()); err != nil {
		return page.CredentialList{Search: text, Problem: s.searchTrouble(c.Request().Context(), err)}
	}
	return s.credentialList(c, text)
}

// searchTrouble is the sentence for a search that failed.
func (s *deskHandlers) searchTrouble(ctx context.Context, err error) string {
	if p, ok := asProblem(err); ok && p.Message != "" {
		return p.Message
	}
	if ctx.Err() == nil {
		s.logger.ErrorContext(ctx, "credential search", "error", err)
	}
	return "Não deu para buscar agora. Tente de novo em instantes."
}

// credentialOption shows a credential in the search of the form; the provider code tells
// apart two of the same operator.
func credentialOption(c authorization.Credential) page.CredentialOption {
	return page.CredentialOption{ID: c.ID, Name: c.Name, ProviderCode: c.ProviderCode, Biometrics: c.Biometrics}
}

// searchProcedures serves POST /busca/procedimentos.
func (s *deskHandlers) searchProcedures(c echo.Context) error {
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	list, err := s.procedureList(c.Request().Context(), values.Get("Busca"))
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, page.ProcedureOptions(list))
}

func (s *deskHandlers) procedureList(ctx context.Context, text string) (page.ProcedureList, error) {
	list := page.ProcedureList{Search: text}
	found, err := s.Directory.SearchProcedures(ctx, text, shownOptions+1)
	if list.More = len(found) > shownOptions; list.More {
		found = found[:shownOptions]
	}
	for _, p := range found {
		list.Items = append(list.Items, page.ProcedureOption{Code: p.Code, Name: p.Name})
	}
	return list, err
}

// findProcedures is the search of a form's button, which works without a script, for each row
// that is not a procedure yet. It counts as any other; the form was saved before.
func (s *deskHandlers) findProcedures(c echo.Context, rows []page.ProcedureRow) error {
	ctx := c.Request().Context()
	for i, row := range rows {
		words := form.ProcedureWords(row.Code, row.Name)
		if words == "" {
			continue
		}
		list := page.ProcedureList{Search: words}
		err := s.Accounts.CountSearch(s.current(c).UID, s.clock())
		if err != nil {
			list.Problem = s.searchTrouble(ctx, err)
		} else if list, err = s.procedureList(ctx, words); err != nil {
			return err
		}
		rows[i].Found = &list
	}
	return nil
}
