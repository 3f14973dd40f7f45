package torture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// clerk is a receptionist at one tab of a browser, with the forms that they filled.
type clerk struct {
	*browser
	dice  *dice
	typed url.Values // the form as it was first shown, filled
	forms []*form
}

// form is one form of a clerk.
type form struct {
	card, draft string // address of the draft
	saved       bool   // the program said that it is
	pressed     bool
	given       string // address of the case, "" while the clerk was not told
	by          string // process that led to the case, "" without a cluster
	label       string // what the last look showed
	asks        string // where that page asks whether the case moved on, "" where it does not
	old         bool   // a copy was restored since
}

var (
	draftAddress = regexp.MustCompile(`/nova/[0-9a-f-]{36}`)
	versionField = regexp.MustCompile(`name="versao"[^>]*\svalue="(\d+)"`)
)

// errUnexpected ends a run: a page is not what the driver knows.
var errUnexpected = errors.New("torture: unexpected page")

func unexpected(v view, what string) error {
	return fmt.Errorf("%w: %s: %d: %.300s", errUnexpected, what, v.status, text(v.document().Find("#erros, main")))
}

// serve fills one form and sends it.
func (c *clerk) serve(ctx context.Context, card string) error {
	f, err := c.open(ctx, card)
	if err != nil {
		return err
	}
	version, err := c.review(ctx, f)
	if err != nil {
		return err
	}
	told := c.follow(ctx, f)
	err = c.press(ctx, f, version)
	if by := told(); by != "" && f.by != "" && by != f.by {
		c.world.followed.Add(1)
	}
	if err != nil || f.given == "" {
		return err
	}
	return c.watch(ctx, f)
}

// open opens an empty form.
func (c *clerk) open(ctx context.Context, card string) (*form, error) {
	v, err := c.until(ctx, func() (view, error) { return c.get(ctx, "/nova") })
	if err != nil {
		return nil, err
	}
	f := &form{card: card, draft: draftAddress.FindString(string(v.body))}
	if v.status != http.StatusOK || f.draft == "" {
		return nil, unexpected(v, "open a form")
	}
	if c.typed == nil {
		if c.typed, err = c.learn(ctx, v); err != nil {
			return nil, err
		}
	}
	c.forms = append(c.forms, f)
	return f, nil
}

// learn reads the form once and fills in what is the same in all.
func (c *clerk) learn(ctx context.Context, v view) (url.Values, error) {
	doc := v.document()
	typed := fields(doc.Find("form#pedido"), doc)
	options, err := c.credentials(ctx)
	if err != nil {
		return nil, err
	}
	credential := options.Eq(c.dice.between(0, options.Length())).AttrOr("data-value", "")
	maps.Copy(typed, url.Values{
		"credencialId": {credential}, "validadeCarteira": {"31/12/2027"},
		"nomeBeneficiario": {"Beneficiária de Teste"}, "nomeSolicitante": {"Caio Leme"}, "siglaConselhoSolicitante": {"CRM"},
		"crmSolicitante": {"104552"}, "ufSolicitante": {"SP"},
		"procedimentos[0].codigoProcedimento": {"40316521"}, "procedimentos[0].nomeProcedimento": {"TSH"},
		"procedimentos[0].quantidade": {"1"},
	})
	return typed, nil
}

// credentials searches until something is found: the service misbehaves here too.
func (c *clerk) credentials(ctx context.Context) (*goquery.Selection, error) {
	for {
		found, err := c.byScript(ctx, "/busca/credenciais", url.Values{"Busca": {"a"}})
		if err == nil {
			if options := found.document().Find("[role=option][data-value]"); options.Length() > 0 {
				return options, nil
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		pause(ctx, 200*time.Millisecond)
	}
}

// review saves, perhaps attaches a file, and asks for the review, until it is shown; it
// returns the version that was.
func (c *clerk) review(ctx context.Context, f *form) (version string, err error) {
	version = "0"
	attach := c.dice.chance(0.1)
	for steps := 0; ctx.Err() == nil; steps++ {
		values := maps.Clone(c.typed)
		values["numeroCarteira"], values["versao"] = []string{f.card}, []string{version}
		v, err := c.byScript(ctx, f.draft, values)
		if err == nil && v.status == http.StatusOK {
			f.saved = true
			version = versionOf(v)
			if attach {
				attach = c.attach(ctx, f) != nil
			}
			values["versao"] = []string{version}
			v, err = c.post(ctx, f.draft+"/revisar", values)
		}
		if err == nil && v.status == http.StatusOK && bytes.Contains(v.body, []byte(`id="revisao"`)) {
			return versionOf(v), nil
		}
		if err == nil && v.status != http.StatusConflict && v.status < http.StatusInternalServerError || steps > 200 {
			return "", unexpected(v, "review")
		}
		pause(ctx, 30*time.Millisecond)
		if version, err = c.reload(ctx, f); err != nil {
			return "", err
		}
	}
	return "", ctx.Err()
}

// byScript sends a form as the page's script does.
func (c *clerk) byScript(ctx context.Context, path string, values url.Values) (view, error) {
	return c.send(ctx, http.MethodPost, path, formType, []byte(values.Encode()),
		http.Header{"Hx-Request": {"true"}})
}

// reload opens a draft again and returns its version.
func (c *clerk) reload(ctx context.Context, f *form) (version string, err error) {
	v, err := c.until(ctx, func() (view, error) { return c.get(ctx, f.draft) })
	switch {
	case err != nil:
		return "", err
	case v.status == http.StatusOK:
		return versionOf(v), nil
	case v.status == http.StatusNotFound && f.saved:
		c.world.form(Gone, f)
		return "", unexpected(v, "a saved draft is gone")
	case v.status == http.StatusNotFound:
		return "0", nil
	}
	return "", unexpected(v, "reload")
}

func versionOf(v view) string {
	if m := versionField.FindSubmatch(v.body); m != nil {
		return string(m[1])
	}
	return "0"
}

// attach uploads a file into the draft.
func (c *clerk) attach(ctx context.Context, f *form) error {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("arquivo", "pedido.png")
	if err == nil {
		_, err = part.Write(picture)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	_, err = c.send(ctx, http.MethodPost, f.draft+"/anexos", w.FormDataContentType(), b.Bytes(), http.Header{"Hx-Request": {"true"}})
	return err
}

// press confirms the review, sometimes twice at once, until the program leads to the case;
// sometimes the clerk gives up when there is no answer.
func (c *clerk) press(ctx context.Context, f *form, version string) error {
	f.pressed = true
	c.world.form(Pressed, f)
	if c.dice.chance(0.05) {
		var both sync.WaitGroup
		defer both.Wait()
		both.Go(func() { _, _ = c.confirm(ctx, f, version) })
	}
	for ctx.Err() == nil {
		v, err := c.confirm(ctx, f, version)
		if err == nil && v.location != "" {
			f.given, f.by = v.location, v.header.Get(processHeader)
			return nil
		}
		if errors.Is(err, errUnexpected) {
			return err
		}
		if c.dice.chance(0.1) {
			return nil // the program knows, or not
		}
		pause(ctx, 30*time.Millisecond)
	}
	return ctx.Err()
}

// confirm presses "Enviar" once and returns what leads to the case, nothing for none yet.
func (c *clerk) confirm(ctx context.Context, f *form, version string) (view, error) {
	v, err := c.post(ctx, f.draft+"/enviar", url.Values{"versao": {version}})
	switch {
	case err != nil || v.status >= http.StatusInternalServerError:
		return view{}, err
	case strings.HasPrefix(v.location, "/casos/"):
		c.world.confirmed(f, v.location)
		return v, nil
	}
	return view{}, unexpected(v, "confirm")
}

// watch looks at the case, and sometimes goes on looking or at the queue.
func (c *clerk) watch(ctx context.Context, f *form) error {
	if err := c.look(ctx, f, OnCase); err != nil {
		return err
	}
	for looks := c.dice.between(0, 3); looks > 0 && isPending(f.label); looks-- {
		pause(ctx, 300*time.Millisecond)
		v, err := c.get(ctx, f.given+"/estado?de=sending")
		if err == nil && v.header.Get("Hx-Refresh") != "" {
			if err := c.look(ctx, f, OnCase); err != nil {
				return err
			}
		}
	}
	if c.dice.chance(0.05) {
		if v, err := c.get(ctx, "/fila"); err == nil {
			c.world.rows(v, InList)
		}
	}
	return nil
}

// look reads the page of a case.
func (c *clerk) look(ctx context.Context, f *form, where string) error {
	v, err := c.until(ctx, func() (view, error) { return c.get(ctx, f.given) })
	if err != nil {
		return err
	}
	switch v.status {
	case http.StatusOK:
	case http.StatusNotFound:
		f.label = missing
		c.world.screen(Screen{Where: where, Case: f.given, Label: missing})
		return nil
	default:
		return unexpected(v, "look at a case")
	}
	page := v.document()
	f.asks = page.Find("#caso").AttrOr("hx-get", "")
	f.label = text(page.Find("#veredito .verdict"))
	senha := page.Find(`button[aria-label="Copiar senha"]`).First().AttrOr("data-copy", "")
	c.world.screen(Screen{Where: where, Case: f.given, Label: f.label, Senha: senha})
	if f.label == "" {
		return unexpected(v, "look at a case")
	}
	return nil
}

// cardNumber numbers the forms of a run.
func cardNumber(seed uint64, serial int) string {
	return fmt.Sprintf("%07d%s", seed%10_000_000, strconv.Itoa(1_000_000+serial))
}
