package connection_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"guiche/internal/connection"
)

func TestSettings_Check_Address(t *testing.T) {
	for address, want := range map[string]string{
		"https://servico.exemplo.com.br": "", "https://servico.exemplo.com.br:8443/base/v": "", "https://8.8.8.8": "",
		"https://[2001:4860:4860::8888]/": "",
		"":                                "obrigatorio", "servico.exemplo.com.br": "formato",
		"ftp://servico.exemplo.com.br": "formato", "https://": "formato",
		"https://ana:senha@servico.exemplo.com.br": "formato", "https://servico.exemplo.com.br?a=b": "formato",
		"https://servico.exemplo.com.br#a":            "formato",
		"https://" + strings.Repeat("a", 300) + ".br": "limite", "https://" + strings.Repeat("a", 260) + ".br": "formato",
		"https://" + longName(253) + "/": "", "https://" + longName(254): "formato",
		"https://2130706433": "formato", "https://0x7f.1": "formato", "https://127.1": "formato", "https://0177.0.0.1": "formato",
		"https://operação.exemplo.com.br": "", "https://a_ç.exemplo.com.br": "formato", "https://１２７.0.0.1": "dominio",
		"http://servico.exemplo.com.br": "dominio", "https://127.0.0.1": "dominio", "https://localhost": "dominio",
		"https://api.localhost.": "dominio",
		"https://10.1.2.3":       "dominio", "https://169.254.169.254": "dominio", "https://[::1]": "dominio", "https://[fe80::1]": "dominio",
		"https://[::ffff:127.0.0.1]": "dominio", "https://192.168.0.10:8443": "dominio",
	} {
		s := outsideService().Settings
		s.BaseURL = address
		var got string
		for _, f := range s.Check() {
			if f.Path != connection.FieldBaseURL || got != "" {
				t.Errorf("%s: got also %s %s", address, f.Path, f.Code)
			}
			got = f.Code
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
		if want == "dominio" {
			s.InternalHost = s.Host()
			never := strings.Contains(address, "169.254.") || strings.Contains(address, "fe80:")
			if fields := s.Check(); len(fields) > 0 != never {
				t.Errorf("%s, allowed: got %v", address, fields)
			}
		}
	}
}

func TestSettings_Check(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*connection.Settings)
		want   string // field and code
	}{
		"Method":       {func(s *connection.Settings) { s.Method = "outro" }, connection.FieldMethod + " dominio"},
		"User":         {func(s *connection.Settings) { s.Method = connection.Password }, "usuarioServico obrigatorio"},
		"LoginPath":    {withLogin(func(s *connection.Settings) { s.LoginPath = "auth" }), "caminhoLogin formato"},
		"OtherHost":    {withLogin(func(s *connection.Settings) { s.LoginPath = "//outro/auth" }), "caminhoLogin formato"},
		"Above":        {withLogin(func(s *connection.Settings) { s.LoginPath = "/a/../../b" }), "caminhoLogin formato"},
		"AboveEscaped": {withLogin(func(s *connection.Settings) { s.LoginPath = "/a/%2e%2e/b" }), "caminhoLogin formato"},
		"UserField":    {withLogin(func(s *connection.Settings) { s.UserField = "" }), "campoUsuario obrigatorio"},
		"SameFields":   {withLogin(func(s *connection.Settings) { s.PasswordField = s.UserField }), "campoSenha dominio"},
		"Control":      {withLogin(func(s *connection.Settings) { s.User = "a\nb" }), "usuarioServico formato"},
		"Client":       {func(s *connection.Settings) { s.Method = connection.OAuth }, "clienteId obrigatorio"},
		"Attachments":  {func(s *connection.Settings) { s.Attachments = "" }, "formatoAnexos dominio"},
		"Connect":      {func(s *connection.Settings) { s.Connect = 0 }, "tempoConexao limite"},
		"Query":        {func(s *connection.Settings) { s.Query = 61 * time.Second }, "tempoConsulta limite"},
		"Answer":       {func(s *connection.Settings) { s.Answer = 601 * time.Second }, "tempoResposta limite"},
		"Deadline":     {func(s *connection.Settings) { s.Deadline = 25 * time.Hour }, "prazo limite"},
		"NoPath": {func(s *connection.Settings) { s.Method, s.ClientID, s.TokenPath = connection.OAuth, "clinica", "" },
			"caminhoToken formato"},
		"Scope":         {func(s *connection.Settings) { s.Method, s.ClientID, s.Scope = connection.OAuth, "clinica", "a\tb" }, "escopo formato"},
		"Refresh":       {withLogin(func(s *connection.Settings) { s.RefreshPath = "refresh" }), "caminhoRenovacao formato"},
		"Units":         {func(s *connection.Settings) { s.UnitsPath = "https://outro/unidades" }, "caminhoUnidades formato"},
		"Professionals": {func(s *connection.Settings) { s.ProfessionalsPath = "/a b" }, "caminhoExecutantes formato"},
		"PathWithQuery": {func(s *connection.Settings) { s.UnitsPath = "/unidades?senha=1" }, "caminhoUnidades formato"},
		"PathWithMark":  {func(s *connection.Settings) { s.UnitsPath = "/unidades#todas" }, "caminhoUnidades formato"},
		"PathOfWindows": {func(s *connection.Settings) { s.UnitsPath = `/api\unidades` }, "caminhoUnidades formato"},
		"Eligibility":   {func(s *connection.Settings) { s.Eligibility = "talvez" }, "usoElegibilidade dominio"},
		"EligiblePath":  {func(s *connection.Settings) { s.EligibilityPath = "" }, "caminhoElegibilidade formato"},
		"Files":         {func(s *connection.Settings) { s.UploadFiles = 101 }, "maximoArquivos limite"},
		"File":          {func(s *connection.Settings) { s.UploadFile, s.UploadTotal = 501<<20, 600<<20 }, "maximoArquivo limite"},
		"Total":         {func(s *connection.Settings) { s.UploadTotal = s.UploadFile - 1<<20 }, "maximoAnexos limite"},
		"Features":      {func(s *connection.Settings) { s.Features = []string{"anexos", "magia"} }, connection.FieldFeatures + " dominio"},
	} {
		t.Run(name, func(t *testing.T) {
			s := outsideService().Settings
			tc.change(&s)
			if fields := s.Check(); len(fields) != 1 || fields[0].Path+" "+fields[0].Code != tc.want {
				t.Errorf("got %v, want %s", fields, tc.want)
			}
		})
	}
	t.Run("Lengths", func(t *testing.T) { // of what does not count now, too
		long := strings.Repeat("a", 301)
		s := connection.Defaults()
		s.BaseURL, s.User, s.LoginPath, s.UserField, s.PasswordField, s.ClientID = long, long, long, long, long, long
		s.RefreshPath, s.TokenPath, s.Scope, s.UnitsPath, s.ProfessionalsPath, s.EligibilityPath = long, long, long, long, long, long
		if fields := s.Check(); len(fields) != 12 {
			t.Errorf("got %v, want all twelve", fields)
		}
	})
	t.Run("Bounds", func(t *testing.T) { // as the sentences name them, both included
		for _, f := range connection.Fields() {
			least, most := "1", strconv.Itoa(f.Max)
			switch f.Kind {
			case connection.Number, connection.Megabytes, connection.Seconds, connection.Minutes:
			case connection.Text, connection.Word, connection.Words:
				least, most = "a", strings.Repeat("á", f.Max)
			case connection.Path:
				least, most = "/", "/"+strings.Repeat("á", f.Max-1)
			default:
				continue
			}
			for _, typed := range []string{least, most} {
				s := outsideService().Settings
				f.Read(&s, func(string) string { return typed })
				for _, found := range s.Check() {
					rule := f.Rule != nil // which asks what stands beside it, too
					if found.Path == f.Name && (!rule || strings.HasPrefix(found.Message, "Escreva um número")) {
						t.Errorf("%s of %q: got %v", f.Name, typed, found)
					}
				}
			}
		}
	})
	t.Run("Nothing", func(t *testing.T) { // what a service may lack
		s := outsideService().Settings
		s.RefreshPath, s.UnitsPath, s.ProfessionalsPath, s.Eligibility, s.EligibilityPath = "", "", "", connection.EligibilityNever, ""
		if fields := s.Check(); len(fields) > 0 {
			t.Errorf("got %v", fields)
		}
	})
	t.Run("Embedded", func(t *testing.T) {
		s := connection.Defaults()
		s.LoginPath, s.UserField, s.PasswordField, s.TokenPath, s.UnitsPath, s.EligibilityPath = "", "", "", "", "x", ""
		if fields := s.Check(); len(fields) > 0 {
			t.Errorf("got %v: nothing of another service counts", fields)
		}
	})
}

// longName is a name of the DNS with that many characters.
func longName(n int) string {
	return strings.Repeat("a.", 125) + strings.Repeat("b", n-250)
}

// TestSettings_Check_Embedded: the desk takes no files that the service beside it refuses; another one may take more.
func TestSettings_Check_Embedded(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*connection.Settings)
		want   string // the field
	}{
		"Files": {func(s *connection.Settings) { s.UploadFiles = 21 }, "maximoArquivos"},
		"File":  {func(s *connection.Settings) { s.UploadFile = 21 << 20 }, "maximoArquivo"},
		"Total": {func(s *connection.Settings) { s.UploadTotal = 72 << 20 }, "maximoAnexos"},
		"Most":  {func(s *connection.Settings) { s.UploadFiles, s.UploadFile, s.UploadTotal = 20, 20<<20, 71<<20 }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			own, other := connection.Defaults(), outsideService().Settings
			tc.change(&own)
			tc.change(&other)
			var got string
			for _, f := range own.Check() {
				got += f.Path
				if !strings.Contains(f.Message, "serviço embutido") {
					t.Errorf("it says %q", f.Message)
				}
			}
			if got != tc.want || len(other.Check()) > 0 {
				t.Errorf("got %q and, of another service, %v; want %q", got, other.Check(), tc.want)
			}
		})
	}
}

func withLogin(change func(*connection.Settings)) func(*connection.Settings) {
	return func(s *connection.Settings) {
		s.Method, s.User = connection.Password, "clinica"
		change(s)
	}
}
