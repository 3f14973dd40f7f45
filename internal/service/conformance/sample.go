package conformance

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// learnt is what checks found out and others use, so that a service is asked once.
type learnt struct {
	ids       *ids
	full      *answer // to a request with every property of 2.3
	fullBody  object
	sparse    *answer // to one without those that have defaults
	twoGuides *answer
	bearer    string
}

// ids name the parts of a request; a part that is not known is empty.
type ids struct {
	credential, unit, point, professional string
	specialty                             any
}

// ids takes identifiers from the configuration, or from the service.
func (c *Case) ids() ids {
	if c.learnt.ids != nil {
		return *c.learnt.ids
	}
	out := ids{credential: c.config.CredentialID, unit: c.config.UnitID, point: c.config.CarePointID,
		professional: c.config.ProfessionalID, specialty: c.config.SpecialtyID}
	if out.credential == "" {
		out.credential = c.get(credentialsPath + "?Busca=").string("data.items.0.id")
	}
	if out.unit == "" && c.config.UnitsPath != "" {
		units := c.get(c.config.UnitsPath)
		out.unit, out.point = units.string("data.items.0.id"), units.string("data.items.0.pontosAtendimento.0.id")
	}
	if out.professional == "" && c.config.ProfessionalsPath != "" {
		professionals := c.get(c.config.ProfessionalsPath)
		out.professional, out.specialty = professionals.string("data.items.0.id"), professionals.at("data.items.0.especialidades.0.id")
	}
	if out.credential == "" || out.unit == "" || out.point == "" || out.professional == "" {
		c.untried("no identifiers: give credential_id, unit_id, care_point_id, professional_id and specialty_id, or the paths that list them")
	}
	c.learnt.ids = &out
	return out
}

// request is a body with every property of 2.3 and 2.4.
func (c *Case) request() object {
	if c.config.Card == "" {
		c.untried("no card")
	}
	known := c.ids()
	r := object{
		"credencialId": known.credential, "numeroCarteira": c.config.Card, "validadeCarteira": c.inDays(365),
		"nomeBeneficiario":  "HELENA DUARTE CANARIO",
		"planoBeneficiario": "", "atendimentoRN": "N", "nomeRecemNascido": "", "dataNascimentoRecemNascido": nil, "pacienteNoLocal": "N",
		"unidadeId": known.unit, "pontoAtendimentoId": known.point,
		"nomeSolicitante": "Caio Leme", "ufSolicitante": "SP", "crmSolicitante": "104552", "siglaConselhoSolicitante": "CRM",
		"profissionalExecutanteId": known.professional, "especialidadeExecutanteId": known.specialty,
		"tipoAcidente": "9", "guiaPrestador": c.guideNumber(), "regimeAtendimento": "E", "tipoAtendimento": "05", "observacoes": nil,
		"indicacaoClinica": "Investigação diagnóstica", "retorno": "N", "anexos": []any{},
		"procedimentos": []any{procedure("40316521", "TSH", 1)},
		"nomeContato":   "Helena Duarte", "dddContato": "11", "telefoneContato": "987650000", "emailContato": "helena@example.com",
	}
	maps.Copy(r, c.config.Request)
	return r
}

// procedure is one requested procedure, with its names as on the wire.
func procedure(code, name string, quantity int) object {
	return object{"nomeProcedimento": name, "codigoProcedimento": code, "quantidade": quantity}
}

// without returns a copy of a body that lacks properties.
func without(r object, names ...string) object {
	r = maps.Clone(r)
	for _, name := range names {
		delete(r, name)
	}
	return r
}

// with returns a copy of a body with a property.
func with(r object, name string, value any) object {
	r = maps.Clone(r)
	r[name] = value
	return r
}

// guideNumber is a guiaPrestador that nobody else has: 20 digits, the time first.
func (c *Case) guideNumber() string {
	digits := make([]byte, 8)
	_, _ = rand.Read(digits) // never fails
	for i := range digits {
		digits[i] = '0' + digits[i]%10
	}
	return c.clock().Format("060102150405") + string(digits)
}

// inDays is a date-time without zone (2.3), so many days from now.
func (c *Case) inDays(n int) string {
	return c.clock().AddDate(0, 0, n).Format("2006-01-02") + "T00:00:00"
}

// authorize sends a request to 4.2.
func (c *Case) authorize(body any, headers ...string) answer {
	return c.post(authorizePath, body, headers...)
}

// accepted fails unless the operator was asked: an authorization came back.
func (c *Case) accepted(a answer) answer {
	if len(a.entries()) == 0 {
		c.fatalf("no authorization came back: %s", a.told())
	}
	return a
}

// full is the answer to a request with every property.
func (c *Case) full() answer {
	if c.learnt.full == nil {
		c.learnt.fullBody = c.request()
		a := c.authorize(c.learnt.fullBody)
		c.learnt.full = &a
	}
	return c.accepted(*c.learnt.full)
}

// defaulted are the properties that have a default or are made up when they are
// omitted (2.3).
var defaulted = []string{"atendimentoRN", "nomeRecemNascido", "dataNascimentoRecemNascido", "pacienteNoLocal",
	"tipoAcidente", "guiaPrestador",
	"regimeAtendimento", "tipoAtendimento", "indicacaoClinica", "retorno"}

// sparse is the answer to a request without them.
func (c *Case) sparse() answer {
	if c.learnt.sparse == nil {
		a := c.authorize(without(c.request(), defaulted...))
		c.learnt.sparse = &a
	}
	return c.accepted(*c.learnt.sparse)
}

// twoGuides is an answer with two guides.
func (c *Case) twoGuides() answer {
	if c.config.CardTwoGuides == "" {
		c.untried("no card_two_guides")
	}
	if c.learnt.twoGuides == nil {
		r := with(c.request(), "numeroCarteira", c.config.CardTwoGuides)
		a := c.authorize(with(r, "procedimentos", []any{procedure("40316521", "TSH", 1), procedure("40304361", "Hemograma", 2)}))
		c.learnt.twoGuides = &a
	}
	return c.accepted(*c.learnt.twoGuides)
}

// session is what login and refresh hand out (4.6, 4.8).
type session struct{ access, refresh string }

// login is the user and the operation that logs in.
func (c *Case) login() Login {
	if c.config.Login == nil {
		c.untried("no login")
	}
	return *c.config.Login
}

// logIn opens a new session.
func (c *Case) logIn() answer {
	login := c.login()
	return c.post(login.Path, object{login.UserField: login.User, login.PasswordField: login.Password}, "Authorization", "")
}

// token is a bearer token of whatever kind the configuration has.
func (c *Case) token() string {
	if c.learnt.bearer == "" && c.config.OAuth != nil {
		c.learnt.bearer = c.grant().string("access_token")
	}
	if c.learnt.bearer == "" {
		c.learnt.bearer = tokens(c.logIn()).access
	}
	if c.learnt.bearer == "" {
		c.fatalf("no bearer token was handed out")
	}
	return c.learnt.bearer
}

// grant asks for a token with the client's credentials (4.7); more are further
// form fields, name and value.
func (c *Case) grant(more ...string) answer {
	if c.config.OAuth == nil {
		c.untried("no oauth")
	}
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {c.config.OAuth.ClientID},
		"client_secret": {c.config.OAuth.ClientSecret}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return c.form(form)
}

// form posts a form without the run's own authentication: the token endpoint has its
// own.
func (c *Case) form(form url.Values, headers ...string) answer {
	return c.ask("POST", tokenPath, []byte(form.Encode()),
		append([]string{"Content-Type", "application/x-www-form-urlencoded", "Authorization", ""}, headers...)...)
}

// tokens reads a session out of any shape: in data or beside it, in snake or camel
// case (4.6 shows none).
func tokens(a answer) session {
	return session{access: tokenMember(a, "access_token", "accessToken", "token"), refresh: tokenMember(a, "refresh_token", "refreshToken")}
}

func tokenMember(a answer, names ...string) string {
	for _, name := range names {
		for _, path := range []string{"data." + name, name} {
			if s := a.string(path); s != "" {
				return s
			}
		}
	}
	return ""
}

// seconds reads a lifetime out of any shape.
func seconds(a answer, names ...string) (int64, bool) {
	for _, name := range names {
		for _, path := range []string{"data." + name, name} {
			if n, ok := a.at(path).(json.Number); ok {
				value, err := n.Int64()
				return value, err == nil
			}
		}
	}
	return 0, false
}

func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

// members names the properties of an object, for reports.
func members(v any) string {
	o, ok := v.(object)
	if !ok {
		return quote(v)
	}
	return strings.Join(sortedNames(o), ", ")
}

func sortedNames(o object) []string { return slices.Sorted(maps.Keys(o)) }
