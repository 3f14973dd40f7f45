package webui

import (
	"slices"

	"guiche/internal/connection"
	"guiche/internal/egress"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"
)

// connectionView shapes the connection for the page; typed is nil where nothing was
// typed.
func (s *deskHandlers) connectionView(state connection.State, typed *form.Form) page.ConnectionView {
	view := page.ConnectionView{
		Fields: page.Fields{Values: state.Form()}, Settings: map[string][]page.Setting{}, Usual: connection.Defaults().Form(),
		Fixed: state.Fixed, Service: "serviço embutido", Stored: map[string]string{}, Lost: state.Lost,
	}
	for _, g := range connection.Groups() {
		for _, f := range connection.FieldsOf(g) {
			view.Settings[string(g)] = append(view.Settings[string(g)], connectionSettings(f)...)
		}
	}
	if !state.Embedded {
		view.Service = state.Host()
	}
	view.Route = s.routeFacts(state.Route)
	for method, at := range state.Secrets {
		view.Stored[connection.FieldSecret(method)] = "Guardada em " + at.In(s.Zone).Format("02/01/2006")
	}
	if typed == nil {
		return view
	}
	for name := range view.Values {
		if state.Fixed[name] == "" {
			view.Values[name] = typed.Raw(name)
		}
	}
	return view
}

// routeFacts tell how connections leave the network, where it is not a direct one.
func (s *deskHandlers) routeFacts(r egress.Route) (facts []page.Fact) {
	if r.Proxy != nil {
		facts = append(facts, page.Fact{Term: "Proxy", Value: r.Proxy.String()})
	}
	if r.Authorities == nil {
		return facts
	}
	file, own := r.Authorities.Own()
	facts = append(facts, page.Fact{Term: "Certificados", Value: file, Detail: "além dos do sistema"})
	for _, a := range own {
		facts = append(facts, page.Fact{Term: "Autoridade", Value: a.Name, Detail: "até " + a.Until.In(s.Zone).Format("02/01/2006")})
	}
	return facts
}

// widths are those of the page.
var widths = map[connection.Width]page.Width{connection.Short: page.WidthShort, connection.Wide: page.WidthWide}

// connectionSettings shapes a setting for the page: one input, or one for each mark.
func connectionSettings(f connection.Field) []page.Setting {
	if f.Kind == connection.Marks {
		var marks []page.Setting
		for i, name := range f.Inputs() {
			marks = append(marks, page.Setting{Field: component.Field{Name: name, Label: f.Choices[i].Label}, Mark: true})
		}
		return marks
	}
	setting := page.Setting{
		Width: widths[f.Width], Mark: f.Kind == connection.AllowedHost,
		Field: component.Field{
			Name: f.Name, Label: f.Label, Hint: f.Hint, Placeholder: f.Placeholder, Optional: f.Optional,
			Code:   slices.Contains([]connection.Kind{connection.Word, connection.Words, connection.Path, connection.Address}, f.Kind),
			Digits: slices.Contains([]connection.Kind{connection.Number, connection.Megabytes, connection.Seconds, connection.Minutes}, f.Kind),
		},
	}
	for _, c := range f.Choices {
		setting.Choices = append(setting.Choices, component.Choice{Value: c.Value, Label: c.Label})
	}
	return []page.Setting{setting}
}

// stepNames name the steps of a test.
var stepNames = map[connection.StepName]string{connection.StepResolve: "Nome", connection.StepConnect: "Conexão segura",
	connection.StepLogin: "Entrada", connection.StepSearch: "Busca de credenciais", connection.StepFeatures: "Recursos",
	connection.StepLists: "Unidades e executantes", connection.StepEligibility: "Elegibilidade"}

// stepResults say how a step went.
var stepResults = map[connection.Result]page.ConnectionStep{
	connection.Passed:  {Word: "certo", Icon: "check-lg", Tone: component.ToneSuccess},
	connection.Failed:  {Word: "falhou", Icon: "x-octagon", Tone: component.ToneError},
	connection.Skipped: {Word: "sem teste", Icon: "dash-lg", Tone: component.ToneNeutral},
}

// connectionSteps shapes what a test found.
func connectionSteps(steps []connection.Step) []page.ConnectionStep {
	var shown []page.ConnectionStep
	for _, step := range steps {
		s := stepResults[step.Result]
		s.Name, s.Text = stepNames[step.Name], step.Message
		shown = append(shown, s)
	}
	return shown
}
