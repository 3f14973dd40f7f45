package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

const (
	// wordsAtOnce is how many words travel in one notification, of which a word has up to 40 bytes: a
	// notification has less than 8,000.
	wordsAtOnce = 150
	// mostWaiting bounds what is not sent yet while the server is away.
	mostWaiting = 10_000
	// signalAgain is the pause after the server did not take what was signalled, or ended the connection.
	signalAgain = 2 * time.Second
)

// Signals are words that the processes of one schema tell each other: soon, and perhaps never. Who
// depends on what they tell looks by itself as well, now and then. They are no part of a transaction: one
// that signals has every other such one wait until it is on the disk.
type Signals struct {
	db  *DB
	own string // names this process, which does not hear itself

	mu      sync.Mutex
	waiting map[string]struct{}
	some    chan struct{} // there is something to send
}

// Signals returns those of the database's schema. They are sent and heard while Run runs.
func (db *DB) Signals() *Signals {
	return &Signals{db: db, own: uuid.NewString(), waiting: map[string]struct{}{}, some: make(chan struct{}, 1)}
}

// Tell has the other processes hear a word without blanks. It waits for nobody.
func (s *Signals) Tell(word string) {
	s.mu.Lock()
	if len(s.waiting) < mostWaiting {
		s.waiting[word] = struct{}{}
	}
	s.mu.Unlock()
	select {
	case s.some <- struct{}{}:
	default: // it is about to look
	}
}

// Run sends what is told and hands on what others tell, until ctx is done. Through a pooler that gives each
// transaction another connection nobody hears anything.
func (s *Signals) Run(ctx context.Context, heard func(word string)) {
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() { s.listenAgain(ctx, heard) })
	for {
		select {
		case <-s.some:
		case <-ctx.Done():
			return
		}
		if !s.send(ctx) {
			rest(ctx)
		}
	}
}

// rest waits before another try.
func rest(ctx context.Context) {
	select {
	case <-time.After(signalAgain):
	case <-ctx.Done():
	}
}

func (s *Signals) channel() string { return "guiche_" + s.db.begin.schema }

// send sends what waits, and reports whether the server took it. What it did not take waits again.
func (s *Signals) send(ctx context.Context) (taken bool) {
	words := s.take()
	for len(words) > 0 {
		some := words[:min(len(words), wordsAtOnce)]
		// Nobody waits for the disk: a signal is lost with the server.
		_, err := s.db.writer.Exec(ctx, `SELECT pg_notify($1, $2), set_config('synchronous_commit', 'off', true)`,
			pgx.QueryExecModeExec, s.channel(), s.own+" "+strings.Join(some, " "))
		if err != nil {
			for _, word := range words {
				s.Tell(word)
			}
			return false
		}
		words = words[len(some):]
	}
	return true
}

func (s *Signals) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	words := slices.Collect(maps.Keys(s.waiting))
	clear(s.waiting)
	return words
}

// errPooled says that a pooler stands between: what is listened for would come to whoever has the connection.
var errPooled = errors.New("postgres: a pooler stands before the server")

// listenAgain listens until ctx is done, on another connection whenever one ends.
func (s *Signals) listenAgain(ctx context.Context, heard func(string)) {
	for ctx.Err() == nil {
		if err := s.listen(ctx, heard); errors.Is(err, errPooled) {
			return
		}
		rest(ctx)
	}
}

// listen hands on what others tell until its connection ends.
func (s *Signals) listen(ctx context.Context, heard func(string)) (err error) {
	c, err := pgx.ConnectConfig(ctx, s.db.listener())
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelWithin)
		defer cancel()
		_ = c.Close(closing) // nothing of it is needed any more
	}()
	var pid uint32
	if err := c.QueryRow(ctx, `SELECT pg_backend_pid()`, pgx.QueryExecModeExec).Scan(&pid); err != nil {
		return err
	}
	if pid != c.PgConn().PID() { // a pooler gives out numbers of its own
		return errPooled
	}
	if _, err := c.Exec(ctx, `LISTEN `+s.channel()); err != nil {
		return err
	}
	for {
		told, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		words := strings.Fields(told.Payload)
		if len(words) > 0 && words[0] != s.own {
			for _, word := range words[1:] {
				heard(word)
			}
		}
	}
}

// listener is how a connection is made that listens.
func (db *DB) listener() *pgx.ConnConfig {
	config := db.reader.Config().ConnConfig
	config.DialFunc = dial
	// It waits until it is told to end, and nothing of it could be interrupted by asking the server.
	config.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.DeadlineContextWatcherHandler{Conn: c.Conn()}
	}
	return config
}
