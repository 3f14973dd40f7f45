package access_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"

	"github.com/google/uuid"
)

func TestControl_GrantClient(t *testing.T) {
	e := MustEnv(t)
	for name, c := range map[string]struct {
		scope string
		want  []access.Scope
	}{
		"all":     {"", access.Scopes()},
		"some":    {"cadastros:ler elegibilidade:ler", []access.Scope{access.ReadDirectory, access.ReadEligibility}},
		"twice":   {" cadastros:ler  cadastros:ler ", []access.Scope{access.ReadDirectory}},
		"any way": {"elegibilidade:ler cadastros:ler", []access.Scope{access.ReadDirectory, access.ReadEligibility}},
	} {
		token := e.mustGrant(c.scope)
		if !slices.Equal(token.Scopes, c.want) || token.Life != 15*time.Hour {
			t.Errorf("%s: got %v for %v, want %v", name, token.Scopes, token.Life, c.want)
		}
		got, err := e.byToken(token.Access, "")
		if err != nil || !slices.Equal(got.Profile.Scopes, c.want) {
			t.Errorf("%s: the token has %v, %v, want %v", name, got.Profile.Scopes, err, c.want)
		}
	}
	e.move(15 * time.Hour)
	if clients, err := e.store.Clients(t.Context(), e.profile.ID); err != nil || !clients[0].UsedAt.Equal(start) {
		t.Errorf("last token: got %+v, %v", clients, err)
	}
}

func TestControl_GrantClient_Refused(t *testing.T) {
	e := MustEnv(t)
	other, otherSecret := access.NewClient(e.profile.ID, "Outro", time.Hour, start)
	e.must(e.store.AddClient(t.Context(), other))
	id := e.client.ID.String()
	for name, c := range map[string]struct {
		id, secret, scope string
		want              access.Reason
	}{
		"unknown":               {uuid.NewString(), e.clientSecret, "", access.InvalidClient},
		"no UUID":               {"sistema", e.clientSecret, "", access.InvalidClient},
		"no id":                 {"", e.clientSecret, "", access.InvalidClient},
		"the id in capitals":    {strings.ToUpper(id), e.clientSecret, "", access.InvalidClient},
		"the id in braces":      {"{" + id + "}", e.clientSecret, "", access.InvalidClient},
		"another's secret":      {id, otherSecret, "", access.InvalidClient},
		"mistyped":              {id, e.clientSecret[:len(e.clientSecret)-1] + "x", "", access.InvalidClient},
		"no secret":             {id, "", "", access.InvalidClient},
		"a key":                 {id, e.keySecret, "", access.InvalidClient},
		"no such scope":         {id, e.clientSecret, "tudo", access.UnknownScope},
		"one scope too many":    {id, e.clientSecret, "cadastros:ler tudo", access.UnknownScope},
		"wrong before no scope": {id, otherSecret, "tudo", access.InvalidClient},
	} {
		_, err := e.grant(c.id, c.secret, c.scope)
		checkRefused(t, name, err, c.want)
	}
	e.change(func(p *access.Profile) { p.Scopes = []access.Scope{access.ReadDirectory} })
	_, err := e.grant(id, e.clientSecret, "elegibilidade:ler")
	checkRefused(t, "a scope that the profile lost", err, access.UnknownScope)
	e.change(func(p *access.Profile) { p.Methods = []access.Method{access.MethodAPIKey} })
	_, err = e.grant(id, e.clientSecret, "tudo")
	checkRefused(t, "method off", err, access.MethodOff)
	e.change(func(p *access.Profile) { p.Rate = 1 })
	e.mustGrant("")
	_, err = e.grant(id, e.clientSecret, "")
	checkRefused(t, "too fast", err, access.TooManyRequests)
	e.change(func(p *access.Profile) { p.Disabled = true })
	_, err = e.grant(id, e.clientSecret, "")
	checkRefused(t, "profile disabled", err, access.InvalidClient)
	e.change(func(*access.Profile) {})
	e.move(time.Hour)
	_, err = e.grant(other.ID.String(), otherSecret, "")
	checkRefused(t, "not used for its time", err, access.InvalidClient)
	token := e.mustGrant("")
	e.must(e.store.RevokeClient(t.Context(), e.client.ID, e.clock()))
	_, err = e.grant(id, e.clientSecret, "")
	checkRefused(t, "revoked", err, access.InvalidClient)
	_, err = e.byToken(token.Access, "")
	checkRefused(t, "a token of it", err, access.InvalidToken)
}

func TestOAuthClient_Live(t *testing.T) {
	c, secret := access.NewClient(uuid.New(), "Sistema", time.Hour, start)
	if c.ID == uuid.Nil || c.Name != "Sistema" || !c.CreatedAt.Equal(start) || c.Idle != time.Hour ||
		!strings.HasSuffix(secret, c.Hint) || len(c.Hint) != 4 {
		t.Errorf("got %+v of %q", c, secret)
	}
	if !strings.HasPrefix(secret, "gcs_") {
		t.Errorf("secret: got %q", secret)
	}
	used, revoked, endless := c, c, c
	used.UsedAt, revoked.RevokedAt, endless.Idle = start.Add(time.Minute), start, 0
	for name, tt := range map[string]struct {
		client access.OAuthClient
		after  time.Duration
		want   bool
	}{
		"new": {c, 0, true}, "just before": {c, time.Hour - 1, true}, "its time is over": {c, time.Hour, false},
		"used": {used, time.Hour, true}, "not used since": {used, time.Hour + time.Minute, false},
		"revoked": {revoked, 0, false}, "without a time": {endless, 1000 * time.Hour, true},
	} {
		if got := tt.client.Live(start.Add(tt.after)); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}
