package main

import (
	"bytes"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// person is somebody at the browser, which runs no script.
type person struct {
	p      *program
	login  string
	client *http.Client
}

// page is what a person sees.
type page struct {
	*goquery.Document
	status int
	path   string
}

// values are what a person types: one text for a field, or several for boxes.
type values map[string]any

func (w *world) visitor() *person {
	return &person{p: w.p, client: &http.Client{Jar: must(cookiejar.New(nil))}}
}

// logIn logs a person in by the password that stands in access.json.
func (w *world) logIn(login string) *person {
	v := w.visitor()
	v.login = login
	v.fill("/entrar", values{"usuario": login, "senha": w.known.Passwords[login]})
	return v
}

// cookie is the session as the browser sends it.
func (v *person) cookie() string {
	var all []string
	for _, c := range v.client.Jar.Cookies(must(url.Parse(v.p.url))) {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, "; ")
}

func (v *person) do(r *http.Request) *page {
	r.Header.Set("User-Agent", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/109.0.0.0 Safari/537.36")
	res := must(v.client.Do(r))
	defer res.Body.Close()
	doc := must(goquery.NewDocumentFromReader(res.Body))
	return &page{doc, res.StatusCode, res.Request.URL.Path}
}

// see opens a page, which must be there.
func (v *person) see(path string) *page {
	p := v.do(must(http.NewRequest(http.MethodGet, v.p.url+path, nil)))
	if p.status != http.StatusOK {
		panic(path + ": " + http.StatusText(p.status))
	}
	return p
}

func (v *person) post(path string, sent url.Values) *page {
	r := must(http.NewRequest(http.MethodPost, v.p.url+path, strings.NewReader(sent.Encode())))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return v.do(r)
}

// leave sends a form and looks no further; it returns where the browser was sent.
func (v *person) leave(path string, form url.Values) (to string) {
	r := must(http.NewRequest(http.MethodPost, v.p.url+path, strings.NewReader(form.Encode())))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := *v.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res := must(client.Do(r))
	defer res.Body.Close()
	return res.Header.Get("Location")
}

// submit fills in a form of a page and sends it; it must be taken.
func (v *person) submit(path, action string, typed values) *page {
	p := v.post(action, v.see(path).form(action).with(typed))
	if p.status != http.StatusOK {
		panic(action + ": " + http.StatusText(p.status) + ": " + p.text("#erros, main"))
	}
	return p
}

// fill is submit for a form that is sent to the page's own address.
func (v *person) fill(path string, typed values) *page { return v.submit(path, path, typed) }

// press sends a form as it stands.
func (v *person) press(path, action string) *page { return v.submit(path, action, nil) }

// attach uploads files into a draft.
func (v *person) attach(draft string, sent url.Values, names ...string) *page {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for name, all := range sent {
		for _, value := range all {
			check(form.WriteField(name, value))
		}
	}
	for _, name := range names {
		_, err := must(form.CreateFormFile("arquivo", name)).Write(sample(name))
		check(err)
	}
	check(form.Close())
	r := must(http.NewRequest(http.MethodPost, v.p.url+draft+"/anexos", &b))
	r.Header.Set("Content-Type", form.FormDataContentType())
	return v.do(r)
}

// download reads a file to its end.
func (v *person) download(path string) {
	res := must(v.client.Get(v.p.url + path))
	defer res.Body.Close()
	must(io.Copy(io.Discard, res.Body))
}

// sent is a form with what stands in its fields.
type sent url.Values

// form reads the form of an action as a browser would send it.
func (p *page) form(action string) sent {
	form := p.Find(`form[action="` + action + `"]`).First()
	if form.Length() == 0 {
		panic(p.path + " has no form " + action + ": " + p.text("main"))
	}
	fields := form.Find("input, select, textarea")
	if id := form.AttrOr("id", ""); id != "" {
		fields = fields.AddSelection(p.Find(`[form="` + id + `"]`))
	}
	out := sent{}
	fields.Each(func(_ int, f *goquery.Selection) {
		name := f.AttrOr("name", "")
		if value, ok := control(f); ok && name != "" {
			out[name] = append(out[name], value)
		}
	})
	return out
}

// control is the value of a field, false where a browser sends none.
func control(f *goquery.Selection) (string, bool) {
	_, checked := f.Attr("checked")
	switch kind := f.AttrOr("type", ""); {
	case goquery.NodeName(f) == "button", kind == "file":
		return "", false
	case kind == "checkbox", kind == "radio":
		return f.AttrOr("value", "on"), checked
	case goquery.NodeName(f) == "textarea":
		return f.Text(), true
	case goquery.NodeName(f) == "select":
		chosen := f.Find("option[selected]")
		if chosen.Length() == 0 {
			chosen = f.Find("option")
		}
		return chosen.First().AttrOr("value", ""), true
	}
	return f.AttrOr("value", ""), true
}

// with types over a form; nil empties a box.
func (s sent) with(typed values) url.Values {
	out := url.Values(maps.Clone(s))
	for name, v := range typed {
		switch v := v.(type) {
		case nil:
			delete(out, name)
		case []string:
			out[name] = v
		case string:
			out[name] = []string{v}
		}
	}
	return out
}

// joined puts together what is typed; the last one wins.
func joined(all ...values) values {
	out := values{}
	for _, one := range all {
		for k, v := range one {
			out[k] = v
		}
	}
	return out
}

func (p *page) text(css string) string {
	return strings.Join(strings.Fields(p.Find(css).First().Text()), " ")
}

// link is the address of the first link of the page with a text.
func (p *page) link(text string) string {
	found := p.Find("a[href]").FilterFunction(func(_ int, a *goquery.Selection) bool { return strings.TrimSpace(a.Text()) == text })
	if found.Length() == 0 {
		panic(p.path + " has no link " + text)
	}
	return found.First().AttrOr("href", "")
}

// action is the address of the n-th form of the page whose action ends so, from 0.
func (p *page) action(end string, n int) string {
	var all []string
	p.Find("form[action]").Each(func(_ int, f *goquery.Selection) {
		if a := f.AttrOr("action", ""); strings.HasSuffix(a, end) && !slices.Contains(all, a) {
			all = append(all, a)
		}
	})
	if len(all) <= n {
		panic(p.path + " has no form …" + end)
	}
	return all[n]
}
