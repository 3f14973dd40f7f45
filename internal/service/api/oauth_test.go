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
	"guiche/internal/service/servicetest"

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
	return http.Header{"Authorization": {"Basic " +
		base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id)+":"+url.QueryEscape(secret)))}}
}

// checkOAuthRefusal holds a refusal of RFC 6749 with its envelope (row 24).
func checkOAuthRefusal(t *testing.T, r reply, status int, word string) {
	t.Helper()
	checkRefusal(t, r, status)
	if r.Body["error"] != word {
		t.Errorf("error: got %v, want %s: %s", r.Body["error"], word, r.Text)
	}
	text, _ := r.Body["error_description"].(string)
	if text == "" || strings.ContainsFunc(text, func(c rune) bool { return c > '~' || c < ' ' || c == '"' || c == '\\' }) {
		t.Errorf("error_description: got %q, want plain ASCII", text)
	}
}

// TestAPI_Token is 4.7 and rows 24 and 25.
func TestAPI_Token(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	id := p.Client.ID.String()
	good := grant(id, p.Secret)
	onlyBasic := url.Values{"grant_type": {"client_credentials"}}
	every := "credenciais:ler cadastros:ler elegibilidade:ler autorizacoes:criar autorizacoes:ler autorizacoes:alterar"

	t.Run("Granted", func(t *testing.T) {
		for name, c := range map[string]struct {
			form   url.Values
			header http.Header
			scope  string
		}{
			"form": {good, nil, every}, "basic": {onlyBasic, basic(id, p.Secret), every},
			"basic and the same id": {with(onlyBasic, "client_id", id), basic(id, p.Secret), every},
			"empty scope":           {with(good, "scope", " "), nil, every}, "narrowed": {with(good, "scope",
				"cadastros:ler credenciais:ler cadastros:ler"), nil, "credenciais:ler cadastros:ler"},
			"unknown parameter": {with(good, "audience", "x"), nil, every}, "charset": {good,
				http.Header{"Content-Type": {"application/x-www-form-urlencoded; charset=UTF-8"}}, every},
			"identity": {good, http.Header{"Content-Encoding": {"identity"}}, every},
		} {
			res := e.Token(c.form, c.header)
			b := res.Body
			if token, _ := b["access_token"].(string); res.Status != http.StatusOK || !strings.HasPrefix(token, "gca_") ||
				e.opens(servicetest.Bearer(token)) != http.StatusOK {
				t.Errorf("%s: got %d %v", name, res.Status, b["error"])
			}
			if b["token_type"] != "Bearer" || b["expires_in"] != 54000.0 || b["scope"] != c.scope || b["sucesso"] != true ||
				len(b["erros"].([]any)) != 0 {
				t.Errorf("%s: got %v %v %v %v %v", name, b["token_type"], b["expires_in"], b["scope"], b["sucesso"], b["erros"])
			}
			if res.Header.Get("Cache-Control") != "no-store" || res.Header.Get("Pragma") != "no-cache" {
				t.Errorf("%s: headers %v", name, res.Header)
			}
		}
	})
	t.Run("Refused", func(t *testing.T) {
		other, otherSecret, err := e.Admin.AddClient(t.Context(), p.Profile.ID, "Outro", time.Hour)
		e.Must(err)
		garbled := http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(id+":%zz"))}}
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
			"unknown client":    {grant(uuid.NewString(), p.Secret), nil, 401, "invalid_client"},
			"client of no form": {grant("x", p.Secret), nil, 401, "invalid_client"},
			"another's secret":  {grant(id, otherSecret), nil, 401, "invalid_client"},
			"wrong secret":      {grant(id, p.Secret[:len(p.Secret)-1]+"x"), nil, 401, "invalid_client"},
			"wrong basic":       {onlyBasic, basic(id, "x"), 401, "invalid_client"},
			"garbled basic":     {onlyBasic, garbled, 401, "invalid_client"},
			"both ways":         {good, basic(id, p.Secret), 400, "invalid_request"},
			"two ids":           {with(onlyBasic, "client_id", other.ID.String()), basic(id, p.Secret), 400, "invalid_request"},
			"unknown scope":     {with(good, "scope", "credenciais:ler tudo"), nil, 400, "invalid_scope"},
			"a parameter twice": {duplicate, nil, 400, "invalid_request"},
			"JSON":              {good, http.Header{"Content-Type": {"application/json"}}, 415, "invalid_request"},
			"large":             {with(good, "scope", strings.Repeat("x", 1<<20)), nil, 413, "invalid_request"},
		} {
			t.Run(name, func(t *testing.T) {
				res := e.Token(c.form, c.header)
				checkOAuthRefusal(t, res, c.status, c.word)
				if c.status == http.StatusUnauthorized && !strings.HasPrefix(res.Header.Get("Www-Authenticate"), `Basic realm="guiche"`) {
					t.Errorf("challenge: got %q", res.Header.Get("Www-Authenticate"))
				}
			})
		}
		if got := e.Token(onlyBasic, nil).Body["erros"].([]any)[0]; got != "Informe client_id e client_secret no formulário, ou "+
			"por HTTP Basic." {
			t.Errorf("no client: got %q", got)
		}
		compressed := e.Token(good, http.Header{"Content-Encoding": {"gzip"}})
		checkOAuthRefusal(t, compressed, 415, "invalid_request")
		if got := compressed.Body["erros"].([]any)[0]; got != "O corpo não pode vir comprimido." {
			t.Errorf("compressed: got %q", got)
		}
		t.Run("client without use", func(t *testing.T) {
			e.Clock.Move(time.Hour)
			checkOAuthRefusal(t, e.Token(grant(other.ID.String(), otherSecret), nil), 401, "invalid_client")
		})
	})
	t.Run("NarrowedIsEnforced", func(t *testing.T) {
		token := p.MustToken(t, "cadastros:ler")
		for path, want := range map[string]int{"/api/v2/unidades": 200, "/api/v2/recursos": 200, "/api/v2/credenciais": 403} {
			if got := e.Send(http.MethodGet, path, nil, servicetest.Bearer(token)).Status; got != want {
				t.Errorf("%s: got %d, want %d", path, got, want)
			}
		}
	})
	t.Run("NeverMoreThanTheProfile", func(t *testing.T) {
		token := p.MustToken(t, "cadastros:ler")
		p.Profile.Scopes = []access.Scope{access.ReadCredentials}
		e.Must(e.Admin.PutProfile(t.Context(), p.Profile))
		checkRefusal(t, e.Send(http.MethodGet, "/api/v2/unidades", nil, servicetest.Bearer(token)), http.StatusForbidden)
		checkOAuthRefusal(t, e.Token(with(good, "scope", "cadastros:ler"), nil), 400, "invalid_scope")
	})
	t.Run("MethodOff", func(t *testing.T) {
		p.Profile.Methods = []access.Method{access.MethodAPIKey}
		e.Must(e.Admin.PutProfile(t.Context(), p.Profile))
		checkOAuthRefusal(t, e.Token(good, nil), 400, "unauthorized_client")
	})
	t.Run("Rate", func(t *testing.T) {
		p.Profile.Methods, p.Profile.Rate = access.Methods(), 1
		e.Must(e.Admin.PutProfile(t.Context(), p.Profile))
		p.MustToken(t)
		res := e.Token(good, nil)
		checkOAuthRefusal(t, res, 429, "temporarily_unavailable")
		if res.Header.Get("Retry-After") != "60" {
			t.Errorf("Retry-After: got %q", res.Header.Get("Retry-After"))
		}
		e.Clock.Move(time.Minute)
		_, _ = p.MustLogin(t)
		checkRefusal(t, e.Login(p.User.Name, servicetest.PartnerPassword), http.StatusTooManyRequests)
	})
	t.Run("Revoked", func(t *testing.T) {
		e.Must(e.Admin.RevokeClient(t.Context(), p.Client.ID))
		checkOAuthRefusal(t, e.Token(good, nil), 401, "invalid_client")
		clients, err := e.Admin.Clients(t.Context(), p.Profile.ID)
		e.Must(err)
		if c := clients[1]; c.ID != p.Client.ID || c.RevokedAt.IsZero() || c.UsedAt.IsZero() ||
			!strings.HasSuffix(p.Secret, c.Hint) || c.Name != "Sistema da clínica" {
			t.Errorf("client: got %+v", c)
		}
		families, err := e.Admin.Families(t.Context(), access.FamilyQuery{Profile: p.Profile.ID})
		e.Must(err)
		for _, f := range families.Items {
			if byClient := f.Method() == access.MethodOAuth; byClient != (f.Reason == access.RevokedWithClient) ||
				byClient != (f.Owner == "Sistema da clínica") {
				t.Errorf("family: got %+v", f)
			}
		}
	})
}

// TestAPI_Secrets is rule 1 of section 5: no secret stands in clear in the
// database, its log or the service's log, good or wrong.
func TestAPI_Secrets(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	secrets := []string{p.Key, p.Access, p.Renewal, p.AccessByClient, p.Secret, servicetest.PartnerPassword, "segredo-errado-canario"}
	for _, r := range []reply{
		e.Refresh(p.Renewal), e.Refresh(p.Renewal), e.Login(p.User.Name, "segredo-errado-canario"), e.Login("segredo-errado-canario", "x"),
		e.Token(grant(p.Client.ID.String(), "segredo-errado-canario"), nil), e.Refresh("segredo-errado-canario"),
		e.Token(grant(p.Client.ID.String(), ""), basic("x", "segredo-errado-canario")),
	} {
		if token, ok := r.Data()["access_token"].(string); ok {
			secrets = append(secrets, token, r.Data()["refresh_token"].(string))
		}
	}
	for _, h := range []http.Header{servicetest.Bearer(p.Access), servicetest.Bearer("segredo-errado-canario"),
		{"X-Api-Key": {"segredo-errado-canario"}}, {"X-Api-Key": {p.Key}}} {
		e.opens(h)
		e.Send(http.MethodGet, "/api/v2/recursos?access_token="+p.Access+"&x=segredo-errado-canario", nil, h)
	}
	_, fresh, err := e.Admin.AddUser(t.Context(), p.Profile.ID, "outro-usuario", "")
	e.Must(err)
	secrets = append(secrets, fresh)
	kept := e.Log.String() + e.DB.Held(t)
	e.Must(filepath.WalkDir(e.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		kept += string(content)
		return err
	}))
	if !strings.Contains(kept, p.User.Name) || !strings.Contains(kept, "Sistema da clínica") {
		t.Fatal("the database was not read")
	}
	for i, secret := range secrets {
		// Without prefix and checksum too: no part of it is anywhere.
		if strings.Contains(kept, secret) || len(secret) == 55 && strings.Contains(kept, secret[4:47]) {
			t.Errorf("secret %d of %d stands in clear", i, len(secrets))
		}
	}
}
