package webui_test

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestAttachment_Row: a stored file has a row with a preview and a way to remove
// it, by a script alone or with the whole form.
func TestAttachment_Row(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address := ana.DraftPath()
	pdf := ana.UploadHTMX(address+"/anexos", "laudo.pdf", bytes.NewReader(apptest.PDF(5000)))
	picture := ana.UploadHTMX(address+"/anexos", "pasta/foto.png", bytes.NewReader(apptest.PNG()))
	pdf.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"li": "laudo.pdf", "li small": "guardado · "},
		Count: map[string]int{"li": 1, "main": 0, "img": 0, "li.tone-error": 0}})
	picture.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"li .text-truncate": "foto.png"},
		Count: map[string]int{"img": 1}})
	if got := ana.Get(picture.Attr("img", "src")); got.Status != http.StatusOK ||
		got.Header.Get("Content-Type") != "image/png" || !bytes.Equal(got.Body, apptest.PNG()) {
		t.Errorf("the preview: %d, %s, %d bytes", got.Status, got.Header.Get("Content-Type"), len(got.Body))
	}
	if got := ana.Get(address); got.Status != http.StatusOK ||
		!slices.Equal(got.Texts("#anexos .text-truncate"), []string{"laudo.pdf", "foto.png"}) {
		t.Errorf("a file alone makes a draft: %d with %q", got.Status, got.Texts("#anexos .text-truncate"))
	}
	t.Run("RemoveByScript", func(t *testing.T) {
		got := ana.PostHTMX(pdf.Attr("[data-remove-attachment]", "formaction"), nil)
		if got.Status != http.StatusOK || len(got.Body) != 0 {
			t.Errorf("got %d with %q, want nothing in the row's place", got.Status, got.Body)
		}
		if again := ana.PostHTMX(pdf.Attr("[data-remove-attachment]", "formaction"), nil); again.Status != http.StatusOK {
			t.Errorf("again: %d", again.Status)
		}
		if got := ana.Get(address).Texts("#anexos .text-truncate"); !slices.Equal(got, []string{"foto.png"}) {
			t.Errorf("left are %q", got)
		}
	})
	t.Run("RemoveWithTheForm", func(t *testing.T) {
		form := url.Values{"versao": {ana.Get(address).Value("#versao")}, "nomeBeneficiario": {"Helena"}}
		got := ana.Post(picture.Attr("[data-remove-attachment]", "formaction"), form)
		got.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nomeBeneficiario": "Helena"},
			Count: map[string]int{"#anexos li": 0}})
		if kept := ana.Get(address).Value("#nomeBeneficiario"); kept != "Helena" {
			t.Errorf("the draft holds %q", kept)
		}
	})
}

// TestAttachment_ByScript: a script sends one file at a time.
func TestAttachment_ByScript(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address := ana.DraftPath()
	ana.Header.Set("Hx-Request", "true")
	for name, files := range map[string]map[string][]byte{"None": nil,
		"Two": {"a.pdf": apptest.PDF(10), "b.pdf": apptest.PDF(10)}, "OneRefused": {"a.pdf": apptest.PDF(10), "b.exe": []byte("MZ")}} {
		if got := ana.Upload(address+"/anexos", nil, files); got.Status != http.StatusBadRequest {
			t.Errorf("%s: got %d, want 400", name, got.Status)
		}
	}
}

// TestAttachment_WithTheForm: without a script the whole form comes along, is
// kept, and comes back with a row for every file.
func TestAttachment_WithTheForm(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	t.Run("NoFile", func(t *testing.T) {
		address, form := ana.NewDraft()
		got := ana.Upload(address+"/anexos", form, nil)
		got.Check(t, apptest.Want{Status: http.StatusOK,
			Value: map[string]string{"#nomeBeneficiario": form.Get("nomeBeneficiario"), "#versao": "1"}, Count: map[string]int{"#anexos li": 0}})
	})
	t.Run("NothingTypedNothingAccepted", func(t *testing.T) {
		address := ana.DraftPath()
		got := ana.Upload(address+"/anexos", url.Values{"nomeBeneficiario": {"Sem versão"}}, map[string][]byte{"virus.exe": []byte("MZ")})
		got.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
			Value: map[string]string{"#nomeBeneficiario": "Sem versão"}, Count: map[string]int{"#anexos li.tone-error": 1}})
		if again := ana.Get(address); again.Status != http.StatusNotFound {
			t.Errorf("a draft was stored: %d", again.Status)
		}
	})
	t.Run("SomeAccepted", func(t *testing.T) {
		address, form := ana.NewDraft()
		got := ana.Upload(address+"/anexos", form, map[string][]byte{"a.pdf": apptest.PDF(10), "virus.exe": []byte("MZ"), "b.png": apptest.PNG()})
		got.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
			Value: map[string]string{"#nomeBeneficiario": form.Get("nomeBeneficiario")},
			Count: map[string]int{"#anexos li": 3, "#anexos li.tone-error": 1, "#anexos li:last-child.tone-error": 1,
				"#anexos li.tone-error [data-dismiss]": 1}})
	})
}

// TestAttachment_Limits: as many files of that size as the settings say, and the
// form says so.
func TestAttachment_Limits(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Connection.UploadFiles, c.Connection.UploadFile, c.Connection.UploadTotal = 2, 1<<20, 1<<20+200_000
	}})
	ana := server.LogIn(t, apptest.Reception)
	page := ana.Get("/nova")
	if got := page.Text("#arquivo-hint"); got != "PDF, JPG ou PNG, até 1 MB cada, 2 ao todo" ||
		page.Attr("#soltar", "data-max-bytes") != "1048576" {
		t.Errorf("the form says %q, and %s bytes to its script", got, page.Attr("#soltar", "data-max-bytes"))
	}
	address := ana.DraftPath()
	for _, tt := range []struct {
		size, status int
		told         string
	}{
		{1<<20 + 10, http.StatusUnprocessableEntity, "1 MB"}, {900_000, http.StatusOK, "guardado"},
		{500_000, http.StatusUnprocessableEntity, ""}, {1000, http.StatusOK, "guardado"},
		{1000, http.StatusUnprocessableEntity, "o limite é 2"},
	} {
		got := ana.UploadHTMX(address+"/anexos", "a.pdf", bytes.NewReader(apptest.PDF(tt.size)))
		if got.Status != tt.status || !strings.Contains(got.Text("li"), tt.told) {
			t.Errorf("%d bytes: got %d %q, want %d with %q", tt.size, got.Status, got.Text("li"), tt.status, tt.told)
		}
	}
}

// TestUpload_ManyFields: fields beside the files have their own limit.
func TestUpload_ManyFields(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	for _, tt := range []struct{ size, want int }{{1 << 20, http.StatusOK}, {3 << 20, http.StatusRequestEntityTooLarge}} {
		form.Set("observacoes", strings.Repeat("x", tt.size))
		got := ana.Upload(address+"/anexos", form, nil)
		if got.Status != tt.want {
			t.Errorf("%d bytes of text: got %d, want %d", tt.size, got.Status, tt.want)
		}
		form.Set("versao", "1")
	}
}

// TestAttachment_Again: what went with an earlier request for the same card is used again.
func TestAttachment_Again(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	ana.PostHTMX(address, form)
	ana.Upload(address+"/anexos", url.Values{}, map[string][]byte{"pedido.pdf": apptest.PDF(1000)})
	form.Set("versao", ana.Get(address).Value("#versao"))
	sent := ana.Submit(address, form)

	next, form := ana.NewDraft()
	ana.PostHTMX(next, form).Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"#enviados, [name=enviado]": 1}})
	shown := ana.Get(next)
	form.Set("versao", shown.Value("#versao"))
	form.Set("enviado", shown.Attr("[name=enviado]", "value"))
	if want := sent.Path[len("/casos/"):]; !strings.HasPrefix(form.Get("enviado"), want+"/") {
		t.Fatalf("offered is %q, want a file of %s", form.Get("enviado"), want)
	}
	form.Set("observacoes", "digitado agora")
	used := ana.Post(next+"/anexos/usar", form)
	used.Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#observacoes": "digitado agora"},
		Count: map[string]int{"#anexos li": 1, "[name=enviado]": 0, "#arquivo[autofocus]": 1}})
	for name, enviado := range map[string]string{"none": "", "no case": "x/y",
		"unknown": strings.Repeat("0", 36) + "/" + strings.Repeat("0", 36)} {
		form.Set("versao", ana.Get(next).Value("#versao"))
		form.Set("enviado", enviado)
		if got := ana.Post(next+"/anexos/usar", form).Status; got != http.StatusNotFound {
			t.Errorf("%s: got %d", name, got)
		}
	}
}

// TestAttachment_Join: several photos become one PDF, in their place.
func TestAttachment_Join(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	ana.PostHTMX(address, form)
	join := func(want apptest.Want) *apptest.Page {
		t.Helper()
		form.Set("versao", ana.Get(address).Value("#versao"))
		page := ana.Post(address+"/anexos/juntar", form)
		page.Check(t, want)
		return page
	}
	ana.Upload(address+"/anexos", url.Values{}, map[string][]byte{"a.png": apptest.PNG()})
	if ana.Get(address).Count("#camera[capture=environment]") != 1 {
		t.Error("phones are offered no camera")
	}
	if ana.Get(address).Count("#juntar-fotos[hidden]") != 1 {
		t.Error("one photo is offered to be joined")
	}
	join(apptest.Want{Status: http.StatusUnprocessableEntity, Count: map[string]int{"#anexos li": 1, "#anexos-error": 1}})
	ana.Upload(address+"/anexos", url.Values{}, map[string][]byte{"b.jpg": apptest.Photo(), "laudo.pdf": apptest.PDF(1000)})
	if ana.Get(address).Count("#juntar-fotos:not([hidden])") != 1 {
		t.Error("two photos are not offered to be joined")
	}
	got := join(apptest.Want{Status: http.StatusOK, Count: map[string]int{"#anexos li": 2, "#anexos img": 0}})
	if names := got.Text("#anexos"); !strings.Contains(names, "fotos.pdf") || !strings.Contains(names, "laudo.pdf") {
		t.Errorf("got %q", names)
	}
}
