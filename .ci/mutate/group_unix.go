//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// inGroup makes a command end together with the processes that it starts.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
