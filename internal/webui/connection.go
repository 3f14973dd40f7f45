package webui

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"guiche/internal/connection"
	"guiche/internal/problem"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

const connectionPath = "/servico/conexao"

// connection serves GET /servico/conexao.
func (s *deskHandlers) connection(c echo.Context) error {
	return s.showConnection(c, nil, nil, page.ConnectionTest{})
}

// setConnection serves POST /servico/conexao.
func (s *deskHandlers) setConnection(c echo.Context) error {
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	err = s.Connection.Change(c.Request().Context(), s.current(c).Actor(), readConnection(values))
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showConnection(c, values, fields, page.ConnectionTest{})
	}
	return s.afterwards(c, err, "Guardado. Vale já para o próximo envio.", connectionPath)
}

// testConnection serves POST /servico/conexao/testar: what is typed is tried and
// not kept.
func (s *deskHandlers) testConnection(c echo.Context) error {
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	steps, err := s.Connection.Test(c.Request().Context(), s.current(c).Actor(), readConnection(values))
	fields := problem.FieldsOf(err)
	if err != nil && len(fields) == 0 {
		return err
	}
	test := page.ConnectionTest{Problems: problems(fields), Steps: connectionSteps(steps)}
	if isHTMX(c) {
		return s.render(c, entryStatus(fields), page.ConnectionTestResult(test))
	}
	test.Retype = true
	return s.showConnection(c, values, fields, test)
}

// readConnection reads the form. A number that cannot be read becomes 0, which no
// setting may be.
func readConnection(values url.Values) connection.Change {
	s := connection.Settings{
		Embedded: values.Get(connection.FieldEmbedded) != "outro", BaseURL: strings.TrimSpace(values.Get(connection.FieldBaseURL)),
		Method: connection.Method(values.Get(connection.FieldMethod)), User: strings.TrimSpace(values.Get(connection.FieldUser)),
		LoginPath: strings.TrimSpace(values.Get(connection.FieldLoginPath)), UserField: strings.TrimSpace(values.Get(connection.FieldUserName)),
		PasswordField: strings.TrimSpace(values.Get(connection.FieldPassName)), RefreshPath: strings.TrimSpace(values.Get(connection.FieldRefreshPath)),
		ClientID: strings.TrimSpace(values.Get(connection.FieldClientID)), TokenPath: strings.TrimSpace(values.Get(connection.FieldTokenPath)),
		Scope: strings.Join(strings.Fields(values.Get(connection.FieldScope)), " "), ClientBasic: values.Get(connection.FieldClientBasic) == "basic",
		UnitsPath: strings.TrimSpace(values.Get(connection.FieldUnits)), ProfessionalsPath: strings.TrimSpace(values.Get(connection.FieldProfessionals)),
		Eligibility: connection.EligibilityMode(values.Get(connection.FieldEligibility)), EligibilityPath: strings.TrimSpace(values.Get(connection.FieldEligiblePath)),
		UploadFiles: readNumber(values, connection.FieldUploadFiles), UploadFile: int64(readNumber(values, connection.FieldUploadFile)) << 20,
		UploadTotal: int64(readNumber(values, connection.FieldUploadTotal)) << 20,
		Attachments: values.Get(connection.FieldAttachments), ByHand: values.Get(connection.FieldByHand) == "manual",
		Connect: readTime(values, connection.FieldConnect, time.Second), Query: readTime(values, connection.FieldQuery, time.Second),
		Answer: readTime(values, connection.FieldAnswer, time.Second), Deadline: readTime(values, connection.FieldDeadline, time.Minute),
	}
	if values.Get(connection.FieldInternal) == "S" {
		s.InternalHost = s.Host()
	}
	for _, word := range connection.FeatureNames() {
		if values.Get(connection.FieldFeatures+"."+word) == "S" {
			s.Features = append(s.Features, word)
		}
	}
	return connection.Change{Settings: s, Secret: connection.Secret(values.Get(connection.FieldSecret(s.Method)))}
}

func readTime(values url.Values, name string, unit time.Duration) time.Duration {
	return time.Duration(readNumber(values, name)) * unit
}

func readNumber(values url.Values, name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(values.Get(name)))
	if err != nil || n < 0 || n > 100_000 {
		return 0
	}
	return n
}

// showConnection shows the page: what is in force, or what was typed.
func (s *deskHandlers) showConnection(c echo.Context, typed url.Values, fields []problem.Field, test page.ConnectionTest) error {
	state, err := s.Connection.State(c.Request().Context())
	if err != nil {
		return err
	}
	view := s.connectionView(state, typed)
	view.Problems, view.Test = problems(fields), test
	if len(fields) > 0 {
		view.Test.Problems = nil // they stand above the form
	}
	if view.Page, err = s.frame(c, "Conexão com o serviço", layout.ConnectionTab); err != nil {
		return err
	}
	view.Failed = len(fields) > 0
	status := http.StatusOK
	if view.Failed {
		status = http.StatusUnprocessableEntity
	}
	return s.render(c, status, page.ConnectionPage(view))
}
