package console

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// partners serves GET /servico/parceiros.
func (k *console) partners(c echo.Context) error {
	all, err := k.admin.Profiles(c.Request().Context())
	if err != nil {
		return err
	}
	view := page.ConsoleListView{Path: partnersPath, Caption: "Parceiros, pelo nome",
		Purpose:   "os sistemas que pedem autorizações a este serviço",
		New:       component.Link{Href: partnersPath + "/novo", Text: "Novo parceiro"},
		Columns:   []string{"Nome", "Como entra", "O que pode", "Limite"},
		EmptyText: "Crie um parceiro para cada sistema que vai pedir autorizações por aqui."}
	for _, p := range all {
		view.Rows = append(view.Rows, page.ConsoleRow{Href: partnersPath + "/" + p.ID.String(), Name: p.Name,
			Cells: []string{methodNames(p.Methods), scopeCount(p.Scopes), rateWords(p.Rate)}, State: partnerState(p)})
	}
	if view.Page, err = k.web.Frame(c, "Parceiros"); err != nil {
		return err
	}
	return k.web.Render(c, http.StatusOK, page.ConsoleListPage(view))
}

// newPartner serves GET /servico/parceiros/novo: by key, with all that a desk
// needs.
func (k *console) newPartner(c echo.Context) error {
	return k.showNewPartner(c, typedPartner{profile: access.Profile{Methods: []access.Method{access.MethodAPIKey},
		Scopes: access.Scopes()}, rate: "0"}, nil)
}

// showNewPartner answers GET and POST /servico/parceiros/novo with the form: an ordinary
// one, or 422 with what was typed and the fields to correct.
func (k *console) showNewPartner(c echo.Context, typed typedPartner, fields []problem.Field) (err error) {
	view := page.PartnerView{New: true, Fields: typed.shown(fields), Methods: methodOptions(typed.profile.Methods),
		Scopes: scopeOptions(typed.profile.Scopes)}
	if view.Page, err = k.web.Frame(c, "Novo parceiro"); err != nil {
		return err
	}
	view.Failed = len(fields) > 0
	return k.web.Render(c, form.Status(fields), page.PartnerPage(view))
}

// typedPartner is what a partner's form sent.
type typedPartner struct {
	profile access.Profile
	rate    string // as typed
	version string // of what the page shows; "" of a new one
}

// shown are the typed values and their problems as the form shows them. The limit is the
// text as typed, so that the person sees what was refused.
func (t typedPartner) shown(fields []problem.Field) page.Fields {
	values := map[string]string{"nome": t.profile.Name, "limite": t.rate, form.VersionField: t.version}
	return page.Fields{Values: values, Problems: problems(fields)}
}

// readPartner reads a partner's form; a rate that is no number is out of bounds.
func readPartner(f *form.Form, id uuid.UUID) typedPartner {
	return typedPartner{rate: f.Text("limite"), profile: access.Profile{ID: id, Name: f.Line("nome"), Rate: f.Int("limite"),
		Methods: form.Words[access.Method](f, "metodos"), Scopes: form.Words[access.Scope](f, "escopos")}}
}

// addPartner serves POST /servico/parceiros/novo.
func (k *console) addPartner(c echo.Context) error {
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	typed := readPartner(form.New(values), uuid.Must(uuid.NewV7()))
	err = k.keepPartner(c, audit.PartnerAdded, typed.profile, func(ctx context.Context) error {
		return k.admin.PutProfile(ctx, typed.profile)
	})
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return k.showNewPartner(c, typed, fields)
	}
	if err != nil {
		return err
	}
	return k.web.Afterwards(c, "Parceiro criado. Falta dar a ele um acesso.", partnersPath+"/"+typed.profile.ID.String())
}

// keepPartner checks a profile, notes the intent and has it kept.
func (k *console) keepPartner(c echo.Context, event audit.Event, p access.Profile, keep func(context.Context) error) error {
	if err := k.admin.CheckProfile(c.Request().Context(), p); err != nil {
		return err
	}
	intent := audit.Entry{Event: event, Object: audit.ObjectPartner, ObjectID: p.ID,
		Detail: "metodos=" + words(p.Methods) + " escopos=" + words(p.Scopes) + " limite=" + strconv.Itoa(p.Rate)}
	return k.act(c, intent, keep)
}

// words joins the words of methods or scopes for the detail of an audit entry.
func words[T ~string](all []T) string {
	texts := make([]string, len(all))
	for i, w := range all {
		texts[i] = string(w)
	}
	return strings.Join(texts, ",")
}

// profileOf is the profile that the address names.
func (k *console) profileOf(c echo.Context) (access.Profile, error) {
	uid, err := param(c, "uid")
	if err != nil {
		return access.Profile{}, err
	}
	return k.admin.Profile(c.Request().Context(), uid)
}

// openProfile is the profile that the address names, where its accesses may be
// changed by hand.
func (k *console) openProfile(c echo.Context) (access.Profile, error) {
	p, err := k.profileOf(c)
	if err == nil {
		err = k.admin.CheckOpen(p)
	}
	return p, err
}

// partner serves GET /servico/parceiros/{uid}.
func (k *console) partner(c echo.Context) error {
	p, err := k.profileOf(c)
	if err != nil {
		return err
	}
	return k.showPartner(c, p, shownPartner{})
}

// changePartner serves POST /servico/parceiros/{uid}.
func (k *console) changePartner(c echo.Context) error {
	kept, err := k.openProfile(c)
	if err != nil {
		return err
	}
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	f := form.New(values)
	typed := readPartner(f, kept.ID)
	seen := f.Raw(form.VersionField)
	if err = version.Check(seen, kept); err == nil {
		err = k.keepPartner(c, audit.PartnerChanged, typed.profile, func(ctx context.Context) error {
			return k.overwrite(ctx, typed.profile, seen)
		})
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		typed.version = form.VersionToSend(seen, version.Of(kept), fields)
		return k.showPartner(c, kept, shownPartner{typed: &typed, fields: fields})
	}
	if err != nil {
		return err
	}
	return k.web.Afterwards(c, "Guardado. Vale para o próximo pedido dele.", partnersPath+"/"+kept.ID.String())
}

// overwrite keeps what was typed about a partner over what the person saw. Whether it is in use
// is no matter of the form: a partner that was disabled meanwhile stays so.
func (k *console) overwrite(ctx context.Context, typed access.Profile, seen string) error {
	return k.admin.ChangeProfile(ctx, typed.ID, func(now access.Profile) (access.Profile, error) {
		typed.Disabled = now.Disabled
		return typed, version.Check(seen, now)
	})
}
