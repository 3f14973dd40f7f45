package api_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/service/api"
	"guiche/internal/service/servicetest"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
)

// mustBlob is the path of the one file of the service that begins with something.
func (e *env) mustBlob(begins string) string {
	e.tb.Helper()
	paths, _ := filepath.Glob(filepath.Join(e.Dir, "blobs", "??", "*"))
	for _, path := range paths {
		content, err := os.ReadFile(path)
		e.Must(err)
		if strings.HasPrefix(string(content), begins) {
			return path
		}
	}
	e.tb.Fatalf("none of %d files begins with %q", len(paths), begins)
	return ""
}

// TestServer_DamagedFile: a file that is not as it was stored is found before the first
// byte of an answer, wherever it is damaged and however long it is.
func TestServer_DamagedFile(t *testing.T) {
	for name, l := range map[string]api.Limits{"Short": {}, "Long": {AnswerMemory: 1000}} {
		t.Run(name, func(t *testing.T) { checkDamagedFiles(t, MustEnv(t, limits{API: l})) })
	}
}

func checkDamagedFiles(t *testing.T, e *env) {
	t.Helper()
	key := servicetest.Key("k1")
	first := e.Post(body(nil), key)
	guide := first.Data()["autorizacoes"].([]any)[0].(map[string]any)["guiaId"].(string)
	guideFile := e.mustBlob("%PDF")
	e.Post(twoGuides("two"), nil) // is stored as a file
	paths := map[string]string{"answer": guideFile, "guide": guideFile, "answerFile": e.mustBlob(`{"sucesso"`)}
	asked := e.Operator.Authorized.Load()
	ask := map[string]func(header http.Header) reply{
		"answer": func(header http.Header) reply {
			header.Set("Idempotency-Key", "k1")
			return e.Post(body(nil), header)
		},
		"answerFile": func(header http.Header) reply { return e.Post(twoGuides("two"), header) },
		"guide": func(header http.Header) reply {
			return e.Send(http.MethodGet, "/api/v2/autorizacoes/"+guide, nil, header)
		},
	}
	harms := map[string]func([]byte) []byte{
		"First":  func(b []byte) []byte { b[0] ^= 1; return b },
		"Middle": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"Last":   func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
		"Short":  func(b []byte) []byte { return b[:len(b)-1] },
		"Empty":  func([]byte) []byte { return nil },
		"Whole":  func(b []byte) []byte { return b },
	}
	for what, path := range paths {
		whole, err := os.ReadFile(path)
		e.Must(err)
		for harm, do := range harms {
			e.Must(os.WriteFile(path, do(append([]byte(nil), whole...)), 0o600))
			for _, header := range []http.Header{{}, {"Range": {"bytes=0-9"}}} {
				got := ask[what](header)
				if harm == "Whole" {
					if got.Status != http.StatusOK || len(got.Text) < len(whole) {
						t.Errorf("%s: got %d and %d bytes", what, got.Status, len(got.Text))
					}
					continue
				}
				checkRefusal(t, got, http.StatusInternalServerError)
				if fields := got.Fields(); len(fields) != 1 || fields[0] != " danificado" || got.Header.Get("Idempotency-Replayed") != "" {
					t.Errorf("%s, %s: got %q, %v", what, harm, fields, got.Header)
				}
			}
		}
		e.Must(os.Remove(path))
		checkRefusal(t, ask[what](http.Header{}), http.StatusInternalServerError)
		e.Must(os.WriteFile(path, whole, 0o600))
	}
	servicetest.CheckReplay(t, first, e.Post(body(nil), key))
	if got := e.Operator.Authorized.Load(); got != asked {
		t.Errorf("the operator was asked %d times, want %d", got, asked)
	}
}

// TestServer_DamagedRow: of a damaged row the answer is an envelope without anything of it,
// and a repetition has nothing authorized anew.
func TestServer_DamagedRow(t *testing.T) {
	for _, harm := range []string{
		`UPDATE request SET document = document || ' '`, `UPDATE request SET fingerprint = ?`,
		`UPDATE decision SET size = size + 1`, `UPDATE idempotency_key SET hash = ?`,
		`UPDATE authorization_entry SET document = replace(document, 'SIM', 'SIN')`, `UPDATE authorization_entry SET status = 'N'`,
		`UPDATE credential SET name = 'x'`,
	} {
		e := MustEnv(t, limits{})
		first := e.Post(body(nil), servicetest.Key("k1"))
		guide := first.Data()["autorizacoes"].([]any)[0].(map[string]any)["guiaId"].(string)
		asked := e.Operator.Authorized.Load()
		e.harm(t, harm)
		refused := 0
		for _, got := range []reply{
			e.Post(body(nil), servicetest.Key("k1")), e.Get("/api/v2/autorizacoes/" + guide), e.Post(body(nil), servicetest.Key("k2")),
		} {
			switch {
			case got.Status == http.StatusInternalServerError:
				checkRefusal(t, got, http.StatusInternalServerError)
				refused++
			case strings.Contains(got.Text, `"SIN`) || got.Status != http.StatusOK:
				t.Errorf("%s: got %d %s", harm, got.Status, got.Text)
			}
		}
		again := e.Operator.Authorized.Load() - asked // k2 is another request
		if strings.Contains(harm, "credential") && again != 0 || again > 1 {
			t.Errorf("%s: the operator was asked %d times more", harm, again)
		}
		if refused == 0 && !strings.Contains(harm, "idempotency_key") {
			t.Errorf("%s: was not noticed", harm)
		}
	}
}

// harm changes rows past the rules of the schema; a ? stands for another hash.
func (e *env) harm(t *testing.T, statement string) {
	t.Helper()
	storetest.Unguard(t, e.DB)
	e.Must(e.DB.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), statement, slices.Repeat([]any{make([]byte, 32)}, strings.Count(statement, "?"))...)
		return err
	}))
}
