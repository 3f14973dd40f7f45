package webui_test

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// lateBody is a body that comes once the server has asked for it; then something happens first.
type lateBody struct {
	io.Reader
	first func()
}

func (b *lateBody) Read(p []byte) (int, error) {
	if first := b.first; first != nil {
		b.first = nil
		first()
	}
	return b.Reader.Read(p)
}

// sendLate posts a form whose body comes so long after the request was let in that something happens meanwhile.
func sendLate(c *apptest.Client, path, contentType, body string, meanwhile func()) *apptest.Page {
	c.T.Helper()
	c.HTTP.Transport.(*http.Transport).ExpectContinueTimeout = time.Hour
	return c.Send(http.MethodPost, path, contentType, &lateBody{strings.NewReader(body), func() {
		meanwhile()
		c.Server.Clock.Advance(2 * time.Second)
	}}, http.Header{"Expect": {"100-continue"}})
}

// TestServer_SlowBody: who is put out, or loses a right, while the body of a request comes does nothing any more with it.
func TestServer_SlowBody(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	second := p.Join(t, app.NewPerson{Login: "zulmira", Name: "Zulmira Paz", Roles: []string{apptest.Administration}})
	fresh := func(login string) string {
		return url.Values{"nome": {"Porta Aberta"}, "usuario": {login}, "papeis": {"administracao"}}.Encode()
	}
	const formType = "application/x-www-form-urlencoded"
	address := admin.PersonPath("zulmira")
	added := func() bool { return strings.Contains(admin.Get("/pessoas").Text("main"), "Porta Aberta") }

	t.Run("Demoted", func(t *testing.T) {
		got := sendLate(second, "/pessoas/nova", formType, fresh("porta"), func() {
			admin.Post(address, url.Values{"nome": {"Zulmira Paz"}, "papeis": {"recepcao"}})
		})
		if got.Status != http.StatusForbidden || added() {
			t.Errorf("got %d, person added: %t", got.Status, added())
		}
		admin.Post(address, url.Values{"nome": {"Zulmira Paz"}, "papeis": {"administracao"}})
	})
	t.Run("Disabled", func(t *testing.T) {
		got := sendLate(second, "/pessoas/nova", formType, fresh("porta2"), func() { admin.Post(address+"/desativar", nil) })
		if got.Status != http.StatusUnauthorized || !got.Has("main a[href='/entrar']") || added() {
			t.Errorf("got %d, %q, person added: %t", got.Status, got.Text("main"), added())
		}
	})
	t.Run("Files", func(t *testing.T) {
		ana := p.LogIn(t, apptest.Reception)
		draft := ana.DraftPath()
		var body strings.Builder
		files := multipart.NewWriter(&body)
		part, err := files.CreateFormField("nomeBeneficiario")
		if err == nil {
			_, err = io.WriteString(part, "Helena")
		}
		if err = errors.Join(err, files.Close()); err != nil {
			t.Fatal(err)
		}
		got := sendLate(ana, draft+"/anexos", files.FormDataContentType(), body.String(), func() {
			admin.Post(admin.PersonPath("ana")+"/sessoes/encerrar", nil)
		})
		if got.Status != http.StatusUnauthorized {
			t.Errorf("got %d", got.Status)
		}
	})
	t.Run("StillIn", func(t *testing.T) {
		got := sendLate(admin, "/pessoas/nova", formType, fresh("porta3"), func() {})
		if got.Status != http.StatusOK || !added() {
			t.Errorf("got %d, person added: %t", got.Status, added())
		}
	})
}
