package apptest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// Partner is a program that calls the service's API, as a partner's system does.
type Partner struct {
	Header http.Header // sent with every request

	T      testing.TB
	server *Server
}

// Partner returns a program that calls with an API key, or without any access for
// "".
func (s *Server) Partner(t testing.TB, key string) *Partner {
	t.Helper()
	p := &Partner{Header: http.Header{"Accept": {"application/json"}}, T: t, server: s}
	if key != "" {
		p.Header.Set("X-Api-Key", key)
	}
	return p
}

// Bearer returns a program that calls with an access token.
func (s *Server) Bearer(t testing.TB, token string) *Partner {
	t.Helper()
	p := s.Partner(t, "")
	p.Header.Set("Authorization", "Bearer "+token)
	return p
}

// Send sends a request and returns the status and the envelope.
func (p *Partner) Send(method, path, contentType, body string) (int, map[string]any) {
	p.T.Helper()
	req, err := http.NewRequestWithContext(p.T.Context(), method, p.server.URL+path, strings.NewReader(body))
	if err != nil {
		p.T.Fatal(err)
	}
	req.Host = p.server.Host
	req.Header = p.Header.Clone()
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.T.Fatal(err)
	}
	defer res.Body.Close()
	var got map[string]any
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
		p.T.Fatalf("%s %s: %d without JSON: %v", method, path, res.StatusCode, err)
	}
	return res.StatusCode, got
}

// Credentials searches the credentials and returns the status.
func (p *Partner) Credentials() int {
	p.T.Helper()
	status, _ := p.Send(http.MethodGet, "/api/v2/credenciais", "", "")
	return status
}

// LogIn returns the tokens of a login.
func (p *Partner) LogIn(user, password string) (access, refresh string) {
	p.T.Helper()
	body, err := json.Marshal(map[string]string{"usuario": user, "senha": password})
	if err != nil {
		p.T.Fatal(err)
	}
	status, got := p.Send(http.MethodPost, "/api/v1/auth/login", "application/json", string(body))
	data, _ := got["data"].(map[string]any)
	access, _ = data["access_token"].(string)
	refresh, _ = data["refresh_token"].(string)
	if status != http.StatusOK || access == "" || refresh == "" {
		p.T.Fatalf("log in: got %d", status)
	}
	return access, refresh
}

// Items are the entries of a list of the service.
func (p *Partner) Items(path string) []map[string]any {
	p.T.Helper()
	status, got := p.Send(http.MethodGet, path, "", "")
	data, _ := got["data"].(map[string]any)
	items, _ := data["items"].([]any)
	if status != http.StatusOK {
		p.T.Fatalf("GET %s: %d", path, status)
	}
	all := make([]map[string]any, len(items))
	for i, item := range items {
		all[i], _ = item.(map[string]any)
	}
	return all
}

// Request is one that names the first of everything that the service's lists hold.
func (p *Partner) Request() map[string]any {
	p.T.Helper()
	first := func(path string) map[string]any {
		items := p.Items(path)
		if len(items) == 0 {
			p.T.Fatalf("GET %s: an empty list", path)
		}
		return items[0]
	}
	part := func(of map[string]any, list string) any { return of[list].([]any)[0].(map[string]any)["id"] }
	credential, unit, professional := first("/api/v2/credenciais"), first("/api/v2/unidades"), first("/api/v2/profissionais-executantes")
	return map[string]any{
		"credencialId": credential["id"], "numeroCarteira": "0310004512063345", "nomeBeneficiario": "Helena Duarte",
		"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"unidadeId": unit["id"], "pontoAtendimentoId": part(unit, "pontosAtendimento"),
		"profissionalExecutanteId": professional["id"], "especialidadeExecutanteId": part(professional, "especialidades"),
		"procedimentos": []any{map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1}},
	}
}

// Ask sends a request for an authorization and returns the status.
func (p *Partner) Ask(request map[string]any) int {
	p.T.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		p.T.Fatal(err)
	}
	status, _ := p.Send(http.MethodPost, "/api/v2/autorizar/sp-sadt", "application/json", string(body))
	return status
}

// Authorize asks for what Request says and returns the status.
func (p *Partner) Authorize() int {
	p.T.Helper()
	return p.Ask(p.Request())
}

// AllScopes are the permissions of a partner, in the order of the page.
var AllScopes = []string{
	"credenciais:ler", "cadastros:ler", "elegibilidade:ler", "autorizacoes:criar", "autorizacoes:ler", "autorizacoes:alterar",
}

// PartnerForm is a partner who may come in by every method and do everything.
func PartnerForm(name string) url.Values {
	return url.Values{"nome": {name}, "metodos": {"chave", "senha", "oauth"}, "escopos": AllScopes, "limite": {"0"}}
}

// AddPartner adds a partner and returns the address of its page.
func (c *Client) AddPartner(name string) string {
	c.T.Helper()
	got := c.Post("/servico/parceiros/novo", PartnerForm(name))
	if got.Status != http.StatusOK || got.Path == "/servico/parceiros/novo" {
		c.T.Fatalf("add a partner: %d at %s: %s", got.Status, got.Path, got.Text("#erros"))
	}
	return got.Path
}

// Mint adds an access to a partner and returns what is shown of it once.
func (c *Client) Mint(t testing.TB, address string, form url.Values, want int) []string {
	t.Helper()
	got := c.Post(address, form)
	secrets := got.Secrets()
	if got.Status != http.StatusOK || len(secrets) != want {
		t.Fatalf("POST %s: %d with %d secrets, want %d: %s", address, got.Status, len(secrets), want, got.Text("#erros"))
	}
	return secrets
}

// Secrets are what a page shows once, in its order.
func (p *Page) Secrets() []string {
	p.T.Helper()
	return p.Find("#segredo code").Map(func(_ int, s *goquery.Selection) string { return s.Text() })
}

// Entry follows the link of a list with that name.
func (c *Client) Entry(list, name string) string {
	c.T.Helper()
	link := c.Get(list).Find("td.cell-name a").FilterFunction(func(_ int, s *goquery.Selection) bool {
		return strings.TrimSpace(s.Text()) == name
	})
	address, ok := link.Attr("href")
	if !ok {
		c.T.Fatalf("%s has no %q", list, name)
	}
	return address
}

// Search looks for a text in a list and returns the address of the first entry.
func (c *Client) Search(list, text string) string {
	c.T.Helper()
	address := c.Post(list, url.Values{"Busca": {text}}).Attr("td.cell-name a", "href")
	if address == "" {
		c.T.Fatalf("%s finds nothing for %q", list, text)
	}
	return address
}

// Names are the names of a list's rows.
func (p *Page) Names() string {
	p.T.Helper()
	return strings.Join(p.Texts("td.cell-name"), ", ")
}
