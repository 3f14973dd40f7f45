package webui_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestBiometrics_Demo: a case that waits for biometrics takes a token and a photo, to the end; both
// go to the operator, and are nowhere on the disk or in the log.
func TestBiometrics_Demo(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception).FailOnServerError()
	page := ana.SubmitWith(map[string]string{"numeroCarteira": "9999300000"})
	page.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Falta biometria",
		`a.btn-primary[href="#biometria"]`: "Coletar biometria"},
		Count: map[string]int{"#biometria [name=captura][capture=user]": 1, "#biometria [name=token]": 1}})
	if got := ana.Get("/fila").Text("tr:has([href='" + page.Path + "']) td:last-child"); got != "Coletar biometria" {
		t.Errorf("the queue calls the next step %q", got)
	}
	path, typed := page.Path, page.Form("#biometria")
	typed.Del("captura")
	ana.Upload(path+"/biometria", typed, nil).Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
		Text: map[string]string{"#captura-error": "Tire a foto do beneficiário ou informe o token."}})
	const token = "TK-771-SEGREDO"
	typed.Set("token", token)
	ana.Upload(path+"/biometria", typed, map[string][]byte{"rosto.txt": []byte("nada")}).Check(t, apptest.Want{
		Status: http.StatusUnprocessableEntity, Text: map[string]string{"#captura-error": "A foto deve ser uma imagem JPG ou PNG de até 5 MB."},
		Count: map[string]int{`[value="` + token + `"]`: 0}})
	again := ana.Upload(path+"/biometria", typed, nil)
	again.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Biometria inválida",
		"#biometria-title": "Coletar a biometria de novo", "#tempo li:nth-child(2)": "Biometria enviada à operadora por"}})
	photo := facePNG(t)
	typed = again.Form("#biometria")
	typed.Del("captura")
	ana.Upload(path+"/biometria", typed, map[string][]byte{"rosto.png": photo}).Check(t, apptest.Want{
		Text: map[string]string{"#veredito .verdict": "Autorizado"}, Count: map[string]int{"#biometria": 0}})
	if strings.Contains(server.Log.String(), token) {
		t.Error("the log holds the token")
	}
	for _, secret := range [][]byte{[]byte(token), photo[40:90], []byte(base64.StdEncoding.EncodeToString([]byte(token)))} {
		if file := holding(t, server.DataDir, secret); file != "" {
			t.Errorf("%s holds what was collected", file)
		}
	}
}

// TestBiometrics_OtherService: what is sent is what row 18 says, once; where it is not announced
// the case says what to do by hand.
func TestBiometrics_OtherService(t *testing.T) {
	t.Parallel()
	var got string
	path, ana, _, other := startActing(t, "H", []string{"biometria"}, map[string]http.HandlerFunc{
		actsOfG1 + "biometria": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got = string(body)
			says(http.StatusConflict, `{"sucesso":false,"erros":["Token vencido."],"data":null}`)(w, r)
		}})
	typed := url.Values{"visto": {"1"}, "autorizacao": {"0"}, "token": {"771"}}
	ana.Upload(path+"/biometria", typed, nil).Check(t, apptest.Want{
		Text: map[string]string{"#ato": "O envio da biometria não foi aceito. Token vencido."}, Count: map[string]int{"#biometria": 1}})
	if want := `{"biometrias":[{"tipo":"token","conteudo":"Nzcx","dispositivo":""}]}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	plain, bia, _, _ := startActing(t, "H", []string{"situacao"}, map[string]http.HandlerFunc{})
	bia.Get(plain).Check(t, apptest.Want{Text: map[string]string{"#veredito": "reenvie, num pedido ligado a este"},
		Count: map[string]int{"#biometria": 0}})
	if n := other.Times("POST " + actsOfG1 + "biometria"); n != 1 {
		t.Errorf("sent %d times, want once", n)
	}
}

// TestBiometrics_Instructions: what an administrator wrote about a credential's biometrics stands
// beside the form, in the review and on the case, and nothing where nothing is written.
func TestBiometrics_Instructions(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	write := func(asked, how string) *apptest.Page {
		return rui.Post(rui.Search("/cadastros/credenciais", "aroeira"), url.Values{"biometria": {asked}, "instrucoesBiometria": {how}})
	}
	const typed, how = " No leitor do balcão.\nDedo indicador. ", "No leitor do balcão. Dedo indicador."
	const general = "Deixe o beneficiário por perto. Se ela pedir, a foto ou o token é enviado no próprio pedido, logo depois da resposta."
	write("S", strings.Repeat("é", 501)).Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
		Text: map[string]string{"#instrucoesBiometria-error": "Use no máximo 500 caracteres."}})
	for _, tc := range []struct{ name, asked, typed, before, onCase string }{
		{"Written", "S", typed, how, how},
		{"Unwritten", "S", " ", general, ""},
		{"NotAsked", "N", typed, "", how}, // the operator did all the same
	} {
		t.Run(tc.name, func(t *testing.T) {
			write(tc.asked, tc.typed).Check(t, apptest.Want{Path: "/cadastros/credenciais"})
			draft, form := ana.NewDraft()
			form.Set("numeroCarteira", "9999300000")
			review := ana.Post(draft+"/revisar", form)
			if got := review.Text("#antes li:contains('pede biometria') small"); got != tc.before {
				t.Errorf("beside the form: got %q, want %q", got, tc.before)
			}
			notice := review.Text("#revisao .notice:contains('pede biometria')")
			if got := strings.TrimPrefix(notice, "A operadora pede biometria. "); got != tc.before {
				t.Errorf("in the review: got %q, want %q", got, tc.before)
			}
			if got := ana.Submit(draft, form).Text("#biometria #biometria-como"); got != tc.onCase {
				t.Errorf("on the case: got %q, want %q", got, tc.onCase)
			}
		})
	}
}

// facePNG is a photo whose bytes repeat nowhere.
func facePNG(t *testing.T) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range m.Pix {
		m.Pix[i] = byte(i*i*31 + i*7)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// holding is a file below a folder that holds some bytes, "" for none.
func holding(t *testing.T, folder string, secret []byte) (found string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, secret) {
			found = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestCase_Sessions: the units of a series stand on the case as the operator told them.
func TestCase_Sessions(t *testing.T) {
	t.Parallel()
	ana := startAnswering(t, authorized("", `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"P","guiaId":"g-1","senha":"1",
		"procedimentos":[{"codigoProcedimento":"40316521","nomeProcedimento":"Fisioterapia","quantidade":10,"quantidadeAutorizada":10,
			"quantidadeExecutada":4}]}`))
	ana.Submit(ana.NewDraft()).Check(t, apptest.Want{Text: map[string]string{
		"#sessoes li": "40316521 Fisioterapia 10 autorizadas · 4 usadas · 6 restam", "#sessoes header": "Segundo a operadora, hoje"}})
	single := startAnswering(t, authorized("", `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"A","senha":"1",
		"procedimentos":[{"codigoProcedimento":"40316521","nomeProcedimento":"TSH","quantidade":1,"quantidadeAutorizada":1}]}`))
	if single.Submit(single.NewDraft()).Has("#sessoes") {
		t.Error("a single exam has sessions")
	}
}
