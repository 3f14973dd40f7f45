package connection_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/connection"

	"github.com/google/go-cmp/cmp"
)

// Each part of Settings has one row of the table, and each row one part.
func TestFields_Settings(t *testing.T) {
	var s connection.Settings
	described := map[any]string{}
	names, columns := map[string]bool{}, map[string]bool{}
	for _, f := range connection.Fields() {
		if names[f.Name] || columns[f.Column] || f.Name == "" || f.Column == "" {
			t.Errorf("%q with the column %q: want names of its own", f.Name, f.Column)
		}
		names[f.Name], columns[f.Column] = true, true
		described[reflect.ValueOf(f.At(&s)).UnsafePointer()] = f.Name
	}
	value := reflect.ValueOf(&s).Elem()
	for i := range value.NumField() {
		if _, ok := described[value.Field(i).Addr().UnsafePointer()]; !ok {
			t.Errorf("%s has no row", value.Type().Field(i).Name)
		}
	}
	if len(described) != value.NumField() {
		t.Errorf("got %d rows, want %d", len(described), value.NumField())
	}
}

// Each kind has values of one type.
func TestFields_Types(t *testing.T) {
	want := map[connection.Kind]any{
		connection.Text: new(string), connection.Word: new(string), connection.Words: new(string), connection.Path: new(string),
		connection.Address: new(string), connection.AllowedHost: new(string), connection.OneOf: new(string),
		connection.Number: new(int), connection.Megabytes: new(int64),
		connection.Seconds: new(time.Duration), connection.Minutes: new(time.Duration),
		connection.Switch: new(bool), connection.Marks: new([]string),
	}
	var s connection.Settings
	for _, f := range connection.Fields() {
		if got, want := reflect.TypeOf(f.At(&s)), reflect.TypeOf(want[f.Kind]); got != want {
			t.Errorf("%s: got %v, want %v", f.Name, got, want)
		}
		if f.Kind == connection.Switch && (len(f.Choices) != 2 || f.On != f.Choices[0].Value && f.On != f.Choices[1].Value) {
			t.Errorf("%s: want two choices, one of which is on", f.Name)
		}
		if (f.Kind == connection.OneOf || f.Kind == connection.Marks) && len(f.Choices) == 0 {
			t.Errorf("%s: want choices", f.Name)
		}
		if f.Max == 0 && len(f.Choices) == 0 {
			t.Errorf("%s: want a limit", f.Name)
		}
		if f.Flag != "" && f.Help == "" || f.Label == "" && f.Kind != connection.Marks || f.Group == "" {
			t.Errorf("%s: want a label, a group, and help for a flag", f.Name)
		}
	}
}

func TestDefaults(t *testing.T) {
	want := connection.Settings{
		Embedded: true, Method: connection.APIKey, LoginPath: "/api/v1/auth/login", UserField: "usuario", PasswordField: "senha",
		RefreshPath: "/api/v1/auth/refresh", TokenPath: "/oauth/token",
		UnitsPath: "/api/v2/unidades", ProfessionalsPath: "/api/v2/profissionais-executantes",
		Eligibility: connection.EligibilityAnnounced, EligibilityPath: "/api/v1/elegibilidade",
		Attachments: connection.AttachmentObject, UploadFiles: 10, UploadFile: 15 << 20, UploadTotal: 60 << 20,
		Connect: 5 * time.Second, Query: 10 * time.Second, Answer: time.Minute, Deadline: 30 * time.Minute,
		Slots: 96, CredentialSlots: 24,
	}
	if diff := cmp.Diff(want, connection.Defaults()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if fields := connection.Defaults().Check(); len(fields) > 0 {
		t.Errorf("got %v, want nothing wrong", fields)
	}
}

// everything has no setting at its default.
func everything() connection.Settings {
	return connection.Settings{
		BaseURL: "http://10.0.0.7/base", InternalHost: "10.0.0.7", Method: connection.OAuth, User: "clínica", LoginPath: "/auth",
		UserField: "email", PasswordField: "password", RefreshPath: "/refresh", ClientID: "cliente", TokenPath: "/token", Scope: "a b",
		ClientBasic: true, UnitsPath: "/unidades", ProfessionalsPath: "/executantes", Eligibility: connection.EligibilityAlways,
		EligibilityPath: "/elegivel", Attachments: connection.AttachmentString, UploadFiles: 3, UploadFile: 2 << 20, UploadTotal: 4 << 20,
		Connect: time.Second, Query: 2 * time.Second, Answer: 3 * time.Second, Deadline: 4 * time.Minute,
		Slots: 6, CredentialSlots: 5, ByHand: true, Features: []string{"situacao", "anexos"},
	}
}

// What the form shows is what it sends back.
func TestReadForm(t *testing.T) {
	for name, s := range map[string]connection.Settings{"Defaults": connection.Defaults(), "Everything": everything()} {
		form := s.Form()
		if diff := cmp.Diff(s, connection.ReadForm(func(name string) string { return form[name] })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	t.Run("Nothing", func(t *testing.T) {
		want := connection.Settings{Embedded: true}
		if diff := cmp.Diff(want, connection.ReadForm(func(string) string { return "" })); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("Spaces", func(t *testing.T) {
		form := everything().Form()
		form["endereco"], form["escopo"], form["tempoResposta"] = " "+form["endereco"]+"\t", "  a \t b ", " 3 "
		if diff := cmp.Diff(everything(), connection.ReadForm(func(name string) string { return form[name] })); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("Numbers", func(t *testing.T) {
		for typed, want := range map[string]int{"1": 1, "100000": 100_000, "100001": 0, "-1": 0, "1.5": 0, "dez": 0, "": 0, "0": 0} {
			got := connection.ReadForm(func(name string) string { return map[string]string{"maximoArquivos": typed}[name] })
			if got.UploadFiles != want {
				t.Errorf("%q: got %d, want %d", typed, got.UploadFiles, want)
			}
		}
	})
}

func TestSettings_Form(t *testing.T) {
	want := map[string]string{
		"servico": "outro", "endereco": "http://10.0.0.7/base", "enderecoInterno": "S", "metodo": "oauth", "usuarioServico": "clínica",
		"caminhoLogin": "/auth", "campoUsuario": "email", "campoSenha": "password", "caminhoRenovacao": "/refresh", "clienteId": "cliente",
		"caminhoToken": "/token", "escopo": "a b", "envioCliente": "basic", "caminhoUnidades": "/unidades", "caminhoExecutantes": "/executantes",
		"usoElegibilidade": "sempre", "caminhoElegibilidade": "/elegivel", "formatoAnexos": "string", "maximoArquivos": "3", "maximoArquivo": "2",
		"maximoAnexos": "4", "tempoConexao": "1", "tempoConsulta": "2", "tempoResposta": "3", "prazo": "4", "enviosJuntos": "6",
		"enviosOperadora": "5", "origemRecursos": "manual",
		"recursos.idempotencia": "N", "recursos.situacao": "S", "recursos.consulta-por-guia": "N", "recursos.anexos": "S",
		"recursos.biometria":    "N",
		"recursos.cancelamento": "N", "recursos.elegibilidade": "N", "recursos.cadastros": "N",
	}
	if diff := cmp.Diff(want, everything().Form()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	part := connection.Settings{Answer: 1500 * time.Millisecond, Deadline: 90 * time.Second}
	if got := part.Form(); got["tempoResposta"] != "1.5" || got["prazo"] != "1.5" || got["enderecoInterno"] != "N" {
		t.Errorf("got %v", got)
	}
}

// What the embedded service is not asked: the commands that have no other service have
// none of these flags.
func TestFields_Remote(t *testing.T) {
	var local []string
	for _, f := range connection.Fields() {
		if !f.Remote {
			local = append(local, f.Name)
		}
	}
	want := "servico enderecoInterno metodo maximoArquivos maximoArquivo maximoAnexos tempoConexao tempoConsulta tempoResposta prazo " +
		"enviosJuntos enviosOperadora origemRecursos recursos"
	if got := strings.Join(local, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The page shows the settings of a group in another order than the table where the
// table says so.
func TestFieldsOf(t *testing.T) {
	for group, want := range map[connection.Group]string{
		connection.GroupService:     "servico",
		connection.GroupAddress:     "endereco enderecoInterno",
		connection.GroupAccess:      "metodo",
		connection.GroupUser:        "usuarioServico",
		connection.GroupLogin:       "caminhoLogin caminhoRenovacao campoUsuario campoSenha",
		connection.GroupClient:      "clienteId",
		connection.GroupToken:       "caminhoToken envioCliente escopo",
		connection.GroupFeatures:    "origemRecursos usoElegibilidade",
		connection.GroupByHand:      "recursos",
		connection.GroupPaths:       "caminhoUnidades caminhoExecutantes caminhoElegibilidade",
		connection.GroupAttachments: "formatoAnexos maximoArquivos maximoArquivo maximoAnexos",
		connection.GroupTimes:       "tempoConexao tempoConsulta tempoResposta prazo",
		connection.GroupSlots:       "enviosJuntos enviosOperadora",
	} {
		var names []string
		for _, f := range connection.FieldsOf(group) {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %s, want %s", group, got, want)
		}
		if !slices.Contains(connection.Groups(), group) {
			t.Errorf("%s is not listed", group)
		}
	}
	if got := len(connection.Groups()); got != 13 {
		t.Errorf("got %d groups", got)
	}
}

func TestField_Flag(t *testing.T) {
	got := map[string][3]string{}
	for _, f := range connection.Fields() {
		got[f.Name] = [3]string{f.Variable(), f.FlagDefault(), f.Usage()}
	}
	for name, want := range map[string][3]string{
		"endereco": {"GUICHE_BASE_URL", "", "address of another authorization service; without it the embedded one is used"},
		"caminhoLogin": {"GUICHE_LOGIN_PATH", "/api/v1/auth/login",
			"path of the login of -service-user (default: as the page Conexão says, /api/v1/auth/login at first)"},
		"caminhoRenovacao": {"", "/api/v1/auth/refresh", " (default: as the page Conexão says, /api/v1/auth/refresh at first)"},
		"maximoAnexos": {"GUICHE_UPLOAD_TOTAL_MB", "60",
			"all attachments of one request, in MiB (default: as the page Conexão says, 60 at first)"},
		"tempoConexao":  {"GUICHE_CONNECT_TIMEOUT", "5s", "to reach the authorization service (default: as the page Conexão says, 5s at first)"},
		"tempoResposta": {"GUICHE_ANSWER_TIMEOUT", "1m", "to wait for the service's answer (default: as the page Conexão says, 1m at first)"},
		"prazo": {"GUICHE_DEADLINE", "30m",
			"what has not left by then is given back for correction (default: as the page Conexão says, 30m at first)"},
	} {
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
