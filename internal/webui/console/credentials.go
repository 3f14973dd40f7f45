package console

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/admin"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// credentialRows is how many credentials a page shows.
const credentialRows = 50

// credentials serves GET and POST /servico/credenciais.
func (k *console) credentials(c echo.Context) error {
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	search := form.ReadSearch(values)
	found, err := k.admin.Credentials(c.Request().Context(), service.CredentialQuery{Text: search.Text, Page: search.Page,
		Size: credentialRows, Disabled: true})
	if err != nil {
		return err
	}
	view := page.ConsoleListView{Path: credentialsPath, Caption: "Credenciais, pela operadora",
		Purpose:     "os códigos da clínica em cada operadora",
		SearchLabel: "Operadora ou código do prestador", Search: search.Text, New: component.Link{Href: credentialsPath + "/nova",
			Text: "Nova credencial"},
		Columns:   []string{"Operadora", "Código do prestador", "Conector", "O que exige"},
		Pages:     page.PagesOf(search.Page, credentialRows, found.Total),
		EmptyText: "Crie uma credencial para cada operadora em que a clínica é credenciada."}
	for _, cr := range found.Items {
		view.Rows = append(view.Rows, page.ConsoleRow{Href: credentialsPath + "/" + cr.ID.String(), Name: cr.Name,
			Cells: []string{cr.ProviderCode, k.connectorWords(cr.Operator), demands(cr)}, State: stateOf(cr.Disabled)})
	}
	if view.Page, err = k.web.Frame(c, "Credenciais"); err != nil {
		return err
	}
	return k.web.Render(c, http.StatusOK, page.ConsoleListPage(view))
}

// connectorWords names a connector, and says when it is not there.
func (k *console) connectorWords(operator string) string {
	if slices.Contains(k.admin.Operators(), operator) {
		return operator
	}
	return operator + " (não conectado)"
}

// demands says what a credential's settings ask for.
func demands(c service.Credential) string {
	var words []string
	for _, d := range []struct {
		on   bool
		word string
	}{
		{c.ValidityRequired, "validade da carteira"}, {c.CardPattern != "", "padrão da carteira"},
		{len(c.AttachmentsFor) > 0, "anexos"}, {c.Biometrics, "biometria"}, {c.Indication != "", "indicação clínica padrão"},
	} {
		if d.on {
			words = append(words, d.word)
		}
	}
	return strings.Join(words, ", ")
}

// typedCredential is what a credential's form sent.
type typedCredential struct {
	credential service.Credential
	timeout    string // seconds, as typed
	codes      string // of procedures, as typed
	version    string // of what the page shows; "" of a new one
}

// readCredential reads a credential's form over what is kept; a time that is no
// number of seconds is out of bounds.
func readCredential(f *form.Form, kept service.Credential) typedCredential {
	t := typedCredential{timeout: f.Text("tempoLimite"), codes: f.Text("anexosObrigatorios"), credential: kept}
	c := &t.credential
	c.Name, c.ProviderCode, c.Operator = f.Line("nome"), f.Line("codigoPrestador"), f.Raw("operadora")
	c.ANSRegister, c.Contractor, c.CNES = f.Line("registroANS"), f.Line("contratado"), f.Line("cnes")
	c.CardPattern, c.Indication = f.Text("formatoCarteira"), f.Text("indicacaoClinica")
	c.ValidityRequired, c.Biometrics = f.Checked("validadeObrigatoria"), f.Checked("exigeBiometria")
	c.Timeout, c.AttachmentsFor = f.Seconds("tempoLimite", admin.MaxOperatorTimeout), f.Codes("anexosObrigatorios")
	return t
}

// newCredential serves GET /servico/credenciais/nova.
func (k *console) newCredential(c echo.Context) error {
	var typed typedCredential
	if all := k.admin.Operators(); len(all) == 1 {
		typed.credential.Operator = all[0]
	}
	return k.showCredential(c, "Nova credencial", true, typed, nil)
}

// addCredential serves POST /servico/credenciais/nova.
func (k *console) addCredential(c echo.Context) error {
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	typed := readCredential(form.New(values), service.Credential{ID: uuid.Must(uuid.NewV7()), EligibilityID: uuid.Must(uuid.NewV7())})
	err = k.keepCredential(c, audit.ServiceCredentialAdded, typed.credential, func(ctx context.Context) error {
		return k.admin.PutCredential(ctx, typed.credential)
	})
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return k.showCredential(c, "Nova credencial", true, typed, fields)
	}
	if err != nil {
		return err
	}
	return k.web.Afterwards(c, "Credencial criada. A busca já a encontra.", credentialsPath+"/"+typed.credential.ID.String())
}

// keepCredential checks a credential, notes the intent and has it kept.
func (k *console) keepCredential(c echo.Context, event audit.Event, cr service.Credential, keep func(context.Context) error) error {
	if err := k.admin.CheckCredential(c.Request().Context(), cr); err != nil {
		return err
	}
	return k.act(c, audit.Entry{Event: event, Object: audit.ObjectServiceCredential, ObjectID: cr.ID}, keep)
}

// credentialOf is the credential that the address names.
func (k *console) credentialOf(c echo.Context) (service.Credential, error) {
	uid, err := param(c, "uid")
	if err != nil {
		return service.Credential{}, err
	}
	return k.admin.Credential(c.Request().Context(), uid)
}

// credential serves GET /servico/credenciais/{uid}.
func (k *console) credential(c echo.Context) error {
	cr, err := k.credentialOf(c)
	if err != nil {
		return err
	}
	kept := typedCredential{cr, secondsOf(cr.Timeout), strings.Join(cr.AttachmentsFor, "\n"), version.Of(cr)}
	return k.showCredential(c, cr.Name, false, kept, nil)
}

// changeCredential serves POST /servico/credenciais/{uid}.
func (k *console) changeCredential(c echo.Context) error {
	kept, err := k.credentialOf(c)
	if err != nil {
		return err
	}
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	f := form.New(values)
	typed, seen := readCredential(f, kept), f.Raw(form.VersionField)
	if err = version.Check(seen, kept); err == nil {
		err = k.keepCredential(c, audit.ServiceCredentialChanged, typed.credential, func(ctx context.Context) error {
			return k.admin.ChangeCredential(ctx, kept.ID, func(now service.Credential) (service.Credential, error) {
				kept = now
				return readCredential(f, now).credential, version.Check(seen, now)
			})
		})
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		typed.version = form.VersionToSend(seen, version.Of(kept), fields)
		return k.showCredential(c, kept.Name, false, typed, fields)
	}
	if err != nil {
		return err
	}
	return k.web.Afterwards(c, "Guardado. Vale para o próximo pedido.", credentialsPath+"/"+kept.ID.String())
}
