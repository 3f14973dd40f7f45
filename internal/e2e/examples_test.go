package e2e_test

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/service/api"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
)

// examples are those of the service's description, run with bash and curl.
type examples struct {
	t       *testing.T
	folder  string            // with the files that the examples read, and curl's settings
	vars    map[string]string // what the examples take from earlier answers
	scripts map[string]string // by operationId
	wanted  map[string]int    // the documented success of an operation
	ran     map[string]bool
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// MustLearn reads the examples and makes a partner who may run them.
func MustLearn(t *testing.T, p *apptest.Server) *examples {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	e := &examples{t: t, folder: t.TempDir(), vars: map[string]string{"URL": p.URL}, scripts: map[string]string{},
		wanted: map[string]int{}, ran: map[string]bool{}}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			e.learn(op)
		}
	}
	for name, content := range map[string][]byte{
		"laudo.pdf": apptest.PDF(2000), "captura.bin": []byte("captura"), ".curlrc": []byte(`write-out = "\n%{http_code}"`),
	} {
		if err := os.WriteFile(filepath.Join(e.folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e.enter(p.LogIn(t, apptest.Administration))
	return e
}

func (e *examples) learn(op *openapi3.Operation) {
	e.t.Helper()
	found := shellBlock.FindAllStringSubmatch(op.Description, -1)
	if len(found) != 1 {
		e.t.Fatalf("%s has %d examples, want one", op.OperationID, len(found))
	}
	e.scripts[op.OperationID] = found[0][1]
	for status := range op.Responses.Map() {
		if code, err := strconv.Atoi(status); err == nil && code/100 == 2 {
			e.wanted[op.OperationID] = code
		}
	}
}

// enter gives the partner one access of each kind.
func (e *examples) enter(admin *apptest.Client) {
	e.t.Helper()
	partner := admin.AddPartner("Exemplos")
	e.vars["CHAVE"] = admin.Mint(e.t, partner+"/chaves", nil, 1)[0]
	client := admin.Mint(e.t, partner+"/clientes", url.Values{"cliente": {"Exemplos"}}, 2)
	e.vars["CLIENTE"], e.vars["SEGREDO"] = client[0], client[1]
	user := admin.Mint(e.t, partner+"/usuarios", url.Values{"usuario": {"exemplos"}}, 2)
	e.vars["USUARIO"], e.vars["SENHA"] = user[0], user[1]
}

// run runs an example and returns what it answered; change replaces parts of it.
func (e *examples) run(id string, change ...string) string {
	e.t.Helper()
	e.ran[id] = true
	cmd := exec.CommandContext(e.t.Context(), "bash", "-eu", "-o", "pipefail", "-c", strings.NewReplacer(change...).Replace(e.scripts[id]))
	cmd.Dir, cmd.Env = e.folder, []string{"PATH=" + os.Getenv("PATH"), "CURL_HOME=" + e.folder, "NO_PROXY=*"}
	for name, value := range e.vars {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		e.t.Fatalf("%s: %v: %s", id, err, out)
	}
	end := strings.LastIndex(string(out), "\n")
	answer, status := string(out[:max(end, 0)]), string(out[end+1:])
	if status != strconv.Itoa(e.wanted[id]) {
		e.t.Fatalf("%s answered %s, want %d: %s", id, status, e.wanted[id], answer)
	}
	return answer
}

// take keeps parts of an answer for the examples that follow: variable, address
// of the part.
func (e *examples) take(answer string, parts map[string]string) {
	e.t.Helper()
	var read any
	if err := json.Unmarshal([]byte(answer), &read); err != nil {
		e.t.Fatal(err)
	}
	for name, address := range parts {
		part := read
		for step := range strings.SplitSeq(address, ".") {
			switch in := part.(type) {
			case map[string]any:
				part = in[step]
			case []any:
				i, err := strconv.Atoi(step)
				if err != nil || i >= len(in) {
					e.t.Fatalf("no %s in %s", address, answer)
				}
				part = in[i]
			}
		}
		if e.vars[name] = fmt.Sprint(part); part == nil {
			e.t.Fatalf("no %s in %s", address, answer)
		}
	}
}

// authorize asks for an authorization of a card whose answer is known.
func (e *examples) authorize(guide, card string) {
	e.t.Helper()
	e.vars["GUIA_PRESTADOR"] = guide
	answer := e.run("autorizar", "0310004512063345", card)
	e.take(answer, map[string]string{"GUIA_ID": "data.autorizacoes.0.guiaId"})
}

// TestDescription_Examples runs every curl example of the description.
func TestDescription_Examples(t *testing.T) {
	t.Parallel()
	e := MustLearn(t, apptest.Start(t, apptest.Options{}))
	e.run("descricao")
	e.run("listarRecursos")
	e.take(e.run("buscarCredenciais"), map[string]string{"CREDENCIAL": "data.items.0.id",
		"ELEGIBILIDADE": "data.items.0.credencialElegibilityId"})
	e.take(e.run("listarUnidades"), map[string]string{"UNIDADE": "data.items.0.id", "PONTO": "data.items.0.pontosAtendimento.0.id"})
	e.take(e.run("listarProfissionais"), map[string]string{"EXECUTANTE": "data.items.0.id",
		"ESPECIALIDADE": "data.items.0.especialidades.0.id"})
	e.run("elegibilidade")
	e.vars["GUIA_PRESTADOR"] = "26112110000001"
	e.take(e.run("solicitar"), map[string]string{"GUIA_ID": "data.guiaId"})
	e.run("consultar")
	e.authorize("26112110000002", "99990900")
	e.run("anexar")
	e.authorize("26112110000003", "99991400")
	e.run("coletar")
	e.authorize("26112110000004", "0310004512063345")
	e.run("procurarPorGuia")
	e.run("cancelar")
	e.take(e.run("entrar"), map[string]string{"RENOVACAO": "data.refresh_token"})
	e.run("renovar")
	e.run("token")
	for id := range e.scripts {
		if !e.ran[id] {
			t.Errorf("the example of %s was not run", id)
		}
	}
}
