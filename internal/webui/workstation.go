package webui

import (
	"net/http"
	"slices"
	"strings"

	"guiche/internal/desk"
	"guiche/web/component"

	"github.com/labstack/echo/v4"
)

// workstationSuffix makes of the session cookie's name that of the workstation's.
const workstationSuffix = "-estacao"

// workstationFields are what a browser chose last, in the order of its cookie. They are identifiers
// of the clinic, and tell of no patient.
var workstationFields = []string{
	"unidadeId", "pontoAtendimentoId", "profissionalExecutanteId", "especialidadeExecutanteId", "pacienteNoLocal",
}

// workstation is what was last chosen in this browser, nil for nothing.
func (s *deskHandlers) workstation(c echo.Context) map[string]string {
	cookie, err := c.Cookie(s.sessions.cookie + workstationSuffix)
	if err != nil {
		return nil
	}
	parts := strings.Split(cookie.Value, ".")
	if len(parts) != len(workstationFields) {
		return nil
	}
	values := map[string]string{}
	for i, name := range workstationFields {
		values[name] = parts[i]
	}
	return values
}

// rememberWorkstation keeps what was chosen in a form that can be sent. Its path is that of
// every __Host- cookie.
func (s *deskHandlers) rememberWorkstation(c echo.Context, form desk.Form) {
	parts := make([]string, len(workstationFields))
	for i, name := range workstationFields {
		parts[i] = form.Values[name]
	}
	http.SetCookie(c.Response(), &http.Cookie{ //nolint:gosec // Secure wherever the pages come over https
		Name: s.sessions.cookie + workstationSuffix, Value: strings.Join(parts, "."), Path: "/", HttpOnly: true,
		Secure: s.secure, SameSite: http.SameSiteLaxMode, MaxAge: browserCookieLife})
}

// emptyForm chooses what leaves nothing to choose: a person's only unit and its only care
// point, the only professional and their only specialty; and else what was chosen last in this
// browser, or by the person.
func (s *deskHandlers) emptyForm(c echo.Context, choices formChoices) (desk.Form, error) {
	here := s.workstation(c)
	last, err := s.Desk.LastForm(c.Request().Context(), s.actor(c))
	if err != nil {
		return desk.Form{}, err
	}
	values := map[string]string{"siglaConselhoSolicitante": "CRM"}
	present := last.Values["pacienteNoLocal"]
	if here != nil {
		present = here["pacienteNoLocal"]
	}
	if present == "S" {
		values["pacienteNoLocal"] = "S"
	}
	set := func(name string, options []component.Choice, of string) string {
		value := preset(options, of, here[name], last.Values[name])
		if value == "" {
			return "-"
		}
		values[name] = value
		return value
	}
	set("pontoAtendimentoId", choices.carePoints, set("unidadeId", choices.units, ""))
	set("especialidadeExecutanteId", choices.specialties, set("profissionalExecutanteId", choices.professionals, ""))
	return desk.Form{Values: values}, nil
}

// preset is the first of the last choices that is still an option, or the only option; ""
// otherwise.
func preset(options []component.Choice, of string, last ...string) string {
	var found []string
	for _, o := range options {
		if o.Parent == of {
			found = append(found, o.Value)
		}
	}
	for _, value := range last {
		if slices.Contains(found, value) {
			return value
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}
