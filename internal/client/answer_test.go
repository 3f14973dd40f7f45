package client_test

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/blob"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

var (
	pdfBytes  = []byte("%PDF-1.7\n\xfb\xff\xbf trailers\n%%EOF\n")
	pdfBase64 = base64.StdEncoding.EncodeToString(pdfBytes)
)

const fullAnswer = `{"sucesso":true,"erros":["aviso"],"data":{"pdfGuia":"PDF","pdfRecibo":"PDF","autorizacoes":[{
	"numeroAutorizacao":2,"sucesso":true,"validadeSenha":"2026-12-20T23:59:59","erros":[{"codigo":"E1","campo":"senha","mensagem":"m"}],
	"numeroGuia":"000123","senha":"SIM1","protocolo":"P9","situacaoAutorizacao":"Z","guiaId":"g-1","guiaPrestador":"26112010000012300001",
	"guiaParceiro":"PAR","numeroSolicitacao":"778","pdfGuiaAutorizacao":"PDF","dataAutorizacao":"2026-11-20T10:00:00",
	"procedimentos":[{"nomeProcedimento":"Hemograma","codigoProcedimento":"40304361","quantidade":3,"quantidadeAutorizada":2,
		"quantidadeExecutada":1,"senhaAutorizacao":"s","protocoloAtendimento":"p","justificativa":"j","mnemonico":"HMG"}]}]}}`

func wantFullAnswer(t *testing.T, ref blob.Ref) authorization.Answer {
	t.Helper()
	return authorization.Answer{
		Success: true, Errors: []authorization.AnswerError{{Message: "aviso"}}, GuidePDF: ref, ReceiptPDF: ref,
		Authorizations: []authorization.Authorization{{
			Number: 2, Success: true, Status: authorization.PartiallyAuthorized, GuideID: "g-1", GuideNumber: "000123",
			Senha: "SIM1", SenhaValidUntil: mustTime(t, "2026-12-20T23:59:59"), Protocol: "P9",
			ProviderGuide: "26112010000012300001", PartnerGuide: "PAR", RequestNumber: "778",
			AuthorizedAt: mustTime(t, "2026-11-20T10:00:00"), GuidePDF: ref,
			Procedures: []authorization.ProcedureResult{{
				Code: "40304361", Name: "Hemograma", Quantity: 3, Authorized: 2, Executed: 1,
				Senha: "s", Protocol: "p", Justification: "j", Mnemonic: "HMG",
			}},
			Errors: []authorization.AnswerError{{Code: "E1", Field: "senha", Message: "m"}},
		}},
	}
}

func mustTime(tb testing.TB, s string) authorization.LocalTime {
	tb.Helper()
	t, err := authorization.ParseLocalTime(s)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func diffAnswers(want, got authorization.Answer) string {
	return cmp.Diff(want, got, cmp.Comparer(func(a, b authorization.LocalTime) bool { return a == b }))
}

func TestClient_Interpret_EveryField(t *testing.T) {
	p := MustPair(t)
	o := p.interpretBody(t, 200, strings.ReplaceAll(fullAnswer, `"PDF"`, `"`+pdfBase64+`"`))
	if diff := diffAnswers(wantFullAnswer(t, o.Answer.GuidePDF), o.Answer); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if got := p.blobs.MustRead(t, o.Answer.GuidePDF); !bytes.Equal(got, pdfBytes) {
		t.Errorf("PDF: got %q, want %q", got, pdfBytes)
	}
}

// The same answer in every way of writing that rows 4, 5, 6 and 18 name reads the
// same.
func TestClient_Interpret_OtherSpellings(t *testing.T) {
	p := MustPair(t)
	reshape := map[string]func(string) string{
		"ByteOrderMark": func(s string) string { return "\ufeff" + s },
		"SpaceAround":   func(s string) string { return " \r\n\t" + s + "\n " },
		"DataIsArray":   func(s string) string { return strings.Replace(s[:len(s)-1]+"]}", `"data":{`, `"data":[{`, 1) },
		"NumbersAsStrings": func(s string) string {
			return strings.NewReplacer(`:2,`, `:"2",`, `:3,`, `:"3",`, `:1,`, `:"1",`).Replace(s)
		},
		"NumbersWithPoint": func(s string) string {
			return strings.NewReplacer(`:2,`, `:2.0,`, `:3,`, `:3e0,`, `:1,`, `:"1,0",`).Replace(s)
		},
		"StringsAsNumbers": func(s string) string { return strings.Replace(s, `"778"`, `778`, 1) },
		"SuccessAsString":  func(s string) string { return strings.ReplaceAll(s, `"sucesso":true`, `"sucesso":"S"`) },
		"SuccessAsNumber":  func(s string) string { return strings.ReplaceAll(s, `"sucesso":true`, `"sucesso":1`) },
		"SpacesInTexts":    func(s string) string { return strings.NewReplacer(`"Z"`, `" z "`, `"SIM1"`, `" SIM1 "`).Replace(s) },
		"StatusAsOther":    func(s string) string { return strings.Replace(s, `"situacaoAutorizacao"`, `"statusAutorizacao"`, 1) },
		"StatusAsShort": func(s string) string {
			return strings.Replace(s, `"situacaoAutorizacao":"Z"`, `"situacaoAutorizacao":null,"statusAutorizacao":"","situacao":"Z"`, 1)
		},
		"DatesWithZone": func(s string) string {
			return strings.NewReplacer(`59:59"`, `59:59-03:00"`, `10:00:00"`, `10:00:00Z"`).Replace(s)
		},
		"DatesWithPart": func(s string) string {
			return strings.NewReplacer(`59:59"`, `59:59.1234567"`, `10:00:00"`, `10:00:00.5-03:00"`).Replace(s)
		},
		"DatesWithPlainOffset": func(s string) string {
			return strings.NewReplacer(`59:59"`, `59:59.000-0300"`, `10:00:00"`, `10:00:00-03"`).Replace(s)
		},
		"DatesWithoutSeconds": func(s string) string { return strings.Replace(s, `10:00:00"`, `10:00-03:00"`, 1) },
		"DatesAsTyped": func(s string) string {
			return strings.NewReplacer(`2026-12-20T23:59:59`, `20/12/2026 23:59:59`, `2026-11-20T10:00:00`, `20/11/2026 10:00`).Replace(s)
		},
		"UnknownMembers":  func(s string) string { return strings.Replace(s, `"erros"`, `"novo":{"a":[1,null]},"erros"`, 1) },
		"ErrorNotInArray": func(s string) string { return strings.Replace(s, `["aviso"]`, `"aviso"`, 1) },
		"ErrorAsObject": func(s string) string {
			return strings.Replace(s, `["aviso"]`, `[{"descricao":"aviso"},null,"",{},[]]`, 1)
		},
		"ErrorInEnglish": func(s string) string {
			return strings.Replace(s, `{"codigo":"E1","campo":"senha","mensagem":"m"}`, `{"code":"E1","field":"senha","message":"m"}`, 1)
		},
		"ErrorAsReason": func(s string) string { return strings.Replace(s, `"mensagem":"m"`, `"motivo":"m"`, 1) },
		"OneEntryAlone": func(s string) string {
			return strings.NewReplacer(`"autorizacoes":[{`, `"autorizacoes":{`, `}]}]}}`, `}]}}}`).Replace(s)
		},
		"UTF16": func(s string) string {
			return mustEncode(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String, s)
		},
		"PDFWithURLAlphabet": func(s string) string {
			return strings.ReplaceAll(s, pdfBase64, base64.URLEncoding.EncodeToString(pdfBytes))
		},
		"PDFWithoutPadding": func(s string) string {
			return strings.ReplaceAll(s, pdfBase64, base64.RawStdEncoding.EncodeToString(pdfBytes))
		},
		"PDFWithDataPrefix": func(s string) string {
			return strings.ReplaceAll(s, pdfBase64, "data:application/pdf;base64,"+pdfBase64)
		},
		"PDFWithLineEnds": func(s string) string { return strings.ReplaceAll(s, pdfBase64, pdfBase64[:8]+`\r\n`+pdfBase64[8:]) },
		"PDFEscaped": func(s string) string {
			return strings.ReplaceAll(s, pdfBase64, strings.ReplaceAll(pdfBase64, "/", `\/`))
		},
	}
	plain := strings.ReplaceAll(fullAnswer, `"PDF"`, `"`+pdfBase64+`"`)
	want := p.interpretBody(t, 200, plain).Answer
	for name, reshape := range reshape {
		t.Run(name, func(t *testing.T) {
			body := reshape(plain)
			if body == plain {
				t.Fatal("the case changes nothing")
			}
			o := p.interpretBody(t, 200, body)
			if diff := diffAnswers(want, o.Answer); o.Kind != authorization.OutcomeAnswered || diff != "" {
				t.Errorf("%s for %s, answer (-want +got):\n%s", o.Kind, o.Reason, diff)
			}
		})
	}
}

func mustEncode(tb testing.TB, encode func(string) (string, error), s string) string {
	tb.Helper()
	encoded, err := encode(s)
	if err != nil {
		tb.Fatal(err)
	}
	return encoded
}

func TestClient_Interpret_AbsentNullEmpty(t *testing.T) {
	p := MustPair(t)
	bodies := map[string]string{
		"Absent": `{"sucesso":true,"data":{"autorizacoes":[{"situacaoAutorizacao":"A"}]}}`,
		"Null": `{"sucesso":true,"erros":null,"data":{"pdfGuia":null,"autorizacoes":[{"situacaoAutorizacao":"A","sucesso":null,"senha":null,
			"validadeSenha":null,"dataAutorizacao":null,"procedimentos":null,"erros":null,"pdfGuiaAutorizacao":null,"numeroAutorizacao":null}]}}`,
		"Empty": `{"sucesso":true,"erros":[],"data":{"pdfGuia":"","autorizacoes":[{"situacaoAutorizacao":"A","senha":"","validadeSenha":"",
			"dataAutorizacao":"","procedimentos":[],"erros":[],"pdfGuiaAutorizacao":"","numeroAutorizacao":""}]}}`,
		"DotNetZeroDate": `{"sucesso":true,"data":{"autorizacoes":[{"situacaoAutorizacao":"A","validadeSenha":"0001-01-01T00:00:00"}]}}`,
		"NoObjects":      `{"sucesso":true,"data":{"autorizacoes":[null,"x",7,{"situacaoAutorizacao":"A","procedimentos":[null,"x"]}]}}`,
	}
	want := authorization.Answer{Success: true,
		Authorizations: []authorization.Authorization{{Success: true, Status: authorization.Authorized}}}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			if diff := diffAnswers(want, p.interpretBody(t, 200, body).Answer); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

// TestClient_Interpret_QuantityLeftOut: what is authorized without an amount is so as it was asked for; of anything else
// no amount is made up, and a zero that is said stays one.
func TestClient_Interpret_QuantityLeftOut(t *testing.T) {
	p := MustPair(t)
	for name, c := range map[string]struct {
		status, amount string
		want           int
	}{
		"Absent": {"A", ``, 3}, "Null": {"A", `,"quantidadeAutorizada":null`, 3}, "Empty": {"A", `,"quantidadeAutorizada":""`, 3},
		"Zero": {"A", `,"quantidadeAutorizada":0`, 0}, "Less": {"A", `,"quantidadeAutorizada":2`, 2},
		"InPart": {"Z", `,"quantidadeAutorizada":null`, 0}, "Denied": {"N", ``, 0}, "Waiting": {"R", ``, 0},
	} {
		t.Run(name, func(t *testing.T) {
			body := `{"sucesso":true,"data":{"autorizacoes":[{"situacaoAutorizacao":"` + c.status +
				`","procedimentos":[{"codigoProcedimento":"1","quantidade":3` + c.amount + `}]}]}}`
			got := p.interpretBody(t, 200, body).Answer.Authorizations
			if len(got) != 1 || len(got[0].Procedures) != 1 || got[0].Procedures[0].Authorized != c.want {
				t.Errorf("got %+v, want %d authorized", got, c.want)
			}
		})
	}
}

func TestClient_Interpret_Status(t *testing.T) {
	p := MustPair(t)
	latin1 := func(s string) string { return mustEncode(t, charmap.ISO8859_1.NewEncoder().String, s) }
	entry := func(code string) string {
		return `{"sucesso":true,"erros":["Situação não resolvida"],"data":{"autorizacoes":[{"situacaoAutorizacao":"` + code + `"}]}}`
	}
	tests := map[string]struct {
		body string
		want authorization.Status
	}{
		"Composed":   {entry("Ç"), authorization.InconsistencyCedilla},
		"Decomposed": {entry("C\u0327"), authorization.InconsistencyCedilla},
		"Escaped":    {entry(`\u00c7`), authorization.InconsistencyCedilla},
		"Latin1":     {latin1(entry("Ç")), authorization.InconsistencyCedilla},
		"Dash":       {entry("-"), authorization.NotApplicable},
		"Unknown":    {entry("Q7"), "Q7"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := p.interpretBody(t, 200, tt.body).Answer
			if len(a.Authorizations) != 1 || a.Authorizations[0].Status != tt.want {
				t.Fatalf("authorizations: got %+v, want one of status %q", a.Authorizations, tt.want)
			}
			if got := a.Errors[0].Message; got != "Situação não resolvida" {
				t.Errorf("error text: got %q", got)
			}
		})
	}
}

func TestClient_Interpret_Errors(t *testing.T) {
	p := MustPair(t)
	tests := map[string]struct {
		erros string
		want  []authorization.AnswerError
	}{
		"Number":        {`[17]`, []authorization.AnswerError{{Message: "17"}}},
		"UnknownObject": {`[{"Erro":{"n":1.50}}]`, []authorization.AnswerError{{Message: "n: 1.50"}}},
		"FieldToTexts":  {`{"numeroCarteira":["curta"]}`, []authorization.AnswerError{{Field: "numeroCarteira", Message: "curta"}}},
		"FieldsToTexts": {`{"$.Procedimentos[1].Quantidade":["alta","ímpar"],"numeroCarteira":"curta","x":{"y":[1,null]}}`,
			[]authorization.AnswerError{{Field: "procedimentos[1].quantidade", Message: "alta"},
				{Field: "procedimentos[1].quantidade", Message: "ímpar"}, {Field: "numeroCarteira", Message: "curta"}, {Message: "x: y: 1"}}},
		"ListOfMaps": {`[{"crmSolicitante":["falta"]},{"unidadeId":"outra"}]`,
			[]authorization.AnswerError{{Field: "crmSolicitante", Message: "falta"}, {Field: "unidadeId", Message: "outra"}}},
		"Nested":        {`[["a","b"]]`, []authorization.AnswerError{{Message: "a"}, {Message: "b"}}},
		"NestedMessage": {`[{"mensagem":["a","b"],"campo":"unidadeId"}]`, []authorization.AnswerError{{Field: "unidadeId", Message: "a; b"}}},
		"OtherLanguage": {`[{"error":"x"},{"detail":"y"},{"erro":"z"}]`,
			[]authorization.AnswerError{{Message: "x"}, {Message: "y"}, {Message: "z"}}},
		"TwoSpellings": {`[{"Message":"Invalid card.","message":"A carteira não vale.","Campo":"","campo":"numeroCarteira"}]`,
			[]authorization.AnswerError{{Field: "numeroCarteira", Message: "A carteira não vale."}}},
		"Boolean":   {`true`, []authorization.AnswerError{{Message: "true"}}},
		"CodeAlone": {`[{"codigo":12}]`, []authorization.AnswerError{{Code: "12", Message: "Código 12."}}},
		"Markup":    {`["<b>&</b>"]`, []authorization.AnswerError{{Message: "<b>&</b>"}}},
		"None":      {`[]`, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for range 20 { // the same each time, whatever the order of a map
				o := p.interpretBody(t, 422, `{"sucesso":false,"erros":`+tt.erros+`}`)
				if diff := cmp.Diff(tt.want, o.Answer.Errors); o.Kind != authorization.OutcomeRefused || diff != "" {
					t.Fatalf("%s, errors (-want +got):\n%s", o.Kind, diff)
				}
			}
		})
	}
}

func TestClient_Interpret_BadPDF(t *testing.T) {
	p := MustPair(t)
	values := map[string]string{
		"NoPDF":       `"` + base64.StdEncoding.EncodeToString([]byte("<html>erro</html>")) + `"`,
		"NoBase64":    `"isto não é base64"`,
		"LongNoPDF":   `"` + strings.Repeat("QUJD", 1<<18) + `"`,
		"CutBase64":   `"` + pdfBase64[:len(pdfBase64)-3] + `*"`,
		"NoString":    `{"arquivo":"x"}`,
		"EmptyObject": `{}`,
	}
	for name, value := range values {
		t.Run(name, func(t *testing.T) {
			o := p.interpretBody(t, 200, `{"sucesso":true,"data":{"pdfGuia":`+value+
				`,"autorizacoes":[{"situacaoAutorizacao":"A","senha":"S1","pdfGuiaAutorizacao":`+value+`}]}}`)
			if o.Kind != authorization.OutcomeAnswered || o.Answer.Authorizations[0].Senha != "S1" {
				t.Fatalf("outcome: got %+v, want answered", o)
			}
			if o.Answer.GuidePDF != "" || o.Answer.Authorizations[0].GuidePDF != "" {
				t.Error("PDF: got one, want none")
			}
			for _, errs := range [][]authorization.AnswerError{o.Answer.Errors, o.Answer.Authorizations[0].Errors} {
				if len(errs) != 1 || errs[0].Code != "pdf_invalido" || !strings.HasPrefix(errs[0].Field, "pdfGuia") {
					t.Errorf("errors: got %+v, want one about the PDF", errs)
				}
			}
		})
	}
}

// TestClient_Interpret_PDFLater: a PDF may begin where its readers still look for it.
func TestClient_Interpret_PDFLater(t *testing.T) {
	const window = 1024
	p := MustPair(t)
	for _, before := range []int{0, 1, window - len("%PDF-"), window - len("%PDF-") + 1, window} {
		content := append(bytes.Repeat([]byte(" "), before), pdfBytes...)
		o := p.interpretBody(t, 200, `{"sucesso":true,"data":{"pdfGuia":"`+base64.StdEncoding.EncodeToString(content)+
			`","autorizacoes":[{"situacaoAutorizacao":"A","senha":"S1"}]}}`)
		if got, want := o.Answer.GuidePDF != "", before+len("%PDF-") <= window; got != want {
			t.Errorf("after %d bytes: got a PDF %t, want %t", before, got, want)
		}
	}
}

func TestClient_Interpret_BadDateIsTold(t *testing.T) {
	p := MustPair(t)
	a := p.interpretBody(t, 200, `{"sucesso":true,"data":{"autorizacoes":[{"validadeSenha":"30 dias"}]}}`).Answer.Authorizations[0]
	if !a.SenhaValidUntil.IsZero() || len(a.Errors) != 1 || a.Errors[0].Field != "validadeSenha" {
		t.Fatalf("authorization: got %+v, want no date and one error", a)
	}
	contains(t, a.Errors[0].Message, "30 dias")
}

// TestClient_Interpret_SeveralParts: the authorizations of several objects are joined. The
// PDF of an object is that of its own authorizations, and of all only where no other has any.
func TestClient_Interpret_SeveralParts(t *testing.T) {
	p := MustPair(t)
	pdf := func(n string) string { return base64.StdEncoding.EncodeToString(append(bytes.Clone(pdfBytes), n...)) }
	for name, tt := range map[string]struct {
		data string
		want string // senha and PDF of each authorization, then the PDF of all and the receipt
	}{
		"OneEach": {`{"pdfGuia":"` + pdf("a") + `","autorizacoes":[{"senha":"1"}]},
			{"pdfGuia":"` + pdf("b") + `","pdfRecibo":"` + pdf("r") + `","autorizacoes":[{"senha":"2"}]},
			{"autorizacoes":[{"senha":"3"},{"senha":"4"}]},null,"x"`, "1a 2b 3 4 |  | r"},
		"SeveralEach": {`{"pdfGuia":"` + pdf("a") + `","autorizacoes":[{"senha":"1"},{"senha":"2","pdfGuiaAutorizacao":"` + pdf("o") + `"}]},
			{"autorizacoes":[{"senha":"3","pdfGuiaAutorizacao":"` + pdf("p") + `"}]}`, "1a 2o 3p |  | "},
		"OneAnswers": {`{"pdfGuia":"` + pdf("a") + `","autorizacoes":[{"senha":"1"},{"senha":"2"}]},{"autorizacoes":[]}`, "1 2 | a | "},
		"Apart":      {`{"autorizacoes":[{"senha":"1"}]},{"autorizacoes":[{"senha":"2"}]},{"pdfGuia":"` + pdf("a") + `"}`, "1 2 | a | "},
	} {
		t.Run(name, func(t *testing.T) {
			a := p.interpretBody(t, 200, `{"sucesso":true,"data":[`+tt.data+`]}`).Answer
			kept := func(ref blob.Ref) string {
				if ref == "" {
					return ""
				}
				return strings.TrimPrefix(string(p.blobs.MustRead(t, ref)), string(pdfBytes))
			}
			got := ""
			for _, entry := range a.Authorizations {
				got += entry.Senha + kept(entry.GuidePDF) + " "
			}
			if got += "| " + kept(a.GuidePDF) + " | " + kept(a.ReceiptPDF); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestClient_Interpret_Numbers: no two authorizations are called by one number, which is the place
// of one that has none; those that the service told apart keep theirs.
func TestClient_Interpret_Numbers(t *testing.T) {
	p := MustPair(t)
	for data, want := range map[string][]int{
		`{"autorizacoes":[{"numeroAutorizacao":1}]},{"autorizacoes":[{"numeroAutorizacao":1},{"numeroAutorizacao":2}]}`: {1, 2, 3},
		`{"autorizacoes":[{"numeroAutorizacao":7},{"numeroAutorizacao":7}]}`:                                            {1, 2},
		`{"autorizacoes":[{"numeroAutorizacao":7}]},{"autorizacoes":[{"numeroAutorizacao":3}]}`:                         {7, 3},
		`{"autorizacoes":[{"numeroAutorizacao":2},{}]}`:                                                                 {1, 2},
		`{"autorizacoes":[{},{},{"numeroAutorizacao":9}]}`:                                                              {0, 0, 9},
	} {
		var got []int
		for _, a := range p.interpretBody(t, 200, `{"sucesso":true,"data":[`+data+`]}`).Answer.Authorizations {
			got = append(got, a.Number)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", data, got, want)
		}
	}
}

// A large guide and a long justification: the guide streams, the text stays.
func TestClient_Interpret_Large(t *testing.T) {
	p := MustPair(t)
	guide := append([]byte("%PDF-1.7\n"), noise(3<<20)...)
	long := strings.Repeat("justificativa extensa ", 10_000)
	a := p.interpretBody(t, 200, `{"sucesso":true,"data":{"autorizacoes":[{"situacaoAutorizacao":"Z","pdfGuiaAutorizacao":"`+
		base64.StdEncoding.EncodeToString(guide)+`","procedimentos":[{"justificativa":"`+long+`"}]}]}}`).Answer.Authorizations[0]
	if got := p.blobs.MustRead(t, a.GuidePDF); !bytes.Equal(got, guide) {
		t.Errorf("PDF: got %d bytes, want the %d of the answer", len(got), len(guide))
	}
	if got, want := a.Procedures[0].Justification, strings.TrimSpace(long); got != want {
		t.Errorf("justification: got %d characters, want %d", len(got), len(want))
	}
}
