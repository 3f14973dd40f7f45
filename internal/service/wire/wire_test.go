package wire_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/problem"
	"guiche/internal/service/wire"
)

var errDisk = errors.New("the disk failed")

// pdfs opens "one" and "two" and nothing else.
func pdfs(_ context.Context, ref blob.Ref) (io.ReadCloser, error) {
	if ref != "one" && ref != "two" {
		return nil, errDisk
	}
	return io.NopCloser(strings.NewReader("%PDF " + string(ref))), nil
}

// base64Of is what an answer has for a PDF of pdfs.
func base64Of(name string) string { return base64.StdEncoding.EncodeToString([]byte("%PDF " + name)) }

// written is what a writer makes of an answer.
func written(t *testing.T, write func(w *wire.Writer)) (string, error) {
	t.Helper()
	var b bytes.Buffer
	w := wire.NewWriter(t.Context(), &b, pdfs)
	write(w)
	err := w.Flush()
	if err == nil && !json.Valid(b.Bytes()) {
		t.Errorf("no JSON: %s", b.String())
	}
	return b.String(), err
}

func TestNewEnvelope(t *testing.T) {
	for name, c := range map[string]struct {
		envelope wire.Envelope
		want     string
	}{
		"data":    {wire.NewEnvelope("x", nil), `{"sucesso":true,"erros":[],"errosDetalhados":[],"data":"x"}`},
		"no data": {wire.NewEnvelope(nil, nil), `{"sucesso":true,"erros":[],"errosDetalhados":[],"data":null}`},
		"refusal": {wire.NewEnvelope(nil, []wire.ErrorDetail{{Code: "limite", Field: "a", Message: "Um."}, {Code: "tipo", Message: "Dois."}}),
			`{"sucesso":false,"erros":["Um.","Dois."],"errosDetalhados":[{"codigo":"limite","campo":"a","mensagem":"Um."},` +
				`{"codigo":"tipo","campo":"","mensagem":"Dois."}],"data":null}`},
	} {
		got, err := json.Marshal(c.envelope)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, c.want)
		}
	}
}

func TestFieldDetails(t *testing.T) {
	got := wire.FieldDetails([]problem.Field{{Path: "nome", Code: "limite", Message: "Longo."}})
	if want := (wire.ErrorDetail{Code: "limite", Field: "nome", Message: "Longo."}); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := wire.FieldDetails(nil); got == nil || len(got) != 0 {
		t.Errorf("of nothing: got %v, want an empty list", got)
	}
}

func TestOrNull(t *testing.T) {
	if got := wire.OrNull(""); got != nil {
		t.Errorf("no text: got %q, want null", *got)
	}
	if got := wire.OrNull("x"); got == nil || *got != "x" {
		t.Errorf("got %v, want x", got)
	}
}

// bare is an authorization with nothing but what every one has, and emptyEntry how
// it is written but for its status (row 5).
var bare = authorization.Authorization{Number: 2, GuideID: "g"}

const emptyEntry = `"guiaId":"g","numeroGuia":"","senha":"","validadeSenha":null,"protocolo":"","guiaPrestador":"","guiaParceiro":"",` +
	`"numeroSolicitacao":"","dataAutorizacao":null,"procedimentos":[],"erros":[],"errosDetalhados":[],"pdfGuiaAutorizacao":""}`

func full() authorization.Authorization {
	return authorization.Authorization{
		Number: 1, Success: true, Status: "A", GuideID: "g", GuideNumber: "n", Senha: "SIM1", SenhaValidUntil: authorization.DateOf(2026, 12, 20),
		Protocol: "p", ProviderGuide: "gp", PartnerGuide: "gq", RequestNumber: "r", AuthorizedAt: authorization.DateOf(2026, 11, 20),
		Procedures: []authorization.ProcedureResult{
			{Name: "TSH", Code: "1", Quantity: 3, Authorized: 2, Executed: 1, Senha: "SIM2", Protocol: "pp", Justification: "j", Mnemonic: "m"},
			{Name: "T4", Code: "2", Quantity: 1},
		},
		Errors: []authorization.AnswerError{{Code: "c", Field: "f", Message: "m"}}, GuidePDF: "one",
	}
}

func fullEntry(status string) string {
	return `{"numeroAutorizacao":1,"sucesso":true,` + status + `,"guiaId":"g","numeroGuia":"n","senha":"SIM1",` +
		`"validadeSenha":"2026-12-20T00:00:00","protocolo":"p","guiaPrestador":"gp","guiaParceiro":"gq","numeroSolicitacao":"r",` +
		`"dataAutorizacao":"2026-11-20T00:00:00","procedimentos":[{"nomeProcedimento":"TSH","codigoProcedimento":"1","quantidade":3,` +
		`"quantidadeAutorizada":2,"quantidadeExecutada":1,"senhaAutorizacao":"SIM2","protocoloAtendimento":"pp","justificativa":"j",` +
		`"mnemonico":"m"},{"nomeProcedimento":"T4","codigoProcedimento":"2","quantidade":1,"quantidadeAutorizada":0,` +
		`"quantidadeExecutada":0,"senhaAutorizacao":null,"protocoloAtendimento":null,"justificativa":null,"mnemonico":null}],` +
		`"erros":["m"],"errosDetalhados":[{"codigo":"c","campo":"f","mensagem":"m"}],"pdfGuiaAutorizacao":"` + base64Of("one") + `"}`
}

func TestWriter_Decision(t *testing.T) {
	const fine, refused = `{"sucesso":true,"erros":[],"errosDetalhados":[],"data":{`,
		`{"sucesso":false,"erros":["Não."],"errosDetalhados":[{"codigo":"x","campo":"","mensagem":"Não."}],"data":{`
	errs := []authorization.AnswerError{{Code: "x", Message: "Não."}}
	second := full()
	second.GuidePDF = "two"
	for name, c := range map[string]struct {
		entries    []authorization.Authorization
		errors     []authorization.AnswerError
		aggregated blob.Ref
		want       string
	}{
		"one": {[]authorization.Authorization{full()}, nil, "", fine + `"autorizacoes":[` + fullEntry(`"situacaoAutorizacao":"A"`) + `]}}`},
		"empty": {[]authorization.Authorization{bare}, nil, "", fine + `"autorizacoes":[{"numeroAutorizacao":2,"sucesso":false,` +
			emptyEntry + `]}}`},
		"refused": {nil, errs, "", refused + `"autorizacoes":[]}}`},
		"with it": {[]authorization.Authorization{bare}, errs, "", refused +
			`"autorizacoes":[{"numeroAutorizacao":2,"sucesso":false,` + emptyEntry + `]}}`},
		"nothing": {nil, nil, "", strings.Replace(fine, "true", "false", 1) + `"autorizacoes":[]}}`},
		"two PDFs": {[]authorization.Authorization{full(), second}, nil, "two", fine + `"pdfGuia":"` + base64Of("two") +
			`","autorizacoes":[` + fullEntry(`"situacaoAutorizacao":"A"`) + `,` +
			strings.Replace(fullEntry(`"situacaoAutorizacao":"A"`), base64Of("one"), base64Of("two"), 1) + `]}}`},
	} {
		got, err := written(t, func(w *wire.Writer) { w.Decision(c.entries, c.errors, c.aggregated) })
		if err != nil || got != c.want {
			t.Errorf("%s: got %s, %v,\nwant %s", name, got, err, c.want)
		}
	}
}

func TestWriter_Found(t *testing.T) {
	for name, c := range map[string]struct {
		entries []authorization.Authorization
		errors  []authorization.AnswerError
		want    string
	}{
		"one": {[]authorization.Authorization{full()}, nil, `{"sucesso":true,"erros":[],"errosDetalhados":[],"data":{"items":[` +
			fullEntry(`"statusAutorizacao":"A"`) + `]}}`},
		"nothing": {nil, nil, `{"sucesso":true,"erros":[],"errosDetalhados":[],"data":{"items":[]}}`},
		"refused": {nil, []authorization.AnswerError{{Message: "Não."}},
			`{"sucesso":false,"erros":["Não."],"errosDetalhados":[{"codigo":"","campo":"","mensagem":"Não."}],"data":{"items":[]}}`},
	} {
		got, err := written(t, func(w *wire.Writer) { w.Found(c.entries, c.errors) })
		if err != nil || got != c.want {
			t.Errorf("%s: got %s, %v,\nwant %s", name, got, err, c.want)
		}
	}
}

func TestWriter_Single(t *testing.T) {
	got, err := written(t, func(w *wire.Writer) { w.Single(full()) })
	if want := `{"sucesso":true,"erros":[],"errosDetalhados":[],"data":` + fullEntry(`"statusAutorizacao":"A"`) +
		`}`; err != nil || got != want {
		t.Errorf("got %s, %v,\nwant %s", got, err, want)
	}
}

// TestWriter_Fails: the first error is the one that Flush returns, and nothing is
// taken for a whole answer.
func TestWriter_Fails(t *testing.T) {
	lost := full()
	lost.GuidePDF = "lost"
	if got, err := written(t, func(w *wire.Writer) { w.Single(lost) }); !errors.Is(err, errDisk) || json.Valid([]byte(got)) {
		t.Errorf("a PDF that is lost: got %q, %v", got, err)
	}
	got, err := written(t, func(w *wire.Writer) { w.Decision([]authorization.Authorization{full()}, nil, "lost") })
	if !errors.Is(err, errDisk) || got != "" {
		t.Errorf("the aggregated PDF is lost: got %q, %v", got, err)
	}
	var b bytes.Buffer
	w := wire.NewWriter(t.Context(), &b, func(context.Context, blob.Ref) (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("%PDF"), iotest.ErrReader(errDisk))), nil
	})
	w.Single(full())
	if err := w.Flush(); !errors.Is(err, errDisk) || json.Valid(b.Bytes()) {
		t.Errorf("a PDF that breaks off: got %q, %v", &b, err)
	}
	w = wire.NewWriter(t.Context(), brokenPipe{}, pdfs)
	w.Single(full())
	if err := w.Flush(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("nobody reads: got %v, want %v", err, io.ErrClosedPipe)
	}
	large := full()
	large.Protocol = strings.Repeat("x", 1<<20)
	w = wire.NewWriter(t.Context(), brokenPipe{}, func(context.Context, blob.Ref) (io.ReadCloser, error) {
		t.Error("a PDF is opened although nobody reads")
		return nil, errDisk
	})
	w.Single(large)
	if err := w.Flush(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("nobody reads a large one: got %v, want %v", err, io.ErrClosedPipe)
	}
}

// brokenPipe is a connection whose reader hung up.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestWriter_LargePDF: a PDF larger than every buffer comes whole.
func TestWriter_LargePDF(t *testing.T) {
	store, err := files.Open(files.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	pdf := bytes.Repeat([]byte("0123456789"), 100_001)
	info, err := store.Put(t.Context(), bytes.NewReader(pdf))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := wire.NewWriter(t.Context(), &b, wire.FromBlobs(store))
	w.Single(authorization.Authorization{GuidePDF: info.Ref})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Data struct {
			PDF []byte `json:"pdfGuiaAutorizacao"`
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || !bytes.Equal(got.Data.PDF, pdf) {
		t.Errorf("got %d bytes, %v, want %d", len(got.Data.PDF), err, len(pdf))
	}
}
