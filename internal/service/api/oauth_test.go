package api_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"

	"github.com/google/uuid"
)

func grant(id, secret string) url.Values {
	return url.Values{"grant_type": {"client_credentials"}, "client_id": {id}, "client_secret": {secret}}
}

// with returns a form with one more value, or without it for "".
func with(form url.Values, name, value string) url.Values {
	copied := url.Values{}
	for k, v := range form {
		copied[k] = v
	}
	if copied[name] = []string{value}; value == "" {
		delete(copied, name)
	}
	return copied
}

func basic(id, secret string) http.Header {
	return http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id)+":"+url.QueryEscape(secret)))}}
}

// checkOAuthRefusal holds a refusal of RFC 6749 with its envelope (row 24).
func checkOAuthRefusal(t *testing.T, r reply, status int, word string) {
	t.Helper()
	checkRefusal(t, r, status)
	if r.body["error"] != word {
		t.Errorf("error: got %v, want %s: %s", r.body["error"], word, r.text)
	}
	text, _ := r.body["error_description"].(string)
	if text == "" || strings.ContainsFunc(text, func(c rune) bool { return c > '~' || c < ' ' || c == '"' || c == '\\' }) {
		t.Errorf("error_description: got %q, want plain ASCII", text)
	}
}

// TestService_Token is 4.7 and rows 24 and 25.
func TestService_Token(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	id := p.client.ID.String()
	good := grant(id, p.secret)
	onlyBasic := url.Values{"grant_type": {"client_credentials"}}
	every := "credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar"

	t.Run("Granted", func(t *testing.T) {
		for name, c := range map[string]struct {
			form   url.Values
			header http.Header
			scope  string
		}{
			"form": {good, nil, every}, "basic": {onlyBasic, basic(id, p.secret), every}, "basic and the same id": {with(onlyBasic, "client_id", id), basic(id, p.secret), every},
			"empty scope": {with(good, "scope", " "), nil, every}, "narrowed": {with(good, "scope", "cadastros:ler credenciais:ler cadastros:ler"), nil, "credenciais:ler cadastros:ler"},
			"unknown parameter": {with(good, "audience", "x"), nil, every}, "charset": {good, http.Header{"Content-Type": {"application/x-www-form-urlencoded; charset=UTF-8"}}, every},
		} {
			res := e.token(c.form, c.header)
			b := res.body
			if token, _ := b["access_token"].(string); res.status != http.StatusOK || !strings.HasPrefix(token, "gca_") || e.opens(bearer(token)) != http.StatusOK {
				t.Errorf("%s: got %d %v", name, res.status, b["error"])
			}
			if b["token_type"] != "Bearer" || b["expires_in"] != 54000.0 || b["scope"] != c.scope || b["sucesso"] != true || len(b["erros"].([]any)) != 0 {
				t.Errorf("%s: got %v %v %v %v %v", name, b["token_type"], b["expires_in"], b["scope"], b["sucesso"], b["erros"])
			}
			if res.header.Get("Cache-Control") != "no-store" || res.header.Get("Pragma") != "no-cache" {
				t.Errorf("%s: headers %v", name, res.header)
			}
		}
	})
	t.Run("Refused", func(t *testing.T) {
		other, otherSecret, err := e.admin.AddClient(t.Context(), p.profile.ID, "Outro", time.Hour)
		e.must(err)
		duplicate := with(good, "scope", "x")
		duplicate["scope"] = []string{"credenciais:ler", "cadastros:ler"}
		for name, c := range map[string]struct {
			form   url.Values
			header http.Header
			status int
			word   string
		}{
			"no grant":          {with(good, "grant_type", ""), nil, 400, "invalid_request"},
			"password grant":    {with(good, "grant_type", "password"), nil, 400, "unsupported_grant_type"},
			"refresh grant":     {with(good, "grant_type", "refresh_token"), nil, 400, "unsupported_grant_type"},
			"no client":         {onlyBasic, nil, 401, "invalid_client"},
			"unknown client":    {grant(uuid.NewString(), p.secret), nil, 401, "invalid_client"},
			"client of no form": {grant("x", p.secret), nil, 401, "invalid_client"},
			"another's secret":  {grant(id, otherSecret), nil, 401, "invalid_client"},
			"wrong secret":      {grant(id, p.secret[:len(p.secret)-1]+"x"), nil, 401, "invalid_client"},
			"wrong basic":       {onlyBasic, basic(id, "x"), 401, "invalid_client"},
			"both ways":         {good, basic(id, p.secret), 400, "invalid_request"},
			"two ids":           {with(onlyBasic, "client_id", other.ID.String()), basic(id, p.secret), 400, "invalid_request"},
			"unknown scope":     {with(good, "scope", "credenciais:ler tudo"), nil, 400, "invalid_scope"},
			"a parameter twice": {duplicate, nil, 400, "invalid_request"},
			"JSON":              {good, http.Header{"Content-Type": {"application/json"}}, 415, "invalid_request"},
			"large":             {with(good, "scope", strings.Repeat("x", 1<<20)), nil, 413, "invalid_request"},
		} {
			t.Run(name, func(t *testing.T) {
				res := e.token(c.form, c.header)
				checkOAuthRefusal(t, res, c.status, c.word)
				if c.status == http.StatusUnauthorized && !strings.HasPrefix(res.header.Get("Www-Authenticate"), `Basic realm="guiche"`) {
					t.Errorf("challenge: got %q", res.header.Get("Www-Authenticate"))
				}
			})
		}
		if got := e.token(onlyBasic, nil).body["erros"].([]any)[0]; got != "Informe client_id e client_secret no formulário, ou por HTTP Basic." {
			t.Errorf("no client: got %q", got)
		}
		t.Run("client without use", func(t *testing.T) {
			e.clock.move(time.Hour)
			checkOAuthRefusal(t, e.token(grant(other.ID.String(), otherSecret), nil), 401, "invalid_client")
		})
	})
	t.Run("NarrowedIsEnforced", func(t *testing.T) {
		token := p.MustToken(t, "cadastros:ler")
		for path, want := range map[string]int{"/api/v2/unidades": 200, "/api/v2/recursos": 200, "/api/v2/credenciais": 403} {
			if got := e.send(http.MethodGet, path, nil, bearer(token)).status; got != want {
				t.Errorf("%s: got %d, want %d", path, got, want)
			}
		}
	})
	t.Run("NeverMoreThanTheProfile", func(t *testing.T) {
		token := p.MustToken(t, "cadastros:ler")
		p.profile.Scopes = []access.Scope{access.ReadCredentials}
		e.must(e.admin.PutProfile(t.Context(), p.profile))
		checkRefusal(t, e.send(http.MethodGet, "/api/v2/unidades", nil, bearer(token)), http.StatusForbidden)
		checkOAuthRefusal(t, e.token(with(good, "scope", "cadastros:ler"), nil), 400, "invalid_scope")
	})
	t.Run("MethodOff", func(t *testing.T) {
		p.profile.Methods = []access.Method{access.MethodAPIKey}
		e.must(e.admin.PutProfile(t.Context(), p.profile))
		checkOAuthRefusal(t, e.token(good, nil), 400, "unauthorized_client")
	})
	t.Run("Rate", func(t *testing.T) {
		p.profile.Methods, p.profile.Rate = access.Methods(), 1
		e.must(e.admin.PutProfile(t.Context(), p.profile))
		p.MustToken(t)
		res := e.token(good, nil)
		checkOAuthRefusal(t, res, 429, "temporarily_unavailable")
		if res.header.Get("Retry-After") != "60" {
			t.Errorf("Retry-After: got %q", res.header.Get("Retry-After"))
		}
		e.clock.move(time.Minute)
		_, _ = p.MustLogin(t)
		checkRefusal(t, e.login(p.user.Name, partnerPassword), http.StatusTooManyRequests)
	})
	t.Run("Revoked", func(t *testing.T) {
		e.must(e.admin.RevokeClient(t.Context(), p.client.ID))
		checkOAuthRefusal(t, e.token(good, nil), 401, "invalid_client")
		clients, err := e.admin.Clients(t.Context(), p.profile.ID)
		e.must(err)
		if c := clients[1]; c.ID != p.client.ID || c.RevokedAt.IsZero() || c.UsedAt.IsZero() || !strings.HasSuffix(p.secret, c.Hint) || c.Name != "Sistema da clínica" {
			t.Errorf("client: got %+v", c)
		}
		families, err := e.admin.Families(t.Context(), access.FamilyQuery{Profile: p.profile.ID})
		e.must(err)
		for _, f := range families.Items {
			if byClient := f.Method() == access.MethodOAuth; byClient != (f.Reason == access.RevokedWithClient) || byClient != (f.Owner == "Sistema da clínica") {
				t.Errorf("family: got %+v", f)
			}
		}
	})
}

// TestService_Secrets is rule 1 of section 5: no secret stands in clear in the
// database, its log or the service's log, good or wrong.
func TestService_Secrets(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	secrets := []string{p.key, p.access, p.refresh, p.accessByClient, p.secret, partnerPassword, "segredo-errado-canario"}
	for _, r := range []reply{
		e.refresh(p.refresh), e.refresh(p.refresh), e.login(p.user.Name, "segredo-errado-canario"), e.login("segredo-errado-canario", "x"),
		e.token(grant(p.client.ID.String(), "segredo-errado-canario"), nil), e.refresh("segredo-errado-canario"),
		e.token(grant(p.client.ID.String(), ""), basic("x", "segredo-errado-canario")),
	} {
		if token, ok := r.data()["access_token"].(string); ok {
			secrets = append(secrets, token, r.data()["refresh_token"].(string))
		}
	}
	for _, h := range []http.Header{bearer(p.access), bearer("segredo-errado-canario"), {"X-Api-Key": {"segredo-errado-canario"}}, {"X-Api-Key": {p.key}}} {
		e.opens(h)
		e.send(http.MethodGet, "/api/v2/recursos?access_token="+p.access+"&x=segredo-errado-canario", nil, h)
	}
	_, fresh, err := e.admin.AddUser(t.Context(), p.profile.ID, "outro-usuario", "")
	e.must(err)
	secrets = append(secrets, fresh)
	kept := e.log.String()
	e.must(filepath.WalkDir(e.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		kept += string(content)
		return err
	}))
	if !strings.Contains(kept, p.user.Name) || !strings.Contains(kept, "Sistema da clínica") {
		t.Fatal("the database was not read")
	}
	for i, secret := range secrets {
		// Without prefix and checksum too: no part of it is anywhere.
		if strings.Contains(kept, secret) || len(secret) == 55 && strings.Contains(kept, secret[4:47]) {
			t.Errorf("secret %d of %d stands in clear", i, len(secrets))
		}
	}
}
