package connection_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/connection"
	"guiche/internal/problem"
	"guiche/internal/store/connectionstore"

	"github.com/google/go-cmp/cmp"
)

// planOf is what a change puts in force.
func planOf(c connection.Change) connection.Plan {
	return connection.Plan{Settings: c.Settings, Secret: c.Secret}
}

func TestManager_Start(t *testing.T) {
	e := MustManage(t)
	if diff := cmp.Diff(connection.Plan{Settings: connection.Defaults()}, e.client.last()); diff != "" {
		t.Errorf("nobody has saved (-want +got):\n%s", diff)
	}
}

func TestManager_Change(t *testing.T) {
	e := MustManage(t)
	want := outsideService()
	want.Attachments, want.ByHand, want.Features, want.Deadline = connection.AttachmentString, true, []string{"anexos", "situacao"}, time.Hour
	MustDo(t, e.Change(t.Context(), admin, want))
	if diff := cmp.Diff(planOf(want), e.client.last()); diff != "" {
		t.Errorf("in force (-want +got):\n%s", diff)
	}
	e.MustRestart(t, 7)
	if diff := cmp.Diff(planOf(want), e.client.last()); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
	state, err := e.State(t.Context())
	MustDo(t, err)
	if !state.Secrets[connection.APIKey].Equal(now) || state.Lost || !state.UpdatedAt.Equal(now) {
		t.Errorf("got %+v", state)
	}
	if got, want := e.entries(t)[0], "conexao.alterada servico endereco formatoAnexos prazo origemRecursos recursos chaveApi"; got != want {
		t.Errorf("got entry %q, want %q", got, want)
	}
	t.Run("KeepsSecret", func(t *testing.T) {
		again := want
		again.Secret, again.Answer = "", 2*time.Minute
		MustDo(t, e.Change(t.Context(), admin, again))
		if got := e.client.last(); got.Secret != want.Secret || got.Answer != 2*time.Minute {
			t.Errorf("got %+v", got)
		}
		before, used := len(e.entries(t)), len(e.client.plans)
		MustDo(t, e.Change(t.Context(), admin, again))
		if got := len(e.entries(t)); got != before {
			t.Errorf("nothing changed: got %d entries, want %d", got, before)
		}
		if got := len(e.client.plans); got != used+1 || e.client.last().Secret != want.Secret {
			t.Errorf("nothing changed: got %d plans, want the same one once more: what was refused gets another chance", got-used)
		}
	})
	t.Run("Embedded", func(t *testing.T) {
		back := want
		back.Embedded, back.Secret = true, ""
		MustDo(t, e.Change(t.Context(), admin, back))
		if got := e.client.last(); !got.Embedded || got.Secret != "" {
			t.Errorf("got %+v, want no secret on the way", got)
		}
	})
}

// A secret is good for the address that it was typed for: whoever may change the
// address does not get it sent elsewhere.
func TestManager_Change_OtherAddress(t *testing.T) {
	e := MustManage(t)
	MustDo(t, e.Change(t.Context(), admin, outsideService()))
	for _, address := range []string{"https://outro.exemplo.com.br", "https://servico.exemplo.com.br:8443"} {
		c := outsideService()
		c.BaseURL, c.Secret = address, ""
		if got := fieldsOf(t, e.Change(t.Context(), admin, c)); got["chaveApi"] != "obrigatorio" || len(got) != 1 {
			t.Errorf("%s: got %v, want the key asked for again", address, got)
		}
		if _, err := e.Test(t.Context(), admin, c); fieldsOf(t, err)["chaveApi"] != "obrigatorio" {
			t.Errorf("%s: a test would have sent the key", address)
		}
	}
	if got := e.client.last(); got.BaseURL != outsideService().BaseURL {
		t.Errorf("got %s in force", got.BaseURL)
	}
	path := outsideService()
	path.BaseURL, path.Secret = "HTTPS://SERVICO.exemplo.com.br:443/outro", ""
	MustDo(t, e.Change(t.Context(), admin, path))
}

func TestManager_Change_Invalid(t *testing.T) {
	e := MustManage(t)
	for method, field := range map[connection.Method]string{connection.APIKey: "chaveApi", connection.Password: "senhaServico",
		connection.OAuth: "segredoCliente"} {
		c := outsideService()
		c.Method, c.User, c.ClientID, c.Secret, c.Connect = method, "clinica", "clinica", "", 0
		got := fieldsOf(t, e.Change(t.Context(), admin, c))
		if got[field] != "obrigatorio" || got["tempoConexao"] != "limite" || len(got) != 2 {
			t.Errorf("%s: got %v", method, got)
		}
	}
	if len(e.client.plans) != 1 || len(e.entries(t)) != 0 {
		t.Errorf("got %d plans and %d entries, want those of the start", len(e.client.plans), len(e.entries(t)))
	}
}

func TestManager_Overrides(t *testing.T) {
	outside := connection.Overrides{Secret: "segredo-de-fora", Settings: connection.Settings{BaseURL: "http://10.0.0.7:9000",
		Method: connection.Password, User: "balcao",
		LoginPath: "/entrar", Answer: 7 * time.Second}}
	e := MustManage(t)
	saved := outsideService()
	MustDo(t, e.Change(t.Context(), admin, saved))
	m := e.MustRestart(t, 7, func(c *connection.Config) { c.Overrides = outside })
	wins := func(t *testing.T) {
		t.Helper()
		got := e.client.last()
		if got.Embedded || got.BaseURL != outside.BaseURL || got.InternalHost != "10.0.0.7" || got.Secret != "segredo-de-fora" ||
			got.Method != connection.Password || got.User != "balcao" || got.LoginPath != "/entrar" || got.Answer != 7*time.Second {
			t.Errorf("got %+v", got)
		}
	}
	wins(t)
	typed := connection.Change{Settings: connection.Defaults(), Secret: "outra"}
	typed.Query, typed.RefreshPath = 3*time.Second, "/renovar"
	typed.TokenPath, typed.Scope, typed.ClientBasic = "", "", true // of a method that the page does not show
	MustDo(t, m.Change(t.Context(), admin, typed))
	wins(t)
	if got := e.client.last(); got.Query != 3*time.Second || got.RefreshPath != "/renovar" {
		t.Errorf("what is not set outside: got %v", got)
	}
	e.MustRestart(t, 7)
	saved.Query, saved.RefreshPath = 3*time.Second, "/renovar"
	if diff := cmp.Diff(planOf(saved), e.client.last()); diff != "" {
		t.Errorf("without it, what was saved before comes back (-want +got):\n%s", diff)
	}
}

// What another process saves is obeyed here too, once.
func TestManager_Refresh(t *testing.T) {
	e := MustManage(t)
	other := e.MustRestart(t, 7)
	MustDo(t, other.Change(t.Context(), admin, outsideService()))
	plans := len(e.client.plans)
	MustDo(t, e.Refresh(t.Context()))
	if diff := cmp.Diff(planOf(outsideService()), e.client.last()); diff != "" || len(e.client.plans) != plans+1 {
		t.Errorf("got %d plans more (-want +got):\n%s", len(e.client.plans)-plans, diff)
	}
	MustDo(t, e.Refresh(t.Context()))
	MustDo(t, other.Refresh(t.Context()))
	if len(e.client.plans) != plans+1 {
		t.Errorf("nothing changed: got %d plans more, want none", len(e.client.plans)-plans-1)
	}
	again := outsideService()
	again.Secret = "segredo-trocado"
	MustDo(t, other.Change(t.Context(), admin, again))
	MustDo(t, e.Refresh(t.Context()))
	if got := e.client.last(); got.Secret != "segredo-trocado" {
		t.Error("a new secret alone is not obeyed")
	}
}

// What a variable sets beyond the page's bounds does not keep the rest from being
// saved.
func TestManager_Overrides_Bounds(t *testing.T) {
	e := MustManage(t, func(c *connection.Config) {
		c.Overrides = connection.Overrides{Settings: connection.Settings{Deadline: 48 * time.Hour}}
	})
	c := outsideService()
	c.Query = 3 * time.Second
	MustDo(t, e.Change(t.Context(), admin, c))
	if got := e.client.last(); got.Deadline != 48*time.Hour || got.Query != 3*time.Second {
		t.Errorf("got %+v", got)
	}
}

func TestManager_LostKey(t *testing.T) {
	e := MustManage(t)
	MustDo(t, e.Change(t.Context(), admin, outsideService()))
	m := e.MustRestart(t, 8)
	if got := e.client.last(); got.Secret != "" || got.BaseURL != outsideService().BaseURL {
		t.Errorf("got %+v, want the way without its secret", got)
	}
	state, err := m.State(t.Context())
	if err != nil || !state.Lost {
		t.Errorf("got %+v, error %v, want it said", state, err)
	}
	MustDo(t, m.Change(t.Context(), admin, outsideService()))
	if state, err = m.State(t.Context()); err != nil || state.Lost {
		t.Errorf("typed again: got %+v, error %v", state, err)
	}
}

// What another process renews meanwhile is followed: a secret is never kept under a key
// that was put out of use.
func TestManager_RenewedKey(t *testing.T) {
	e := MustManage(t)
	MustDo(t, e.Change(t.Context(), admin, outsideService()))
	store := connectionstore.New(e.db, e.log)
	renew := func(all []connection.Sealed) ([]connection.Sealed, audit.Entry, error) {
		renewed, _, err := MustSealer(t, 7).Renew(all, secondKey)
		return renewed, audit.Entry{Event: audit.KeyRenewed}, err
	}
	old, err := store.Load(t.Context())
	MustDo(t, err)
	MustDo(t, store.RenewKey(t.Context(), secondKey, renew))
	MustDo(t, e.Refresh(t.Context()))
	if got := e.client.last(); got.Secret != outsideService().Secret {
		t.Error("the secret does not open under the new key")
	}
	late := old.Secrets[connection.APIKey]
	err = store.Save(t.Context(), old, old.Settings, &late, audit.Entry{Event: audit.ConnectionChanged})
	if !errors.Is(err, connection.ErrStale) {
		t.Errorf("a secret under the old key: got %v, want %v", err, connection.ErrStale)
	}
	meanwhile := &changedMeanwhile{Store: store}
	m := e.MustRestart(t, 7, func(c *connection.Config) { c.Store = meanwhile })
	meanwhile.first = &old
	c := outsideService()
	c.Secret = "outro segredo"
	MustDo(t, m.Change(t.Context(), admin, c))
	if stored, err := store.Load(t.Context()); err != nil || stored.Secrets[connection.APIKey].KeyID != secondKey {
		t.Errorf("got key %q, error %v, want %q", stored.Secrets[connection.APIKey].KeyID, err, secondKey)
	}
	if got := e.client.last(); got.Secret != c.Secret {
		t.Error("the new secret is not in use")
	}
}

// changedMeanwhile is a store that is changed after the first load from when first is set.
type changedMeanwhile struct {
	connection.Store
	first *connection.Stored
}

func (s *changedMeanwhile) Load(ctx context.Context) (connection.Stored, error) {
	if first := s.first; first != nil {
		s.first = nil
		return *first, nil
	}
	return s.Store.Load(ctx)
}

// TestManager_Change_Meanwhile: what another process saves at the very moment when somebody saves over what she saw
// is not undone unseen, and stays in force.
func TestManager_Change_Meanwhile(t *testing.T) {
	e := MustManage(t)
	seen, err := e.State(t.Context())
	MustDo(t, err)
	store := &changedMeanwhile{Store: connectionstore.New(e.db, e.log)}
	other := e.MustRestart(t, 7, func(c *connection.Config) { c.Store = store })
	before, err := store.Load(t.Context())
	MustDo(t, err)
	MustDo(t, e.Change(t.Context(), admin, outsideService()))

	late := outsideService()
	late.BaseURL, late.Seen, store.first = "https://outro.exemplo.com.br", seen.Version(), &before
	if err := other.Change(t.Context(), admin, late); !problem.IsChanged(problem.FieldsOf(err)) {
		t.Errorf("got %v, want that it was changed", err)
	}
	late.Seen, late.Secret, store.first = "", "", &before
	if got := fieldsOf(t, other.Change(t.Context(), admin, late)); got["chaveApi"] != "obrigatorio" {
		t.Errorf("whatever was seen: got %v, want it checked with what is stored by then", got)
	}
	state, err := e.State(t.Context())
	if err != nil || state.BaseURL != outsideService().BaseURL || len(e.entries(t)) != 1 {
		t.Errorf("got %q, error %v, entries %q", state.BaseURL, err, e.entries(t))
	}
}

// Nothing in the database holds a secret, and no formatting shows one.
func TestManager_Secrecy(t *testing.T) {
	e := MustManage(t)
	for _, method := range connection.Methods() {
		c := outsideService()
		c.Method, c.User, c.ClientID = method, "clinica", "clinica"
		MustDo(t, e.Change(t.Context(), admin, c))
	}
	held, secret := e.db.Held(t), string(outsideService().Secret)
	if !strings.Contains(held, "servico.exemplo.com.br") {
		t.Fatal("the database was not read")
	}
	if strings.Contains(held, secret) {
		t.Error("the database holds the secret")
	}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("plan", "plan", e.client.last(), "secret", e.client.last().Secret)
	text := fmt.Sprintf("%v %+v %#v %s %q", e.client.last(), e.client.last(), e.client.last(), e.client.last().Secret, e.client.last().Secret)
	if strings.Contains(text, secret) || strings.Contains(strings.Join(e.entries(t), " "), secret) {
		t.Error("the secret is written out")
	}
	if strings.Contains(log.String(), secret) {
		t.Error("the secret is logged")
	}
}

// What one service may have acted on is never sent to another.
func TestManager_Change_Undecided(t *testing.T) {
	e := MustManage(t)
	MustDo(t, e.Change(t.Context(), admin, outsideService()))
	e.client.unknown = 1
	other, beside, near, same := outsideService(), outsideService(), outsideService(), outsideService()
	other.BaseURL, beside.BaseURL, near.Embedded = "https://outro.exemplo.com.br", "https://servico.exemplo.com.br/outra", true
	for name, c := range map[string]connection.Change{"Other": other, "OtherPath": beside, "Embedded": near} {
		if got := fieldsOf(t, e.Change(t.Context(), admin, c)); got[connection.FieldEmbedded] != "conflito" {
			t.Errorf("%s: got %v, want it put off", name, got)
		}
	}
	same.BaseURL, same.Secret, same.Answer = "https://Servico.exemplo.com.br:443/base/", "outro-segredo", 2*time.Minute
	MustDo(t, e.Change(t.Context(), admin, same))
	e.client.unknown = 0
	MustDo(t, e.Change(t.Context(), admin, near))
}

// TestPlan_SameAccess: another address, method, name or secret is another access.
func TestPlan_SameAccess(t *testing.T) {
	plan := connection.Plan{Settings: connection.Settings{BaseURL: "https://a", Method: connection.APIKey}, Secret: "s"}
	for name, change := range map[string]func(p *connection.Plan){
		"Address": func(p *connection.Plan) { p.BaseURL = "https://b" }, "Method": func(p *connection.Plan) { p.Method = connection.OAuth },
		"Secret": func(p *connection.Plan) { p.Secret = "t" }, "User": func(p *connection.Plan) { p.User = "u" },
		"Client": func(p *connection.Plan) { p.ClientID = "c" }, "Embedded": func(p *connection.Plan) { p.Embedded = true },
	} {
		other := plan
		change(&other)
		if plan.SameAccess(other) {
			t.Errorf("%s: got the same access", name)
		}
	}
	other := plan
	other.Query++
	if !plan.SameAccess(other) {
		t.Error("another time: got another access")
	}
}
