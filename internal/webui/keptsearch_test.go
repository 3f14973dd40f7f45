package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestList_Back: what a list was searched for has an address of its own, which says nothing and which a browser can come
// back to or load again; a posted page it can only ask about.
func TestList_Back(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	for path, field := range map[string]string{"/pessoas": "texto", "/cadastros/unidades": "Busca", "/cadastros/executantes": "Busca",
		"/cadastros/procedimentos": "Busca", "/cadastros/credenciais": "Busca", "/servico/credenciais": "Busca",
		"/servico/unidades": "Busca", "/servico/profissionais": "Busca", "/servico/registro": "numero", "/servico/descricao": "Busca"} {
		typed := url.Values{field: {"4"}}
		to := rui.PostHTMX(path, typed).Header.Get("HX-Redirect")
		if !strings.HasPrefix(to, path+"?busca=") || rui.Get(to).Value("[name="+field+"]") != "4" {
			t.Errorf("%s leads to %q, and shows the search for %q", path, to, rui.Get(to).Value("[name="+field+"]"))
		}
		rui.Get(path).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"[name=" + field + "]": ""}})
		if to := rui.PostHTMX(path, url.Values{field: {""}}).Header.Get("HX-Redirect"); to != path {
			t.Errorf("%s: nothing searched for leads to %q", path, to)
		}
	}
	people := rui.PostHTMX("/pessoas", url.Values{"texto": {"Prado"}}).Header.Get("HX-Redirect")
	rui.Get(people).Check(t, apptest.Want{Count: map[string]int{"main tbody tr": 1}})
	rui.Get(strings.Replace(people, "/pessoas", "/cadastros/unidades", 1)).Check(t, apptest.Want{Value: map[string]string{"[name=Busca]": ""}})
	again := server.LogIn(t, apptest.Administration)
	again.Get(people).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"[name=texto]": ""}})
}

// TestList_Kept: the latest searches are kept, and one that is too long is answered where it was posted.
func TestList_Kept(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	var all []string
	for _, text := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
		all = append(all, rui.PostHTMX("/pessoas", url.Values{"texto": {text}}).Header.Get("HX-Redirect"))
	}
	for i, want := range map[int]string{0: "", 1: "b", 8: "i"} {
		rui.Get(all[i]).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"[name=texto]": want}})
	}
	long := strings.Repeat("x", 2000)
	rui.Post("/pessoas", url.Values{"texto": {long}}).Check(t, apptest.Want{Status: http.StatusOK,
		Value: map[string]string{"[name=texto]": long}})
	pages := rui.Get("/cadastros/procedimentos").Form("form[aria-label=Páginas]")
	pages.Set("pagina", "2")
	rui.Post("/cadastros/procedimentos", pages).Check(t, apptest.Want{Text: map[string]string{"form[aria-label=Páginas]": "51"}})
}
