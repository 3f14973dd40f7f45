package webui

import (
	"errors"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/directory"
	"guiche/internal/problem"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// credentials serves GET and POST /cadastros/credenciais.
func (s *deskHandlers) credentials(c echo.Context) error {
	search, err := searched(c)
	if err != nil {
		return err
	}
	found, err := s.Directory.ListCredentials(c.Request().Context(), search.Text)
	if err != nil {
		return err
	}
	view := page.DirectoryListView{Path: credentialsPath, Caption: "Credenciais, pela operadora",
		SearchLabel: "Operadora ou código do prestador", Search: search.Text,
		Count: count(len(found), "credencial", "credenciais"), CanRefresh: true,
		Columns: []string{"Operadora", "Código do prestador", "O que exige"},
		EmptyText: "As credenciais vêm do serviço de autorização. Use “Atualizar do serviço”; as que ele não listar " +
			"chegam na primeira busca feita no formulário."}
	for _, cr := range found {
		view.Rows = append(view.Rows, credentialRow(cr))
	}
	return s.showDirectory(c, "Credenciais", view)
}

func credentialRow(c directory.Credential) page.DirectoryRow {
	href := credentialsPath + "/" + c.UID.String()
	if c.Damaged {
		return page.DirectoryRow{Href: href, Name: "Credencial danificada", Cells: []string{"", ""}, Damaged: true}
	}
	return page.DirectoryRow{Href: href, Name: c.Name, Cells: []string{c.ProviderCode, demands(c)}, Disabled: !c.Active}
}

// demands says what a credential's settings ask for.
func demands(c directory.Credential) string {
	var words []string
	for _, d := range []struct {
		on   bool
		word string
	}{
		{c.ValidityRequired, "validade da carteira"}, {c.CardPattern != "", "formato da carteira"},
		{c.Biometrics, "biometria"}, {c.Indication != "", "indicação clínica padrão"},
	} {
		if d.on {
			words = append(words, d.word)
		}
	}
	return strings.Join(words, ", ")
}

// askCredentials serves POST /cadastros/credenciais/atualizar. A service that
// cannot be asked is told like anything else that went on.
func (s *deskHandlers) askCredentials(c echo.Context) error {
	n, err := s.Directory.AskCredentials(c.Request().Context(), s.actor(c), s.Desk)
	var trouble *problem.Error
	if errors.As(err, &trouble) && trouble.Message != "" {
		return s.afterwards(c, nil, "Não deu para atualizar. "+trouble.Message, credentialsPath)
	}
	return s.afterwards(c, err, "O serviço listou "+count(n, "credencial", "credenciais")+".", credentialsPath)
}

// credential serves GET /cadastros/credenciais/{uid}.
func (s *deskHandlers) credential(c echo.Context) error {
	known, err := named(c, s.Directory.Credential)
	if err != nil {
		return err
	}
	return s.showCredential(c, known, known, nil)
}

// setCredential serves POST /cadastros/credenciais/{uid}.
func (s *deskHandlers) setCredential(c echo.Context) error {
	known, err := named(c, s.Directory.Credential)
	if err != nil {
		return err
	}
	f, err := posted(c)
	if err != nil {
		return err
	}
	typed := directory.Credential{UID: known.UID, ValidityRequired: f.Checked("validadeObrigatoria"), Biometrics: f.Checked("biometria"),
		CardPattern: f.Raw("padraoCarteira"), Indication: f.Raw("indicacaoClinica"), BiometricsHow: f.Raw("instrucoesBiometria"),
		Phone: f.Raw("telefone")}
	err = s.Directory.SetCredential(c.Request().Context(), s.actor(c), typed, seenVersion(c))
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showCredential(c, known, typed, fields)
	}
	return s.afterwards(c, err, savedWords, credentialsPath)
}

// showCredential shows the form of a credential's settings with what was typed.
func (s *deskHandlers) showCredential(c echo.Context, known, typed directory.Credential, fields []problem.Field) error {
	e := page.DirectoryEntry{Heading: known.Name, Disabled: !known.Active, ID: known.UID.String(), Version: version.Of(known),
		List: component.Link{Href: credentialsPath, Text: "Credenciais"},
		Fields: page.Fields{Values: map[string]string{"validadeObrigatoria": authorization.Flag(typed.ValidityRequired),
			"biometria":      authorization.Flag(typed.Biometrics),
			"padraoCarteira": typed.CardPattern, "indicacaoClinica": typed.Indication,
			"instrucoesBiometria": typed.BiometricsHow, "telefone": typed.Phone}}}
	if known.ProviderCode != "" {
		e.Detail = "código do prestador " + known.ProviderCode
	}
	e, err := s.entryFrame(c, e, fields)
	if err != nil {
		return err
	}
	return s.render(c, form.Status(fields), page.CredentialPage(page.CredentialView{DirectoryEntry: e}))
}
