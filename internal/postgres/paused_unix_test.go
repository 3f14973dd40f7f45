//go:build unix

package postgres_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/engine"
)

// pausedDatabase has this binary started again as a process that is stopped in its transaction.
const (
	pausedDatabase = "GUICHE_TEST_PAUSED_DATABASE"
	pausedAlone    = "GUICHE_TEST_PAUSED_ALONE"
)

// longestHeld is how long others may wait for a process that was stopped in its transaction.
const longestHeld = 10 * time.Second

// TestPausedProcess is what the started binary does; by itself it does nothing.
func TestPausedProcess(t *testing.T) {
	url := os.Getenv(pausedDatabase)
	if url == "" {
		return
	}
	db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = url, false })
	write, runs := db.Write, 0
	if os.Getenv(pausedAlone) != "" {
		write = db.WriteAlone
	}
	input := bufio.NewReader(os.Stdin)
	err := write(t.Context(), func(tx *engine.Tx) error {
		if _, err := tx.Exec(t.Context(), `UPDATE note SET number = number + 1, text = 'paused' WHERE id = 1`); err != nil {
			return err
		}
		if runs++; runs == 1 {
			_, _ = fmt.Fprintln(os.Stdout, "within")
			if _, err := input.ReadString('\n'); err != nil { // it is stopped here
				return err
			}
		}
		_, err := tx.Exec(t.Context(), `INSERT INTO note (text) VALUES ('of the paused one')`)
		return err
	})
	must(t, err)
	_, _ = fmt.Fprintln(os.Stdout, "written")
}

// TestDB_Write_Paused: a process that is stopped within its transaction holds others up for a few seconds.
// When it goes on it finds the transaction gone, and repeats it.
func TestDB_Write_Paused(t *testing.T) {
	for name, alone := range map[string]string{"HoldsARow": "", "WritesAlone": "1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := postgrestest.Database(t)
			db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = url, false })
			add := func(tx *engine.Tx) error {
				_, err := tx.Exec(t.Context(), `INSERT INTO note (number) VALUES (0)`)
				return err
			}
			must(t, db.Write(t.Context(), add))
			cmd := exec.Command(os.Args[0], "-test.run=^TestPausedProcess$") // it ends with its input
			cmd.Env = append(os.Environ(), pausedDatabase+"="+url, pausedAlone+"="+alone)
			input, err := cmd.StdinPipe()
			must(t, err)
			output, err := cmd.StdoutPipe()
			must(t, err)
			must(t, cmd.Start())
			t.Cleanup(func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			})
			lines := bufio.NewScanner(output)
			await(t, lines, "within")
			must(t, cmd.Process.Signal(syscall.SIGSTOP))
			begun := time.Now()
			must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
				if _, err := tx.Exec(t.Context(), `UPDATE note SET number = number + 1 WHERE id = 1`); err != nil {
					return err
				}
				return add(tx)
			}))
			waited := time.Since(begun)
			must(t, cmd.Process.Signal(syscall.SIGCONT))
			_, err = io.WriteString(input, "\n")
			must(t, err)
			await(t, lines, "written")
			var number, notes int
			must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
				return tx.QueryRow(t.Context(), `SELECT (SELECT number FROM note WHERE id = 1), (SELECT COUNT(*) FROM note)`).Scan(&number, &notes)
			}))
			if t.Logf("the other waited %s", waited); waited > longestHeld || number != 2 || notes != 3 {
				t.Errorf("the other waited %s; changed %d times, %d notes, want 2 and 3", waited, number, notes)
			}
		})
	}
}

func await(t *testing.T, lines *bufio.Scanner, want string) {
	t.Helper()
	for lines.Scan() {
		if lines.Text() == want {
			return
		}
	}
	t.Fatalf("the other process did not come to %q", want)
}
