package console

import (
	"strconv"
	"strings"
	"time"

	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// secondsOf returns a time-out as the form shows it, "" for the service's own.
func secondsOf(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return strings.Replace(strconv.FormatFloat(float64(d)/float64(time.Second), 'f', -1, 64), ".", ",", 1)
}

// flag is a yes or no as the form's boxes carry it: "S", or nothing when not ticked.
func flag(on bool) string {
	if on {
		return "S"
	}
	return ""
}

// showCredential draws the form of a credential with what was typed.
func (k *console) showCredential(c echo.Context, title string, isNew bool, typed typedCredential, fields []problem.Field) (err error) {
	cr := typed.credential
	view := page.ServiceCredentialView{New: isNew, Path: credentialsPath + "/" + cr.ID.String(), ID: cr.ID.String(),
		EligibilityID: cr.EligibilityID.String(),
		State:         stateOf(cr.Disabled), Disabled: cr.Disabled, Connectors: k.connectors(),
		Fields: page.Fields{Problems: problems(fields), Values: map[string]string{
			"nome": cr.Name, "codigoPrestador": cr.ProviderCode, "operadora": cr.Operator, "registroANS": cr.ANSRegister,
			"contratado": cr.Contractor,
			"cnes":       cr.CNES, "formatoCarteira": cr.CardPattern, "indicacaoClinica": cr.Indication, "tempoLimite": typed.timeout,
			"anexosObrigatorios": typed.codes, "validadeObrigatoria": flag(cr.ValidityRequired), "exigeBiometria": flag(cr.Biometrics),
			form.VersionField: typed.version}}}
	if view.Page, err = k.web.Frame(c, title); err != nil {
		return err
	}
	view.Failed = len(fields) > 0
	return k.web.Render(c, form.Status(fields), page.ServiceCredentialPage(view))
}

// connectors are the connected operators.
func (k *console) connectors() []component.Choice {
	var all []component.Choice
	for _, name := range k.admin.Operators() {
		all = append(all, component.Choice{Value: name, Label: name})
	}
	return all
}
