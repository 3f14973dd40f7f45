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

// addUser serves POST /servico/parceiros/{uid}/usuarios. The answer itself shows
// the password that was made, once.
func (k *console) addUser(c echo.Context) error {
	p, err := k.openProfile(c)
	if err != nil {
		return err
	}
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	name := values.Get("usuario")
	if fields := problem.FieldsOf(k.admin.CheckUserName(name)); len(fields) > 0 {
		return k.showPartner(c, p, shownPartner{access: values, fields: fields})
	}
	var user access.User
	var password string
	intent := audit.Entry{Event: audit.ServiceUserAdded, Object: audit.ObjectPartner, ObjectID: p.ID}
	err = k.act(c, intent, func(ctx context.Context) (err error) {
		user, password, err = k.admin.AddUser(ctx, p.ID, name, "")
		return err
	})
	if problem.Is(err, problem.Conflict) {
		taken := []problem.Field{{Path: "usuario", Code: "repetido",
			Message: "Já existe um usuário com este nome, neste parceiro ou em outro."}}
		return k.showPartner(c, p, shownPartner{access: values, fields: taken})
	}
	if err != nil {
		return err
	}
	return k.showPartner(c, p, shownPartner{flash: "Usuário criado.", secret: userSecret("O novo usuário", user.Name, password)})
}

// userSecret shows a new password. It is the only time: the service keeps a hash.
func userSecret(title, name, password string) *page.Secret {
	return &page.Secret{Title: title, Facts: []component.Copyable{{Label: "usuario", Value: name}, {Label: "senha", Value: password}}}
}

// userOf is the user that the address names, with its partner.
func (k *console) userOf(c echo.Context) (p access.Profile, user access.User, err error) {
	p, _, err = k.accessOf(c, "usuario", func(ctx context.Context, p access.Profile, id uuid.UUID) (bool, error) {
		users, err := k.admin.Users(ctx, p.ID)
		i := slices.IndexFunc(users, func(u access.User) bool { return u.ID == id })
		if i >= 0 {
			user = users[i]
		}
		return i >= 0, err
	})
	return p, user, err
}

// renewPassword serves POST /servico/parceiros/{uid}/usuarios/{usuario}/senha.
func (k *console) renewPassword(c echo.Context) error {
	p, user, err := k.userOf(c)
	if err != nil {
		return err
	}
	var password string
	intent := audit.Entry{Event: audit.ServiceUserPassword, Object: audit.ObjectServiceUser, ObjectID: user.ID, Detail: ofPartner(p)}
	err = k.act(c, intent, func(ctx context.Context) (err error) {
		password, err = k.admin.SetUserPassword(ctx, user, "")
		return err
	})
	if err != nil {
		return err
	}
	return k.showPartner(c, p, shownPartner{flash: "Senha trocada. A anterior e os tokens dela não valem mais.",
		secret: userSecret("A nova senha", user.Name, password)})
}
