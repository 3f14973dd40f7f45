package golden_test

import (
	"database/sql"
	"encoding/json"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// deskQuestions are where recording begins at the desk.
func (p *program) deskQuestions(t *testing.T) []question {
	t.Helper()
	all := []question{
		{"rui", "/pessoas", "texto=célia"}, {"rui", "/cadastros/procedimentos", "Busca=apelido"}, {"sessão celia", "/conta", ""},
	}
	for _, line := range []string{
		"celia /fila /historico /conta", "ana /fila", "bento /fila", "todos /conta", "rui /pessoas /cadastros /servico/conexao " +
			"/servico/parceiros /servico/credenciais /servico/unidades /servico/profissionais /servico/registro",
	} {
		who := strings.Fields(line)
		for _, path := range who[1:] {
			all = append(all, question{who[0], path, ""})
		}
	}
	for _, words := range []string{"situação", "9999 1900", "caio", "campos recus", "REAL0001", "autorização SIM"} {
		all = append(all, question{"celia", "/historico", url.Values{"texto": {words}}.Encode()})
	}
	for _, status := range []string{"A", "Ç", "R", "falha"} {
		all = append(all, question{"rui", "/servico/registro", url.Values{"situacao": {status}}.Encode()})
	}
	for _, number := range numbers(t) {
		all = append(all, question{"rui", "/servico/registro", url.Values{"numero": {number}}.Encode()})
	}
	for _, name := range slices.Sorted(maps.Keys(p.known.Filters)) {
		login, _, _ := strings.Cut(name, " ")
		all = append(all, question{login, p.known.Filters[name], ""})
	}
	for _, login := range slices.Sorted(maps.Keys(p.known.Links)) {
		all = append(all, question{"ninguém", p.known.Links[login], ""})
	}
	return all
}

// serviceQuestions are where it begins at the service alone.
func (p *program) serviceQuestions(t *testing.T) []question {
	t.Helper()
	all := []question{{"rui", "/servico/unidades", ""}, {"rui", "/servico/profissionais", ""},
		{"chave viva", "/api/v2/credenciais", ""}, {"chave viva", "/api/v2/profissionais-executantes", ""}}
	for _, name := range slices.Sorted(maps.Keys(p.known.Keys)) {
		all = append(all, question{"chave " + name, "/api/v2/unidades", ""})
	}
	for _, name := range slices.Sorted(maps.Keys(p.known.Tokens)) {
		for _, path := range []string{"/api/v2/unidades", "/api/v2/autorizacoes?guiaPrestador=P-0001"} {
			all = append(all, question{"token " + name, path, ""})
		}
	}
	return append(all, stored(t)...)
}

// ledger opens the ledger as it was kept.
func ledger(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(MustRestore(t), "service", "service.db"))
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// numbers are some by which the ledger is searched: of each kind the last one.
func numbers(t *testing.T) []string {
	t.Helper()
	all := make([]string, 4)
	must(t, ledger(t).QueryRowContext(t.Context(), `SELECT (SELECT provider_guide FROM request ORDER BY id LIMIT 1),
		(SELECT document ->> 'GuideID' FROM authorization_entry ORDER BY id DESC LIMIT 1),
		(SELECT document ->> 'GuideNumber' FROM authorization_entry WHERE document ->> 'GuideNumber' <> '' ORDER BY id DESC LIMIT 1),
		(SELECT document ->> 'GuideNumber' FROM authorization_revision WHERE document ->> 'GuideNumber' <> '' ORDER BY id DESC LIMIT 1)`).
		Scan(&all[0], &all[1], &all[2], &all[3]))
	return all
}

// stored asks for all that is in the ledger, by the partner whose it is.
func stored(t *testing.T) (all []question) {
	t.Helper()
	rows, err := ledger(t).QueryContext(t.Context(), `SELECT r.provider_guide, p.name LIKE 'Parceiro%',
			json_group_array(e.document ->> 'GuideID') FILTER (WHERE e.id IS NOT NULL)
		FROM request r JOIN profile p ON p.id = r.profile_id LEFT JOIN authorization_entry e ON e.request_id = r.id
		WHERE r.provider_guide NOT IN ('P-0024', 'P-6000') GROUP BY r.id ORDER BY r.id`)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var guide, text string
		var partner bool
		must(t, rows.Scan(&guide, &partner, &text))
		who := map[bool]string{true: "chave viva", false: "própria"}[partner]
		all = append(all, question{who, "/api/v2/autorizacoes?guiaPrestador=" + url.QueryEscape(guide), ""})
		var ids []string
		must(t, json.Unmarshal([]byte(text), &ids))
		for _, id := range ids {
			all = append(all, question{who, "/api/v2/autorizacoes/" + id, ""})
		}
	}
	must(t, rows.Err())
	return all
}
