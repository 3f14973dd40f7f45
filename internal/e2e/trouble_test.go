package e2e_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	fs "guiche/internal/client/faultservice"
)

// What the case page says (the desk's own situations).
const (
	authorized = "Autorizado"
	refused    = "Não aceito"
	queued     = "Na fila de envio"
	held       = "Envio suspenso"
	doubtful   = "Enviado sem resposta"
	unclear    = "Resposta não entendida"
	taken      = "Número já usado"
)

// envelopeOf is a refusal with an error about a field.
func envelopeOf(code string) string {
	return `{"sucesso":false,"erros":["A carteira não confere."],"errosDetalhados":[{"codigo":"` + code +
		`","campo":"numeroCarteira","mensagem":"A carteira não confere."}],"data":null}`
}

// outcomeRow is a row of the outcome table (interface.md), or one way
// to get there.
type outcomeRow struct {
	name            string
	rule            fs.Rule
	features        []string
	answerTime      time.Duration // 0: longer than any test
	badge           string
	received, acted int
}

func outcomeRows() []outcomeRow {
	rows := []outcomeRow{
		{name: "Authorized", badge: authorized, received: 1, acted: 1},
		{name: "NoEntry", rule: fs.Rule{Fault: fs.Answer(http.StatusOK, envelopeOf("1001"))}, badge: refused, received: 1},
		{name: "RefusedEarly", rule: fs.Rule{Unread: true, Fault: fs.Early(http.StatusUnprocessableEntity, envelopeOf("dominio"))},
			badge: refused, received: 1},
		{name: "Throttled", rule: fs.Rule{Fault: fs.Answer(http.StatusTooManyRequests, envelopeOf("x"), "Retry-After", "600")},
			badge: queued, received: 1},
		{name: "ThrottledOnce", rule: fs.Rule{Times: 1, Fault: fs.Answer(http.StatusTooManyRequests, envelopeOf("x"))},
			badge: authorized, received: 2, acted: 1},
		{name: "Unavailable", rule: fs.Rule{Fault: fs.Answer(http.StatusServiceUnavailable, envelopeOf("x"), "Retry-After",
			"600")}, badge: queued, received: 1},
		{name: "UnavailableOnce", rule: fs.Rule{Times: 1, Fault: fs.Answer(http.StatusServiceUnavailable, "", "Retry-After", "0")},
			badge: authorized, received: 2, acted: 1},
		{name: "InProcess", features: []string{"idempotencia"}, rule: fs.Rule{Times: 1, After: true,
			Fault: fs.Answer(http.StatusConflict, envelopeOf("em_processamento"))}, badge: authorized, received: 2, acted: 1},
		{name: "OtherBody", rule: fs.Rule{Fault: fs.Answer(http.StatusConflict, envelopeOf("corpo_diferente"))}, badge: taken, received: 1},
		{name: "BareConflict", rule: fs.Rule{Fault: fs.HTML(http.StatusConflict)}, badge: unclear, received: 1},
		{name: "Redirect", rule: fs.Rule{Fault: fs.Redirect(http.StatusTemporaryRedirect, fs.SubmitPath)}, badge: unclear, received: 1},
		{name: "PageInBetween", rule: fs.Rule{Fault: fs.HTML(http.StatusBadRequest)}, badge: unclear, received: 1},
		{name: "Page", rule: fs.Rule{After: true, Fault: fs.HTML(http.StatusOK)}, badge: unclear, received: 1, acted: 1},
		{name: "HalfJSON", rule: fs.Rule{After: true, Fault: fs.Answer(http.StatusOK, `{"sucesso":true,"data":{`)},
			badge: unclear, received: 1, acted: 1},
		{name: "Cut", rule: fs.Rule{After: true, Fault: fs.Cut(200)}, badge: doubtful, received: 1, acted: 1},
		{name: "WrongLength", rule: fs.Rule{After: true, Fault: fs.WrongLength(7)}, badge: doubtful, received: 1, acted: 1},
		{name: "Reset", rule: fs.Rule{After: true, Fault: fs.Reset()}, badge: doubtful, received: 1, acted: 1},
		{name: "HangUp", rule: fs.Rule{After: true, Fault: fs.HangUp()}, badge: doubtful, received: 1, acted: 1},
		{name: "NoAnswer", rule: fs.Rule{After: true, Fault: fs.Never()}, answerTime: 300 * time.Millisecond, badge: doubtful,
			received: 1, acted: 1},
		{name: "NoEnd", rule: fs.Rule{After: true, Fault: fs.Endless()}, answerTime: 300 * time.Millisecond, badge: doubtful,
			received: 1, acted: 1},
	}
	for _, status := range []int{400, 404, 405, 413, 415, 422} {
		rows = append(rows, outcomeRow{name: http.StatusText(status),
			rule: fs.Rule{Fault: fs.Answer(status, envelopeOf("formato"))}, badge: refused, received: 1})
	}
	for _, status := range []int{401, 403} {
		rows = append(rows, outcomeRow{name: http.StatusText(status),
			rule: fs.Rule{Fault: fs.Answer(status, envelopeOf("nao_autenticado"))}, badge: held, received: 2})
	}
	for status, badge := range map[int]string{500: unclear, 502: doubtful, 503: doubtful, 504: doubtful} {
		rows = append(rows, outcomeRow{name: http.StatusText(status),
			rule: fs.Rule{After: true, Fault: fs.Answer(status, envelopeOf("x"))}, badge: badge, received: 1, acted: 1})
	}
	return rows
}

// TestTrouble_Outcomes is the outcome table as a receptionist meets it: what her
// page and her list say, and how often the service was asked and acted.
func TestTrouble_Outcomes(t *testing.T) {
	t.Parallel()
	for _, row := range outcomeRows() {
		t.Run(strings.ReplaceAll(row.name, " ", ""), func(t *testing.T) {
			t.Parallel()
			c := MustClinic(t, fs.Config{Features: row.features}, func(c *app.Config) { c.Connection.Answer = row.answerTime })
			if row.rule.Fault != nil {
				c.fault(row.rule)
			}
			draft, _ := c.reviewed()
			c.press(draft)
			c.arrives(row.received) // before that, whatever was just confirmed is in the queue
			page := c.becomes(draft, row.badge)
			if got := c.v.Get("/fila").Text("#fila table td>b[class]"); got != row.badge {
				t.Errorf("the list says %q, want %q", got, row.badge)
			}
			checkAdvice(t, row, page)
			c.stop() // nothing is sent once more, neither now nor while stopping
			c.checkLedger(row.received, row.acted)
			checkSilence(t, c.Log.String())
		})
	}
}

// checkSilence: whatever went wrong, no log names the patient, repeats what the
// service said or holds the key.
func checkSilence(t *testing.T, logs string) {
	t.Helper()
	for _, private := range []string{"Beneficiária", "0310 0045", "031000451206", "Solicitante de Teste", "A carteira não confere", `"k"`} {
		if strings.Contains(logs, private) {
			t.Errorf("the log holds %q", private)
		}
	}
	if !strings.Contains(logs, "authorization request attempted") {
		t.Error("the log does not tell of the attempt")
	}
}

// checkAdvice: what was refused names the field, and what nobody knows gives the
// number to ask with and no way to send again.
func checkAdvice(t *testing.T, row outcomeRow, page *apptest.Page) {
	t.Helper()
	number := page.Text(".code.fs-4")
	again := page.Count(`form[action$="/copiar"]`)
	switch row.badge {
	case refused:
		if got := page.Text("section .notice p"); got != "Carteira: A carteira não confere." || again != 1 {
			t.Errorf("refusal says %q, %d ways to correct it", got, again)
		}
	case doubtful, unclear, taken:
		if digits := strings.ReplaceAll(number, " ", ""); len(digits) != 20 || again != 0 {
			t.Errorf("number to cite %q, %d ways to send again, want 20 digits and none", number, again)
		}
	case queued, held:
		if again != 0 {
			t.Error("what is still to be sent can be copied")
		}
	}
}
