package e2e_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// names are the service's identifiers, each with what it stands for.
type names map[string]string

// learnNames reads what the service lists: whatever has an id and a nome.
func (k *contract) learnNames() names {
	k.t.Helper()
	known := names{}
	for _, path := range []string{"/api/v2/credenciais?Busca=", "/api/v2/unidades", "/api/v2/profissionais-executantes"} {
		known.learn(literal(k.t, k.get(path).answer))
	}
	return known
}

func (n names) learn(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n.learn(item)
		}
	case map[string]any:
		name, _ := v["nome"].(string)
		if id, ok := v["id"].(string); ok {
			n[id] = "<" + name + ">"
		}
		if id, ok := v["credencialElegibilityId"].(string); ok {
			n[id] = "<elegibilidade de " + name + ">"
		}
		for _, member := range v {
			n.learn(member)
		}
	}
}

// generated are the texts that the simulated operator makes up, by property.
var generated = map[string]*regexp.Regexp{
	"senha": regexp.MustCompile(`^SIM\d{9}$`), "senhaAutorizacao": regexp.MustCompile(`^SIM\d{9}$`),
	"numeroGuia": regexp.MustCompile(`^\d{10}$`), "guiaParceiro": regexp.MustCompile(`^\d{10}$`),
	"protocolo": regexp.MustCompile(`^SIM\d{9}$`), "protocoloAtendimento": regexp.MustCompile(`^SIM\d{9}$`),
	"numeroSolicitacao": regexp.MustCompile(`^\d{8}$`),
	"guiaId":            regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
}

// shown puts a placeholder where a value is another one in every run; a value
// that has not the form it must have stays as it is.
func (n names) shown(property string, v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = n.shown(property, v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = n.shown(name, v[name])
		}
	case string:
		return n.shownText(property, v)
	}
	return v
}

func (n names) shownText(property, s string) string {
	if name, ok := n[s]; ok {
		return name
	}
	if form := generated[property]; form != nil && form.MatchString(s) {
		return "<" + property + ">"
	}
	if property == "pdfGuia" || property == "pdfGuiaAutorizacao" {
		if pdf, err := base64.StdEncoding.DecodeString(s); err == nil && bytes.HasPrefix(pdf, []byte("%PDF-")) {
			return "<pdf>"
		}
	}
	return s
}

// literal reads JSON; numbers stay as they were written.
func literal(t testing.TB, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		t.Fatalf("no JSON: %v\n%.300s", err, text)
	}
	return v
}

// sameJSON compares what went over the wire with a literal.
func (k *contract) sameJSON(t testing.TB, what string, got []byte, want string) {
	t.Helper()
	if diff := cmp.Diff(literal(t, []byte(want)), k.names.shown("", literal(t, got))); diff != "" {
		t.Errorf("%s (-want, +got):\n%s", what, diff)
	}
}
