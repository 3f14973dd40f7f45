package console

import (
	"context"
	"net/http"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// sessionRows is how many sessions a page shows.
const sessionRows = 50

// sessions serves GET and POST /servico/parceiros/{uid}/sessoes.
func (k *console) sessions(c echo.Context) error {
	p, err := k.openProfile(c)
	if err != nil {
		return err
	}
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	number := form.ReadSearch(values).Page
	found, err := k.liveFamilies(c, p, number, sessionRows)
	if err != nil {
		return err
	}
	view := page.ServiceSessionsView{Path: sessionsPath(p), Partner: component.Link{Href: partnerPath(p), Text: p.Name},
		Count: count(found.Total, "sessão", "sessões"), Pages: page.PagesOf(number, sessionRows, found.Total)}
	for _, f := range found.Items {
		view.Rows = append(view.Rows, page.ServiceSession{ID: f.ID.String(), Owner: f.Owner, Kind: ownerWords[f.Method()],
			Since: k.web.When(f.CreatedAt), Renewed: k.used(f.RenewedAt), Used: k.used(f.UsedAt), Ends: k.web.When(f.EndsAt)})
	}
	if view.Page, err = k.web.Frame(c, "Sessões de "+p.Name); err != nil {
		return err
	}
	return k.web.Render(c, http.StatusOK, page.ServiceSessionsPage(view))
}

// ownerWords say whose a session is, by how it came to be.
var ownerWords = map[access.Method]string{access.MethodPassword: "usuário", access.MethodOAuth: "cliente OAuth"}

// partnerPath is the address of a partner's page.
func partnerPath(p access.Profile) string { return partnersPath + "/" + p.ID.String() }

// sessionsPath is the address of a partner's sessions.
func sessionsPath(p access.Profile) string { return partnerPath(p) + "/sessoes" }

// liveFamilies is one page of a partner's open sessions. A session is a family of
// tokens: each renewal adds one, and all of them end together.
func (k *console) liveFamilies(c echo.Context, p access.Profile, number, size int) (access.FamilyPage, error) {
	return k.admin.Families(c.Request().Context(), access.FamilyQuery{Profile: p.ID, LiveAt: k.web.Now(), Page: number, Size: size})
}

// sessionWords says how many sessions a partner has, "" for the desk's own, which
// comes in with keys alone.
func (k *console) sessionWords(c echo.Context, p access.Profile) (string, error) {
	if p.Permanent() {
		return "", nil
	}
	found, err := k.liveFamilies(c, p, 1, 1)
	if found.Total == 0 {
		return "nenhuma aberta", err
	}
	return count(found.Total, "aberta", "abertas"), err
}

// endSessions serves POST /servico/parceiros/{uid}/sessoes/encerrar.
func (k *console) endSessions(c echo.Context) error {
	p, err := k.openProfile(c)
	if err != nil {
		return err
	}
	intent := audit.Entry{Event: audit.ServiceSessionsEnded, Object: audit.ObjectPartner, ObjectID: p.ID}
	if err := k.act(c, intent, func(ctx context.Context) error { return k.admin.RevokeFamilies(ctx, p.ID) }); err != nil {
		return err
	}
	return k.web.Afterwards(c, "Sessões encerradas. Os tokens delas já não valem.", sessionsPath(p))
}

// endSession serves POST /servico/parceiros/{uid}/sessoes/{sessao}/encerrar.
func (k *console) endSession(c echo.Context) error {
	p, err := k.openProfile(c)
	if err != nil {
		return err
	}
	id, err := param(c, "sessao")
	if err != nil {
		return err
	}
	family, err := k.admin.Family(c.Request().Context(), id)
	if err == nil && family.ProfileID != p.ID {
		err = problem.New(problem.NotFound, "")
	}
	if err != nil {
		return err
	}
	intent := audit.Entry{Event: audit.ServiceSessionEnded, Object: audit.ObjectServiceSession, ObjectID: id, Detail: ofPartner(p)}
	if err := k.act(c, intent, func(ctx context.Context) error { return k.admin.RevokeFamily(ctx, id) }); err != nil {
		return err
	}
	return k.web.Afterwards(c, "Sessão encerrada. Os tokens dela já não valem.", sessionsPath(p))
}
