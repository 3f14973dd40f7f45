package console

import (
	"context"
	"net/http"

	"guiche/internal/audit"
	"guiche/internal/service"
	"guiche/internal/service/access"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// switching is what the trail and the person are told of turning a kind of thing
// off, or on.
type switching struct {
	event audit.Event
	said  string
}

// switchable is the thing that an address names.
type switchable struct {
	id     uuid.UUID
	detail string // for the trail
	page   string // where the browser goes afterwards
	turn   func(ctx context.Context, disabled bool) error
}

// switches are the two routes below a thing's address that turn it off and on.
func (k *console) switches(path, object string, off, on switching, find func(*console, echo.Context) (switchable, error)) []Route {
	turn := func(disabled bool, told switching) echo.HandlerFunc {
		return k.serve(func(k *console, c echo.Context) error {
			thing, err := find(k, c)
			if err != nil {
				return err
			}
			intent := audit.Entry{Event: told.event, Object: object, ObjectID: thing.id, Detail: thing.detail}
			if err := k.act(c, intent, func(ctx context.Context) error { return thing.turn(ctx, disabled) }); err != nil {
				return err
			}
			return k.web.Afterwards(c, told.said, thing.page)
		})
	}
	return []Route{{http.MethodPost, path + "/desativar", turn(true, off)}, {http.MethodPost, path + "/reativar", turn(false, on)}}
}

// partnerSwitches serve POST /servico/parceiros/{uid}/desativar and /reativar, and
// redirect to the partner. The permanent partner cannot be switched.
func (k *console) partnerSwitches(path string) []Route {
	return k.switches(path, audit.ObjectPartner,
		switching{audit.PartnerDisabled, "Parceiro desativado. O próximo pedido dele já é recusado, e os tokens dele acabaram."},
		switching{audit.PartnerEnabled, "Parceiro reativado."},
		func(k *console, c echo.Context) (switchable, error) {
			p, err := k.openProfile(c)
			return switchable{id: p.ID, page: partnersPath + "/" + p.ID.String(), turn: func(ctx context.Context, disabled bool) error {
				return k.admin.ChangeProfile(ctx, p.ID, func(now access.Profile) (access.Profile, error) {
					now.Disabled = disabled
					return now, nil
				})
			}}, err
		})
}

// userSwitches serve POST /servico/parceiros/{uid}/usuarios/{usuario}/desativar and
// /reativar, and redirect to the partner. The trail names the partner too.
func (k *console) userSwitches(path string) []Route {
	return k.switches(path, audit.ObjectServiceUser,
		switching{audit.ServiceUserDisabled, "Usuário desativado. Os tokens dele já não valem."},
		switching{audit.ServiceUserEnabled, "Usuário reativado."},
		func(k *console, c echo.Context) (switchable, error) {
			p, user, err := k.userOf(c)
			return switchable{id: user.ID, detail: ofPartner(p), page: partnersPath + "/" + p.ID.String(),
				turn: func(ctx context.Context, disabled bool) error {
					return k.admin.SetUserDisabled(ctx, user.ID, disabled)
				}}, err
		})
}

// credentialSwitches serve POST /servico/credenciais/{uid}/desativar and /reativar, and
// redirect to the credential.
func (k *console) credentialSwitches(path string) []Route {
	return k.switches(path, audit.ObjectServiceCredential,
		switching{audit.ServiceCredentialDisabled, "Credencial desativada. Saiu das buscas."},
		switching{audit.ServiceCredentialEnabled, "Credencial reativada."},
		func(k *console, c echo.Context) (switchable, error) {
			cr, err := k.credentialOf(c)
			return switchable{id: cr.ID, page: credentialsPath + "/" + cr.ID.String(), turn: func(ctx context.Context, disabled bool) error {
				return k.admin.ChangeCredential(ctx, cr.ID, func(now service.Credential) (service.Credential, error) {
					now.Disabled = disabled
					return now, nil
				})
			}}, err
		})
}
