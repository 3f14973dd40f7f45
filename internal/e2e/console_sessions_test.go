package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// TestConsole_Sessions: who of a partner holds tokens, and the end of one or all of
// them, in force for the very next request.
func TestConsole_Sessions(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	partner, other := admin.addPartner("Hospital da Serra"), admin.addPartner("Hospital do Vale")
	if got := admin.get(partner + "/sessoes"); !strings.Contains(got.text("section.empty-state"), "Nenhuma sessão") || got.doc().Find("main form").Length() != 0 {
		t.Errorf("without sessions: %q", got.text("main"))
	}
	user := admin.mint(t, partner+"/usuarios", url.Values{"usuario": {"hospital.serra"}}, 2)
	client := admin.mint(t, partner+"/clientes", url.Values{"cliente": {"Faturamento"}}, 2)
	anyone := MustCall(t, p, "Accept", "application/json")
	bearer := func(token string) int { return MustCall(t, p, "Authorization", "Bearer "+token).credentials() }
	refresh := func(token string) (int, string) {
		status, got := anyone.send(http.MethodPost, "/api/v1/auth/refresh", "application/json", `{"refresh_token":"`+token+`"}`)
		data, _ := got["data"].(map[string]any)
		access, _ := data["access_token"].(string)
		return status, access
	}
	first, renewal := anyone.logIn(user[0], user[1])
	second, _ := anyone.logIn(user[0], user[1])
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {client[0]}, "client_secret": {client[1]}}
	_, granted := anyone.send(http.MethodPost, "/oauth/token", "application/x-www-form-urlencoded", form.Encode())
	third, _ := granted["access_token"].(string)
	for _, token := range []string{first, second, third} {
		if got := bearer(token); got != http.StatusOK {
			t.Fatalf("before: got %d", got)
		}
	}
	_, renewed := refresh(renewal)

	page := admin.get(partner + "/sessoes")
	rows := page.doc().Find("tbody tr")
	if rows.Length() != 3 || !strings.Contains(rows.Eq(0).Text(), "Faturamento") || !strings.Contains(rows.Eq(0).Text(), "cliente OAuth") ||
		!strings.Contains(rows.Eq(1).Text(), "hospital.serra") || !strings.Contains(rows.Eq(1).Text(), "Renovada: nunca") || strings.Contains(rows.Eq(2).Text(), "Renovada: nunca") {
		t.Errorf("got %q", page.text("table"))
	}
	if anySecret.Match(page.body) {
		t.Error("the page shows a token")
	}
	if got := admin.get(partner); !strings.Contains(got.text("aside"), "3 abertas") || got.doc().Find("aside a[href='"+partner+"/sessoes']").Length() != 1 {
		t.Errorf("the partner's page says %q", got.text("aside"))
	}
	end := func(row int) string { return rows.Eq(row).Find("form").AttrOr("action", "") }

	t.Run("AnotherPartners", func(t *testing.T) {
		for _, path := range []string{strings.Replace(end(0), partner, other, 1), partner + "/sessoes/01970000-0000-7000-8000-00000000dead/encerrar", partner + "/sessoes/x/encerrar"} {
			if got := admin.post(path, nil); got.status != http.StatusNotFound {
				t.Errorf("POST %s: got %d, want 404", path, got.status)
			}
		}
		if admin.post(other+"/sessoes/encerrar", nil); bearer(third) != http.StatusOK {
			t.Error("the end of another partner's sessions ended this one")
		}
	})
	t.Run("One", func(t *testing.T) {
		if got := admin.post(end(2), nil); got.status != http.StatusOK || got.doc().Find("tbody tr").Length() != 2 {
			t.Errorf("got %d with %d rows, want 2", got.status, got.doc().Find("tbody tr").Length())
		}
		if status, _ := refresh(renewal); bearer(first) != http.StatusUnauthorized || bearer(renewed) != http.StatusUnauthorized || status != http.StatusUnauthorized {
			t.Error("a token of the session is still taken")
		}
		if bearer(second) != http.StatusOK || bearer(third) != http.StatusOK {
			t.Error("another session ended with it")
		}
	})
	t.Run("All", func(t *testing.T) {
		if got := admin.post(partner+"/sessoes/encerrar", nil); got.status != http.StatusOK || got.doc().Find("tbody tr").Length() != 0 {
			t.Errorf("got %d with %d rows, want none", got.status, got.doc().Find("tbody tr").Length())
		}
		if bearer(second) != http.StatusUnauthorized || bearer(third) != http.StatusUnauthorized {
			t.Error("a token is still taken")
		}
		if again, _ := anyone.logIn(user[0], user[1]); bearer(again) != http.StatusOK {
			t.Error("the user cannot come in again")
		}
	})
	t.Run("Told", func(t *testing.T) {
		trail := admin.get("/auditoria").text("main")
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
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	partner := admin.addPartner("Rede Norte")
	user := admin.mint(t, partner+"/usuarios", url.Values{"usuario": {"rede.norte"}}, 2)
	token, _ := MustCall(t, p, "Accept", "application/json").logIn(user[0], user[1])
	caller := MustCall(t, p, "Authorization", "Bearer "+token)
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
				if got := caller.credentials(); late && got != http.StatusUnauthorized {
					t.Errorf("after the end: got %d, want 401", got)
					return
				}
			}
		})
	}
	got := admin.post(partner+"/sessoes/encerrar", nil)
	close(ended)
	callers.Wait()
	if got.status != http.StatusOK {
		t.Errorf("end: got %d", got.status)
	}
}
