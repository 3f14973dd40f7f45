package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// troubled is an authorization service that answers every request as it was last told.
type troubled struct {
	*apptest.OtherService
	now atomic.Value // of http.HandlerFunc
}

// startTroubled starts one that announces some features, and connects the desk to it.
func startTroubled(t *testing.T, p *apptest.Server, features ...string) *troubled {
	t.Helper()
	s := &troubled{}
	s.says(http.StatusOK, "")
	s.OtherService = apptest.StartOtherService(t, func(o *apptest.OtherService) {
		o.Features = features
		o.Tokens = map[string]http.HandlerFunc{"/api/v2/autorizar/sp-sadt": func(w http.ResponseWriter, r *http.Request) {
			s.now.Load().(http.HandlerFunc)(w, r)
		}}
	})
	p.LogIn(t, apptest.Administration).ConnectTo(t, s.OtherService, nil)
	return s
}

// says sets the answer; headers come as pairs of name and value.
func (s *troubled) says(status int, body string, headers ...string) {
	s.now.Store(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
}

// becomes opens a case and waits until it says what is expected.
func (b *browser) becomes(path, verdict string) {
	b.t.Helper()
	b.open(path)
	b.waitFor(verdict, fmt.Sprintf("document.querySelector('#veredito .verdict')?.innerText === %q", verdict))
}

const caseTexts = "#caso h1, #caso .code, #caso .data-table td:first-child span, #caso dd, .notice p"

// lookAtCase pictures a case once it says what is expected.
func (b *browser) lookAtCase(name, path, verdict string) {
	b.t.Helper()
	b.becomes(path, verdict)
	b.look("caso-" + name)
	b.whole(name, caseTexts)
}

// TestPages_CaseStates opens a case in every state that Guichê itself gives it.
func TestPages_CaseStates(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	s := startTroubled(t, p)
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	ana := p.LogIn(t, apptest.Reception)
	send := func() string { return ana.SubmitWith(map[string]string{"pacienteNoLocal": "S"}).Path }

	s.says(http.StatusServiceUnavailable, "", "Retry-After", "3600")
	queued := send()
	b.lookAtCase("na-fila", queued, "Na fila de envio")
	ana.Post(queued+"/retirar", nil)
	b.lookAtCase("retirado", queued, "Retirado da fila")
	s.says(http.StatusBadRequest, `{"message":"Internal error: MSG_0043"}`)
	b.lookAtCase("nao-entendido", send(), "Resposta não entendida")
	s.says(http.StatusOK, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":false,`+
		`"situacaoAutorizacao":"A","senha":"DEFORA1","numeroGuia":"77"}]}}`)
	b.lookAtCase("contraditorio", send(), "Resposta contraditória")
	s.says(http.StatusUnprocessableEntity, `{"sucesso":false,"erros":[{"campo":"numeroCarteira","mensagem":"Carteira não encontrada"},`+
		`{"mensagem":"O plano não cobre este procedimento"}],"data":null}`)
	b.lookAtCase("nao-aceito", send(), "Não aceito")
	s.says(http.StatusGatewayTimeout, "")
	for _, state := range []struct{ reason, event, verdict string }{
		{"interrompido", "sem_resposta", "Enviado sem resposta"}, {"restaurado", "sem_resposta", "Pode ter sido enviado"},
		{"prazo_sem_resposta", "sem_resposta", "Enviado sem resposta"}, {"outro_servico", "sem_resposta", "Enviado sem resposta"},
		{"nao_chegou", "nao_chegou", "Não chegou ao serviço"},
	} {
		path := send()
		p.Exec(t, `PRAGMA busy_timeout = 10000; DROP TRIGGER IF EXISTS submission_event_no_update`)
		p.ExecRows(t, `UPDATE submission_state SET checksum = NULL, reason = ?
			WHERE submission_id = (SELECT MAX(id) FROM submission)`, state.reason)
		p.ExecRows(t, `UPDATE submission_event SET checksum = NULL, kind = ?, reason = ?
			WHERE id = (SELECT MAX(id) FROM submission_event)`, state.event, state.reason)
		b.lookAtCase("duvida-"+strings.ReplaceAll(state.reason, "_", "-"), path, state.verdict)
	}
	s.says(http.StatusUnauthorized, `{"sucesso":false,"erros":["credencial"],"data":null}`)
	b.lookAtCase("suspenso", send(), "Envio suspenso")
}

// TestPages_CaseDamaged opens a case whose attachment was damaged before it left, and one
// whose guide was damaged afterwards.
func TestPages_CaseDamaged(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Backups = app.Backups{Folder: folder, Keep: 2} }})
	rui := MustBrowse(t, p)
	rui.logIn(apptest.Administration)
	rui.open("/integridade")
	rui.look("integridade")
	ana := p.LogIn(t, apptest.Reception)
	answered := ana.Submit(ana.NewDraft()).Path
	apptest.Eventually(t, "there is a guide", func() bool { return ana.Get(answered).Has("#guia-quadro") })
	s := startTroubled(t, p)
	s.says(http.StatusServiceUnavailable, "", "Retry-After", "1")
	address, form := ana.NewDraft()
	draft := ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(2000)})
	form.Set("versao", draft.Value("#versao"))
	path := ana.Submit(address, form).Path
	damage(t, p)
	b := MustBrowse(t, p, "404", "410", "500", "503")
	b.logIn(apptest.Reception)
	b.becomes(path, "Anexo danificado")
	b.look("caso-anexo-danificado")
	b.open(ana.Post(path+"/copiar", nil).Path)
	b.look("nova-copia-de-danificado")
	b.open(answered)
	b.see("#guias .file-warning")
	b.look("caso-guia-danificada")
	b.open(answered + "/guias/0")
	b.look("erro-guia-danificada")
	rui.open("/integridade")
	rui.see("#danos")
	rui.look("integridade-danos")
}

// damage changes a byte in every file that the desk keeps.
func damage(t *testing.T, p *apptest.Server) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(p.DataDir, "desk", "blobs", "??", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files: %q, %v", files, err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err == nil {
			content[len(content)/2] ^= 1
			err = os.WriteFile(name, bytes.Clone(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPages_Outage opens every kind of page while one operator, several, or the service
// itself does not answer.
func TestPages_Outage(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	path := ana.Submit(ana.NewDraft()).Path
	for _, name := range []string{"vale sereno", "boa guarida", "jequitib", "silverado"} {
		address, form := ana.NewDraft()
		form.Set("credencialId", ana.Credential(name))
		ana.Submit(address, form)
	}
	silent := func(limit int) {
		t.Helper()
		now := time.Now()
		p.Exec(t, `PRAGMA busy_timeout = 10000; INSERT OR REPLACE INTO outage (credential_uid, since, failed_at, failures, retry_at)
			SELECT credential_uid, ? + 60000000 * MAX(id), ?, 4, ? FROM submission GROUP BY credential_uid ORDER BY MAX(id) LIMIT ?`,
			now.Add(-25*time.Minute).UnixMicro(), now.UnixMicro(), now.UnixMicro(), limit)
	}
	b, rui := MustBrowse(t, p), MustBrowse(t, p)
	b.logIn(apptest.Reception)
	rui.logIn(apptest.Administration)
	silent(1)
	for name, page := range map[string]string{"fila": "/fila", "nova": "/nova", "historico": "/historico", "caso": path, "conta": "/conta",
		"ajuda": "/ajuda"} {
		b.open(page)
		b.see(".banner")
		b.look("muda-uma-" + name)
	}
	for name, page := range map[string]string{"pessoas": "/pessoas", "conexao": "/servico/conexao", "auditoria": "/auditoria"} {
		rui.open(page)
		rui.see(".banner")
		rui.look("muda-uma-" + name)
	}
	silent(9)
	b.open("/fila")
	b.look("mudas-varias-fila")
	b.open(path)
	b.look("mudas-varias-caso")
	p.Exec(t, `PRAGMA busy_timeout = 10000; INSERT INTO outage (credential_uid, since, failed_at, failures, retry_at)
		SELECT zeroblob(16), since, failed_at, failures, retry_at FROM outage LIMIT 1`)
	b.open("/fila")
	b.look("mudo-servico-fila")
}
