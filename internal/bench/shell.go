package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// firstPage is what the first page of the history shows, asked for as directly as that can
// be.
const firstPage = `SELECT c.uid, c.created_at, c.beneficiary_name, c.card_number, c.credential_name, c.unit_name, d.name,
	c.procedure_code, c.procedures, c.state, c.status, c.queue_group, c.password, c.has_guide
	FROM case_summary c JOIN filter_value f ON f.id = c.sender LEFT JOIN desk_person d ON d.uid = f.uid
	ORDER BY c.submission_id DESC LIMIT 51;`

// shell is a running sqlite3 on the program's database.
type shell struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// newShell starts sqlite3, nil where it is not installed.
func newShell(ctx context.Context, folder string) (*shell, error) {
	program, _ := exec.LookPath("sqlite3")
	if program == "" {
		return nil, nil // there is nothing to compare with
	}
	database := filepath.Join(folder, "desk", "guiche.db")
	s := &shell{cmd: exec.CommandContext(ctx, program, "-readonly", "-batch", database)} //nolint:gosec // a path of ours
	out, outErr := s.cmd.StdoutPipe()
	var inErr error
	s.in, inErr = s.cmd.StdinPipe()
	if err := errors.Join(outErr, inErr); err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	return s, s.cmd.Start()
}

// ask runs a query and reads its rows.
func (s *shell) ask(query string) error {
	const end = "fim da resposta"
	if _, err := fmt.Fprintf(s.in, "%s\nSELECT '%s';\n", strings.ReplaceAll(query, "\n", " "), end); err != nil {
		return err
	}
	for {
		line, err := s.out.ReadString('\n')
		if err != nil || strings.TrimSpace(line) == end {
			return err
		}
	}
}

func (s *shell) stop() error { return errors.Join(s.in.Close(), s.cmd.Wait()) }

// overShell compares the first page with what it is made of: the query in the shell of
// SQLite, and an answer of the same bytes.
func (h *history) overShell(ctx context.Context) (err error) {
	s, err := newShell(ctx, h.many.folder)
	if s == nil || err != nil {
		h.table.note("sqlite3 is not installed: the page is not compared with its query")
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	page := h.many.user.request("/historico")
	size, err := h.size(page)
	if err != nil {
		return err
	}
	bare, err := h.bare(ctx, h.many.folder, make([]byte, size))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()
	ratio, err := compare(h.rounds(), func() (float64, error) {
		took, err := oneByOne(h.many.address, repeat(page, h.asked()))
		return took.ms(50), err
	}, func() (float64, error) { return s.andBare(bare, h.asked()) })
	if err == nil {
		h.table.add("first page over shell's query and bare answer", ratio, "x", atMost(2.5))
	}
	return err
}

// andBare is the time of the query and of a bare answer.
func (s *shell) andBare(bare *process, asked int) (float64, error) {
	var queries times
	for range asked {
		start := time.Now()
		if err := s.ask(firstPage); err != nil {
			return 0, err
		}
		queries = append(queries, time.Since(start))
	}
	answers, err := oneByOne(bare.address, repeat(request(bare.address, "/", ""), asked))
	return queries.ms(50) + answers.ms(50), err
}
