package bench

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

// submitting measures what is sent off through the forms, beside a direct request.
type submitting struct {
	Options
	table   *Table
	service *service
	program *process
	folder  string
	clerk   *clerk
}

// Submit measures what is sent off, and the authorizations of the embedded service.
func Submit(ctx context.Context, o Options, t *Table) (err error) {
	s := &submitting{Options: o, table: t, folder: o.Few + ".sent"}
	defer func() { err = errors.Join(err, s.remove()) }()
	if err := s.run(ctx, s.alone, s.syncs, s.together); err != nil {
		return err
	}
	if folder, ok := inMemory(); ok {
		m := &submitting{Options: o, table: t, folder: folder}
		defer func() { err = errors.Join(err, m.remove()) }()
		if err := m.run(ctx, m.aloneInMemory); err != nil {
			return err
		}
	}
	return authorizations(ctx, o, t)
}

// inMemory is a folder on a disk that is none, where the system has one: a sync costs
// nothing there.
func inMemory() (string, bool) {
	folder, err := os.MkdirTemp("/dev/shm", "guiche-bench-")
	return folder, err == nil
}

func (s *submitting) run(ctx context.Context, steps ...func(context.Context) error) error {
	err := s.open(ctx)
	for _, step := range steps {
		if err == nil {
			err = step(ctx)
		}
	}
	return errors.Join(err, s.close())
}

func (s *submitting) open(ctx context.Context) (err error) {
	facts, err := readFacts(s.Few)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(s.folder), copyFolder(s.Few, s.folder)); err != nil {
		return err
	}
	if s.service, err = startService(); err != nil {
		return err
	}
	if s.program, err = s.guiche(ctx, s.folder, "--base-url", s.service.URL()); err != nil {
		return err
	}
	b, err := logIn(ctx, s.program.address, facts.Receptionist, facts.Password)
	s.clerk = newClerk(b, facts.Form)
	s.program.quiet(s.settling())
	return err
}

func (s *submitting) close() (err error) {
	if s.program != nil {
		err = s.program.stop()
	}
	if s.service != nil {
		err = errors.Join(err, s.service.Close())
	}
	return err
}

// remove removes what was sent off, once all is measured: whenever it makes a file, ext4 without a journal looks
// at each one that was deleted in the last minutes.
func (s *submitting) remove() error { return os.RemoveAll(s.folder) }

// eachRound is how many forms are sent off in a round of one clerk.
const eachRound = 15

// alone has one clerk send form after form, each beside a direct request of the same bytes.
func (s *submitting) alone(ctx context.Context) error {
	disk, err := newDisk(s.folder)
	if err != nil {
		return err
	}
	defer disk.close()
	var overhead, syncs []float64
	var opening, reviewing, sent, direct times
	for range s.rounds() {
		sync, err := disk.p50()
		if err != nil {
			return err
		}
		ours, others, err := s.round(ctx, &opening, &reviewing)
		if err != nil {
			return err
		}
		overhead, syncs = append(overhead, float64(ours.at(50)-others.at(50))/float64(sync)), append(syncs, ms(sync))
		sent, direct = append(sent, ours...), append(direct, others...)
	}
	s.table.note("  sent off %.2f ms, direct %.2f ms, fdatasync %.3f ms", sent.ms(50), direct.ms(50), median(syncs))
	s.table.add("submit overhead", median(overhead), "fdatasync", atMost(12))
	s.table.add("submit overhead in time", sent.ms(50)-direct.ms(50), "ms", none)
	s.table.add("GET /nova", opening.ms(50), "ms", atMost(1))
	s.table.add("POST revisar", reviewing.ms(50), "ms", atMost(2))
	return nil
}

// aloneInMemory is alone where a sync costs nothing.
func (s *submitting) aloneInMemory(ctx context.Context) error {
	var over []float64
	var opening, reviewing times
	for range s.rounds() {
		ours, others, err := s.round(ctx, &opening, &reviewing)
		if err != nil {
			return err
		}
		over = append(over, ms(ours.at(50)-others.at(50)))
	}
	s.table.add("submit overhead in memory", median(over), "ms", atMost(1))
	return nil
}

func (s *submitting) round(ctx context.Context, opening, reviewing *times) (ours, others times, err error) {
	for range s.unlessBrief(eachRound) {
		if err := s.once(ctx, opening, reviewing, &ours, &others); err != nil {
			return nil, nil, err
		}
	}
	return ours, others, nil
}

func (s *submitting) once(ctx context.Context, opening, reviewing, ours, others *times) error {
	form, opened, reviewed, err := s.clerk.prepare(ctx)
	if err != nil {
		return err
	}
	took, err := s.clerk.press(ctx, form)
	if err != nil {
		return err
	}
	direct, err := oneByOne(s.service.URL(), [][]byte{s.service.direct()})
	if err != nil {
		return err
	}
	*opening, *reviewing = append(*opening, opened), append(*reviewing, reviewed)
	*ours, *others = append(*ours, took), append(*others, direct...)
	return nil
}

// clerks is how many send at the same time.
const clerks = 16

// together has clerks send what they have prepared as fast as they can.
func (s *submitting) together(ctx context.Context) error {
	var rates []float64
	for range s.rounds() {
		forms, err := s.prepared(ctx, clerks*6)
		if err != nil {
			return err
		}
		rate, err := s.pressAll(ctx, forms)
		if err != nil {
			return err
		}
		rates = append(rates, rate)
	}
	s.table.add("submissions a second with 16 clerks", median(rates), "", atLeast(800))
	return nil
}

func (s *submitting) prepared(ctx context.Context, n int) (forms []ready, err error) {
	for range n {
		form, _, _, err := s.clerk.prepare(ctx)
		if err != nil {
			return nil, err
		}
		forms = append(forms, form)
	}
	return forms, nil
}

// pressAll sends forms off by clerks of whom each takes the next one, and returns how many
// that are in a second.
func (s *submitting) pressAll(ctx context.Context, forms []ready) (float64, error) {
	next := make(chan ready, len(forms))
	for _, f := range forms {
		next <- f
	}
	close(next)
	errs := make([]error, clerks)
	var all sync.WaitGroup
	start := time.Now()
	for i := range clerks {
		all.Go(func() {
			for form := range next {
				_, err := s.clerk.press(ctx, form)
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	all.Wait()
	return float64(len(forms)) / time.Since(start).Seconds(), errors.Join(errs...)
}
