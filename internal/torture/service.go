package torture

import (
	"context"
	"fmt"
	"maps"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"guiche/internal/client/faultservice"
)

// key is the access that the service takes.
const key = "torture"

// service is an authorization service that misbehaves, with a ledger of its own on the
// disk.
type service struct {
	*faultservice.Service
	dice                   *dice
	began                  time.Time
	ledger                 *journal
	listener               net.Listener
	faults, questionFaults []fault

	portion        atomic.Uint64 // share of faults, in millionths
	requests       atomic.Int64
	struck, unseen atomic.Int64 // faults; of them those of which the service saw no request

	mu    sync.Mutex
	kinds map[string]int // how often each fault struck
}

// startService listens on a free port of the loopback address.
func startService(folder string, kind Kind, o Options, began time.Time) (*service, error) {
	ledger, err := newJournal(folder, ledgerFile)
	if err != nil {
		return nil, err
	}
	s := &service{dice: newDice(o.Seed, "service "+string(kind)), began: began, ledger: ledger, kinds: map[string]int{},
		faults: faults(), questionFaults: questionFaults()}
	s.Service = faultservice.New(faultservice.Config{Key: key, Features: kind.features(), Answer: answer, Choose: s.choose, Keep: s.keep})
	s.listener, err = (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("torture: %w", err)
	}
	go func() { _ = s.Serve(connections{s.listener, s}) }() // ends with Close
	return s, nil
}

// address is where the service is.
func (s *service) address() string { return "http://" + s.listener.Addr().String() }

// misbehave sets the share of requests that meet a fault.
func (s *service) misbehave(share float64) { s.portion.Store(uint64(share * 1e6)) }

// share is a part of the share of faults.
func (s *service) share(part, of int) float64 {
	return float64(s.portion.Load()) / 1e6 * float64(part) / float64(of)
}

func (s *service) count(fault string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kinds[fault]++
}

// struckBy returns how often each fault struck.
func (s *service) struckBy() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.kinds)
}

var cardPattern = regexp.MustCompile(`"numeroCarteira"\s*:\s*"(\d+)"`)

// keep writes a line of the ledger, before anything is answered. Questions are counted
// alone.
func (s *service) keep(e faultservice.Entry) {
	if e.Event == faultservice.Received {
		s.requests.Add(1)
	}
	if e.Path != faultservice.SubmitPath {
		return
	}
	l := Line{At: time.Since(s.began), Event: string(e.Event), Card: cardOf(e), Guide: e.Guide, Key: e.Key, Fault: e.Rule}
	if e.Event == faultservice.Acted {
		l.Status, l.Senha = statusOf(l.Card), senhaOf(e)
	}
	s.ledger.add(l)
}

func cardOf(e faultservice.Entry) string {
	if m := cardPattern.FindSubmatch(e.Body); m != nil {
		return string(m[1])
	}
	return ""
}

// statuses are what the operator decides, by the last digit of the card.
var statuses = [...]string{"A", "A", "N", "A", "R", "A", "Z", "A", "S", "Ç"}

func statusOf(card string) string {
	if card == "" {
		return "A"
	}
	return statuses[card[len(card)-1]-'0']
}

// senhaOf is another one for each time that the service acts.
func senhaOf(e faultservice.Entry) string { return "S" + strconv.Itoa(e.Request) }

// answer is what a request is answered with that nothing strikes at.
func answer(e faultservice.Entry) (int, []byte) {
	status, body := faultservice.Authorize(e)
	replaced := strings.NewReplacer(`"situacaoAutorizacao":"A"`, `"situacaoAutorizacao":"`+statusOf(cardOf(e))+`"`,
		`"senha":"S1"`, `"senha":"`+senhaOf(e)+`"`).Replace(string(body))
	return status, []byte(replaced)
}
