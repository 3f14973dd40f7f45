package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// program is a running release.
type program struct {
	cmd   *exec.Cmd
	url   string
	setup string // the one-time address of the first start
}

var (
	addressWords = regexp.MustCompile(`(?m)^(?:Guichê|Serviço de autorização e seu console) em (http://\S+)`)
	setupWords   = regexp.MustCompile(`http://\S+/ativar/\S+`)
)

// start runs a sub-command over the folder until it answers.
func (w *world) start(command string, args ...string) {
	cmd := exec.Command(w.binary, append([]string{command, "-addr", "127.0.0.1:0", "-data", w.folder}, args...)...)
	log := must(os.OpenFile(w.folder+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600))
	defer log.Close()
	cmd.Stderr = log
	out := must(cmd.StdoutPipe())
	check(cmd.Start())
	w.p = &program{cmd: cmd}
	var said strings.Builder
	for lines := bufio.NewScanner(out); !strings.Contains(said.String(), "Ctrl+C") && lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
	}
	w.p.url = addressWords.FindStringSubmatch(said.String())[1]
	w.p.setup = strings.TrimPrefix(setupWords.FindString(said.String()), w.p.url)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if w.admin != nil {
		w.admin = w.logIn("rui")
	}
}

// stop ends the program as an administrator does.
func (p *program) stop() {
	check(p.cmd.Process.Signal(os.Interrupt))
	check(p.cmd.Wait())
}

// kill ends it in the midst of things.
func (p *program) kill() {
	check(p.cmd.Process.Kill())
	_ = p.cmd.Wait()
}

// eventually waits until something holds.
func eventually(what string, holds func() bool) {
	for end := time.Now().Add(30 * time.Second); !holds(); time.Sleep(300 * time.Millisecond) {
		if time.Now().After(end) {
			panic("did not happen: " + what)
		}
	}
}
