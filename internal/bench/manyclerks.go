package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Clerks measures what many clerks wait for who press "Enviar" once each while the service takes its
// time, beside direct requests of the same bytes.
func Clerks(ctx context.Context, o Options, t *Table) error {
	s := &submitting{Options: o, table: t, folder: o.Few + ".sent"}
	return errors.Join(s.run(ctx, s.many), s.remove())
}

const (
	manyClerks = 500
	spread     = 20 * time.Second       // in which all of them press
	think      = 300 * time.Millisecond // of the service
)

func (s *submitting) many(ctx context.Context) error {
	var p50, p99 []float64
	for range s.unlessBrief(3) {
		sent, direct, err := s.spreadOut(ctx)
		if err != nil {
			return err
		}
		s.table.note("  sent off p50 %.1f, p99 %.1f, worst %.1f ms; direct %.1f, %.1f, %.1f ms", sent.ms(50), sent.ms(99), sent.ms(100),
			direct.ms(50), direct.ms(99), direct.ms(100))
		p50, p99 = append(p50, sent.ms(50)/direct.ms(50)), append(p99, sent.ms(99)/direct.ms(99))
	}
	name := fmt.Sprintf("%d clerks, a service of %d ms", manyClerks, think.Milliseconds())
	s.table.add(name+": p50 over direct", median(p50), "x", atMost(1.02))
	s.table.add(name+": p99 over direct", median(p99), "x", atMost(1.15))
	return nil
}

// spreadOut has each clerk press at a moment of their own, and a program ask directly halfway between
// two: it returns how long they waited from when they were due.
func (s *submitting) spreadOut(ctx context.Context) (sent, direct times, err error) {
	forms, err := s.prepared(ctx, s.unlessBrief(manyClerks))
	if err != nil {
		return nil, nil, err
	}
	s.service.takes(think)
	defer s.service.takes(0)
	const every = spread / manyClerks
	program := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clerks}, Timeout: time.Minute}
	defer program.CloseIdleConnections()
	var directErr error
	var beside sync.WaitGroup
	beside.Go(func() {
		pause(ctx, every/2)
		direct, directErr = atMoments(len(forms), every, func(int) error { return s.service.ask(ctx, program) })
	})
	sent, err = atMoments(len(forms), every, func(n int) error {
		_, err := s.clerk.press(ctx, forms[n])
		return err
	})
	beside.Wait()
	if err == nil {
		err = directErr
	}
	return sent, direct, err
}
