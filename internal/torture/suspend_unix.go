//go:build unix

package torture

import (
	"os"
	"syscall"
)

// suspend stops a process where it is, with whatever it holds.
func suspend(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

// resume lets it go on.
func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
