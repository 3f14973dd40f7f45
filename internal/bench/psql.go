package bench

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// psql asks a database one question and returns the answer's text.
func psql(ctx context.Context, url, query string) (string, error) {
	out, err := exec.CommandContext(ctx, "psql", url, "-XqAt", "-c", query).Output() //nolint:gosec // ours
	return strings.TrimSpace(string(out)), err
}

var timeLine = regexp.MustCompile(`^Time: ([\d.]+) ms`)

// prepared is how long psql waits for a statement that the server was told before, each time: its own
// clock, without the start of psql.
func prepared(ctx context.Context, url, query string, asked int) (all times, err error) {
	cmd := exec.CommandContext(ctx, "psql", url, "-XqAt") //nolint:gosec // ours
	statement := strings.TrimSuffix(strings.Join(strings.Fields(query), " "), ";")
	cmd.Stdin = strings.NewReader("SET search_path = desk;\nPREPARE page AS " + statement + ";\n\\timing on\n\\o /dev/null\n" +
		strings.Repeat("EXECUTE page;\n", asked))
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("bench: psql: %w", err)
	}
	for lines := bufio.NewScanner(strings.NewReader(string(out))); lines.Scan(); {
		if found := timeLine.FindStringSubmatch(lines.Text()); found != nil {
			took, err := strconv.ParseFloat(found[1], 64)
			if err != nil {
				return nil, err
			}
			all = append(all, time.Duration(took*float64(time.Millisecond)))
		}
	}
	if len(all) != asked {
		return nil, fmt.Errorf("%w: psql told %d times", errAnswer, len(all))
	}
	return all, nil
}

// beside compares the history's first page with what it is made of: its query in psql, and an answer of
// the same bytes.
func (s *onServer) beside(ctx context.Context) error {
	if found, _ := exec.LookPath("psql"); found == "" {
		s.table.NotRun("the history's query in psql: it is not installed")
		return nil
	}
	for _, z := range s.sizes {
		var queries, pages times
		for range s.rounds() {
			asked, err := prepared(ctx, s.server.URL(z.database), firstPage, s.asked())
			if err != nil {
				return err
			}
			took, err := oneByOne(z.postgres.address, repeat(z.postgres.user.request("/historico"), s.asked()))
			if err != nil {
				return err
			}
			queries, pages = append(queries, asked...), append(pages, took...)
		}
		s.table.add("the history's query in psql at "+z.name+", p50", queries.ms(50), "ms", none)
		s.table.add("history on PostgreSQL at "+z.name+" over psql's query", pages.ms(50)/queries.ms(50), "x", none)
	}
	return nil
}
