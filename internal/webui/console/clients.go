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

// addClient serves POST /servico/parceiros/{uid}/clientes. The answer itself shows
// the secret, once.
func (k *console) addClient(c echo.Context) error {
	p, err := k.openProfile(c)
	if err != nil {
		return err
	}
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	name := values.Get("cliente")
	idle, err := readIdle("validade-cliente", values.Get("validade-cliente"))
	fields := append(problem.FieldsOf(k.admin.CheckClientName(name)), problem.FieldsOf(err)...)
	if len(fields) > 0 {
		return k.showPartner(c, p, shownPartner{access: values, fields: fields})
	}
	var client access.OAuthClient
	var secret string
	intent := audit.Entry{Event: audit.ServiceClientAdded, Object: audit.ObjectPartner, ObjectID: p.ID}
	err = k.act(c, intent, func(ctx context.Context) (err error) {
		client, secret, err = k.admin.AddClient(ctx, p.ID, name, idle)
		return err
	})
	if err != nil {
		return err
	}
	return k.showPartner(c, p, shownPartner{flash: "Cliente criado.", secret: &page.Secret{Title: "O novo cliente",
		Facts: []component.Copyable{{Label: "client_id", Value: client.ID.String()}, {Label: "client_secret", Value: secret}}}})
}

// revokeClient serves POST /servico/parceiros/{uid}/clientes/{cliente}/revogar.
func (k *console) revokeClient(c echo.Context) error {
	p, id, err := k.accessOf(c, "cliente", func(ctx context.Context, p access.Profile, id uuid.UUID) (bool, error) {
		clients, err := k.admin.Clients(ctx, p.ID)
		return slices.ContainsFunc(clients, func(client access.OAuthClient) bool { return client.ID == id }), err
	})
	if err != nil {
		return err
	}
	intent := audit.Entry{Event: audit.ServiceClientRevoked, Object: audit.ObjectServiceClient, ObjectID: id, Detail: ofPartner(p)}
	if err := k.act(c, intent, func(ctx context.Context) error { return k.admin.RevokeClient(ctx, id) }); err != nil {
		return err
	}
	return k.web.Afterwards(c, "Cliente revogado. Ele e os seus tokens já não valem.", partnersPath+"/"+p.ID.String())
}
