package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"guiche/internal/apptest"
)

// TestConsole_Sessions: who of a partner holds tokens, and the end of one or all of
// them, in force for the very next request.
func TestConsole_Sessions(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	partner, other := admin.AddPartner("Hospital da Serra"), admin.AddPartner("Hospital do Vale")
	if got := admin.Get(partner + "/sessoes"); !strings.Contains(got.Text("section.empty-state"), "Nenhuma sessão") ||
		got.Count("main form") != 0 {
		t.Errorf("without sessions: %q", got.Text("main"))
	}
	user := admin.Mint(t, partner+"/usuarios", url.Values{"usuario": {"hospital.serra"}}, 2)
	client := admin.Mint(t, partner+"/clientes", url.Values{"cliente": {"Faturamento"}}, 2)
	anyone := p.Partner(t, "")
	bearer := func(token string) int { return p.Bearer(t, token).Credentials() }
	refresh := func(token string) (int, string) {
		status, got := anyone.Send(http.MethodPost, "/api/v1/auth/refresh", "application/json", `{"refresh_token":"`+token+`"}`)
		data, _ := got["data"].(map[string]any)
		access, _ := data["access_token"].(string)
		return status, access
	}
	first, renewal := anyone.LogIn(user[0], user[1])
	second, _ := anyone.LogIn(user[0], user[1])
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {client[0]}, "client_secret": {client[1]}}
	_, granted := anyone.Send(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded", form.Encode())
	third, _ := granted["access_token"].(string)
	for _, token := range []string{first, second, third} {
		if got := bearer(token); got != http.StatusOK {
			t.Fatalf("before: got %d", got)
		}
	}
	_, renewed := refresh(renewal)

	page := admin.Get(partner + "/sessoes")
	rows := page.Find("tbody tr")
	if rows.Length() != 3 || !strings.Contains(rows.Eq(0).Text(), "Faturamento") || !strings.Contains(rows.Eq(0).Text(), "cliente OAuth") ||
		!strings.Contains(rows.Eq(1).Text(), "hospital.serra") || !strings.Contains(rows.Eq(1).Text(), "Renovada: nunca") ||
		strings.Contains(rows.Eq(2).Text(), "Renovada: nunca") {
		t.Errorf("got %q", page.Text("table"))
	}
	if anySecret.Match(page.Body) {
		t.Error("the page shows a token")
	}
	if got := admin.Get(partner); !strings.Contains(got.Text("aside"), "3 abertas") ||
		got.Count("aside a[href='"+partner+"/sessoes']") != 1 {
		t.Errorf("the partner's page says %q", got.Text("aside"))
	}
	end := func(row int) string { return rows.Eq(row).Find("form").AttrOr("action", "") }

	t.Run("AnotherPartners", func(t *testing.T) {
		for _, path := range []string{strings.Replace(end(0), partner, other, 1),
			partner + "/sessoes/01970000-0000-7000-8000-00000000dead/encerrar", partner + "/sessoes/x/encerrar"} {
			if got := admin.Post(path, nil); got.Status != http.StatusNotFound {
				t.Errorf("POST %s: got %d, want 404", path, got.Status)
			}
		}
		if admin.Post(other+"/sessoes/encerrar", nil); bearer(third) != http.StatusOK {
			t.Error("the end of another partner's sessions ended this one")
		}
	})
	t.Run("One", func(t *testing.T) {
		if got := admin.Post(end(2), nil); got.Status != http.StatusOK || got.Count("tbody tr") != 2 {
			t.Errorf("got %d with %d rows, want 2", got.Status, got.Count("tbody tr"))
		}
		if status, _ := refresh(renewal); bearer(first) != http.StatusUnauthorized || bearer(renewed) != http.StatusUnauthorized ||
			status != http.StatusUnauthorized {
			t.Error("a token of the session is still taken")
		}
		if bearer(second) != http.StatusOK || bearer(third) != http.StatusOK {
			t.Error("another session ended with it")
		}
	})
	t.Run("All", func(t *testing.T) {
		if got := admin.Post(partner+"/sessoes/encerrar", nil); got.Status != http.StatusOK || got.Count("tbody tr") != 0 {
			t.Errorf("got %d with %d rows, want none", got.Status, got.Count("tbody tr"))
		}
		if bearer(second) != http.StatusUnauthorized || bearer(third) != http.StatusUnauthorized {
			t.Error("a token is still taken")
		}
		if again, _ := anyone.LogIn(user[0], user[1]); bearer(again) != http.StatusOK {
			t.Error("the user cannot come in again")
		}
	})
	t.Run("Told", func(t *testing.T) {
		trail := admin.Get("/auditoria").Text("main")
		for _, want := range []string{"Sessão no serviço encerrada", "Sessões de um parceiro encerradas"} {
			if !strings.Contains(trail, want) {
				t.Errorf("the trail does not say %q", want)
			}
		}
	})
}

// TestConsole_SessionsUnderLoad: no request that starts after the end was told is
// let in.
func TestConsole_SessionsUnderLoad(t *testing.T) {
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	partner := admin.AddPartner("Rede Norte")
	user := admin.Mint(t, partner+"/usuarios", url.Values{"usuario": {"rede.norte"}}, 2)
	token, _ := p.Partner(t, "").LogIn(user[0], user[1])
	caller := p.Bearer(t, token)
	ended := make(chan struct{})
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for after := 0; after < 50; {
				late := false
				select {
				case <-ended:
					late = true
					after++
				default:
				}
				if got := caller.Credentials(); late && got != http.StatusUnauthorized {
					t.Errorf("after the end: got %d, want 401", got)
					return
				}
			}
		})
	}
	got := admin.Post(partner+"/sessoes/encerrar", nil)
	close(ended)
	callers.Wait()
	if got.Status != http.StatusOK {
		t.Errorf("end: got %d", got.Status)
	}
}

var anySecret = regexp.MustCompile(`gc[hars]_[\w-]{20,}`)
