package e2e_test

import (
	"fmt"
	"net/url"
	"regexp"
)

// newPartner is another one each time.
func (w *world) newPartner() string {
	w.t.Helper()
	w.people++
	return w.admin.AddPartner(fmt.Sprintf("Parceiro %d", w.people))
}

func (w *world) newAccess(slug string, form url.Values, shown int) string {
	w.t.Helper()
	partner := w.newPartner()
	w.admin.Mint(w.t, partner+"/"+slug, form, shown)
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
	made := w.admin.Mint(w.t, partner+"/usuarios", url.Values{"usuario": {fmt.Sprintf("sistema.%d", w.people)}}, 2)
	w.admin.Server.Partner(w.t, "").LogIn(made[0], made[1])
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

var anySecret = regexp.MustCompile(`gc[hars]_[\w-]{20,}`)
