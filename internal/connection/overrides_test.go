package connection_test

import (
	"strings"
	"testing"
	"time"

	"guiche/internal/connection"

	"github.com/google/go-cmp/cmp"
)

func TestOverrides_Fixed(t *testing.T) {
	if got := (connection.Overrides{}).Fixed(); len(got) != 0 {
		t.Errorf("nothing is set: got %v", got)
	}
	o := connection.Overrides{Settings: everything()}
	want := map[string]string{
		"endereco": "GUICHE_BASE_URL", "caminhoLogin": "GUICHE_LOGIN_PATH", "campoUsuario": "GUICHE_LOGIN_USER_FIELD",
		"campoSenha": "GUICHE_LOGIN_PASSWORD_FIELD", "caminhoToken": "GUICHE_TOKEN_PATH", "formatoAnexos": "GUICHE_ATTACHMENT_SHAPE",
		"maximoArquivos": "GUICHE_UPLOAD_FILES", "maximoArquivo": "GUICHE_UPLOAD_FILE_MB", "maximoAnexos": "GUICHE_UPLOAD_TOTAL_MB",
		"tempoConexao": "GUICHE_CONNECT_TIMEOUT", "tempoConsulta": "GUICHE_QUERY_TIMEOUT", "tempoResposta": "GUICHE_ANSWER_TIMEOUT",
		"prazo": "GUICHE_DEADLINE", "enviosJuntos": "GUICHE_SLOTS", "enviosOperadora": "GUICHE_CREDENTIAL_SLOTS",
	}
	if diff := cmp.Diff(want, o.Fixed()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOverrides_Check(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*connection.Settings)
		want   string // "" means fine
	}{
		"Nothing":     {func(*connection.Settings) {}, ""},
		"Everything":  {func(s *connection.Settings) { *s = everything() }, ""},
		"Time":        {func(s *connection.Settings) { s.Query = -1 }, "GUICHE_QUERY_TIMEOUT: must not be negative"},
		"Number":      {func(s *connection.Settings) { s.UploadFiles = -1 }, "GUICHE_UPLOAD_FILES: must not be negative"},
		"BeyondPage":  {func(s *connection.Settings) { s.Deadline = 48 * time.Hour }, ""},
		"Shape":       {func(s *connection.Settings) { s.Attachments = "xml" }, "GUICHE_ATTACHMENT_SHAPE: want object or string"},
		"NoRoom":      {func(s *connection.Settings) { s.UploadFile, s.UploadTotal = 2, 1 }, "GUICHE_UPLOAD_FILE_MB: one file"},
		"RoomForOne":  {func(s *connection.Settings) { s.UploadFile, s.UploadTotal = 2, 2 }, ""},
		"FileAlone":   {func(s *connection.Settings) { s.UploadFile = 2 }, ""},
		"PageSetting": {func(s *connection.Settings) { s.RefreshPath, s.Eligibility = "x", "y" }, ""}, // no variable sets them
	} {
		var o connection.Overrides
		tc.change(&o.Settings)
		checkError(t, name, o.Check(), tc.want)
	}
}

func TestOverrides_CheckPaths(t *testing.T) {
	for path, good := range map[string]bool{"/token": true, "/a/b": true, "token": false, "//outro": false, "/a?b": false,
		"/a#b": false, `/a\b`: false, "/a b": false} {
		want := ""
		if !good {
			want = "GUICHE_TOKEN_PATH: want a path below GUICHE_BASE_URL"
		}
		checkError(t, path, connection.Overrides{Settings: connection.Settings{TokenPath: path}}.CheckPaths(), want)
	}
	if err := (connection.Overrides{Settings: connection.Settings{RefreshPath: "x", Attachments: "x"}}).CheckPaths(); err != nil {
		t.Errorf("no path that a variable sets: got %v", err)
	}
}

// checkError: the error begins with the words, or there is none where they are "".
func checkError(t *testing.T, name string, err error, want string) {
	t.Helper()
	if (want == "") != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%s: got %v, want %q", name, err, want)
	}
}
