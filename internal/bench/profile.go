package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// profiling finds out in which functions the program spends its time: one that was built with
// -tags profile.
type profiling struct {
	Options
	table *Table
	file  string // where the program writes the profile that was asked for
}

// Profile tells of three pages, over the large data folder, and of two posts where their time goes.
func Profile(ctx context.Context, o Options, t *Table) (err error) {
	folder, err := os.MkdirTemp("", "guiche-profile-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	p := &profiling{Options: o, table: t, file: filepath.Join(folder, "cpu")}
	p.env = []string{"GUICHE_PROFILE=" + p.file}
	if err := p.pages(ctx); err != nil {
		return err
	}
	s := &submitting{Options: p.Options, table: t, folder: o.Few + ".sent"}
	return errors.Join(s.run(ctx, func(ctx context.Context) error { return p.posts(ctx, s) }), s.remove())
}

func (p *profiling) pages(ctx context.Context) (err error) {
	s, err := p.open(ctx, p.Many)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	s.quiet(p.settling())
	looks, err := s.caseRequests(ctx, p.unlessBrief(lookedAt))
	if err != nil {
		return err
	}
	for _, page := range []struct {
		name string
		next func() []byte
	}{
		{"GET /historico", always(s.user.request("/historico"))}, {"GET /fila", always(s.user.request("/fila"))},
		{"GET /casos/{uid}", inTurn(looks)},
	} {
		err := p.during(ctx, s.process, page.name, func() error {
			_, err := loop(s.address, page.next, 2, 15*p.turn())
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", page.name, err)
		}
	}
	return nil
}

// posts reviews many forms, and then sends all of them off.
func (p *profiling) posts(ctx context.Context, s *submitting) error {
	forms := make([]filled, p.unlessBrief(1200))
	for n := range forms {
		var err error
		if forms[n], _, err = s.clerk.fill(ctx); err != nil {
			return err
		}
	}
	reviewed := make([]ready, len(forms))
	err := p.during(ctx, s.program, http.MethodPost+" revisar", func() (err error) {
		for n := 0; n < len(forms) && err == nil; n++ {
			reviewed[n], _, err = s.clerk.review(ctx, forms[n])
		}
		return err
	})
	if err != nil {
		return err
	}
	return p.during(ctx, s.program, http.MethodPost+" enviar", func() (err error) {
		for n := 0; n < len(reviewed) && err == nil; n++ {
			_, err = s.clerk.press(ctx, reviewed[n])
		}
		return err
	})
}

// during takes a profile of the program while something is done, and shows it.
func (p *profiling) during(ctx context.Context, program *process, name string, do func() error) error {
	if err := p.tell(ctx, program, p.file+".part"); err != nil {
		return err
	}
	if err := errors.Join(do(), p.tell(ctx, program, p.file)); err != nil {
		return err
	}
	if err := p.show(ctx, name+", its own time:"); err != nil {
		return err
	}
	// a statement counts for whoever asks for it
	err := p.show(ctx, name+", our functions with the libraries they use:", "-show=^guiche/", "-hide=^guiche/internal/(sqlite|store/engine)")
	return errors.Join(err, os.Remove(p.file))
}

// tell has the program begin or end a profile, and waits for the file that shows that it did.
func (p *profiling) tell(ctx context.Context, program *process, file string) error {
	if err := program.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		return err
	}
	for ctx.Err() == nil {
		if _, err := os.Stat(file); err == nil {
			return nil
		}
		select {
		case <-program.ended:
			return errors.New("bench: the program ended: it was not built with -tags profile")
		default:
			pause(ctx, 5*time.Millisecond)
		}
	}
	return ctx.Err()
}

// show prints the functions with the greatest share.
func (p *profiling) show(ctx context.Context, title string, options ...string) error {
	command := append([]string{"tool", "pprof", "-top", "-nodecount=12"}, options...)
	said, err := exec.CommandContext(ctx, "go", append(command, p.file)...).Output() //nolint:gosec // words of ours
	if err != nil {
		return fmt.Errorf("go tool pprof: %w", err)
	}
	p.table.note("%s", title)
	_, rows, _ := strings.Cut(string(said), "flat%") // after a head that says the same each time
	for i, row := range strings.Split(strings.TrimRight(rows, "\n"), "\n") {
		if i > 0 {
			p.table.note("  %s", row)
		}
	}
	return nil
}
