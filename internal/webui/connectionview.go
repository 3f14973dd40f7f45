package webui

import (
	"net/url"
	"strconv"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/connection"
	"guiche/web/component"
	"guiche/web/page"
)

// connectionView shapes the connection for the page; typed is nil where nothing
// was.
func (s *deskHandlers) connectionView(state connection.State, typed url.Values) page.ConnectionView {
	view := page.ConnectionView{Fields: page.Fields{Values: connectionValues(state.Settings)}, Service: "serviço embutido", Outside: state.Fixed,
		Stored: map[string]string{}, Lost: state.Lost, Methods: methodChoices(), Features: featureChoices(), Usual: connectionValues(connection.Defaults())}
	if !state.Embedded {
		view.Service = state.Host()
	}
	for method, at := range state.Secrets {
		view.Stored[connection.FieldSecret(method)] = "Guardada em " + at.In(s.Zone).Format("02/01/2006")
	}
	if typed == nil {
		return view
	}
	for name := range view.Values {
		if state.Fixed[name] == "" {
			view.Values[name] = typed.Get(name)
		}
	}
	return view
}

// connectionValues are the settings as the form has them; of secrets there is
// nothing.
func connectionValues(s connection.Settings) map[string]string {
	values := map[string]string{
		connection.FieldEmbedded: "embutido", connection.FieldBaseURL: s.BaseURL, connection.FieldInternal: authorization.Flag(s.InternalHost != ""),
		connection.FieldMethod: string(s.Method), connection.FieldUser: s.User, connection.FieldLoginPath: s.LoginPath,
		connection.FieldUserName: s.UserField, connection.FieldPassName: s.PasswordField, connection.FieldRefreshPath: s.RefreshPath,
		connection.FieldClientID: s.ClientID, connection.FieldTokenPath: s.TokenPath, connection.FieldScope: s.Scope, connection.FieldClientBasic: "formulario",
		connection.FieldUnits: s.UnitsPath, connection.FieldProfessionals: s.ProfessionalsPath,
		connection.FieldEligibility: string(s.Eligibility), connection.FieldEligiblePath: s.EligibilityPath,
		connection.FieldUploadFiles: strconv.Itoa(s.UploadFiles), connection.FieldUploadFile: megabytes(s.UploadFile), connection.FieldUploadTotal: megabytes(s.UploadTotal),
		connection.FieldAttachments: s.Attachments, connection.FieldByHand: "anunciados",
		connection.FieldConnect: units(s.Connect, time.Second), connection.FieldQuery: units(s.Query, time.Second),
		connection.FieldAnswer: units(s.Answer, time.Second), connection.FieldDeadline: units(s.Deadline, time.Minute),
	}
	if !s.Embedded {
		values[connection.FieldEmbedded] = "outro"
	}
	if s.ClientBasic {
		values[connection.FieldClientBasic] = "basic"
	}
	if s.ByHand {
		values[connection.FieldByHand] = "manual"
	}
	for _, word := range connection.FeatureNames() {
		values[connection.FieldFeatures+"."+word] = "N"
	}
	for _, word := range s.Features {
		values[connection.FieldFeatures+"."+word] = "S"
	}
	return values
}

// units writes a time as a number of units.
func units(d, unit time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(unit), 'f', -1, 64)
}

func megabytes(bytes int64) string { return strconv.FormatInt(bytes>>20, 10) }

func methodChoices() []component.Choice {
	labels := map[connection.Method]string{connection.APIKey: "Chave de API", connection.Password: "Usuário e senha", connection.OAuth: "Cliente OAuth 2.0"}
	var choices []component.Choice
	for _, m := range connection.Methods() {
		choices = append(choices, component.Choice{Value: string(m), Label: labels[m]})
	}
	return choices
}

func featureChoices() []component.Choice {
	labels := map[string]string{
		"idempotencia": "Repetição segura", "situacao": "Situação depois", "consulta-por-guia": "Consulta por guia", "anexos": "Anexos depois",
		"biometria": "Biometria", "cancelamento": "Cancelamento", "elegibilidade": "Elegibilidade", "cadastros": "Unidades e profissionais",
	}
	var choices []component.Choice
	for _, word := range connection.FeatureNames() {
		choices = append(choices, component.Choice{Value: word, Label: labels[word]})
	}
	return choices
}

// connectionSteps shapes what a test found.
func connectionSteps(steps []connection.Step) []page.ConnectionStep {
	names := map[connection.StepName]string{connection.StepResolve: "Nome", connection.StepConnect: "Conexão segura", connection.StepLogin: "Entrada",
		connection.StepSearch: "Busca de credenciais", connection.StepFeatures: "Recursos", connection.StepLists: "Unidades e executantes",
		connection.StepEligibility: "Elegibilidade"}
	results := map[connection.Result]page.ConnectionStep{
		connection.Passed:  {Word: "certo", Icon: "check-lg", Tone: component.ToneSuccess},
		connection.Failed:  {Word: "falhou", Icon: "x-octagon", Tone: component.ToneError},
		connection.Skipped: {Word: "sem teste", Icon: "dash-lg", Tone: component.ToneNeutral},
	}
	var shown []page.ConnectionStep
	for _, step := range steps {
		s := results[step.Result]
		s.Name, s.Text = names[step.Name], step.Message
		shown = append(shown, s)
	}
	return shown
}
