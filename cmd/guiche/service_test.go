package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// serviceProcess is a running "guiche service" and its key.
type serviceProcess struct {
	*serving
	URL string `json:"url"`
	Key string `json:"api_key"`
}

func MustServeAlone(t *testing.T, binary, folder string, args ...string) *serviceProcess {
	t.Helper()
	a := &serviceProcess{serving: serve(t, binary, append([]string{"service", "--addr", "127.0.0.1:0", "--data", folder}, args...)...)}
	url := strings.TrimPrefix(a.line("Serviço"), "Serviço de autorização e seu console em ")
	for healthz(url) != http.StatusOK || a.URL != url {
		if t.Context().Err() != nil {
			t.Fatal("the service never answered")
		}
		a.read(folder)
	}
	return a
}

// read reads service.json, which is that of an earlier process until this one has
// written its own.
func (a *serviceProcess) read(folder string) {
	if content, err := os.ReadFile(filepath.Join(folder, "service.json")); err == nil {
		_ = json.Unmarshal(content, a) // it is put in place whole
	}
}

// kill ends the process without warning.
func (a *serviceProcess) kill() {
	_ = a.cmd.Process.Kill()
	_, _ = io.Copy(io.Discard, a.out)
	_ = a.cmd.Wait()
}

// send returns status and body, 0 when the connection broke.
func (a *serviceProcess) send(method, path, idempotencyKey, body string) (int, []byte) {
	req, err := http.NewRequest(method, a.URL+path, strings.NewReader(body))
	if err != nil {
		return 0, nil
	}
	req.Header.Set("X-Api-Key", a.Key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if idempotencyKey != "" {
		req.Header.Set("Idempotency-Key", idempotencyKey)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, nil
	}
	return res.StatusCode, answer
}

// MustGet returns the data of an answer.
func (a *serviceProcess) MustGet(t *testing.T, path string) map[string]any {
	t.Helper()
	status, answer := a.send(http.MethodGet, path, "", "")
	var body struct{ Data map[string]any }
	if err := json.Unmarshal(answer, &body); status != http.StatusOK || err != nil {
		t.Fatalf("GET %s: %d %v: %.300s", path, status, err, answer)
	}
	return body.Data
}

// request is an authorization request with identifiers from the service's lists.
func (a *serviceProcess) request(t *testing.T, guide string) string {
	t.Helper()
	first := func(path string) map[string]any { return a.MustGet(t, path)["items"].([]any)[0].(map[string]any) }
	credential, unit, professional := first("/api/v2/credenciais"), first("/api/v2/unidades"), first("/api/v2/profissionais-executantes")
	text, err := json.Marshal(map[string]any{
		"credencialId": credential["id"], "numeroCarteira": "0310004512063345", "nomeBeneficiario": "HELENA DUARTE CANARIO",
		"guiaPrestador":   guide,
		"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"unidadeId": unit["id"], "pontoAtendimentoId": unit["pontosAtendimento"].([]any)[0].(map[string]any)["id"],
		"profissionalExecutanteId":  professional["id"],
		"especialidadeExecutanteId": professional["especialidades"].([]any)[0].(map[string]any)["id"],
		"procedimentos":             []any{map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestService(t *testing.T) {
	binary, folder := MustBuild(t), t.TempDir()
	rules := filepath.Join(t.TempDir(), "regras.json")
	if err := os.WriteFile(rules, []byte(`[{"when": {}, "then": {"authorizations": [{"status": "N"}]}}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	a := MustServeAlone(t, binary, folder, "--simulated", "--operator-rules", rules)
	if info, err := os.Stat(filepath.Join(folder, "service.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("service.json: %v, want a file for its owner only", err)
	}
	if status, answer := a.send(http.MethodPost, "/api/v2/autorizar/sp-sadt", "", a.request(t, "1")); status != http.StatusOK ||
		!bytes.Contains(answer, []byte(`"situacaoAutorizacao":"N"`)) {
		t.Errorf("got %d %.300s, want N as the file says", status, answer)
	}
	for path, want := range map[string]int{"/entrar": http.StatusOK, "/fila": http.StatusNotFound,
		"/api/openapi.yaml": http.StatusOK, "/api/v9": http.StatusNotFound} {
		if status, _ := a.send(http.MethodGet, path, "", ""); status != want {
			t.Errorf("%s: got %d, want %d", path, status, want)
		}
	}
	if err := a.stop(syscall.SIGTERM); err != nil {
		t.Errorf("SIGTERM ended it with %v, want a graceful end", err)
	}
	t.Run("BadRules", func(t *testing.T) {
		bad := filepath.Join(t.TempDir(), "regras.json")
		if err := os.WriteFile(bad, []byte("[\n {\"when\": {}, \"then\": {\"authorizations\": [{\"status\": \"Q\"}]}}\n]"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"service", "serve", "demo"} {
			args := []string{command, "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--operator-rules", bad}
			if command != "demo" {
				args = append(args, "--simulated")
			}
			out, err := exec.CommandContext(t.Context(), binary, args...).CombinedOutput()
			for _, want := range []string{"GUICHE_OPERATOR_RULES", "regras.json", "line 2", `status "Q"`} {
				if err == nil || !strings.Contains(string(out), want) {
					t.Errorf("%s: %v, said %s, want %q", command, err, out, want)
				}
			}
		}
	})
	t.Run("RulesWithoutSimulation", func(t *testing.T) {
		out, err := exec.CommandContext(t.Context(), binary, "service", "--addr", "127.0.0.1:0", "--data", t.TempDir(),
			"--operator-rules", rules).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "GUICHE_SIMULATED") {
			t.Errorf("%v, said %s, want the missing setting named", err, out)
		}
	})
}

// TestService_Killed posts with idempotency keys, kills the process with SIGKILL
// at random moments, and repeats with the same keys: one authorization each, and
// whatever was answered before is answered again, byte for byte.
func TestService_Killed(t *testing.T) {
	const kills, senders = 10, 4
	binary, folder := MustBuild(t), t.TempDir()
	answers := map[string][]byte{} // by guiaPrestador; nil: sent and not answered
	var mu sync.Mutex
	a := MustServeAlone(t, binary, folder, "--simulated")
	template := a.request(t, "GUIA")
	for round := range kills {
		var sent sync.WaitGroup
		for sender := range senders {
			sent.Go(func() {
				for i := 0; ; i++ {
					guide := fmt.Sprintf("%02d-%d-%04d", round, sender, i)
					status, answer := a.authorize(template, guide)
					mu.Lock()
					answers[guide] = answer
					mu.Unlock()
					if status == 0 {
						return
					}
				}
			})
		}
		<-time.After(time.Duration(20+rand.IntN(180)) * time.Millisecond) // the moment of the kill
		a.kill()
		sent.Wait()
		a = MustServeAlone(t, binary, folder, "--simulated")
	}
	checkRepeated(t, a, template, answers)
}

func (a *serviceProcess) authorize(template, guide string) (int, []byte) {
	return a.send(http.MethodPost, "/api/v2/autorizar/sp-sadt", "chave-"+guide, strings.Replace(template, "GUIA", guide, 1))
}

func checkRepeated(t *testing.T, a *serviceProcess, template string, answers map[string][]byte) {
	t.Helper()
	answered := 0
	for guide, first := range answers {
		status, again := a.authorize(template, guide)
		if status != http.StatusOK {
			t.Fatalf("guide %s: got %d %.300s, want its answer", guide, status, again)
		}
		if first != nil {
			answered++
			if !bytes.Equal(first, again) {
				t.Errorf("guide %s: another answer than before", guide)
			}
		}
		if _, third := a.authorize(template, guide); !bytes.Equal(again, third) {
			t.Errorf("guide %s: repeated twice, two answers", guide)
		}
		if items := a.MustGet(t, "/api/v2/autorizacoes?guiaPrestador="+guide)["items"].([]any); len(items) != 1 {
			t.Errorf("guide %s: got %d authorizations, want 1", guide, len(items))
		}
	}
	if cut := len(answers) - answered; answered == 0 || cut == 0 {
		t.Errorf("%d requests answered and %d cut short, want some of both", answered, cut)
	}
}
