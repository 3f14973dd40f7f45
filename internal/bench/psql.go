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

// beside compares two pages of the history with what they are made of: their query in psql.
func (s *onServer) beside(ctx context.Context) error {
	if found, _ := exec.LookPath("psql"); found == "" {
		s.table.NotRun("the history's queries in psql: it is not installed")
		return nil
	}
	for _, z := range s.sizes {
		deep, err := z.postgres.deep(ctx)
		if err != nil {
			return err
		}
		last := strings.TrimPrefix(deep, "/historico?antes=")
		for _, p := range []queried{{"history", "/historico", firstPage}, {"deep page", deep, pageAfter(last)}} {
			if err := s.besideOne(ctx, z, p); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	return nil
}

// queried is a page with its query.
type queried struct{ name, path, query string }

// pageAfter is firstPage for those that came before a case.
func pageAfter(uid string) string {
	return strings.Replace(firstPage, "ORDER BY", `WHERE c.submission_id < (SELECT id FROM submission
	WHERE uid = decode('`+strings.ReplaceAll(uid, "-", "")+`', 'hex')) ORDER BY`, 1)
}

func (s *onServer) besideOne(ctx context.Context, z *size, p queried) error {
	var queries, pages times
	for range s.rounds() {
		took, err := prepared(ctx, s.server.URL(z.database), p.query, s.asked())
		if err != nil {
			return err
		}
		shown, err := oneByOne(z.postgres.address, repeat(z.postgres.user.request(p.path), s.asked()))
		if err != nil {
			return err
		}
		queries, pages = append(queries, took...), append(pages, shown...)
	}
	for _, percentile := range []int{50, 99} {
		s.table.add(fmt.Sprintf("the %s's query in psql at %s, p%d", p.name, z.name, percentile), queries.ms(percentile), "ms", none)
	}
	s.table.add(p.name+" on PostgreSQL at "+z.name+" over psql's query", pages.ms(50)/queries.ms(50), "x", none)
	return nil
}
