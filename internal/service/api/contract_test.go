package api_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/service"
	"guiche/internal/service/servicetest"
)

// TestAPI_AuthorizeFullRequest sends every field of 2.3 and 2.4 as literal
// JSON and compares the whole answer of 2.5.
func TestAPI_AuthorizeFullRequest(t *testing.T) {
	e := MustEnv(t, limits{})
	pdf := base64.StdEncoding.EncodeToString([]byte("%PDF-1.4 pedido"))
	res := e.Post(`{
		"credencialId": "11111111-1111-4111-8111-111111111111", "numeroCarteira": "0310004512063345",
		"validadeCarteira": "2027-12-31T00:00:00", "nomeBeneficiario": "HELENA DUARTE", "planoBeneficiario": "",
		"atendimentoRN": "S", "nomeRecemNascido": "RN de Helena", "dataNascimentoRecemNascido": "2026-11-19T08:15:00",
		"pacienteNoLocal": "S", "unidadeId": "44444444-4444-4444-8444-444444444444",
		"pontoAtendimentoId": "55555555-5555-4555-8555-555555555555", "nomeSolicitante": "Caio Leme", "ufSolicitante": "SP",
		"crmSolicitante": "104552", "siglaConselhoSolicitante": "CRM",
		"profissionalExecutanteId": "66666666-6666-4666-8666-666666666666", "especialidadeExecutanteId": 225120,
		"tipoAcidente": "1", "guiaPrestador": "26112014305512300042", "regimeAtendimento": "U", "tipoAtendimento": "04",
		"observacoes": "Em jejum", "indicacaoClinica": "Hipotireoidismo", "retorno": "S",
		"anexos": [{"base64": "`+pdf+`", "name": "pedido.pdf", "contentType": "application/pdf"}],
		"procedimentos": [{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 2}],
		"nomeContato": "Rui", "dddContato": "11", "telefoneContato": "999990000", "emailContato": "rui@example.com",
		"campoDesconhecido": {"ignorado": [true]}
	}`, nil)
	if res.Status != http.StatusOK {
		t.Fatalf("status: got %d, want 200: %s", res.Status, res.Text)
	}
	entry := res.Entry()
	guideID, _ := entry["guiaId"].(string)
	guidePDF, err := base64.StdEncoding.DecodeString(entry["pdfGuiaAutorizacao"].(string))
	if err != nil || !bytes.HasPrefix(guidePDF, []byte("%PDF-")) {
		t.Errorf("pdfGuiaAutorizacao: got %.20q, %v", guidePDF, err)
	}
	entry["guiaId"], entry["pdfGuiaAutorizacao"] = "", ""
	for _, number := range []string{"senha", "numeroGuia", "protocolo", "guiaParceiro", "numeroSolicitacao"} {
		if text, _ := entry[number].(string); len(text) < 8 {
			t.Errorf("%s: got %v", number, entry[number])
		}
		entry[number] = ""
	}
	procedure := entry["procedimentos"].([]any)[0].(map[string]any)
	if !strings.HasPrefix(procedure["senhaAutorizacao"].(string), "SIM") || procedure["protocoloAtendimento"] == "" {
		t.Errorf("procedure: got %v", procedure)
	}
	procedure["senhaAutorizacao"], procedure["protocoloAtendimento"] = "", ""
	var want map[string]any
	e.Must(json.Unmarshal([]byte(`{"sucesso": true, "erros": [], "errosDetalhados": [], "data": {"autorizacoes": [{
		"numeroAutorizacao": 1, "sucesso": true, "situacaoAutorizacao": "A", "guiaId": "", "numeroGuia": "", "senha": "",
		"validadeSenha": "2026-12-20T00:00:00", "protocolo": "", "guiaPrestador": "26112014305512300042", "guiaParceiro": "",
		"numeroSolicitacao": "", "dataAutorizacao": "2026-11-20T14:30:55", "erros": [], "errosDetalhados": [], "pdfGuiaAutorizacao": "",
		"procedimentos": [{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 2, "quantidadeAutorizada": 2,
			"quantidadeExecutada": 0, "senhaAutorizacao": "", "protocoloAtendimento": "", "justificativa": null, "mnemonico": null}]
	}]}}`), &want))
	if !reflect.DeepEqual(res.Body, want) {
		t.Errorf("got  %v\nwant %v", res.Body, want)
	}
	if len(guideID) != 36 {
		t.Errorf("guiaId: got %q, want a UUID", guideID)
	}
	checkFullRequest(t, e.Operator.Told())
}

func checkFullRequest(t *testing.T, told service.OperatorRequest) {
	t.Helper()
	r := told.Request
	if !r.Newborn || r.NewbornName != "RN de Helena" || r.NewbornBirth.String() != "2026-11-19T08:15:00" || !r.PatientPresent || !r.FollowUp {
		t.Errorf("newborn, present, follow-up: got %+v", r)
	}
	if r.CardValidity.Date() != "31/12/2027" || r.BeneficiaryPlan != "" || *r.Notes != "Em jejum" ||
		*r.ClinicalIndication != "Hipotireoidismo" {
		t.Errorf("texts: got %+v", r)
	}
	if r.AccidentType != "1" || r.CareRegime != "U" || r.CareType != "04" || r.SpecialtyID != specialtyID ||
		r.ProfessionalID != professionalID {
		t.Errorf("domains: got %+v", r)
	}
	if r.ContactName+r.ContactAreaCode+r.ContactPhone+r.ContactEmail != "Rui11999990000rui@example.com" {
		t.Errorf("contact: got %+v", r)
	}
	if len(r.Attachments) != 1 || r.Attachments[0].Name != "pedido.pdf" || r.Attachments[0].ContentType != "application/pdf" ||
		r.Attachments[0].Size != 15 {
		t.Errorf("attachments: got %+v", r.Attachments)
	}
	if told.Credential.ID != credentialID || !told.ReceivedAt.Equal(start) {
		t.Errorf("credential %v, received %v", told.Credential.ID, told.ReceivedAt)
	}
}

// TestAPI_Defaults is 2.3 and row 5: absent takes the default, an explicit
// empty or null does not.
func TestAPI_Defaults(t *testing.T) {
	e := MustEnv(t, limits{})
	res := e.Post(body(nil), nil)
	if res.Status != http.StatusOK {
		t.Fatalf("got %d: %s", res.Status, res.Text)
	}
	r := e.Operator.Told().Request
	if r.Newborn || r.PatientPresent || r.FollowUp || r.AccidentType != "9" || r.CareRegime != "E" || r.CareType != "05" {
		t.Errorf("defaults: got %+v", r)
	}
	if *r.ClinicalIndication != "Rotina" || r.Notes != nil || r.ProviderGuide != "261120143055" {
		t.Errorf("got indication %q, notes %v, guide %q", *r.ClinicalIndication, r.Notes, r.ProviderGuide)
	}
	for _, given := range []any{"", nil} {
		e.Clock.Move(1e9)
		if res := e.Post(body(map[string]any{"indicacaoClinica": given, "observacoes": given, "nomeContato": given}),
			nil); res.Status != http.StatusOK {
			t.Fatalf("%v: got %d: %s", given, res.Status, res.Text)
		}
		if r := e.Operator.Told().Request; *r.ClinicalIndication != "" {
			t.Errorf("%v: indication %q, want it to stay empty", given, *r.ClinicalIndication)
		}
		for _, name := range []string{"tipoAcidente", "regimeAtendimento", "tipoAtendimento", "atendimentoRN", "pacienteNoLocal",
			"retorno", "guiaPrestador"} {
			res := e.Post(body(map[string]any{name: given}), nil)
			if res.Status != http.StatusUnprocessableEntity || len(res.Fields()) != 1 || !strings.HasPrefix(res.Fields()[0], name+" ") {
				t.Errorf("%s %v: got %d %v, want 422 about it", name, given, res.Status, res.Fields())
			}
		}
	}
}

// TestAPI_GuideNumber is row 7.
func TestAPI_GuideNumber(t *testing.T) {
	e := MustEnv(t, limits{})
	for _, want := range []string{"261120143055", "261120143056", "261120143057"} {
		if got := e.Post(body(nil), nil).Entry()["guiaPrestador"]; got != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	if got := e.Post(body(map[string]any{"guiaPrestador": "Ç-1 é texto"}), nil).Entry()["guiaPrestador"]; got != "Ç-1 é texto" {
		t.Errorf("given: got %v", got)
	}
	if res := e.Post(body(map[string]any{"guiaPrestador": strings.Repeat("1", 21)}), nil); res.Status != 422 ||
		res.Fields()[0] != "guiaPrestador limite" {
		t.Errorf("21 characters: got %d %v", res.Status, res.Fields())
	}
}

// TestAPI_AttachmentShapes is row 2: whatever an attachment is called, its operator gets
// the type of its content and a clean name that fits.
func TestAPI_AttachmentShapes(t *testing.T) {
	e := MustEnv(t, limits{})
	const png = "\x89PNG\r\n\x1a\n"
	for name, c := range map[string]struct{ item, kept, name, kind string }{
		"string":       {`"JVBERi0/Pz8+"`, "%PDF-???>", "anexo-1.pdf", "application/pdf"},
		"no padding":   {`"JVBERi0xMg"`, "%PDF-12", "anexo-1.pdf", "application/pdf"},
		"URL alphabet": {`"JVBERi0_Pz8-"`, "%PDF-???>", "anexo-1.pdf", "application/pdf"},
		"data prefix":  {`"data:image/png;base64,JVBERi0xMg=="`, "%PDF-12", "anexo-1.pdf", "application/pdf"},
		"object":       {`{"base64":"iVBORw0KGgo=","name":"a.png","contentType":"image/png"}`, png, "a.png", "image/png"},
		"Portuguese":   {`{"conteudo":"iVBORw0KGgo=","nome":"a.png","tipo":"image/png"}`, png, "a.png", "image/png"},
		"nameless":     {`{"base64":"JVBERi0xMg=="}`, "%PDF-12", "anexo-1.pdf", "application/pdf"},
		"path":         {`{"base64":"JVBERi0xMg==","name":"../../x.html","contentType":"text/html"}`, "%PDF-12", "x.html.pdf", "application/pdf"},
		"direction":    {`{"base64":"JVBERi0xMg==","name":"C:\\a\\laudo\u202efdp.exe"}`, "%PDF-12", "laudofdp.exe.pdf", "application/pdf"},
		"other kind":   {`{"base64":"iVBORw0KGgo=","name":"a.pdf","contentType":"application/pdf"}`, png, "a.pdf.png", "image/png"},
		"upper case":   {`{"base64":"JVBERi0xMg==","name":"PEDIDO.PDF"}`, "%PDF-12", "PEDIDO.PDF", "application/pdf"},
	} {
		t.Run(name, func(t *testing.T) {
			e.Clock.Move(1e9)
			text := strings.Replace(body(map[string]any{"anexos": "HERE"}), `"HERE"`, "["+c.item+"]", 1)
			if res := e.Post(text, nil); res.Status != http.StatusOK {
				t.Fatalf("got %d: %s", res.Status, res.Text)
			}
			a := e.Operator.Told().Request.Attachments[0]
			if a.Name != c.name || a.ContentType != c.kind || a.Size != int64(len(c.kept)) {
				t.Errorf("got %+v", a)
			}
			kept, err := e.Blobs.Open(t.Context(), a.Blob)
			e.Must(err)
			defer func() { _ = kept.Close() }()
			got := make([]byte, a.Size)
			if _, err := kept.Read(got); err != nil || string(got) != c.kept {
				t.Errorf("kept %q, %v, want %q", got, err, c.kept)
			}
		})
	}
}

// twoGuides is a request that is answered with two guides.
func twoGuides(providerGuide string) string {
	return body(map[string]any{"guiaPrestador": providerGuide, "numeroCarteira": "999919", "procedimentos": []any{
		map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1},
		map[string]any{"nomeProcedimento": "Hemograma", "codigoProcedimento": "40304361", "quantidade": 1},
	}})
}

// TestAPI_SeveralGuides: pdfGuia is there only with more than one guide.
func TestAPI_SeveralGuides(t *testing.T) {
	e := MustEnv(t, limits{})
	res := e.Post(twoGuides("g"), nil)
	entries := res.Entries("autorizacoes")
	if len(entries) != 2 || entries[0]["situacaoAutorizacao"] != "A" || entries[1]["situacaoAutorizacao"] != "R" ||
		entries[1]["numeroAutorizacao"] != 2.0 {
		t.Fatalf("got %s", res.Text)
	}
	text, _ := res.Data()["pdfGuia"].(string)
	all, err := base64.StdEncoding.DecodeString(text)
	if err != nil || bytes.Count(all, []byte("/Type /Page ")) != 2 {
		t.Errorf("pdfGuia: %d bytes, %d pages, %v, want two pages", len(all), bytes.Count(all, []byte("/Type /Page ")), err)
	}
	if one := e.Post(body(nil), nil); one.Data() != nil {
		if _, ok := one.Data()["pdfGuia"]; ok {
			t.Error("pdfGuia is there with one guide")
		}
	}
}

// TestAPI_AllStatuses: the 18 codes of section 3 reach the wire.
func TestAPI_AllStatuses(t *testing.T) {
	e := MustEnv(t, limits{})
	cards := map[string]string{
		"01": "A", "02": "Z", "03": "R", "04": "N", "05": "K", "06": "C", "07": "P", "08": "E", "09": "S",
		"10": "M", "11": "I", "12": "Ç", "13": "H", "14": "T", "15": "X", "16": "V", "17": "W", "18": "-",
	}
	for number, status := range cards {
		e.Clock.Move(1e9)
		res := e.Post(body(map[string]any{"numeroCarteira": "9999" + number + "0000"}), nil)
		if res.Status != http.StatusOK || res.Body["sucesso"] != true || res.Entry()["situacaoAutorizacao"] != status {
			t.Errorf("%s: got %d %s", status, res.Status, res.Text)
		}
		if password, _ := res.Entry()["senha"].(string); password != "" && !strings.HasPrefix(password, "SIM") {
			t.Errorf("%s: senha %q", status, password)
		}
	}
}

// TestAPI_RefusedByOperator: sucesso false and no entry, still 200 (row 9).
func TestAPI_RefusedByOperator(t *testing.T) {
	e := MustEnv(t, limits{})
	res := e.Post(body(map[string]any{"numeroCarteira": "999921", "guiaPrestador": "recusado"}), nil)
	if res.Status != http.StatusOK || res.Body["sucesso"] != false || len(res.Entries("autorizacoes")) != 0 ||
		len(res.Body["erros"].([]any)) != 2 {
		t.Errorf("got %d %s", res.Status, res.Text)
	}
	if got := res.Fields(); !reflect.DeepEqual(got, []string{"numeroCarteira 1001", " 1012"}) {
		t.Errorf("fields: got %q", got)
	}
	if found := e.Get("/api/v2/autorizacoes?guiaPrestador=recusado"); found.Status != 200 || found.Body["sucesso"] != false ||
		len(found.Body["erros"].([]any)) != 2 {
		t.Errorf("look-up: got %d %s", found.Status, found.Text)
	}
}

// TestAPI_EmptyValues is row 5: every property is there, with its empty value.
func TestAPI_EmptyValues(t *testing.T) {
	e := MustEnv(t, limits{})
	e.Operator.Operator = servicetest.Fixed{Decision: service.Decision{Authorizations: []authorization.Authorization{{Status: "K"}}}}
	entry := e.Post(body(map[string]any{"guiaPrestador": "g"}), nil).Entry()
	delete(entry, "guiaId")
	want := map[string]any{
		"numeroAutorizacao": 1.0, "sucesso": false, "situacaoAutorizacao": "K", "numeroGuia": "", "senha": "", "validadeSenha": nil,
		"protocolo":     "",
		"guiaPrestador": "g", "guiaParceiro": "", "numeroSolicitacao": "", "dataAutorizacao": nil, "procedimentos": []any{}, "erros": []any{},
		"errosDetalhados": []any{}, "pdfGuiaAutorizacao": "",
	}
	if !reflect.DeepEqual(entry, want) {
		t.Errorf("got %v, want %v", entry, want)
	}
}

// noPDF is a blob store that takes everything but guides.
type noPDF struct{ blob.Store }

func (n noPDF) Put(ctx context.Context, r io.Reader) (blob.Info, error) {
	head := bufio.NewReader(r)
	if start, _ := head.Peek(5); string(start) == "%PDF-" {
		return blob.Info{}, errors.New("no room")
	}
	return n.Store.Put(ctx, head)
}

// TestAPI_AnswerWithoutGuide: a guide that cannot be drawn costs nobody the
// authorization.
func TestAPI_AnswerWithoutGuide(t *testing.T) {
	e := MustEnv(t, limits{})
	e.WrapBlobs = func(s blob.Store) blob.Store { return noPDF{s} }
	e.Restart()
	res := e.Post(body(map[string]any{"numeroCarteira": "999919"}), nil)
	if _, ok := res.Data()["pdfGuia"]; ok || res.Status != http.StatusOK || res.Entry()["situacaoAutorizacao"] != "A" ||
		res.Entry()["pdfGuiaAutorizacao"] != "" {
		t.Errorf("got %d %s", res.Status, res.Text)
	}
}
