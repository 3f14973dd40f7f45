package main_test

import (
	"bufio"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestServe_HeapFloor: garbage is collected when the heap has reached the floor, not
// whenever it has doubled, and not much later while a password is hashed; GOGC wins.
func TestServe_HeapFloor(t *testing.T) {
	binary := MustBuild(t)
	for _, tt := range []struct {
		name, env string
		atLeast   int // MB
		atMost    int
	}{{"Floor", "GOGC_UNSET=", 20, 48}, {"GOGC", "GOGC=100", 4, 20}} {
		t.Run(tt.name, func(t *testing.T) {
			s := &serving{t: t, cmd: exec.CommandContext(t.Context(), binary, "serve", "-addr", "127.0.0.1:0", "-data", t.TempDir())}
			s.cmd.Env = append(os.Environ(), "GODEBUG=gctrace=1", tt.env)
			errs, err := s.cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := s.cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := s.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() }()
			s.out = bufio.NewReader(out)
			goals := lateGoals(bufio.NewScanner(errs))
			url := regexp.MustCompile(`http://[^/]+`).FindString(s.line("/ativar/"))
			for {
				select {
				case goal := <-goals:
					if goal < tt.atLeast || goal > tt.atMost {
						t.Errorf("the heap is collected at %d MB, want %d to %d", goal, tt.atLeast, tt.atMost)
					}
					return
				default:
					healthz(url)
				}
			}
		})
	}
}

// lateGoals gives the size at which the heap is collected, as the third collection since
// the first request says.
func lateGoals(trace *bufio.Scanner) <-chan int {
	goals, goal := make(chan int, 1), regexp.MustCompile(`^gc \d+ .* (\d+) MB goal`)
	go func() {
		asked, collections := false, 0
		for trace.Scan() {
			asked = asked || strings.Contains(trace.Text(), `"route":"/healthz"`)
			m := goal.FindStringSubmatch(trace.Text())
			if m == nil || !asked {
				continue
			}
			if collections++; collections == 3 {
				size, _ := strconv.Atoi(m[1])
				goals <- size
			}
		}
	}()
	return goals
}
