package torture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// world is one installation, its service, and what is written down about both.
type world struct {
	kind    Kind
	options Options // Submissions and Kills are this world's part
	folder  string
	began   time.Time
	dice    *dice
	disk    *disk // nil without one
	process program
	service *service
	forms   *journal
	screens *journal

	told *journal // what partners were told

	begun        atomic.Int64 // forms
	followed     atomic.Int64 // pages that another process told of what came
	kills, terms int

	mu       sync.Mutex
	troubles map[string]int // answers of the program that are no good
}

// newWorld makes the folder and starts service and program.
func newWorld(ctx context.Context, o Options, kind Kind) (*world, error) {
	w := &world{kind: kind, options: o, folder: filepath.Join(o.Folder, string(kind)), began: time.Now(),
		dice: newDice(o.Seed, "world "+string(kind)), troubles: map[string]int{}}
	err := os.MkdirAll(w.folder, 0o700)
	if err == nil {
		w.forms, err = newJournal(w.folder, formsFile)
	}
	if err == nil {
		w.screens, err = newJournal(w.folder, screensFile)
	}
	if err == nil {
		w.told, err = newJournal(w.folder, toldFile)
	}
	if err == nil {
		w.service, err = startService(w.folder, kind, o, w.began)
	}
	if err != nil {
		return nil, err
	}
	address := w.service.address()
	if o.Between != nil {
		address = o.Between(address)
	}
	if w.process, err = w.newProgram(ctx, address); err != nil {
		return nil, errors.Join(err, w.service.Close())
	}
	return w, w.process.start(ctx)
}

// newProgram is what the options say is tortured.
func (w *world) newProgram(ctx context.Context, service string) (program, error) {
	if w.options.Cluster != nil {
		return newCluster(w.options, w.folder, service)
	}
	p := newProcess(w.options, w.folder, service)
	if w.options.DiskMB == 0 {
		return p, nil
	}
	p.command = append(p.command, "--min-free-mb", strconv.Itoa(w.options.DiskMB/3))
	var err error
	w.disk, err = newDisk(ctx, p.data, w.options.DiskMB)
	return p, err
}

// close stops everything and completes the records.
func (w *world) close() error {
	return errors.Join(w.process.stop(), w.disk.close(), w.service.Close(), w.forms.close(), w.screens.close(), w.told.close(),
		w.service.ledger.close())
}

func (w *world) form(act Act, f *form) {
	w.forms.add(Form{At: time.Since(w.began), Act: act, Card: f.card, Case: f.given})
}

// confirmed notes that the program led to a case.
func (w *world) confirmed(f *form, to string) {
	w.forms.add(Form{At: time.Since(w.began), Act: Confirmed, Card: f.card, Case: to})
}

func (w *world) screen(s Screen) {
	s.At = time.Since(w.began)
	w.screens.add(s)
}

func (w *world) trouble(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.troubles[what]++
}

// run has the clerks send all forms, lets everything end and looks once more.
func (w *world) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.process.onEnd(cancel)
	clerks, err := w.setUp(ctx)
	if err != nil {
		return cause(ctx, err)
	}
	partners, err := w.openPartners(ctx)
	if err != nil {
		return cause(ctx, err)
	}
	w.service.misbehave(w.options.Faults)
	end := w.beside(ctx, cancel, partners)
	err = each(clerks, func(c *clerk) error { return w.work(ctx, c, w.options.Submissions) })
	if err == nil && w.options.Restore {
		err = w.goBack(ctx, clerks)
	}
	if err != nil {
		cancel(err)
	}
	end()
	w.service.misbehave(0)
	if err == nil {
		err = w.conclude(ctx, clerks, partners)
	}
	return cause(ctx, err)
}

// beside has happen what happens while the clerks work, until end is called, which waits for it. What
// fails ends the run.
func (w *world) beside(ctx context.Context, failed context.CancelCauseFunc, partners []*partner) (end func()) {
	working, home := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, do := range []func() error{
		func() error { return w.disk.fill(working) },
		func() error { return w.kill(ctx) },
		func() error { return w.during(ctx) },
		func() error { return each(partners, func(p *partner) error { return p.work(working) }) },
	} {
		all.Go(func() {
			if err := do(); err != nil {
				failed(err)
			}
		})
	}
	return func() { home(); all.Wait() }
}

// conclude lets everything end and looks once more.
func (w *world) conclude(ctx context.Context, clerks []*clerk, partners []*partner) error {
	if err := w.settle(ctx, clerks); err != nil {
		return err
	}
	if w.options.Tamper != nil {
		if err := w.tamper(ctx); err != nil {
			return err
		}
	}
	if err := w.lastLooks(ctx, clerks); err != nil {
		return err
	}
	return each(partners, func(p *partner) error { return p.end(ctx) })
}

// during does what is to be done while people go on.
func (w *world) during(ctx context.Context) error {
	if c, ok := w.process.(*cluster); ok {
		return w.disturb(ctx, c)
	}
	for w.options.During != nil && w.begun.Load() < int64(w.options.Submissions/2) && ctx.Err() == nil {
		pause(ctx, 5*time.Millisecond)
	}
	if w.options.During == nil || ctx.Err() != nil {
		return nil //nolint:nilerr // the run has ended
	}
	return w.options.During(ctx, w.options, w.process.dataFolder())
}

// disturb has the rounds of faults happen, spread over the forms.
func (w *world) disturb(ctx context.Context, c *cluster) error {
	for round := range c.c.Rounds {
		for w.begun.Load() < int64(w.options.Submissions*(round+1)/(c.c.Rounds+1)) && ctx.Err() == nil {
			pause(ctx, 5*time.Millisecond)
		}
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the run has ended
		}
		if err := c.disturb(ctx); err != nil {
			return err
		}
	}
	return nil
}

// cause is why a run ended.
func cause(ctx context.Context, err error) error {
	if err != nil && errors.Is(err, context.Canceled) {
		return context.Cause(ctx)
	}
	return err
}

// work takes one form after the other until so many are begun.
func (w *world) work(ctx context.Context, c *clerk, upTo int) error {
	for {
		serial := int(w.begun.Add(1))
		if serial > upTo {
			return nil
		}
		if err := c.serve(ctx, cardNumber(w.options.Seed, serial)); err != nil {
			return fmt.Errorf("form %d: %w", serial, err)
		}
	}
}

// kill ends the program at moments that the dice choose, spread over all forms: mostly at
// once, sometimes as an administrator does, and sometimes while it starts.
func (w *world) kill(ctx context.Context) error {
	stops := w.options.Kills + w.options.Kills/5
	for n := range stops {
		at := n*w.options.Submissions/max(stops, 1) + w.dice.between(0, max(1, w.options.Submissions/max(stops, 1)))
		for w.begun.Load() < int64(at) && ctx.Err() == nil {
			pause(ctx, 5*time.Millisecond)
		}
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the run has ended
		}
		if w.dice.chance(0.8) { // else while it starts, mostly
			if _, err := w.process.address(ctx); err != nil {
				return nil //nolint:nilerr // the run has ended
			}
		}
		pause(ctx, time.Duration(w.dice.between(0, 200))*time.Millisecond)
		if err := w.end(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// end is the n-th end of the program.
func (w *world) end(ctx context.Context, n int) error {
	if n%6 == 5 {
		w.terms++
		return w.process.restart(ctx)
	}
	w.kills++
	return w.process.kill(ctx)
}

// tamper changes the data behind the program's back.
func (w *world) tamper(ctx context.Context) error {
	if err := w.process.stop(); err != nil {
		return err
	}
	if err := w.options.Tamper(w.process.dataFolder()); err != nil {
		return err
	}
	return w.process.start(ctx)
}

// picture is a small file to attach.
var picture = func() []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 60, 80))) // a buffer takes everything
	return b.Bytes()
}()
