package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/authorization"
	"guiche/internal/blob/files"
	"guiche/internal/client"
	"guiche/internal/problem"
)

// alone is a service without the desk and a client that speaks to it.
type alone struct {
	url, key string
	client   *client.Client
	blobs    *files.Store
}

func MustStandalone(t *testing.T) alone {
	t.Helper()
	folder, quiet := t.TempDir(), slog.New(slog.DiscardHandler)
	a, err := app.NewStandalone(t.Context(), app.Config{Addr: "127.0.0.1:0", DataDir: folder, Simulated: true, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
		a.Close()
	})
	res, err := http.Get(a.URL() + "/entrar") // answered once service.json is written
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("entrar: %v", err)
	}
	_ = res.Body.Close()
	var file struct {
		Key string `json:"api_key"`
	}
	content, err := os.ReadFile(filepath.Join(folder, "service.json"))
	if err != nil || json.Unmarshal(content, &file) != nil || file.Key == "" {
		t.Fatalf("service.json: %v", err)
	}
	blobs, err := files.Open(files.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	c, err := client.New(client.Config{BaseURL: a.URL(), Auth: client.APIKey(file.Key), Blobs: blobs, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return alone{url: a.URL(), key: file.Key, client: c, blobs: blobs}
}

// call sends literal JSON and returns data.
func (a alone) call(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, a.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("x-api-key", a.key)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, _ := io.ReadAll(res.Body)
	var answer struct{ Data map[string]any }
	if err := json.Unmarshal(text, &answer); err != nil || res.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %d %v: %.300s", method, path, res.StatusCode, err, text)
	}
	return answer.Data
}

func first(data map[string]any, name string) map[string]any {
	return data[name].([]any)[0].(map[string]any)
}

// authorize asks for a card and returns the guiaId.
func (a alone) authorize(t *testing.T, card, guide string) string {
	t.Helper()
	credential, unit := first(a.call(t, "GET", "/api/v2/credenciais", ""), "items"), first(a.call(t, "GET", "/api/v2/unidades", ""), "items")
	professional := first(a.call(t, "GET", "/api/v2/profissionais-executantes", ""), "items")
	body := strings.NewReplacer("$CREDENCIAL", credential["id"].(string), "$CARTEIRA", card, "$GUIA", guide,
		"$UNIDADE", unit["id"].(string), "$PONTO", first(unit, "pontosAtendimento")["id"].(string), "$PROFISSIONAL", professional["id"].(string),
		"$ESPECIALIDADE", fmt.Sprint(first(professional, "especialidades")["id"])).Replace(`{
		"credencialId": "$CREDENCIAL", "numeroCarteira": "$CARTEIRA", "nomeBeneficiario": "HELENA DUARTE CANARIO", "guiaPrestador": "$GUIA",
		"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"unidadeId": "$UNIDADE", "pontoAtendimentoId": "$PONTO", "profissionalExecutanteId": "$PROFISSIONAL", ` +
		`"especialidadeExecutanteId": $ESPECIALIDADE,
		"procedimentos": [{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1}]}`)
	return first(a.call(t, "POST", "/api/v2/autorizar/sp-sadt", body), "autorizacoes")["guiaId"].(string)
}

// announced asks what the service can do, without which the client uses nothing.
func (a alone) announced(t *testing.T) {
	t.Helper()
	if f, err := a.client.Features(t.Context()); err != nil || !f.Attachments || !f.Biometrics || !f.Cancellation || !f.Eligibility {
		t.Fatalf("features: %+v, %v", f, err)
	}
}

func TestClient_AgainstTheService(t *testing.T) {
	a := MustStandalone(t)
	ctx := t.Context()
	t.Run("NotBeforeItIsAnnounced", func(t *testing.T) {
		_, status := a.client.Status(ctx, "x")
		_, find := a.client.FindByProviderGuide(ctx, "1")
		_, attach := a.client.AddAttachments(ctx, authorization.Act{GuideID: "x"}, nil)
		_, collect := a.client.Biometrics(ctx, authorization.Act{GuideID: "x"}, nil)
		_, cancel := a.client.Cancel(ctx, authorization.Act{GuideID: "x"}, "")
		_, eligible := a.client.Eligibility(ctx, authorization.EligibilityQuestion{})
		for name, err := range map[string]error{"Status": status, "Find": find, "Attach": attach, "Collect": collect,
			"Cancel": cancel, "Eligibility": eligible} {
			if !problem.Is(err, problem.Unavailable) || !strings.Contains(err.Error(), "not announced") {
				t.Errorf("%s: got %v, want that it is not announced", name, err)
			}
		}
	})
	a.announced(t)
	t.Run("Status", func(t *testing.T) {
		id := a.authorize(t, "999901000000", "st-1")
		got, err := a.client.Status(ctx, id)
		if err != nil || got.Status != "A" || got.GuideID != id || got.ProviderGuide != "st-1" ||
			!strings.HasPrefix(got.Senha, "SIM") || len(got.Procedures) != 1 {
			t.Fatalf("got %+v, %v", got, err)
		}
		file, err := a.blobs.Open(ctx, got.GuidePDF)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		if head, _ := io.ReadAll(io.LimitReader(file, 5)); !bytes.Equal(head, []byte("%PDF-")) {
			t.Errorf("guide: got %q, want a PDF", head)
		}
		if _, err := a.client.Status(ctx, "0198a000-0000-7000-8000-00000000dead"); !problem.Is(err, problem.NotFound) {
			t.Errorf("unknown: got %v, want %s", err, problem.NotFound)
		}
	})
	t.Run("FindByProviderGuide", func(t *testing.T) {
		id := a.authorize(t, "999919000000", "fi-1")
		got, err := a.client.FindByProviderGuide(ctx, "fi-1")
		if err != nil || !got.Success || len(got.Authorizations) < 1 || got.Authorizations[0].GuideID != id ||
			got.Authorizations[0].GuidePDF == "" {
			t.Errorf("got %+v, %v", got, err)
		}
		if got, err := a.client.FindByProviderGuide(ctx, "never"); err != nil || len(got.Authorizations) != 0 || len(got.Errors) != 0 {
			t.Errorf("never arrived: got %+v, %v", got, err)
		}
	})
	t.Run("AddAttachments", func(t *testing.T) {
		id := a.authorize(t, "999909000000", "an-1")
		info, err := a.blobs.Put(ctx, strings.NewReader("%PDF-1.4 laudo"))
		if err != nil {
			t.Fatal(err)
		}
		laudo := []authorization.Attachment{{Name: "laudo.pdf", ContentType: "application/pdf", Size: info.Size, Blob: info.Ref}}
		if got, err := a.client.AddAttachments(ctx, authorization.Act{GuideID: id}, laudo); err != nil || got.Status != "R" {
			t.Errorf("got %+v, %v, want R", got, err)
		}
		_, err = a.client.AddAttachments(ctx, authorization.Act{GuideID: id}, laudo)
		checkWords(t, err, problem.Conflict, "Em análise")
		_, err = a.client.AddAttachments(ctx, authorization.Act{GuideID: id}, nil)
		checkWords(t, err, problem.Invalid, "anexo")
	})
	t.Run("Biometrics", func(t *testing.T) {
		id := a.authorize(t, "999930000000", "bi-1")
		captures := []authorization.Capture{{Kind: "digital", Device: "leitor", Data: []byte("captura")}}
		for _, want := range []authorization.Status{"T", "A"} {
			if got, err := a.client.Biometrics(ctx, authorization.Act{GuideID: id}, captures); err != nil || got.Status != want {
				t.Errorf("got %+v, %v, want %s", got, err, want)
			}
		}
	})
	t.Run("Cancel", func(t *testing.T) {
		id := a.authorize(t, "999901000000", "ca-1")
		if got, err := a.client.Cancel(ctx, authorization.Act{GuideID: id}, "Paciente desistiu"); err != nil || got.Status != "X" {
			t.Errorf("got %+v, %v, want X", got, err)
		}
		_, err := a.client.Cancel(ctx, authorization.Act{GuideID: id}, "")
		checkWords(t, err, problem.Conflict, "não pode mais ser cancelada")
	})
	t.Run("Eligibility", func(t *testing.T) {
		eligibilityID := first(a.call(t, "GET", "/api/v2/credenciais", ""), "items")["credencialElegibilityId"].(string)
		validity := authorization.DateOf(2027, time.December, 31)
		got, err := a.client.Eligibility(ctx, authorization.EligibilityQuestion{EligibilityID: eligibilityID, CardNumber: "999901000000",
			CardValidity: validity})
		if err != nil || !got.Eligible || got.Situation != "Ativo" || got.CardValidity != validity {
			t.Errorf("got %+v, %v", got, err)
		}
		got, err = a.client.Eligibility(ctx, authorization.EligibilityQuestion{EligibilityID: eligibilityID, CardNumber: "999916000000"})
		if err != nil || got.Eligible || len(got.Messages) != 1 {
			t.Errorf("an unknown card: got %+v, %v", got, err)
		}
		_, err = a.client.Eligibility(ctx, authorization.EligibilityQuestion{EligibilityID: eligibilityID})
		checkWords(t, err, problem.Invalid, "")
		if err != nil && strings.Contains(err.Error(), eligibilityID) {
			t.Errorf("the error holds the query: %v", err)
		}
	})
}

// checkWords: the error has the code and says the service's own words.
func checkWords(t *testing.T, err error, code problem.Code, words string) {
	t.Helper()
	var p *problem.Error
	if !errors.As(err, &p) || p.Code != code || !strings.Contains(p.Message, words) {
		t.Errorf("got %v, want %s saying %q", err, code, words)
	}
}

func TestNewStandalone_Check(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*app.Config)
		says   string
	}{
		"NoEncryption": {func(c *app.Config) { c.Addr = "0.0.0.0:0" }, "GUICHE_TLS_CERT"},
		"NoSuchRules":  {func(c *app.Config) { c.OperatorRules = filepath.Join(c.DataDir, "none.json") }, "GUICHE_OPERATOR_RULES"},
	} {
		t.Run(name, func(t *testing.T) {
			config := app.Config{Addr: "127.0.0.1:0", DataDir: t.TempDir(), Simulated: true, Logger: slog.New(slog.DiscardHandler)}
			c.change(&config)
			if a, err := app.NewStandalone(t.Context(), config); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, %v, want %s", a, err, c.says)
			}
		})
	}
}
