package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// pocketBase is PocketBase over the cases of the large data folder. It stays out of go.mod: whoever
// wants the comparison has its program.
type pocketBase struct {
	Options
	program, shell string
	folder         string
}

// newPocketBase finds PocketBase, and the shell that fills its database; nil where one is missing.
func (o Options) newPocketBase() *pocketBase {
	program, _ := exec.LookPath("pocketbase")
	shell, _ := exec.LookPath("sqlite3")
	if program == "" || shell == "" {
		return nil
	}
	return &pocketBase{o, program, shell, o.Many + ".pocketbase"}
}

// pocketList asks for the newest 50, and not for their number: a million would be counted each time.
const pocketList = "/api/collections/cases/records?perPage=50&sort=-created&skipTotal=1"

// overPocketBase compares the history with PocketBase's list of the same cases.
func (h *history) overPocketBase(ctx context.Context) (err error) {
	pocket := h.newPocketBase()
	if pocket == nil {
		h.table.NotRun("PocketBase's list of the same cases: pocketbase and sqlite3 are not both on PATH")
		return nil
	}
	if err := pocket.fill(ctx, h.many.folder); err != nil {
		return fmt.Errorf("PocketBase: %w", err)
	}
	p, err := pocket.serve(ctx)
	if err != nil {
		return fmt.Errorf("PocketBase: %w", err)
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	ours, theirs := always(h.many.user.request("/historico")), always(request(p.address, pocketList, ""))
	ratio, err := compare(h.rounds(), func() (float64, error) { return loop(h.many.address, ours, 2, h.turn()) },
		func() (float64, error) { return loop(p.address, theirs, 2, h.turn()) })
	if err != nil {
		return err
	}
	h.table.add("history page over PocketBase's list", ratio, "x", none)
	h.pocketPeak = p.peak()
	return nil
}

// pocketCases is a collection of what the history lists. Everybody may read it: PocketBase is not
// slowed down by a session, as the history is.
const pocketCases = `{"name": "cases", "type": "base", "listRule": "", "indexes": ["CREATE INDEX cases_created ON cases (created)"],
"fields": [{"name": "uid", "type": "text"}, {"name": "created", "type": "date"}, {"name": "beneficiary", "type": "text"},
	{"name": "card", "type": "text"}, {"name": "operator", "type": "text"}, {"name": "unit", "type": "text"},
	{"name": "sender", "type": "text"}, {"name": "code", "type": "text"}, {"name": "procedures", "type": "number"},
	{"name": "state", "type": "text"}, {"name": "status", "type": "text"}, {"name": "category", "type": "number"},
	{"name": "password", "type": "text"}, {"name": "guide", "type": "bool"}]}`

// pocketRows fills it from the desk's database: a million by its API would take hours.
const pocketRows = `INSERT INTO cases (id, uid, created, beneficiary, card, operator, unit, sender, code, procedures, state, status,
		category, password, guide)
	SELECT printf('r%014d', c.submission_id), lower(hex(c.uid)), strftime('%Y-%m-%d %H:%M:%fZ', c.created_at / 1e6, 'unixepoch'),
		c.beneficiary_name, c.card_number, c.credential_name, c.unit_name, COALESCE(d.name, ''), c.procedure_code, c.procedures,
		c.state, c.status, c.queue_group, c.password, c.has_guide
	FROM desk.case_summary c JOIN desk.filter_value f ON f.id = c.sender LEFT JOIN desk.desk_person d ON d.uid = f.uid
	ORDER BY c.submission_id;`

// fill fills PocketBase from the desk of a data folder, unless it was filled from the same data before.
func (p *pocketBase) fill(ctx context.Context, from string) error {
	if stands, err := madeOf(p.folder, p.Many); stands || err != nil {
		return err
	}
	start := time.Now()
	if err := errors.Join(os.RemoveAll(p.folder), p.collection(ctx)); err != nil {
		return err
	}
	desk := strings.ReplaceAll(filepath.Join(from, "desk", "guiche.db"), "'", "''")
	err := p.run(ctx, p.shell, "-batch", filepath.Join(p.folder, "data.db"), "ATTACH '"+desk+"' AS desk; "+pocketRows)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(p.Log, "filled %s in %s\n", p.folder, time.Since(start).Round(100*time.Millisecond))
	return copyFile(filepath.Join(p.Many, made), filepath.Join(p.folder, made))
}

// collection makes an empty collection of cases.
func (p *pocketBase) collection(ctx context.Context) (err error) {
	const login, password = "bench@example.com", "uma frase bem comprida"
	if err := p.run(ctx, p.program, "superuser", "upsert", login, password, "--dir", p.folder, "--dev=false"); err != nil {
		return err
	}
	server, err := p.serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	var entry struct{ Token string }
	who := fmt.Sprintf(`{"identity": %q, "password": %q}`, login, password)
	if err := p.post(ctx, server.address+"/api/collections/_superusers/auth-with-password", "", who, &entry); err != nil {
		return err
	}
	return p.post(ctx, server.address+"/api/collections", entry.Token, pocketCases, nil)
}

// run runs a command to its end.
func (p *pocketBase) run(ctx context.Context, command ...string) error {
	said, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput() //nolint:gosec // found on PATH, words of ours
	if err != nil {
		return fmt.Errorf("%s: %w: %s", command[0], err, said)
	}
	return nil
}

// serve starts PocketBase where only this machine reaches it.
func (p *pocketBase) serve(ctx context.Context) (*process, error) {
	free, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0") // it says the port that it was given, not the one it took
	if err != nil {
		return nil, err
	}
	if err := free.Close(); err != nil {
		return nil, err
	}
	server, err := start(ctx, nil, p.program, "serve", "--http", free.Addr().String(), "--dir", p.folder, "--dev=false")
	if err != nil {
		return nil, err
	}
	if _, err = server.firstAnswer(ctx, "/api/health"); err != nil {
		return nil, errors.Join(err, server.stop())
	}
	return server, nil
}

// post sends JSON and reads the answer.
func (p *pocketBase) post(ctx context.Context, address, token, body string, answer any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewBufferString(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // read to its end
	said, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%w: %d: %s", errAnswer, res.StatusCode, said)
	}
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(said, answer)
}
