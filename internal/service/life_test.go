package service_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/api"
	"guiche/internal/service/servicetest"
)

// TestLife holds the table of row 19 and that of the schema alike, over every
// pair of codes.
func TestLife(t *testing.T) {
	e := MustEnv(t, limits{})
	allowed := map[string]bool{}
	rows := e.Transitions()
	for _, pair := range rows {
		allowed[pair] = true
	}
	for _, before := range authorization.Statuses() {
		for _, after := range authorization.Statuses() {
			want := allowed[string(before.Code)+string(after.Code)]
			if got := service.Follows(before.Code, after.Code); got != want {
				t.Errorf("%s to %s: got %v, the schema says %v", before.Code, after.Code, got, want)
			}
			if before.Final && service.Leads(before.Code, after.Code) {
				t.Errorf("%s is final and leads to %s", before.Code, after.Code)
			}
		}
	}
	if len(rows) < 21 {
		t.Errorf("got %d steps, want those of row 19", len(rows))
	}
}

func TestService_LaterDecision(t *testing.T) {
	e := MustEnv(t, limits{})
	id, status := e.MustAuthorize("999903000000")
	if status != "R" {
		t.Fatalf("first: got %q, want R", status)
	}
	e.RunDue()
	e.StandsAt(id, "R")
	e.Clock.Move(19 * time.Second)
	e.RunDue()
	e.StandsAt(id, "R")
	e.Clock.Move(time.Second)
	e.RunDue()
	data := e.StandsAt(id, "A").Data()
	if senha, _ := data["senha"].(string); !strings.HasPrefix(senha, "SIM") || data["validadeSenha"] == nil ||
		data["pdfGuiaAutorizacao"] == "" {
		t.Errorf("got senha %q, validity %v and %d bytes of PDF, want all three", senha, data["validadeSenha"],
			len(data["pdfGuiaAutorizacao"].(string)))
	}
	if got := data["procedimentos"].([]any)[0].(map[string]any)["quantidadeAutorizada"]; got != 1.0 {
		t.Errorf("authorized: got %v, want 1", got)
	}
	before := e.Operator.Polled.Load()
	e.Clock.Move(48 * time.Hour)
	e.RunDue()
	if got := e.Operator.Polled.Load(); got != before {
		t.Errorf("asked %d times about what is authorized, want none", got-before)
	}
}

func TestService_LaterDecisionsInSteps(t *testing.T) {
	for card, steps := range map[string]string{
		"999905": "KRZ", "999928": "RN", "999929": "RS", "999915": "XC", "999917": "WPE", "999932": "AW", "999931": "RH",
	} {
		t.Run(card, func(t *testing.T) {
			e := MustEnv(t, limits{})
			id, first := e.MustAuthorize(card + "000000")
			got := first
			for range 30 {
				e.Clock.Move(5 * time.Second)
				e.RunDue()
				if now := e.Get(guidePath(id)).Data()["statusAutorizacao"].(string); !strings.HasSuffix(got, now) {
					got += now
				}
			}
			if got != steps {
				t.Errorf("got %s, want %s", got, steps)
			}
			if history := strings.Join(e.History(id), ""); history != steps {
				t.Errorf("ledger: got %s, want %s", history, steps)
			}
		})
	}
}

// TestService_LaterDecisionSurvivesRestart: what was to be asked is asked by the
// next process.
func TestService_LaterDecisionSurvivesRestart(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999903000000")
	e.Clock.Move(20 * time.Second)
	e.Restart()
	e.RunDue()
	e.StandsAt(id, "A")
}

func TestService_Work(t *testing.T) {
	e := MustEnv(t, limits{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { e.Service.Work(ctx); close(ended) }()
	accepted := e.Accept("0310004512063345", nil)
	id := accepted.Data()["guiaId"].(string)
	for e.Get(guidePath(id)).Data()["statusAutorizacao"] != "A" {
		if t.Context().Err() != nil {
			t.Fatal("never decided")
		}
	}
	cancel()
	<-ended
}

func TestService_PollsPatiently(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999919000000") // its second guide stays R
	_ = id
	for range 72 {
		e.Clock.Move(time.Hour)
		e.RunDue()
	}
	if got := e.Operator.Polled.Load(); got < 20 || got > 80 {
		t.Errorf("asked %d times in three days, want about once an hour", got)
	}
	e.Clock.Move(31 * 24 * time.Hour)
	e.RunDue()
	before := e.Operator.Polled.Load()
	e.Clock.Move(24 * time.Hour)
	e.RunDue()
	if got := e.Operator.Polled.Load() - before; got != 0 {
		t.Errorf("asked %d times after a month, want none", got)
	}
}

func TestService_Attachments(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999909000000")
	r := e.Act(id, "anexos", someAttachment, nil)
	if r.Status != http.StatusOK || r.Data()["statusAutorizacao"] != "R" || r.Data()["guiaId"] != id {
		t.Fatalf("got %d %s, want 200 and R", r.Status, r.Text)
	}
	if got := e.Operator.Attached; len(got) != 1 || got[0].Name != "laudo.pdf" || got[0].Size != 9 {
		t.Errorf("operator got %+v", got)
	}
	if again := e.Act(id, "anexos", someAttachment, nil); again.Status != http.StatusConflict || again.Fields()[0] != " situacao_nao_permite" {
		t.Errorf("in R: got %d %s, want 409", again.Status, again.Text)
	}
	e.Clock.Move(10 * time.Second)
	e.RunDue()
	e.StandsAt(id, "A")
	if got := strings.Join(e.History(id), ""); got != "SRA" {
		t.Errorf("ledger: got %s, want SRA", got)
	}
}

// TestService_AttachmentsOverTwoSteps: an operator that says A at once is noted
// with the R between (row 19).
func TestService_AttachmentsOverTwoSteps(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999929000000")
	e.Clock.Move(10 * time.Second)
	e.RunDue()
	e.StandsAt(id, "S")
	if r := e.Act(id, "anexos", someAttachment, nil); r.Data()["statusAutorizacao"] != "A" {
		t.Fatalf("got %d %s, want A", r.Status, r.Text)
	}
	if got := strings.Join(e.History(id), ""); got != "RSRA" {
		t.Errorf("ledger: got %s, want RSRA", got)
	}
}

func TestService_Biometrics(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999930000000")
	if r := e.Act(id, "biometria", someCapture, nil); r.Status != http.StatusOK || r.Data()["statusAutorizacao"] != "T" ||
		r.Data()["sucesso"] != false {
		t.Fatalf("first: got %d %s, want T", r.Status, r.Text)
	}
	got := e.Operator.Captured
	if len(got) != 1 || got[0].Kind != "digital" || got[0].Device != "leitor-1" || string(got[0].Data) != "captura-secreta" {
		t.Errorf("operator got %+v", got)
	}
	if r := e.Act(id, "biometria", someCapture, nil); r.Data()["statusAutorizacao"] != "A" || r.Data()["senha"] == "" {
		t.Fatalf("second: got %s, want A with its senha", r.Text)
	}
	e.Close()
	e.findsNothingOf(t, "captura-secreta", "Y2FwdHVyYS1zZWNyZXRh")
	e.Open()
}

// TestService_CaptureShapes: a capture is read as an attachment is (row 2).
func TestService_CaptureShapes(t *testing.T) {
	e := MustEnv(t, limits{})
	for name, text := range map[string]string{"standard": "++/+YQ==", "URL": "--_-YQ", "data": "data:image/png;base64,++/+YQ==",
		"line ends": "++/+\\r\\nYQ=="} {
		id, _ := e.MustAuthorize("999930000000")
		r := e.Act(id, "biometria", `{"biometrias": [{"tipo": "digital", "conteudo": "`+text+`"}]}`, nil)
		if got := e.Operator.Captured; r.Status != http.StatusOK || len(got) != 1 || string(got[0].Data) != "\xfb\xef\xfea" {
			t.Errorf("%s: got %d %s, %q", name, r.Status, r.Text, got)
		}
	}
}

// findsNothingOf looks for texts in every file of the service, in its database and in its log.
func (e *env) findsNothingOf(t *testing.T, texts ...string) {
	t.Helper()
	files := 0
	err := filepath.Walk(e.Dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		for _, text := range texts {
			if strings.Contains(string(content), text) {
				t.Errorf("%s holds %q", filepath.Base(path), text)
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Fatalf("looked into %d files: %v", files, err)
	}
	held := e.DB.Held(t)
	for _, text := range texts {
		if strings.Contains(e.Log.String(), text) || strings.Contains(held, text) {
			t.Errorf("the log or the database holds %q", text)
		}
	}
}

func TestService_Cancel(t *testing.T) {
	for card, way := range map[string]string{"0310004512063345": "AXC", "999902": "ZXC", "999903": "RXC", "999909": "SXC",
		"999913": "HXC", "999917": "WXC"} {
		t.Run(card, func(t *testing.T) {
			e := MustEnv(t, limits{})
			id, _ := e.MustAuthorize(card)
			r := e.Act(id, "cancelamento", someReason, nil)
			if r.Status != http.StatusOK || r.Data()["statusAutorizacao"] != "X" || e.Operator.Reason != "Paciente desistiu" {
				t.Fatalf("got %d %s, reason %q, want X", r.Status, r.Text, e.Operator.Reason)
			}
			e.Clock.Move(5 * time.Second)
			e.RunDue()
			e.StandsAt(id, "C")
			if got := strings.Join(e.History(id), ""); got != way {
				t.Errorf("ledger: got %s, want %s", got, way)
			}
			if again := e.Act(id, "cancelamento", `{}`, nil); again.Status != http.StatusConflict {
				t.Errorf("cancelled again: got %d, want 409", again.Status)
			}
		})
	}
}

// TestService_ImpossibleActions goes through all codes and acts: each is allowed
// exactly where row 19 says so.
func TestService_ImpossibleActions(t *testing.T) {
	e := MustEnv(t, limits{})
	allowed := map[string]string{"anexos": "S", "biometria": "HT", "cancelamento": "AZWRSH"}
	bodies := map[string]string{"anexos": someAttachment, "biometria": someCapture, "cancelamento": someReason}
	for _, example := range servicetest.Catalogue()[:18] {
		for kind, from := range allowed {
			id, status := e.MustAuthorize(example + "000000")
			want := http.StatusConflict
			if strings.Contains(from, status) {
				want = http.StatusOK
			}
			if r := e.Act(id, kind, bodies[kind], nil); r.Status != want {
				t.Errorf("%s in %s: got %d %s, want %d", kind, status, r.Status, r.Text, want)
			}
		}
	}
}

func TestService_ActionRefusals(t *testing.T) {
	e := MustEnv(t, limits{API: api.Limits{MaxBody: 1 << 20, MaxCaptures: 2}})
	waiting, _ := e.MustAuthorize("999909000000")
	unknown := "0198a000-0000-7000-8000-00000000dead"
	for name, c := range map[string]struct {
		guide, kind, body string
		status            int
		field             string
	}{
		"UnknownGuide":    {unknown, "anexos", someAttachment, 404, " nao_encontrado"},
		"NoUUID":          {"x", "cancelamento", someReason, 404, " nao_encontrado"},
		"NoAttachments":   {waiting, "anexos", `{}`, 422, "anexos obrigatorio"},
		"NotBase64":       {waiting, "anexos", `{"anexos":["%%"]}`, 422, "anexos[0] formato"},
		"NoList":          {waiting, "anexos", `{"anexos":7}`, 422, "anexos tipo"},
		"NoCaptures":      {waiting, "biometria", `{"biometrias":[]}`, 422, "biometrias obrigatorio"},
		"UnknownKind":     {waiting, "biometria", `{"biometrias":[{"tipo":"dna","conteudo":"AA=="}]}`, 422, "biometrias[0].tipo dominio"},
		"EmptyCapture":    {waiting, "biometria", `{"biometrias":[{"tipo":"iris","base64":""}]}`, 422, "biometrias[0].base64 obrigatorio"},
		"CaptureNoBase64": {waiting, "biometria", `{"biometrias":[{"tipo":"iris","conteudo":"%"}]}`, 422, "biometrias[0].conteudo formato"},
		"TooMany":         {waiting, "biometria", `{"biometrias":[{},{},{}]}`, 422, "biometrias limite"},
		"LongReason":      {waiting, "cancelamento", `{"motivo":"` + strings.Repeat("ã", 501) + `"}`, 422, "motivo limite"},
		"NoObject":        {waiting, "cancelamento", `[]`, 422, " tipo"},
		"Empty":           {waiting, "cancelamento", ``, 400, " ilegivel"},
		"Duplicate":       {waiting, "cancelamento", `{"motivo":"a","motivo":"b"}`, 400, "motivo ilegivel"},
		"TooLarge":        {waiting, "cancelamento", `{"motivo":"` + strings.Repeat("a", 1<<20) + `"}`, 413, " grande_demais"},
	} {
		t.Run(name, func(t *testing.T) {
			r := e.Act(c.guide, c.kind, c.body, nil)
			if fields := r.Fields(); r.Status != c.status || len(fields) != 1 || fields[0] != c.field {
				t.Errorf("got %d %v, want %d [%s]", r.Status, fields, c.status, c.field)
			}
		})
	}
	if got := e.Operator.Acted.Load(); got != 0 {
		t.Errorf("operator was asked %d times for what is refused", got)
	}
}

func TestService_ActionsOfOthers(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999909000000")
	other := e.OtherKey()
	for _, kind := range []string{"anexos", "biometria", "cancelamento"} {
		if r := e.Act(id, kind, someAttachment, http.Header{"X-Api-Key": {other}}); r.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404 for another partner's guide", kind, r.Status)
		}
	}
}

func TestService_ActionIsIdempotent(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999909000000")
	first := e.Act(id, "anexos", someAttachment, key("k-1"))
	again := e.Act(id, "anexos", someAttachment, key("k-1"))
	checkReplay(t, first, again)
	e.Restart()
	checkReplay(t, first, e.Act(id, "anexos", someAttachment, key("k-1")))
	r := e.Act(id, "anexos", `{"anexos":["JVBERi0xLjQK"]}`, key("k-1"))
	if r.Status != http.StatusConflict || r.Fields()[0] != " corpo_diferente" {
		t.Errorf("another body: got %d %s, want 409", r.Status, r.Text)
	}
	if r := e.Act(id, "cancelamento", `{}`, key("k-1")); r.Status != http.StatusConflict || r.Fields()[0] != " corpo_diferente" {
		t.Errorf("another act: got %d %s, want 409", r.Status, r.Text)
	}
	if got := e.Operator.Acted.Load(); got != 1 {
		t.Errorf("operator was asked %d times, want once", got)
	}
}

// TestService_ActionOfUnknownOutcome: a failure is told, and the same key asks how
// it stands instead of acting twice (row 11).
func TestService_ActionOfUnknownOutcome(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("0310004512063345")
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { return errors.New("line cut") })
	for range 2 {
		if r := e.Act(id, "cancelamento", `{}`, key("c-1")); r.Status != http.StatusBadGateway ||
			r.Fields()[0] != " falha_operadora" || r.Header.Get("Idempotency-Replayed") != "" {
			t.Fatalf("got %d %s, want 502 and no word of a first answer", r.Status, r.Text)
		}
	}
	if got := e.Operator.Acted.Load(); got != 1 {
		t.Errorf("operator was told %d times, want once", got)
	}
	e.StandsAt(id, "A")
	e.Operator.Before(nil)
	if r := e.Act(id, "cancelamento", `{}`, key("c-2")); r.Status != http.StatusOK || r.Data()["statusAutorizacao"] != "X" {
		t.Fatalf("a new key: got %d %s, want X", r.Status, r.Text)
	}
	if r := e.Act(id, "cancelamento", `{}`, key("c-1")); r.Status != http.StatusOK || r.Data()["statusAutorizacao"] != "X" {
		t.Errorf("the old key: got %d %s, want how it stands", r.Status, r.Text)
	}
}

func TestService_ActionsThatOperatorsDoNotTake(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999909000000")
	e.Plain = true
	e.Restart()
	if r := e.Act(id, "anexos", someAttachment, nil); r.Status != http.StatusConflict || r.Fields()[0] != " operacao_nao_oferecida" {
		t.Errorf("got %d %s, want 409", r.Status, r.Text)
	}
	if r := e.Get("/api/v1/elegibilidade?numeroCarteira=1&credencialId=" + eligibilityID.String()); r.Status != http.StatusConflict {
		t.Errorf("eligibility: got %d %s, want 409", r.Status, r.Text)
	}
}
