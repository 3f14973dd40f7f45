package webui_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"guiche/internal/apptest"
)

// TestDirectory_Changed: of two who change an entry at once the second is told, keeps what she
// typed, and undoes nothing unseen.
func TestDirectory_Changed(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	for list, search := range map[string]string{"/cadastros/unidades": "centro", "/cadastros/executantes": "elisa",
		"/cadastros/procedimentos": "40316521", "/cadastros/credenciais": "aroeira"} {
		t.Run(list, func(t *testing.T) {
			address := admin.Search(list, search)
			first, second := admin.Get(address).Form("#cadastro"), admin.Get(address).Form("#cadastro")
			field := "nome"
			if list == "/cadastros/credenciais" {
				field = "telefone"
			}
			first.Set(field, "0800 111")
			second.Set(field, "0800 222")
			admin.Post(address, first).Check(t, apptest.Want{Status: http.StatusOK, Path: list})
			told := admin.Post(address, second)
			told.Check(t, apptest.Want{Status: http.StatusConflict, Text: map[string]string{"#erros": "mudou depois que você abriu"}})
			told.CheckKept(t, url.Values{field: {"0800 222"}})
			if got := admin.Get(address).Value("#" + field); got != "0800 111" {
				t.Errorf("kept is %q, want what the first saved", got)
			}
			admin.Post(address, told.Form("#cadastro")).Check(t, apptest.Want{Status: http.StatusOK, Path: list})
			if got := admin.Get(address).Value("#" + field); got != "0800 222" {
				t.Errorf("kept is %q, want what was saved knowingly", got)
			}
		})
	}
	t.Run("RefusedFormKeepsItsVersion", func(t *testing.T) {
		address := admin.Search("/cadastros/unidades", "0800")
		first, second := admin.Get(address).Form("#cadastro"), admin.Get(address).Form("#cadastro")
		first.Set("nome", "Centro")
		second.Set("nome", "")
		admin.Post(address, first)
		again := admin.Post(address, second).Form("#cadastro")
		again.Set("nome", "Sede")
		if got := admin.Post(address, again); got.Status != http.StatusConflict {
			t.Errorf("got %d, want 409", got.Status)
		}
	})
}

// TestDirectory_UnitPointsUnlisted: points that a form does not know stay in use: somebody else
// added them, or there are more than a form takes.
func TestDirectory_UnitPointsUnlisted(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	add := func(address string, first int) {
		typed := url.Values{"nome": {"Rede"}}
		for i := range 150 {
			row := "pontosAtendimento[" + strconv.Itoa(i) + "]."
			typed.Set(row+"nome", "Ponto "+strconv.Itoa(first+i))
			typed.Set(row+"id", "")
		}
		admin.Post(address, typed)
	}
	const inUse = "#cadastro [name$='.ativo'][checked]"
	add("/cadastros/unidades/nova", 0)
	address := admin.Search("/cadastros/unidades", "rede")
	add(address, 150)
	admin.Get(address).Check(t, apptest.Want{Count: map[string]int{inUse: 300}})
	form := admin.Get(address).Form("#cadastro")
	form.Set("nome", "Rede Norte")
	admin.Post(address, form)
	admin.Get(address).Check(t, apptest.Want{Count: map[string]int{inUse: 300}, Value: map[string]string{"#nome": "Rede Norte"}})
}
