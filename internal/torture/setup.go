package torture

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

const password = "uma frase bem comprida"

// people is how many receptionists there are.
const people = 6

// setUp makes an installation of an empty folder, by its own forms: the administrator, one
// unit, one professional, and receptionists.
func (w *world) setUp(ctx context.Context) ([]*clerk, error) {
	if _, err := w.process.address(ctx); err != nil {
		return nil, err
	}
	admin := w.browser()
	chosen := url.Values{"senha": {password}, "senha2": {password}}
	first := maps.Clone(chosen)
	first["nome"], first["usuario"] = []string{"Rui Barreto"}, []string{"rui"}
	forms := []struct {
		path  string
		typed url.Values
	}{
		{w.process.firstLogin(), first},
		{"/entrar", url.Values{"usuario": {"rui"}, "senha": {password}}},
		{"/cadastros/unidades/nova", url.Values{"nome": {"Centro"}, "pontosAtendimento[0].nome": {"Balcão"}}},
		{"/cadastros/executantes/novo", url.Values{"nome": {"Elisa Rocha"}, "siglaConselho": {"CRM"}, "numeroConselho": {"10200"},
			"uf": {"SP"}, "especialidades[0].nome": {"Clínica médica"}, "especialidades[0].id": {"1"}}},
	}
	for _, f := range forms {
		if _, err := admin.fill(ctx, f.path, f.typed); err != nil {
			return nil, err
		}
	}
	return w.receptionists(ctx, admin, chosen)
}

// receptionists makes people, who are logged in by the link with which they choose their
// password. Each has several tabs open, and each tab is a clerk.
func (w *world) receptionists(ctx context.Context, admin *browser, chosen url.Values) ([]*clerk, error) {
	page, err := admin.get(ctx, "/pessoas/nova")
	if err != nil {
		return nil, err
	}
	unit := page.document().Find("input[name=unidades]").First().AttrOr("value", "")
	var browsers [people]*browser
	for i := range browsers {
		done, err := admin.fill(ctx, "/pessoas/nova", url.Values{"nome": {"Recepção"}, "usuario": {fmt.Sprintf("recepcao%d", i)},
			"papeis": {"recepcao"}, "unidades": {unit}})
		if err != nil {
			return nil, err
		}
		_, secret, found := strings.Cut(text(done.document().Find("#convite")), "/ativar/")
		if !found {
			return nil, fmt.Errorf("torture: no link for the receptionist: %d", done.status)
		}
		browsers[i] = w.browser()
		browsers[i].user = fmt.Sprintf("recepcao%d", i)
		if _, err := browsers[i].fill(ctx, "/ativar/"+strings.Fields(secret)[0], chosen); err != nil {
			return nil, err
		}
	}
	clerks := make([]*clerk, w.options.Clerks)
	for i := range clerks {
		clerks[i] = &clerk{browser: browsers[i%people], dice: newDice(w.options.Seed, fmt.Sprint(w.kind, " clerk ", i))}
	}
	return clerks, nil
}

// fill opens a page, types into its form and sends it; it must be taken.
func (b *browser) fill(ctx context.Context, path string, typed url.Values) (view, error) {
	page, err := b.get(ctx, path)
	if err != nil {
		return view{}, err
	}
	doc := page.document()
	form := doc.Find("form[method=post]").FilterFunction(func(_ int, f *goquery.Selection) bool {
		return f.AttrOr("action", path) == path
	}).First()
	values := fields(form, doc)
	maps.Copy(values, typed)
	done, err := b.post(ctx, path, values)
	if err == nil && done.status >= http.StatusBadRequest {
		err = fmt.Errorf("torture: %s answered %d: %s", shape(path), done.status, text(done.document().Find("#erros, main")))
	}
	if err == nil && done.location != "" {
		return b.get(ctx, done.location)
	}
	return done, err
}
