package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// allScopes are the permissions of a partner, in the order of the page.
var allScopes = []string{"credenciais:ler", "cadastros:ler", "elegibilidade:ler", "autorizacoes:criar", "autorizacoes:ler", "autorizacoes:alterar"}

// partnerForm is a partner who may come in by every method and do everything.
func partnerForm(name string) url.Values {
	return url.Values{"nome": {name}, "metodos": {"chave", "senha", "oauth"}, "escopos": allScopes, "limite": {"0"}}
}

// addPartner adds a partner and returns the address of its page.
func (v *visitor) addPartner(name string) string {
	v.t.Helper()
	got := v.post("/servico/parceiros/novo", partnerForm(name))
	if got.status != http.StatusOK || got.path == "/servico/parceiros/novo" {
		v.t.Fatalf("add a partner: %d at %s: %s", got.status, got.path, got.text("#erros"))
	}
	return got.path
}

// secrets are what a page shows once, in its order.
func (a answer) secrets() []string {
	a.t.Helper()
	var all []string
	a.doc().Find("#segredo code").Each(func(_ int, s *selection) { all = append(all, s.Text()) })
	return all
}

// mint adds an access and returns what is shown of it once.
func (v *visitor) mint(t testing.TB, address string, form url.Values, want int) []string {
	t.Helper()
	got := v.post(address, form)
	secrets := got.secrets()
	if got.status != http.StatusOK || len(secrets) != want {
		t.Fatalf("POST %s: %d with %d secrets, want %d: %s", address, got.status, len(secrets), want, got.text("#erros"))
	}
	return secrets
}

// newPartner is another one each time.
func (w *world) newPartner() string {
	w.t.Helper()
	w.people++
	return w.admin.addPartner(fmt.Sprintf("Parceiro %d", w.people))
}

func (w *world) newAccess(slug string, form url.Values, shown int) string {
	w.t.Helper()
	partner := w.newPartner()
	w.admin.mint(w.t, partner+"/"+slug, form, shown)
	return w.first(w.admin, partner, partner+"/"+slug+"/[0-9a-f-]{36}")
}

func (w *world) newKey() string {
	w.t.Helper()
	return w.newAccess("chaves", nil, 1)
}

func (w *world) newClient() string {
	w.t.Helper()
	return w.newAccess("clientes", url.Values{"cliente": {"Faturamento"}}, 2)
}

func (w *world) newServiceUser() string {
	w.t.Helper()
	return w.newAccess("usuarios", url.Values{"usuario": {fmt.Sprintf("sistema.%d", w.people)}}, 2)
}

// newServiceSession is a login of a user of a new partner.
func (w *world) newServiceSession() string {
	w.t.Helper()
	partner := w.newPartner()
	made := w.admin.mint(w.t, partner+"/usuarios", url.Values{"usuario": {fmt.Sprintf("sistema.%d", w.people)}}, 2)
	MustCall(w.t, w.admin.p, "Accept", "application/json").logIn(made[0], made[1])
	return w.first(w.admin, partner+"/sessoes", partner+"/sessoes/[0-9a-f-]{36}")
}

func (w *world) newLedgerEntry() string {
	w.t.Helper()
	if w.alone {
		w.requestByKey()
	} else {
		w.newCase()
	}
	return w.first(w.admin, "/servico/registro", "/servico/registro/[0-9a-f-]{36}")
}

// partner is a program that calls the service as its partner does.
type partner struct {
	t      testing.TB
	url    string
	header http.Header
}

// MustCall returns a partner with one header.
func MustCall(t testing.TB, p *program, name, value string) partner {
	t.Helper()
	return partner{t, p.url, http.Header{name: {value}}}
}

func (c partner) send(method, path, contentType, body string) (int, map[string]any) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, values := range c.header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	var got map[string]any
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
		c.t.Fatalf("%s %s: %d without JSON: %v", method, path, res.StatusCode, err)
	}
	return res.StatusCode, got
}

// credentials asks for the credentials and returns the status.
func (c partner) credentials() int {
	c.t.Helper()
	status, _ := c.send(http.MethodGet, "/api/v2/credenciais", "", "")
	return status
}

// logIn returns the tokens of a login.
func (c partner) logIn(user, password string) (access, refresh string) {
	c.t.Helper()
	body, err := json.Marshal(map[string]string{"usuario": user, "senha": password})
	if err != nil {
		c.t.Fatal(err)
	}
	status, got := c.send(http.MethodPost, "/api/v1/auth/login", "application/json", string(body))
	data, _ := got["data"].(map[string]any)
	access, _ = data["access_token"].(string)
	refresh, _ = data["refresh_token"].(string)
	if status != http.StatusOK || access == "" || refresh == "" {
		c.t.Fatalf("log in: got %d", status)
	}
	return access, refresh
}

var anySecret = regexp.MustCompile(`gc[hars]_[\w-]{20,}`)

// entryOf follows a list's link with that name.
func (v *visitor) entryOf(list, name string) string {
	v.t.Helper()
	address, ok := v.get(list).doc().Find("td.cell-name a").FilterFunction(func(_ int, s *selection) bool {
		return strings.TrimSpace(s.Text()) == name
	}).Attr("href")
	if !ok {
		v.t.Fatalf("%s has no %q", list, name)
	}
	return address
}
