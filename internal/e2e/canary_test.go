package e2e_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
	"guiche/migrations"

	"github.com/chromedp/cdproto/network"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// marks are words that stand for a patient: wherever one of them turns up, what
// it stands for would too. Each is as a person would type it.
var marks = map[string]string{
	"name": "Quiteria Zambujal", "card": "7741903355128806", "plan": "Marfim Kaliandra", "contact": "Teobaldo Yrigoyen", "phone": "987651234",
	"email": "xenofonte@caladium.example", "requester": "Wanderlucia Oiticica", "newborn": "RN Zambujal Pequeno",
	"file":  "exame-jacutinga.png",
	"notes": "cefaleia pulsatil vespertina", "indication": "suspeita de hamartoma", "typo": "Zambujol",
}

// leak is where a mark was looked for, and what stood there.
type leak struct{ where, text string }

// TestCanary goes the whole way in the browser with marked data, and finds none of
// it in logs, addresses, the audit trail, error pages, cookies or the browser's
// storage.
func TestCanary(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	data := p.DataDir
	b := MustBrowse(t, p, "422", "404", "405", "403")
	asked := b.recordAddresses()
	secret := b.markedWay()
	if !strings.HasPrefix(secret, "SIM") {
		t.Fatalf("the senha is %q", secret)
	}
	wanted := maps.Clone(marks)
	wanted["senha"] = secret
	b.searchHistory(secret)
	b.searchHistory(wanted["card"])
	pages := b.failedPages()

	var places []leak
	places = append(places, pages...)
	places = append(places, b.storage()...)
	places = append(places, leak{"addresses", strings.Join(asked(), "\n")})
	p.Stop()
	places = append(places, leak{"log", p.Log.String()}, auditRows(t, data))
	for _, place := range places {
		for what, mark := range wanted {
			if place.holds(mark) {
				t.Errorf("%s holds the %s", place.where, what)
			}
		}
	}
}

// holds looks for a mark as it is, escaped, and without what stands between its
// letters.
func (l leak) holds(mark string) bool {
	bare := func(s string) string {
		return strings.NewReplacer(" ", "", "+", "", "%20", "", ".", "", "-", "").Replace(strings.ToLower(s))
	}
	return strings.Contains(l.text, mark) || strings.Contains(l.text, url.QueryEscape(mark)) ||
		strings.Contains(l.text, url.PathEscape(mark)) ||
		strings.Contains(bare(l.text), bare(mark))
}

// recordAddresses notes every address that the browser asks for.
func (b *browser) recordAddresses() func() []string {
	b.t.Helper()
	var (
		mu  sync.Mutex
		all []string
	)
	requests := cd.Events(b.ctx, network.RequestWillBeSent)
	b.do("listen to requests", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		_, err := cd.Call(ctx, network.Enable, network.EnableParams{})
		return err
	}))
	go func() {
		for e, err := range requests {
			if err != nil {
				return
			}
			mu.Lock()
			all = append(all, e.Request.URL, e.DocumentURL)
			mu.Unlock()
		}
	}()
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		if len(all) < 20 {
			b.t.Errorf("only %d addresses were seen", len(all))
		}
		return slices.Clone(all)
	}
}

// markedWay sends a marked request, by way of an error and a wrong search, reads
// it in every list, reloads and goes back. It returns the senha.
func (b *browser) markedWay() string {
	b.t.Helper()
	b.logIn("recepcao")
	b.open("/nova")
	b.fill("#Busca", marks["typo"])
	b.waitFor("nothing found", "document.querySelector('#credenciais').innerText.includes('Nenhuma')")
	b.chooseCredential("aroeira")
	b.fillRequest()
	b.attach(pngFile(b.t, marks["file"]))
	b.press(kb.F8)
	b.see("#erros") // the newborn is missing
	b.click("details.disclosure summary")
	for field, mark := range map[string]string{"nomeBeneficiario": "name", "numeroCarteira": "card",
		"planoBeneficiario": "plan", "nomeSolicitante": "requester",
		"nomeRecemNascido": "newborn", "observacoes": "notes", "indicacaoClinica": "indication", "nomeContato": "contact",
		"telefoneContato": "phone", "emailContato": "email"} {
		b.fill("#"+field, marks[mark])
	}
	b.fill("#dddContato", "11")
	b.fill("#dataNascimentoRecemNascido", "12112026")
	b.saved()
	b.press(kb.F8)
	b.see("#revisao")
	b.press(kb.Enter)
	b.waitFor("the case", "document.querySelector('#veredito .verdict')?.innerText === 'Autorizado'")
	address := b.path()
	shown := leak{"the case", b.text("body")}
	for what, mark := range marks {
		if what != "typo" && !shown.holds(mark) {
			b.t.Errorf("the case does not show the %s, so it is no proof that nothing else does", what)
		}
	}
	b.seesPDF()
	senha := eval[string](b, "[...document.querySelectorAll('.key-facts [data-copy]')].map(e => e.dataset.copy).find(v => "+
		"v.startsWith('SIM')) ?? ''")
	b.do("reload", cd.Reload())
	b.open("/fila")
	b.click("#fila table td:nth-child(2) a")
	b.waitFor("back on the case", "location.pathname === '"+address+"'")
	b.do("back", cd.NavigateBack())
	return senha
}

// searchHistory types into the search at the top of every page.
func (b *browser) searchHistory(text string) {
	b.t.Helper()
	b.open("/fila")
	b.fill("#busca-geral", text)
	b.press(kb.Enter)
	b.waitFor("found", "location.pathname.startsWith('/historico/') && document.querySelector('main a[href^=\"/casos/\"]') !== null")
}

// failedPages are the pages of refusals on the way of somebody who has marked
// data at hand.
func (b *browser) failedPages() []leak {
	b.t.Helper()
	v := b.p.LogIn(b.t, apptest.Reception)
	form := url.Values{"nomeBeneficiario": {marks["name"]}, "numeroCarteira": {marks["card"]}, "Busca": {marks["name"]}}
	found := []leak{}
	for _, path := range []string{"/nada", "/fila", "/pessoas", "/casos/x/retirar", "/nova/01a1fd53-a165-77ef-a4fa-dae39f9cda2f/enviar"} {
		got := v.Post(path, form)
		if got.Status < http.StatusBadRequest {
			b.t.Errorf("POST %s: %d, want a refusal", path, got.Status)
		}
		found = append(found, leak{"the page of " + path, string(got.Body)})
	}
	return found
}

// storage is what the browser keeps of the site.
func (b *browser) storage() []leak {
	b.t.Helper()
	kept := eval[string](b, `(async () => JSON.stringify({
		local: {...localStorage}, session: {...sessionStorage}, cookies: document.cookie, name: window.name, history: history.state,
		databases: (await indexedDB.databases()).map(d => d.name), caches: await caches.keys(),
		workers: (await navigator.serviceWorker.getRegistrations()).length}))()`)
	var found struct {
		Databases, Caches []string
		Workers           int
		Local, Session    map[string]string
	}
	if err := json.Unmarshal([]byte(kept), &found); err != nil {
		b.t.Fatal(err)
	}
	if len(found.Databases)+len(found.Caches)+found.Workers+len(found.Local)+len(found.Session) > 0 {
		b.t.Errorf("the browser keeps %s, want nothing at all", kept)
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	cookies, err := cd.Call(ctx, network.GetCookies, network.GetCookiesParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	var text strings.Builder
	for _, c := range cookies.Cookies {
		text.WriteString(c.Name + "=" + c.Value + "\n")
	}
	if len(cookies.Cookies) != 3 {
		b.t.Errorf("%d cookies, want those of the session, of the browser and of the workstation", len(cookies.Cookies))
	}
	return []leak{{"browser storage", kept}, {"cookies", text.String()}}
}

// auditRows are all rows of the audit trail of a program that has stopped.
func auditRows(t *testing.T, data string) leak {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(data, "desk", "guiche.db"), Migrations: migrations.Desk})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var rows, count = strings.Builder{}, 0
	err = db.Read(t.Context(), func(tx *engine.Tx) error {
		found, err := tx.Query(t.Context(), `SELECT event, object, COALESCE(CAST(object_id AS TEXT), ''), detail FROM audit_entry`)
		if err != nil {
			return err
		}
		defer found.Close()
		for ; found.Next(); count++ {
			var cells [4]string
			if err := found.Scan(&cells[0], &cells[1], &cells[2], &cells[3]); err != nil {
				return err
			}
			rows.WriteString(strings.Join(cells[:], " ") + "\n")
		}
		return found.Err()
	})
	if err != nil || count < 5 {
		t.Fatalf("%d audit rows, %v", count, err)
	}
	return leak{"audit trail", rows.String()}
}
