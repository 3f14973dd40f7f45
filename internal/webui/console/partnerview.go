package console

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// word is how the form names a method: for people, and as it is on the wire.
type word struct{ label, detail string }

var methodWords = map[access.Method]word{
	access.MethodAPIKey:   {"Chave de API", "cabeçalho x-api-key"},
	access.MethodPassword: {"Usuário e senha", "token de /api/v1/auth/login"},
	access.MethodOAuth:    {"Cliente OAuth", "token de /oauth/token"},
}

var scopeWords = map[access.Scope]string{
	access.ReadCredentials:      "Buscar credenciais",
	access.ReadDirectory:        "Ler unidades e profissionais",
	access.ReadEligibility:      "Conferir elegibilidade",
	access.CreateAuthorizations: "Pedir autorizações",
	access.ReadAuthorizations:   "Consultar autorizações",
	access.ChangeAuthorizations: "Anexar, colher biometria e cancelar",
}

// methodOptions offers every way to authenticate, those that are on ticked.
func methodOptions(on []access.Method) []page.Option {
	var all []page.Option
	for _, m := range access.Methods() {
		all = append(all, page.Option{Value: string(m), Label: methodWords[m].label, Detail: methodWords[m].detail, On: slices.Contains(on, m)})
	}
	return all
}

// scopeOptions offers every scope, those that are on ticked; the word of the wire stands
// beside each, because partners quote it when a request is refused.
func scopeOptions(on []access.Scope) []page.Option {
	var all []page.Option
	for _, s := range access.Scopes() {
		all = append(all, page.Option{Value: string(s), Label: scopeWords[s], Detail: string(s), On: slices.Contains(on, s)})
	}
	return all
}

// methodNames lists methods by their names on screen.
func methodNames(methods []access.Method) string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = methodWords[m].label
	}
	return strings.Join(names, ", ")
}

// scopeCount says how much a partner may do: a list of scopes would not fit in a row.
func scopeCount(scopes []access.Scope) string {
	if len(scopes) == len(access.Scopes()) {
		return "tudo"
	}
	return strconv.Itoa(len(scopes)) + " de " + count(len(access.Scopes()), "permissão", "permissões")
}

// rateWords puts the limit of requests into words; 0 is no limit.
func rateWords(rate int) string {
	if rate == 0 {
		return "sem limite"
	}
	return strconv.Itoa(rate) + " por minuto"
}

// partnerState is how the list shows a partner. The desk's own is permanent: disabled,
// it would stop the desk that runs with the service.
func partnerState(p access.Profile) component.Situation {
	if p.Permanent() {
		return component.Situation{Label: "permanente"}
	}
	return stateOf(p.Disabled)
}

// shownPartner is what an act adds to a partner's page.
type shownPartner struct {
	secret *page.Secret
	flash  string
	typed  *typedPartner // instead of what is kept, after a problem with the partner's form
	access url.Values    // typed into a form that adds an access, after a problem with it
	fields []problem.Field
}

// showPartner draws the page of a partner.
func (k *console) showPartner(c echo.Context, p access.Profile, shown shownPartner) error {
	typed := typedPartner{profile: p, rate: strconv.Itoa(p.Rate), version: version.Of(p)}
	if shown.typed != nil {
		typed = *shown.typed
	}
	view := page.PartnerView{Fields: typed.shown(shown.fields), Methods: methodOptions(typed.profile.Methods),
		Scopes: scopeOptions(typed.profile.Scopes),
		Fixed:  p.Permanent(), Path: partnersPath + "/" + p.ID.String(), ID: p.ID.String(), State: partnerState(p),
		Disabled: p.Disabled, Shown: shown.secret}
	for name := range shown.access {
		view.Values[name] = shown.access.Get(name)
	}
	var err error
	if view.Accesses, err = k.accesses(c.Request().Context(), p, view.Path); err != nil {
		return err
	}
	if view.Sessions, err = k.sessionWords(c, p); err != nil {
		return err
	}
	if view.Page, err = k.web.Frame(c, p.Name); err != nil {
		return err
	}
	view.Failed = len(shown.fields) > 0
	if shown.flash != "" {
		view.Flash = shown.flash
	}
	return k.web.Render(c, form.Status(shown.fields), page.PartnerPage(view))
}
