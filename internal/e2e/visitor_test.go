package e2e_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// selection is what a selector found on a page.
type selection = goquery.Selection

// visitor is a person whose browser runs no script: plain HTTP with a cookie jar.
type visitor struct {
	t      testing.TB
	p      *program
	client *http.Client
}

// answer is what came back, redirects followed.
type answer struct {
	t      testing.TB
	status int
	path   string
	header http.Header
	body   []byte
}

// MustVisit logs a role in.
func MustVisit(t testing.TB, p *program, role string) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &visitor{t: t, p: p, client: &http.Client{Jar: jar}}
	if role != "" {
		user, password := p.login(t, role)
		if got := v.post("/entrar", url.Values{"usuario": {user}, "senha": {password}}); got.status != http.StatusOK {
			t.Fatalf("log in as %s: %d", role, got.status)
		}
	}
	return v
}

func (v *visitor) get(path string) answer { return v.send(http.MethodGet, path, "", nil, nil) }

func (v *visitor) post(path string, form url.Values) answer {
	return v.send(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), nil)
}

// upload posts files as a form of that encoding.
func (v *visitor) upload(path string, form url.Values, files map[string][]byte) answer {
	v.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, values := range form {
		for _, value := range values {
			if err := w.WriteField(name, value); err != nil {
				v.t.Fatal(err)
			}
		}
	}
	for name, content := range files {
		part, err := w.CreateFormFile("arquivo", name)
		if err == nil {
			_, err = part.Write(content)
		}
		if err != nil {
			v.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		v.t.Fatal(err)
	}
	return v.send(http.MethodPost, path, w.FormDataContentType(), &b, nil)
}

func (v *visitor) send(method, path, contentType string, body io.Reader, header http.Header) answer {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.p.url+path, body)
	if err != nil {
		v.t.Fatal(err)
	}
	for name, values := range header {
		req.Header[name] = values
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	content, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{t: v.t, status: res.StatusCode, path: res.Request.URL.Path, header: res.Header, body: content}
}

// doc is the page, for questions by CSS selector.
func (a answer) doc() *goquery.Document {
	a.t.Helper()
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(a.body))
	if err != nil {
		a.t.Fatal(err)
	}
	return doc
}

// text is the text of the first match, white space folded.
func (a answer) text(css string) string {
	a.t.Helper()
	return strings.Join(strings.Fields(a.doc().Find(css).First().Text()), " ")
}

// value is what a field of the page holds.
func (a answer) value(css string) string {
	a.t.Helper()
	field := a.doc().Find(css).First()
	if goquery.NodeName(field) == "select" {
		value, _ := field.Find("option[selected]").Attr("value")
		return value
	}
	if goquery.NodeName(field) == "textarea" {
		return field.Text()
	}
	value, _ := field.Attr("value")
	return value
}

var draftAddress = regexp.MustCompile(`/nova/[0-9a-f-]{36}`)

// newDraft opens the form and returns its address and a request that is fine as
// it stands, for the first credential.
func (v *visitor) newDraft() (address string, form url.Values) {
	v.t.Helper()
	page := v.get("/nova")
	address = draftAddress.FindString(string(page.body))
	if address == "" {
		v.t.Fatalf("GET /nova: %d, no form", page.status)
	}
	option := func(css string) string {
		value, _ := page.doc().Find(css + ` option[value!=""]`).First().Attr("value")
		return value
	}
	options := v.send(http.MethodPost, "/busca/credenciais", "application/x-www-form-urlencoded", strings.NewReader("Busca=aroeira"), http.Header{"Hx-Request": {"true"}})
	credential, _ := options.doc().Find("[role=option]").First().Attr("data-value")
	return address, url.Values{
		"credencialId": {credential}, "numeroCarteira": {"0310 0045 1206 3345"}, "validadeCarteira": {"31/12/2027"}, "nomeBeneficiario": {"Beneficiária de Teste"},
		"nomeSolicitante": {"Solicitante de Teste"}, "siglaConselhoSolicitante": {"CRM"}, "crmSolicitante": {"104552"}, "ufSolicitante": {"SP"},
		"profissionalExecutanteId": {option("#profissionalExecutanteId")}, "especialidadeExecutanteId": {option("#especialidadeExecutanteId")},
		"unidadeId": {option("#unidadeId")}, "pontoAtendimentoId": {option("#pontoAtendimentoId")},
		"procedimentos[0].codigoProcedimento": {"40316521"}, "procedimentos[0].nomeProcedimento": {"Tireoestimulante, hormônio (TSH)"},
		"procedimentos[0].quantidade": {"1"}, "versao": {"0"},
	}
}

// submit reviews and confirms, and returns the case's page.
func (v *visitor) submit(address string, form url.Values) answer {
	v.t.Helper()
	review := v.post(address+"/revisar", form)
	if review.status != http.StatusOK || review.doc().Find("#revisao").Length() != 1 {
		v.t.Fatalf("review: %d %s", review.status, review.text("#erros"))
	}
	return v.post(address+"/enviar", nil)
}
