package desk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob/files"
	"guiche/internal/client"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/sqlite"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/directorystore"
	"guiche/migrations"

	"github.com/google/uuid"
)

// authorizePath is specification 4.2.
const authorizePath = "/api/v2/autorizar/sp-sadt"

// benchService is a service that takes its time, beside the last request that came.
type benchService struct {
	*httptest.Server
	delay atomic.Int64
	last  atomic.Pointer[[]byte]
}

func newBenchService(b *testing.B) *benchService {
	b.Helper()
	s := &benchService{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != authorizePath {
			http.NotFound(w, r)
			return
		}
		s.last.Store(&body)
		<-time.After(time.Duration(s.delay.Load()))
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":true,`+
			`"situacaoAutorizacao":"A","senha":"BENCH1","numeroGuia":"77"}]}}`)
	}))
	b.Cleanup(s.Close)
	return s
}

// moments notes when the raw answer of a case was stored, and when the case was answered.
type moments struct {
	desk.Store
	mu               sync.Mutex
	stored, answered map[uuid.UUID]time.Time
	more             chan struct{}
}

func (m *moments) KeepExchange(ctx context.Context, c desk.Claim, x authorization.Exchange) error {
	err := m.Store.KeepExchange(ctx, c, x)
	m.note(m.stored, c.Case, err == nil)
	return err
}

func (m *moments) Settle(ctx context.Context, c desk.Claim, s desk.Settlement) (queued bool, err error) {
	queued, err = m.Store.Settle(ctx, c, s)
	m.note(m.answered, c.Case, err == nil && s.State == desk.Answered)
	return queued, err
}

func (m *moments) note(when map[uuid.UUID]time.Time, uid uuid.UUID, happened bool) {
	if !happened {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	when[uid] = time.Now()
	select {
	case m.more <- struct{}{}:
	default:
	}
}

// await waits until so many cases are answered.
func (m *moments) await(b *testing.B, n int) {
	b.Helper()
	over := time.After(2 * time.Minute)
	for {
		m.mu.Lock()
		answered := len(m.answered)
		m.mu.Unlock()
		if answered >= n {
			return
		}
		select {
		case <-m.more:
		case <-over:
			b.Fatalf("%d of %d cases were answered", answered, n)
		}
	}
}

// benchDesk is a desk by the machine's own clock, over files and HTTP.
type benchDesk struct {
	*fixture
	moments *moments
	service *benchService
}

func newBenchDesk(b *testing.B) *benchDesk {
	b.Helper()
	d := &benchDesk{fixture: &fixture{dir: b.TempDir(), log: &bytes.Buffer{}}, service: newBenchService(b)}
	path := template(b).Copy(b)
	db, err := sqlite.Open(b.Context(), sqlite.Options{Path: path, Migrations: migrations.Desk})
	MustDo(b, err)
	blobs, err := files.Open(files.Options{Dir: d.dir})
	MustDo(b, err)
	b.Cleanup(func() { MustDo(b, db.Close()); MustDo(b, blobs.Close()) })
	c, err := client.New(client.Config{BaseURL: d.service.URL, Auth: client.APIKey("k"), Blobs: blobs, Logger: slog.New(slog.DiscardHandler)})
	MustDo(b, err)
	b.Cleanup(c.Close)
	trail := auditlog.New(db, audit.Key{1})
	d.moments = &moments{Store: deskstore.New(db, trail), stored: map[uuid.UUID]time.Time{}, answered: map[uuid.UUID]time.Time{},
		more: make(chan struct{}, 1)}
	d.config = desk.Config{
		Store: d.moments, Blobs: blobs, Directory: directory.New(directorystore.New(db, trail)), Service: named{c},
		OnlyProcess: true, Logger: slog.New(slog.DiscardHandler),
	}
	d.Desk, err = desk.New(d.config)
	MustDo(b, err)
	return d
}

// named is a client of a service with a name.
type named struct{ *client.Client }

func (named) Name() string { return "bench" }

// direct sends the request as a program would, and reads the answer.
func (d *benchDesk) direct(b *testing.B, program *http.Client) time.Duration {
	start := time.Now()
	res, err := program.Post(d.service.URL+authorizePath, "application/json", bytes.NewReader(*d.service.last.Load()))
	if err != nil {
		b.Error(err)
		return 0
	}
	_, err = io.Copy(io.Discard, res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		b.Error(err)
	}
	return time.Since(start)
}

// took are times of one kind, from many at once.
type took struct {
	mu  sync.Mutex
	all []time.Duration
}

func (t *took) add(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, d)
}

// ms is a percentile in milliseconds, by nearest rank.
func (t *took) ms(percentile int) float64 {
	sorted := slices.Sorted(slices.Values(t.all))
	return float64(sorted[(len(sorted)*percentile+99)/100-1]) / float64(time.Millisecond)
}

// BenchmarkDesk_Submit compares the time from "Enviar" until the raw answer is stored with
// a direct POST of the same bytes, in alternation. One clerk and 16 press again as soon
// as they may; 500 press once, spread over 20 seconds. "confirmed" is the time from when
// the submission is on disk until its answer was read.
func BenchmarkDesk_Submit(b *testing.B) {
	for _, delay := range []time.Duration{0, 300 * time.Millisecond} {
		for _, clerks := range []int{1, 16, 500} {
			b.Run(fmt.Sprintf("Delay%d/Clerks%d", delay.Milliseconds(), clerks), func(b *testing.B) {
				for b.Loop() {
					newBenchDesk(b).compare(b, delay, clerks)
				}
				b.ReportMetric(0, "ns/op") // a round is no operation
			})
		}
	}
}

// spread is the time over which many clerks press once.
const spread = 20 * time.Second

func (d *benchDesk) compare(b *testing.B, delay time.Duration, clerks int) {
	each := max(1, 200/clerks)
	if delay > 0 {
		each = max(1, 48/clerks)
	}
	drafts := make([]uuid.UUID, clerks*each+1)
	for i := range drafts {
		drafts[i] = d.MustDraft(b, ana, nil).UID
	}
	stop := d.MustRun(b)
	defer stop()
	_, err := d.Submit(b.Context(), ana, drafts[clerks*each]) // so that there are bytes to send directly
	MustDo(b, err)
	d.moments.await(b, 1)
	d.service.delay.Store(int64(delay))
	program := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clerks}}
	defer program.CloseIdleConnections()
	var direct, stored, confirmed took
	begin := time.Now()
	var group sync.WaitGroup
	for clerk := range clerks {
		group.Go(func() {
			if clerks == 500 {
				<-time.After(time.Until(begin.Add(spread * time.Duration(clerk) / time.Duration(clerks))))
			}
			for _, draft := range drafts[clerk*each : (clerk+1)*each] {
				if clerk%2 == 0 {
					direct.add(d.direct(b, program))
				}
				d.press(b, draft, &stored, &confirmed)
				if clerk%2 == 1 {
					direct.add(d.direct(b, program))
				}
			}
		})
	}
	group.Wait()
	for _, p := range []int{50, 99} {
		b.ReportMetric(stored.ms(p)/direct.ms(p), fmt.Sprintf("p%d-of-direct", p))
		b.ReportMetric(stored.ms(p)-direct.ms(p), fmt.Sprintf("p%d-over-ms", p))
		b.ReportMetric(confirmed.ms(p), fmt.Sprintf("p%d-confirmed-ms", p))
	}
}

// press submits a draft and waits until it is answered.
func (d *benchDesk) press(b *testing.B, draft uuid.UUID, stored, confirmed *took) {
	start := time.Now()
	uid, err := d.Submit(b.Context(), ana, draft)
	onDisk := time.Now()
	if err != nil {
		b.Error(err)
		return
	}
	whole, answered := d.moments.of(b, uid)
	stored.add(whole.Sub(start))
	confirmed.add(max(0, answered.Sub(onDisk)))
}

// of waits for the moments of a case.
func (m *moments) of(b *testing.B, uid uuid.UUID) (stored, answered time.Time) {
	look := time.NewTicker(200 * time.Microsecond)
	defer look.Stop()
	over := time.After(2 * time.Minute)
	for {
		m.mu.Lock()
		stored, answered = m.stored[uid], m.answered[uid]
		m.mu.Unlock()
		if !answered.IsZero() {
			return stored, answered
		}
		select {
		case <-look.C:
		case <-over:
			b.Error("a case was not answered")
			return time.Now(), time.Now()
		}
	}
}

// BenchmarkDesk_Durable tells how long a submission takes until it is on disk, with so
// many writers, that share commits or have one each, times bringing 4 KiB to the same disk.
func BenchmarkDesk_Durable(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprint("Writers", writers), func(b *testing.B) {
			const n = 256
			var shared, alone time.Duration
			var syncs took
			for b.Loop() {
				d := newBenchDesk(b)
				drafts := make([]uuid.UUID, 2*n)
				for i := range drafts {
					drafts[i] = d.MustDraft(b, ana, nil).UID
				}
				measureSync(b, d.dir, &syncs)
				var one sync.Mutex
				shared += d.submitAll(b, writers, drafts[:n], func(submit func()) { submit() })
				alone += d.submitAll(b, writers, drafts[n:], func(submit func()) {
					one.Lock()
					defer one.Unlock()
					submit()
				})
				measureSync(b, d.dir, &syncs)
			}
			total, disk := float64(b.N*n), syncs.ms(50)
			b.ReportMetric(shared.Seconds()*1000/total/disk, "each-of-sync")
			b.ReportMetric(alone.Seconds()*1000/total/disk, "alone-of-sync")
			b.ReportMetric(total/shared.Seconds(), "per-second")
			b.ReportMetric(total/alone.Seconds(), "alone-per-second")
			b.ReportMetric(disk, "sync-ms")
			b.ReportMetric(0, "ns/op") // a round is no operation
		})
	}
}

// submitAll submits the drafts with so many writers and returns how long all of it took.
func (d *benchDesk) submitAll(b *testing.B, writers int, drafts []uuid.UUID, turn func(func())) time.Duration {
	b.Helper()
	var next atomic.Int64
	var group sync.WaitGroup
	start := time.Now()
	for range writers {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(drafts)); i = next.Add(1) - 1 {
				turn(func() {
					if _, err := d.Submit(b.Context(), ana, drafts[i]); err != nil {
						b.Error(err)
					}
				})
			}
		})
	}
	group.Wait()
	return time.Since(start)
}

// measureSync writes over the same 4 KiB and waits until they are on disk, some times.
func measureSync(b *testing.B, folder string, all *took) {
	b.Helper()
	f, err := os.Create(filepath.Join(folder, "block"))
	MustDo(b, err)
	defer func() { MustDo(b, f.Close()) }()
	block := bytes.Repeat([]byte("guiche.\n"), 512)
	for range 50 {
		start := time.Now()
		_, err := f.WriteAt(block, 0)
		MustDo(b, errors.Join(err, f.Sync()))
		all.add(time.Since(start))
	}
}
