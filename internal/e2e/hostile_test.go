package e2e_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"guiche/internal/apptest"
	"guiche/internal/authorization"
	fs "guiche/internal/client/faultservice"
	"guiche/internal/desk"
	"guiche/internal/report"

	"github.com/PuerkitoBio/goquery"
)

var seed = flag.Uint64("seed", 0, "seed of the hostile inputs; 0 draws one")

const (
	hostileInputs  = 10_000
	hostileWorkers = 8
	hostileSends   = 240 // of them go the whole way to the service
)

// pieces are what hostile texts are made of.
var pieces = []string{
	"\u202e", "\u200f", "\u2066", "\ufeff", "\u200b", "👩🏽‍⚕️", "🇧🇷", "e\u0301", "Ç", "C\u0327", "ﷺ",
	"𝒳", "\U0010ffff", "\x00", "\x1b[31m", "\x7f", "\u0085", "\u2028",
	"'", `"`, "`", "´", "\\", "%00", "%s%n", "../../etc/passwd", "\r\n", "\n", "\t", "\u00a0",
	"NEAR(", "a AND b", "OR", "NOT", "*", "^", "nome:", "-", "(", ")", "{a b}:", `"" ""`, "+", "d'Ávila", "0011-2233",
	"'; DROP TABLE draft; --", "1 OR 1=1", "UNION SELECT", "<script>alert(1)</script>", "<b>", "</textarea>", "&lt;", "&#0;",
	"<!--", "]]>", "javascript:alert(1)",
	"{{.}}", "${7*7}", "<%= 1 %>", "{%raw%}", "@{x}", "null", "undefined", "NaN", "[object Object]", "true", "-0", "1e999", "S", "N",
}

// invalid are bytes that are no text: half of a surrogate pair, a cut character,
// an overlong form.
var invalid = []string{"\xed\xa0\x80", "\xed\xbf\xbf", "\xff", "\xc3", "\xc0\xaf", "\xf4\x90\x80\x80"}

var oddDates = []string{"01/01/0001", "31/12/9999", "31129999", "00/00/0000", "29/02/2023", "29/02/2024", "1/1/1", "311227",
	"2027-12-31", "-1/-1/-1", "99/99/99"}

var oddNumbers = []string{"0", "-1", "1", "12", "999", "1000", "2147483648", "9223372036854775808", "1e3", "1,5", " 7 ",
	"٣", "0x10", "", "1_000"}

// grammar makes hostile texts from a seed.
type grammar struct{ *rand.Rand }

func (g grammar) pick(from []string) string { return from[g.IntN(len(from))] }

// text is valid UTF-8 of some pieces, at times long.
func (g grammar) text() string {
	var b strings.Builder
	for range 1 + g.IntN(5) {
		b.WriteString(g.pick(pieces))
		if g.IntN(3) == 0 {
			b.WriteString("Ana ")
		}
	}
	switch g.IntN(40) {
	case 0:
		return strings.Repeat(b.String(), 1+g.limit()/b.Len())
	case 1:
		return strings.Repeat(" ", g.IntN(50)) + b.String() + "\u2003\t "
	}
	return b.String()
}

// limit is the length of a long text.
func (g grammar) limit() int { return 5000 + g.IntN(15_001) }

// value is something for a field, whatever the field is for.
func (g grammar) value() string {
	switch g.IntN(30) {
	case 0:
		return g.text() + g.pick(invalid)
	case 1, 2, 3:
		return g.pick(oddDates)
	case 4, 5, 6:
		return g.pick(oddNumbers)
	case 7:
		return ""
	}
	return g.text()
}

// spoil writes hostile texts into some fields of a form, every field in turn, and
// at times sends a field twice, a row that is missing, or a name that is odd.
func (g grammar) spoil(form url.Values, turn int) {
	fields := append(desk.FormFields(), "procedimentos[0].codigoProcedimento", "procedimentos[0].nomeProcedimento",
		"procedimentos[0].quantidade", "versao", "acao", "Busca", "Quem", "beneficiario")
	form.Set(fields[turn%len(fields)], g.value())
	for range g.IntN(4) {
		form.Set(fields[g.IntN(len(fields))], g.value())
	}
	switch g.IntN(10) {
	case 0:
		form.Add(g.pick(fields), g.value())
	case 1:
		form.Set(fmt.Sprintf("procedimentos[%s].codigoProcedimento", g.pick(oddNumbers)), g.value())
	case 2:
		form.Set(g.pick(fields)+"[]", g.value())
	case 3:
		form.Set(g.text(), g.value())
	case 4:
		for i := range 1 + g.IntN(120) {
			apptest.SetProcedure(form, strconv.Itoa(i), g.text(), g.text(), g.pick(oddNumbers))
		}
	}
}

// attacker is one of several who post at once; each is logged in.
type attacker struct {
	*apptest.Client
	g       grammar
	address string
	form    url.Values
}

// strike sends one hostile form to one of the addresses that take it, and returns
// the answer's status.
func (a *attacker) strike(turn int) int {
	form := apptest.Clone(a.form)
	a.g.spoil(form, turn)
	path := a.address
	switch a.g.IntN(8) {
	case 0:
		path = "/busca/credenciais"
	case 1:
		path = "/busca/procedimentos"
	case 2:
		path += "/revisar"
	case 3:
		path, form = "/historico", url.Values{report.FieldText: {a.g.value()}}
		form.Set(a.g.pick([]string{report.FieldFrom, report.FieldUntil, report.FieldSituation, report.FieldCredential,
			report.FieldUnit, report.FieldSender}), a.g.value())
	}
	var header http.Header
	if a.g.IntN(2) == 0 {
		header = http.Header{"Hx-Request": {"true"}}
	}
	got := a.Send(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), header)
	if got.Status >= http.StatusInternalServerError {
		a.T.Errorf("turn %d: POST %s is answered with %d", turn, path, got.Status)
	}
	if got.Status == http.StatusConflict { // another value of versao: the form goes on as a new one
		a.address, a.form = a.NewDraft()
	} else if next := got.Find("#versao"); next.Length() == 1 {
		a.form.Set("versao", next.AttrOr("value", "0"))
	}
	return got.Status
}

// TestHostile posts 10,000 hostile inputs into every field of the form: none is
// answered with 5xx, none panics.
func TestHostile(t *testing.T) {
	t.Parallel()
	s := drawSeed(t)
	c := MustClinic(t, fs.Config{KeepBody: 8 << 20})
	var turns, taken atomic.Int64
	var wg sync.WaitGroup
	for worker := range hostileWorkers {
		a := &attacker{Client: c.v, g: grammar{rand.New(rand.NewPCG(s, uint64(worker)))}}
		a.address, a.form = c.v.NewDraft()
		wg.Go(func() {
			for turn := turns.Add(1); turn <= hostileInputs; turn = turns.Add(1) {
				if status := a.strike(int(turn)); status == http.StatusOK || status == http.StatusUnprocessableEntity {
					taken.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if taken.Load() < hostileInputs/2 {
		t.Errorf("%d of %d inputs were looked at; the others were turned away before", taken.Load(), hostileInputs)
	}
	t.Logf("%d of %d inputs were looked at", taken.Load(), hostileInputs)
	if logs := c.Log.String(); strings.Contains(logs, `"msg":"panic"`) || strings.Contains(logs, `"level":"ERROR"`) {
		t.Error("the log tells a panic or an error")
	}
}

func drawSeed(t *testing.T) uint64 {
	t.Helper()
	s := *seed
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d: repeat with -args -seed %d", s, s)
	return s
}

// TestHostile_BytesArrive sends hostile texts all the way: what reaches the
// service is what was typed, but for the spaces around it, the punctuation of
// the card, and marks that nobody sees in numbers, codes and addresses.
func TestHostile_BytesArrive(t *testing.T) {
	t.Parallel()
	s := drawSeed(t)
	c := MustClinic(t, fs.Config{KeepBody: 8 << 20})
	_, base := c.v.NewDraft()
	var typed sync.Map // guiaPrestador → form
	var wg sync.WaitGroup
	for worker := range hostileWorkers {
		g := grammar{rand.New(rand.NewPCG(s, 1000+uint64(worker)))}
		wg.Go(func() {
			for range hostileSends / hostileWorkers {
				form := g.sendable(base)
				if guide := sendHostile(c.v, form); guide != "" {
					typed.Store(guide, form)
				}
			}
		})
	}
	wg.Wait()
	compared := 0
	for _, entry := range c.Faults.Ledger() {
		form, known := typed.Load(entry.Guide)
		if entry.Event != fs.Received || !known {
			continue
		}
		compared++
		compareSent(t, form.(url.Values), entry.Body)
	}
	if compared < hostileSends*9/10 {
		t.Errorf("%d of %d requests could be compared", compared, hostileSends)
	}
}

// sendable is a form with hostile texts wherever the rules take any text.
func (g grammar) sendable(base url.Values) url.Values {
	form := apptest.Clone(base)
	for _, name := range []string{"numeroCarteira", "nomeBeneficiario", "planoBeneficiario", "nomeSolicitante",
		"siglaConselhoSolicitante", "crmSolicitante", "observacoes",
		"indicacaoClinica", "nomeContato", "dddContato", "telefoneContato", "emailContato", "nomeRecemNascido"} {
		form.Set(name, "x"+g.text())
	}
	form.Set("atendimentoRN", "S")
	form.Set("dataNascimentoRecemNascido", "12/11/2026")
	for i := range 1 + g.IntN(4) {
		apptest.SetProcedure(form, strconv.Itoa(i), "c"+g.text(), "n"+g.text(), strconv.Itoa(1+g.IntN(999)))
	}
	return form
}

// sendHostile reviews and sends a form, and returns the guiaPrestador of its case.
func sendHostile(v *apptest.Client, form url.Values) string {
	address := v.DraftPath()
	form = apptest.Clone(form)
	form.Set("versao", "0")
	if review := v.Post(address+"/revisar", form); review.Status != http.StatusOK {
		v.T.Errorf("review: %d %s", review.Status, review.Text("#erros"))
		return ""
	}
	page := v.Post(address+"/enviar", nil)
	if page.Status != http.StatusOK {
		v.T.Errorf("send: %d", page.Status)
		return ""
	}
	term := page.Find("#pedido-enviado dt").FilterFunction(func(_ int, dt *goquery.Selection) bool { return dt.Text() == "Guia do prestador" })
	return strings.TrimSpace(term.Next().Text())
}

// keptText is a text as the desk keeps it: without white space around it and U+0000 in it.
func keptText(typed string) string { return strings.TrimSpace(strings.ReplaceAll(typed, "\x00", "")) }

// keptNumber is a number, a code or an address as the desk keeps it: without marks that nobody sees, too.
func keptNumber(typed string) string { return keptText(unseen.ReplaceAllString(typed, "")) }

var unseen = regexp.MustCompile(`\p{Cf}`)

// compareSent holds what was typed against the bytes of the request.
func compareSent(t *testing.T, form url.Values, body []byte) {
	t.Helper()
	if !utf8.Valid(body) {
		t.Error("the request is not UTF-8")
	}
	var sent struct {
		Procedures []struct {
			Code     string `json:"codigoProcedimento"`
			Name     string `json:"nomeProcedimento"`
			Quantity int    `json:"quantidade"`
		} `json:"procedimentos"`
	}
	var fields map[string]any
	for _, into := range []any{&sent, &fields} {
		if err := json.Unmarshal(body, into); err != nil {
			t.Errorf("the request is not JSON: %v", err)
			return
		}
	}
	for _, name := range slices.Sorted(slices.Values(desk.FormFields())) {
		want := keptText(form.Get(name))
		switch name {
		case "numeroCarteira":
			want = authorization.CleanCard(want)
		case "siglaConselhoSolicitante":
			want = strings.ToUpper(want)
		case "crmSolicitante", "dddContato", "telefoneContato", "emailContato":
			want = keptNumber(want)
		case "validadeCarteira", "dataNascimentoRecemNascido", "especialidadeExecutanteId", "":
			continue // dates and numbers, held by the tests of desk
		}
		if got, _ := fields[name].(string); want != "" && got != want {
			t.Errorf("%s arrived as %.80q, was typed as %.80q", name, got, want)
		}
	}
	for i, p := range sent.Procedures {
		prefix := fmt.Sprintf("procedimentos[%d].", i)
		if p.Code != keptNumber(form.Get(prefix+"codigoProcedimento")) ||
			p.Name != keptText(form.Get(prefix+"nomeProcedimento")) ||
			strconv.Itoa(p.Quantity) != form.Get(prefix+"quantidade") {
			t.Errorf("row %d arrived as %.80q %.80q %d", i, p.Code, p.Name, p.Quantity)
		}
	}
	if _, more := form[fmt.Sprintf("procedimentos[%d].codigoProcedimento", len(sent.Procedures))]; more {
		t.Errorf("only %d rows arrived", len(sent.Procedures))
	}
}
