package e2e_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/page"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// countsKeys counts, in every page, each key and each mouse button that goes down, before any
// script of ours sees it; what the tab keeps outlives its pages.
const countsKeys = `for (const [kind, name] of [['keydown', 'keys'], ['mousedown', 'mouse']]) window.addEventListener(kind, () => {
	sessionStorage.setItem(name, Number(sessionStorage.getItem(name)) + 1);
}, true)`

// chooserKeys are the keys that the system's choice of a file takes: three letters and Enter.
const chooserKeys = 4

// Seconds of a key and of making up one's mind, by the keystroke-level model.
const keySeconds, mindSeconds = 0.20, 1.35

// typist presses keys one by one in a window that counts them.
type typist struct {
	*browser
	chosen int           // files
	waits  time.Duration // for pages and lists of ours
}

// watchKeys makes the pages count keys from the next one on, and report the choice of a
// file in place of showing the system's dialog.
func (b *browser) watchKeys() {
	b.t.Helper()
	b.do("watch the keys", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		if _, err := cd.Call(ctx, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true}); err != nil {
			return err
		}
		_, err := cd.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: countsKeys})
		return err
	}))
}

// begin opens the queue and counts from zero.
func (y *typist) begin() {
	y.t.Helper()
	y.open("/fila")
	eval[bool](y.browser, "(sessionStorage.removeItem('keys'), sessionStorage.removeItem('mouse'), true)")
}

// pressed is how many keys went down since then, those of the choice of files with them.
func (y *typist) pressed() int {
	y.t.Helper()
	return eval[int](y.browser, "Number(sessionStorage.getItem('keys'))") + y.chosen*chooserKeys
}

// clicked is how often a mouse button went down.
func (y *typist) clicked() int {
	y.t.Helper()
	return eval[int](y.browser, "Number(sessionStorage.getItem('mouse'))")
}

// waited adds up how long our own pages and lists are waited for.
func (y *typist) waited(since time.Time) { y.waits += time.Since(since) }

// reads waits for the list of all that was typed, and as long as a person needs to read it.
func (y *typist) reads(css string) {
	y.t.Helper()
	since := time.Now()
	y.waitFor(css, "!document.activeElement.hasAttribute('data-searching') && document.querySelector(`"+css+"`) !== null")
	y.waited(since)
	y.pause()
}

// chooses presses the key that opens the choice of files, and takes one.
func (y *typist) chooses(file string) {
	y.t.Helper()
	y.to("#arquivo")
	y.opensChooser()
	y.attach(file)
	y.chosen++
}

// opensChooser presses the key that opens the system's choice of files.
func (b *browser) opensChooser() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if _, err := cd.Run(ctx, cd.WaitEvent(page.FileChooserOpened, nil, cd.KeyEvent(" "))); err != nil {
		b.t.Fatalf("no choice of files: %v", err)
	}
}

// to goes to a field with Tab.
func (y *typist) to(css string) {
	y.t.Helper()
	for range 90 {
		if eval[bool](y.browser, "document.activeElement.matches(`"+css+"`)") {
			return
		}
		y.press(kb.Tab)
	}
	y.t.Fatalf("no Tab leads to %s", css)
}

// leads presses a key that leads to another page.
func (y *typist) leads(key, css string) {
	y.t.Helper()
	eval[bool](y.browser, "window.earlier = true")
	defer y.waited(time.Now())
	y.press(key)
	y.waitFor("the page with "+css, "!window.earlier && document.readyState === 'complete' && document.querySelector(`"+css+"`) !== null")
}

// shows waits for a part of the page.
func (y *typist) shows(css string) {
	y.t.Helper()
	defer y.waited(time.Now())
	y.waitFor(css, "document.querySelector(`"+css+"`) !== null")
}

// repeats searches for a case with F4, opens it and repeats it.
func (y *typist) repeats(text string) {
	y.t.Helper()
	y.press(kb.F4)
	y.typeKeys(text)
	y.leads(kb.Enter, "tbody td:nth-child(2) a")
	y.to("td:nth-child(2) a")
	y.leads(kb.Enter, "form[action$='/copiar'] button")
	y.to("form[action$='/copiar'] button")
	y.leads(kb.Enter, "#pedido")
}

func (y *typist) sends() {
	y.t.Helper()
	y.press(kb.F8)
	y.shows("#enviar-confirma:focus")
	y.leads(kb.Enter, "#veredito")
}

// enters types a procedure and leads to its quantity.
func (y *typist) enters(code string) {
	y.t.Helper()
	y.typeKeys(code)
	y.reads("[role=listbox]:not([hidden]) [data-value='" + code + "']")
	y.typeKeys("⏎")
}

// newcomer asks for somebody who was never here, whose requester was.
func (y *typist) newcomer(card string) {
	y.t.Helper()
	y.leads(kb.F2, "#pedido")
	y.typeKeys(card)
	y.reads("#conhecidos:not([hidden]) [aria-disabled]")
	y.typeKeys("⏎aro")
	y.reads("#credenciais:not([hidden]) [data-value]")
	y.typeKeys("⏎Helena Duarte da Silva⇥⇥31122027⇥⇥⇥⇥leme")
	y.reads("#solicitantes:not([hidden]) [data-value]")
	y.typeKeys("⏎")
	y.enters("40304361")
	y.chooses(pngFile(y.t, "pedido.png"))
	y.sends()
}

// returning asks for somebody who was here before: one of twenty of the same name, by the card.
func (y *typist) returning() {
	y.t.Helper()
	y.leads(kb.F2, "#pedido")
	y.typeKeys("031000007")
	y.waitFor("one beneficiary", "document.querySelectorAll('#conhecidos:not([hidden]) [data-fields]').length === 1")
	y.pause()
	y.typeKeys("⏎")
	y.enters("40304361")
	y.typeKeys("⏎⏎")
	y.chooses(pngFile(y.t, "pedido.png"))
	y.sends()
}

// TestKeys counts the keys of the ways to a verdict, in the page, so that none gets longer: with
// 5,000 beneficiaries, of whom twenty have the same name, 200 credentials and 6,000 procedures.
func TestKeys(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	_, form := v.NewDraft()
	send := func(card, name string) {
		address, _ := v.NewDraft()
		v.Submit(address, apptest.With(form, map[string]string{"numeroCarteira": card, "nomeBeneficiario": name,
			"nomeSolicitante": "Caio Leme"}))
	}
	send("99990100001", "Marina Reis")
	mustFillRegisters(t, p)
	send("99990400", "Dora Lima")
	send("99990400", "Nilo Braga")
	l := MustLine(t, p)
	b := l.browse(t, p, "422")
	b.watchKeys()
	b.logIn("recepcao")
	for late, who := range map[time.Duration]struct{ card, denied string }{
		0: {"31000451206334588", "dora"}, 80 * time.Millisecond: {"31000451206334596", "nilo"},
	} {
		for _, tt := range []struct {
			name        string
			most, minds int
			way         func(y *typist)
		}{
			{"new", 87, 10, func(y *typist) { y.newcomer(who.card) }},
			{"returning", 30, 8, (*typist).returning},
			{"repeat", 17, 7, func(y *typist) { // the same again
				y.repeats("marina")
				y.to(firstCode)
				y.sends()
			}},
			{"correct", 25, 8, func(y *typist) { // a denied request, with another card
				y.repeats(who.denied)
				y.to("#numeroCarteira")
				y.typeKeys("99990100001")
				y.sends()
			}},
		} {
			t.Run(fmt.Sprintf("%s/%s", late, tt.name), func(t *testing.T) {
				l.delay(late)
				y := &typist{browser: b.in(t)}
				y.begin()
				tt.way(y)
				got, clicks := y.pressed(), y.clicked()
				if late > 0 {
					y.report(tt.name, got, clicks, tt.minds)
				}
				if got == 0 || got > tt.most || clicks > 0 {
					t.Errorf("%d keys, want at most %d, and %d clicks", got, tt.most, clicks)
				}
			})
		}
	}
}

// report says how long a way is, as make bench-keys prints it.
func (y *typist) report(name string, keys, clicks, minds int) {
	y.t.Helper()
	klm := float64(keys)*keySeconds + float64(minds)*mindSeconds + y.waits.Seconds()
	y.t.Logf("%s: %d keys, %d mouse, %.0f s KLM, %.1f s waits", name, keys, clicks, klm, y.waits.Seconds())
}

// copied are the columns of a table, with expressions for some of them.
func copied(t *testing.T, db *sql.DB, table string, own map[string]string) (columns, values string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT name FROM pragma_table_info(?)`, table)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var names, expressions []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		expression, ok := own[name]
		if !ok {
			expression = "o." + name
		}
		names, expressions = append(names, name), append(expressions, expression)
	}
	if err := rows.Err(); err != nil || len(names) == 0 {
		t.Fatalf("%s has %d columns, %v", table, len(names), err)
	}
	return strings.Join(names, ", "), strings.Join(expressions, ", ")
}

// mustFillRegisters makes 5,000 beneficiaries of the first case, 200 credentials and 6,000
// procedures.
func mustFillRegisters(t *testing.T, p *apptest.Server) {
	t.Helper()
	many := func(n int) string {
		return fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) `, n)
	}
	desk := p.Database(t)
	columns, values := copied(t, desk, "submission", map[string]string{
		"id": "1000 + i", "uid": "randomblob(16)", "token": "randomblob(16)", "idempotency_key": "hex(randomblob(16))",
		"provider_guide": "substr(hex(randomblob(10)), 1, 20)", "created_at": "o.created_at - 1", "checksum": "NULL",
		"card_number": "printf('0310%05d1206', i)", "beneficiary_name": `iif(i <= 20, 'Maria Silveira',
			json_extract('["Ana","Bia","Caio","Davi","Eva","Gil","Iara"]', '$[' || (i % 7) || ']') || printf(' Souza %05d', i))`})
	p.Exec(t, `DROP TRIGGER submission_state_begins`) // these are over when they are written
	p.Exec(t, many(5000)+`INSERT INTO submission (`+columns+`) SELECT `+values+` FROM n, submission o WHERE o.id = 1`)
	columns, values = copied(t, desk, "submission_procedure", map[string]string{"submission_id": "1000 + i", "checksum": "NULL"})
	p.Exec(t, many(5000)+`INSERT INTO submission_procedure (`+columns+`) SELECT `+values+`
		FROM n, submission_procedure o WHERE o.submission_id = 1`)
	columns, values = copied(t, desk, "submission_state", map[string]string{"submission_id": "1000 + i", "checksum": "NULL"})
	p.ExecRows(t, many(5000)+`INSERT INTO submission_state (`+columns+`) SELECT `+values+`
		FROM n, submission_state o WHERE o.submission_id = 1`)
	p.Exec(t, many(6000)+`INSERT INTO procedure (uid, code, name, aliases, active, updated_at)
		SELECT randomblob(16), printf('7%07d', i), printf('Exame %05d', i), '', 1, 0 FROM n`)
	service := p.ServiceDatabase(t)
	columns, values = copied(t, service, "credential", map[string]string{"id": "1000 + i", "uid": "randomblob(16)",
		"name": "printf('Convênio %03d', i)", "provider_code": "printf('88%04d', i)", "searched": "printf('convenio %03d 88%04d', i, i)",
		"sort_name": "printf('convenio %03d', i)"})
	for _, statement := range []string{
		many(200) + `INSERT INTO credential (` + columns + `) SELECT ` + values + ` FROM n, (SELECT * FROM credential LIMIT 1) o`,
		`UPDATE credential_changes SET count = count + 1`,
	} {
		if _, err := service.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}
