package console

import (
	"context"
	"slices"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// ofPartner tells the trail whose access it is.
func ofPartner(p access.Profile) string { return "parceiro=" + p.ID.String() }

// mintKey serves POST /servico/parceiros/{uid}/chaves. The answer itself shows the
// key, once.
func (k *console) mintKey(c echo.Context) error {
	p, err := k.openProfile(c)
	if err != nil {
		return err
	}
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	idle, err := readIdle("validade-chave", values.Get("validade-chave"))
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return k.showPartner(c, p, shownPartner{fields: fields})
	}
	var key string
	intent := audit.Entry{Event: audit.ServiceKeyCreated, Object: audit.ObjectPartner, ObjectID: p.ID}
	err = k.act(c, intent, func(ctx context.Context) (err error) {
		key, err = k.admin.MintKey(ctx, p.ID, idle)
		return err
	})
	if err != nil {
		return err
	}
	return k.showPartner(c, p, shownPartner{flash: "Chave criada.", secret: &page.Secret{Title: "A nova chave",
		Facts: []component.Copyable{{Label: "x-api-key", Value: key}}}})
}

// revokeKey serves POST /servico/parceiros/{uid}/chaves/{chave}/revogar.
func (k *console) revokeKey(c echo.Context) error {
	p, id, err := k.accessOf(c, "chave", func(ctx context.Context, p access.Profile, id uuid.UUID) (bool, error) {
		keys, err := k.admin.Keys(ctx, p.ID)
		return slices.ContainsFunc(keys, func(key access.Key) bool { return key.ID == id }), err
	})
	if err != nil {
		return err
	}
	intent := audit.Entry{Event: audit.ServiceKeyRevoked, Object: audit.ObjectServiceKey, ObjectID: id, Detail: ofPartner(p)}
	if err := k.act(c, intent, func(ctx context.Context) error { return k.admin.RevokeKey(ctx, id) }); err != nil {
		return err
	}
	return k.web.Afterwards(c, "Chave revogada. Já não vale.", partnersPath+"/"+p.ID.String())
}

// accessOf is the partner and the access that the address names, problem.NotFound
// where the access is another one's.
func (k *console) accessOf(c echo.Context, name string, has func(context.Context, access.Profile, uuid.UUID) (bool,
	error)) (access.Profile, uuid.UUID, error) {
	p, err := k.openProfile(c)
	if err != nil {
		return p, uuid.Nil, err
	}
	id, err := param(c, name)
	if err != nil {
		return p, id, err
	}
	found, err := has(c.Request().Context(), p, id)
	if err == nil && !found {
		err = problem.New(problem.NotFound, "")
	}
	return p, id, err
}
