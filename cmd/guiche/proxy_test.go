package main_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"guiche/internal/egress/proxytest"
)

// TestServe_Proxy: the proxy of the setting is used, and none of the environment: whoever
// can set that must not get to see what is sent.
func TestServe_Proxy(t *testing.T) {
	binary := MustBuild(t)
	for _, set := range []bool{false, true} {
		t.Run(fmt.Sprintf("Set=%t", set), func(t *testing.T) {
			environment, own := proxytest.Start(t, nil), proxytest.Start(t, nil)
			s := &serving{t: t, cmd: exec.CommandContext(t.Context(), binary, "serve", "-addr", "127.0.0.1:0", "-data", t.TempDir(),
				"-base-url", "https://servico.invalid", "-api-key", "x")}
			s.cmd.Env = os.Environ()
			if set {
				s.cmd.Env = append(s.cmd.Env, "GUICHE_SERVICE_PROXY="+own.URL)
			}
			for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
				s.cmd.Env = append(s.cmd.Env, name+"="+environment.URL)
			}
			out, err := s.cmd.StderrPipe()
			if err == nil {
				err = s.cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			s.out = bufio.NewReader(out)
			s.line("the service announces nothing")
			if err := s.stop(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			if got := len(own.Asked()) > 0; got != set {
				t.Errorf("the proxy of the setting was asked: %t", got)
			}
			if got := environment.Asked(); len(got) != 0 {
				t.Errorf("the environment's proxy was asked for %v", got)
			}
		})
	}
}
