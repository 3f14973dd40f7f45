package webui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"
	"guiche/internal/authorization"
)

// setState gives the only case a state that it cannot reach by itself within a test.
func setState(t *testing.T, c *apptest.Client, state string, group authorization.Group, more string) {
	t.Helper()
	c.Server.Exec(t, `DROP TRIGGER IF EXISTS submission_state_moves`)
	c.Server.ExecRows(t, fmt.Sprintf(`UPDATE submission_state SET checksum = NULL, state = '%s', queue_group = %d, status = '',
		origin = 'guiche'%s`, state, group, more))
}

// TestCase_Events: whatever happened to a request is told in words, the latest first.
func TestCase_Events(t *testing.T) {
	t.Parallel()
	ana := startAnswering(t, authorized("", `{"sucesso":true,"situacaoAutorizacao":"A"}`))
	page := ana.Submit(ana.NewDraft())
	events := [][3]string{ // kind, reason, and what the page says
		{"adiado", "conexao", "Envio adiado. O serviço não pôde ser alcançado; nada saiu daqui."},
		{"adiado", "http_429", "Envio adiado. O serviço pediu para esperar."},
		{"adiado", "local", "Envio adiado. Nada foi processado; vamos tentar de novo."},
		{"adiado", "outro", "Envio adiado. Nada foi processado; vamos tentar de novo."},
		{"retido", "", "Envio suspenso. O serviço não aceitou nosso acesso"},
		{"liberado", "", "Envio liberado"},
		{"recusado", "nao_saiu_a_tempo", "Não saiu a tempo. O serviço não pôde ser alcançado; nada foi enviado."},
		{"recusado", "anexo_danificado", "Anexo danificado. O arquivo no Guichê já não é o que foi anexado; nada foi enviado."},
		{"recusado", "http_422", "Não aceito. O serviço não aceitou o pedido."},
		{"sem_resposta", "tempo", "Sem resposta legível. O prazo de espera acabou."},
		{"sem_resposta", "corte", "Sem resposta legível. A conexão caiu antes do fim da resposta."},
		{"sem_resposta", "interrompido", "Sem resposta legível. O Guichê parou enquanto o pedido estava a caminho."},
		{"sem_resposta", "restaurado", "Desfecho desconhecido. Os dados foram restaurados de uma cópia"},
		{"sem_resposta", "prazo_sem_resposta", "Sem resposta legível. O prazo do pedido acabou sem resposta."},
		{"sem_resposta", "resposta_ilegivel", "Sem resposta legível. A resposta não pôde ser lida."},
		{"versao_futura", "", "versao_futura"},
	}
	for _, e := range events {
		ana.Server.ExecRows(t, `INSERT INTO submission_event (submission_id, at, kind, reason)
			SELECT id, ?, ?, ? FROM submission`, time.Now().UnixMicro(), e[0], e[1])
	}
	shown := ana.Get(page.Path).Texts("#tempo li")
	slices.Reverse(shown)
	if len(shown) < len(events) {
		t.Fatalf("got %q", shown)
	}
	for i, got := range shown[len(shown)-len(events):] {
		if !strings.Contains(got, events[i][2]) || strings.Contains(got, "tentativa 0") {
			t.Errorf("%s: got %q, want %q", events[i][:2], got, events[i][2])
		}
	}
}

// TestCase_Events_Again: what was tried again with the same result is told once, with how
// often.
func TestCase_Events_Again(t *testing.T) {
	t.Parallel()
	ana := startAnswering(t, authorized("", `{"sucesso":true,"situacaoAutorizacao":"A"}`))
	page := ana.Submit(ana.NewDraft())
	ana.Server.Exec(t, `PRAGMA busy_timeout = 10000; DROP TRIGGER IF EXISTS submission_event_no_delete; DELETE FROM submission_event`)
	for attempt, event := range [][2]string{
		{"adiado", "http_503"}, {"em_duvida", "http_504"}, {"em_duvida", "http_504"}, {"em_duvida", "http_504"},
		{"em_duvida", "corte"}} {
		for _, e := range [][2]string{{"enviado", ""}, event} {
			ana.Server.ExecRows(t, `INSERT INTO submission_event (submission_id, at, kind, attempt, reason)
				SELECT id, ?, ?, ?, ? FROM submission`, time.Now().UnixMicro(), e[0], attempt+1, e[1])
		}
	}
	shown := strings.Join(ana.Get(page.Path).Texts("#tempo li"), " | ")
	if strings.Count(shown, "Enviado à") != 3 || !strings.Contains(shown, "tentativas 2 a 4") || !strings.Contains(shown, "tentativa 5") ||
		!strings.Contains(shown, "tentativa 1") {
		t.Errorf("got %q", shown)
	}
}

// TestCase_States: what a case and the queue say of the states that no answer makes.
func TestCase_States(t *testing.T) {
	t.Parallel()
	ana := startAnswering(t, authorized("", `{"sucesso":true,"situacaoAutorizacao":"A"}`))
	page := ana.Submit(ana.NewDraft())
	for _, tt := range []struct {
		state               string
		group               authorization.Group
		more                string
		slug, verdict, step string
		urgent              bool
	}{
		{"refused", authorization.ToFix, ", reason = 'nao_saiu_a_tempo'", "", "Não saiu a tempo", "Reenviar", true},
		{"refused", authorization.ToFix, ", reason = 'anexo_danificado'", "", "Anexo danificado", "Reenviar com anexo", true},
		{"refused", authorization.ToFix, ", reason = 'http_422'", "", "Não aceito", "Corrigir e reenviar", true},
		{"resent", authorization.Closed, "", "", "Reenviado", "Ver", false},
		{"withdrawn", authorization.Closed, "", "", "Retirado da fila", "Ver", false},
		{"queued", authorization.Waiting, ", reason = 'corte', due_at = 9000000000000000, deadline_at = 9000000000000000, doubtful = 1", "",
			"Conferindo com o serviço", "Acompanhar", false},
		{"unknown", 0, ", due_at = 0, reason = 'corte'", "sem-resposta", "Enviado sem resposta", "Conferir", true},
		{"unknown", 0, ", reason = 'http_504'", "sem-resposta", "Enviado sem resposta", "Conferir", true},
		{"unknown", 0, ", reason = 'restaurado'", "sem-resposta", "Pode ter sido enviado", "Conferir", true},
		{"unknown", 0, ", reason = 'corpo_diferente', alert = 'conflict'", "sem-resposta", "Número já usado", "Conferir", true},
		{"unknown", 0, ", reason = 'http_400'", "sem-resposta", "Resposta não entendida", "Conferir", true},
	} {
		setState(t, ana, tt.state, tt.group, tt.more)
		asks := tt.state == "unknown" || tt.state == "queued" // something may still be learned by itself
		if got := ana.Get(page.Path); got.Text("#veredito .verdict") != tt.verdict || got.Has("#caso[hx-get]") != asks {
			t.Errorf("the case says %q, want %q, and asks again: %t", got.Text("#veredito .verdict"), tt.verdict, got.Has("#caso[hx-get]"))
		}
		if tt.slug == "" {
			tt.slug = tt.group.Info().Slug
		}
		list := ana.Get("/fila?grupo=" + tt.slug)
		if got := list.Text("#fila tbody td:nth-child(4)"); !strings.HasPrefix(got, tt.verdict) {
			t.Errorf("the queue says %q, want %q", got, tt.verdict)
		}
		if got := list.Text("#fila tbody td:nth-child(6)"); !strings.HasPrefix(got, tt.step) {
			t.Errorf("the next step is %q, want %q", got, tt.step)
		}
		if got := list.Has("#fila tbody td:nth-child(6) b"); got != tt.urgent {
			t.Errorf("%s: the step is urgent: %t", tt.verdict, got)
		}
	}
}

// TestQueue_Alerts: what was sent without an answer is counted on the queue, and a
// number that the service knows already is told to administrators alone.
func TestQueue_Alerts(t *testing.T) {
	t.Parallel()
	const conflict, unknown = "1 número já conhecido do serviço com outro pedido.", "1 pedido enviado sem resposta clara."
	ana := startAnswering(t, authorized("", `{"sucesso":true,"situacaoAutorizacao":"A"}`))
	admin := ana.Server.LogIn(t, apptest.Administration)
	ana.Submit(ana.NewDraft())
	for _, told := range []bool{false, true} {
		if told {
			setState(t, ana, "unknown", 0, ", alert = 'conflict'")
		}
		queue := ana.Get("/fila").Text("body")
		if strings.Contains(queue, unknown) != told || strings.Contains(queue, conflict) {
			t.Errorf("unknown %t: the queue says %q", told, queue)
		}
		if got := admin.Get("/pessoas").Text("body"); strings.Contains(got, conflict) != told {
			t.Errorf("unknown %t: administration is told %q", told, got)
		}
	}
}
