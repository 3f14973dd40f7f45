package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// history measures pages that show cases, over many beside over few.
type history struct {
	Options
	table       *Table
	small, many *site
	pocketPeak  float64 // the most MiB that PocketBase held, 0 where it was not measured
}

// History measures the pages that show cases.
func History(ctx context.Context, o Options, t *Table) (err error) {
	h := &history{Options: o, table: t}
	defer func() { err = errors.Join(err, h.close()) }()
	steps := []func(context.Context) error{h.warm, h.coldStart, h.open, h.overBare, h.compressed, h.overShell, h.overPocketBase,
		h.growth, h.searches, h.filtered, h.bytes, h.firstVisit, h.held}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (h *history) close() (err error) {
	for _, s := range []*site{h.small, h.many} {
		if s != nil && s.process != nil {
			err = errors.Join(err, s.stop())
		}
	}
	return err
}

func (h *history) open(ctx context.Context) (err error) {
	if h.small, err = h.Options.open(ctx, h.Few); err != nil {
		return err
	}
	if h.many, err = h.Options.open(ctx, h.Many); err != nil {
		return err
	}
	h.small.quiet(h.settling())
	h.many.quiet(h.settling())
	return nil
}

// warm reads the databases once from end to end: what is measured is the program, and not
// how fast the disk finds pages that nobody has asked for since the machine started.
func (h *history) warm(ctx context.Context) error {
	for _, folder := range []string{h.Few, h.Many} {
		work, err := h.copied(ctx, folder)
		if err != nil {
			return err
		}
		start := time.Now()
		size, err := readOnce(filepath.Join(work, "desk", "guiche.db"))
		if err != nil {
			return err
		}
		h.table.note("  %s: database of %d MB read once in %.1f s", filepath.Base(folder), size/1_000_000, time.Since(start).Seconds())
	}
	return nil
}

// readOnce reads a file from its beginning to its end and returns its bytes.
func readOnce(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // only read
	return io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, make([]byte, 1<<20))
}

// coldStart takes the time from the start of a process to the first page that it answers.
func (h *history) coldStart(ctx context.Context) error {
	var few, many times
	for _, folder := range []struct {
		path string
		took *times
	}{{h.Few, &few}, {h.Many, &many}} {
		work, err := h.copied(ctx, folder.path)
		if err != nil {
			return err
		}
		for range h.rounds() {
			took, err := h.startOnce(ctx, work)
			if err != nil {
				return err
			}
			*folder.took = append(*folder.took, took)
		}
	}
	h.table.add("cold start to the first page at 1k", few.ms(50), "ms", none)
	h.table.add("cold start to the first page at 1M", many.ms(50), "ms", atMost(50))
	h.table.add("cold start growth 1k to 1M", many.ms(50)/few.ms(50), "x", atMost(1.1))
	return nil
}

func (h *history) startOnce(ctx context.Context, folder string) (time.Duration, error) {
	p, err := start(ctx, nil, h.Binary, "serve", "--addr", "127.0.0.1:0", "--data", folder, "--min-free-mb", "1")
	if err != nil {
		return 0, err
	}
	took, err := p.firstAnswer(ctx, entryPage)
	return took, errors.Join(err, p.stop())
}

// lookedAt is how many cases are looked at in turn.
const lookedAt = 1500

// overBare compares pages with a process that only answers the same bytes.
func (h *history) overBare(ctx context.Context) error {
	looks, err := h.many.caseRequests(ctx, h.unlessBrief(lookedAt))
	if err != nil {
		return err
	}
	for _, page := range []struct {
		name string
		next func() []byte
		one  []byte
		aim  float64
	}{
		{"history page", always(h.many.user.request("/historico")), h.many.user.request("/historico"), 0.18},
		{"queue page", always(h.many.user.request("/fila")), h.many.user.request("/fila"), 0.15},
		{"case page", inTurn(looks), looks[0], 0.12},
	} {
		ratio, rate, err := h.beside(ctx, page.next, page.one)
		if err != nil {
			return fmt.Errorf("%s: %w", page.name, err)
		}
		h.table.add(page.name+" over bare answer", ratio, "", atLeast(page.aim))
		h.table.add(page.name+"s a second, two connections", rate, "", none)
	}
	return nil
}

// beside is the share of a page's bare answers that the page reaches, and how many of it
// there are in a second.
func (h *history) beside(ctx context.Context, next func() []byte, one []byte) (ratio, rate float64, err error) {
	size, err := h.size(one)
	if err != nil {
		return 0, 0, err
	}
	bare, err := h.bare(ctx, h.many.folder, make([]byte, size))
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()
	var rates []float64
	plain := always(request(bare.address, "/", ""))
	ratio, err = compare(h.rounds(), func() (float64, error) {
		r, err := loop(h.many.address, next, 2, h.turn())
		rates = append(rates, r)
		return r, err
	}, func() (float64, error) { return loop(bare.address, plain, 2, h.turn()) })
	return ratio, median(rates), err
}

// size is how many bytes a page has.
func (h *history) size(one []byte) (int64, error) {
	c, err := dial(h.many.address)
	if err != nil {
		return 0, err
	}
	defer func() { _ = c.Close() }() // everything was read
	_, size, err := c.ask(one)
	return size, err
}

// growth compares the same page over many cases and over few.
func (h *history) growth(ctx context.Context) error {
	pages := []struct {
		name string
		path func(context.Context, *site) (string, error)
		most float64
	}{
		{"first page", fixed("/historico"), 1.10},
		{"deep page", func(ctx context.Context, s *site) (string, error) { return s.deep(ctx) }, 1.10},
		{"queue", fixed("/fila"), 1.10},
		{"one filter", filterBy("unidade", "Centro"), 1.10},
		{"unit, operator and group, common", filterBy("unidade", "Centro", "operadora", "Aroeira Planos", "situacao", "ok"), 1.5},
		{"unit, operator and group, rare", filterBy("unidade", "Hospital Beira-Rio", "operadora", "Vale Sereno", "situacao", "nao"), 1.5},
		{"user, group and period, common", filterBy("usuario", "Ana Prado", "situacao", "ok", "de", "6"), 1.5},
		{"user, group and period, rare", filterBy("usuario", "Édson Farah", "situacao", "sem-resposta", "de", "12"), 1.5},
	}
	for _, p := range pages {
		if err := h.grow(ctx, p.name, p.path, p.most); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

func (h *history) grow(ctx context.Context, name string, path func(context.Context, *site) (string, error), most float64) error {
	var took [2]times
	var requests [2][][]byte
	var rows [2]int
	for i, s := range []*site{h.small, h.many} {
		at, err := path(ctx, s)
		if err != nil {
			return err
		}
		v, err := s.user.get(ctx, at)
		if err != nil {
			return err
		}
		rows[i] = len(cases(v.body))
		for range h.asked() {
			requests[i] = append(requests[i], s.user.request(at))
		}
	}
	ratio, err := compare(h.rounds(), h.p50(h.many, requests[1], &took[1]), h.p50(h.small, requests[0], &took[0]))
	if err != nil {
		return err
	}
	h.table.note("  %s: %d rows at 1k, %d at 1M; p50 %.2f and %.2f ms", name, rows[0], rows[1], took[0].ms(50), took[1].ms(50))
	h.table.add(name+" growth 1k to 1M", ratio, "x", atMost(most))
	return nil
}

// p50 asks for pages one after the other.
func (h *history) p50(s *site, requests [][]byte, all *times) func() (float64, error) {
	return func() (float64, error) {
		took, err := oneByOne(s.address, requests)
		*all = append(*all, took...)
		return took.ms(50), err
	}
}

func fixed(path string) func(context.Context, *site) (string, error) {
	return func(context.Context, *site) (string, error) { return path, nil }
}

// filterBy makes a filter of fields and what is chosen in them, by name; a period begins so
// many days before the last case.
func filterBy(choices ...string) func(context.Context, *site) (string, error) {
	return func(ctx context.Context, s *site) (string, error) { return s.filter(ctx, s.chosen(choices...)) }
}

func (s *site) chosen(choices ...string) url.Values {
	form := url.Values{}
	for i := 0; i+1 < len(choices); i += 2 {
		field, value := choices[i], choices[i+1]
		switch field {
		case "unidade":
			value = s.facts.Units[value]
		case "operadora":
			value = s.facts.Operators[value]
		case "usuario":
			value = s.facts.Senders[value]
		case "de":
			value = s.daysBefore(value)
		}
		form.Set(field, value)
	}
	return form
}

func (s *site) daysBefore(days string) string {
	var n int
	_, _ = fmt.Sscan(days, &n) // a number of ours
	return day(s.facts.Last.AddDate(0, 0, -n))
}

// filtered compares a filtered page, whose look is told to the trail, with an unfiltered
// one, in times of bringing 4 KiB to the same disk.
func (h *history) filtered(ctx context.Context) error {
	disk, err := newDisk(h.many.folder)
	if err != nil {
		return err
	}
	defer disk.close()
	path, err := h.many.filter(ctx, h.many.chosen("unidade", "Centro"))
	if err != nil {
		return err
	}
	var over []float64
	for range h.rounds() {
		sync, err := disk.p50()
		if err != nil {
			return err
		}
		var p50 [2]time.Duration
		for i, at := range []string{path, "/historico"} {
			took, err := oneByOne(h.many.address, repeat(h.many.user.request(at), h.asked()))
			if err != nil {
				return err
			}
			p50[i] = took.at(50)
		}
		over = append(over, float64(p50[0]-p50[1])/float64(sync))
	}
	h.table.add("filtered page over unfiltered", median(over), "fdatasync", atMost(3))
	return nil
}

func repeat(one []byte, n int) (all [][]byte) {
	for range n {
		all = append(all, one)
	}
	return all
}

// bytes are those of lists of 50 rows.
func (h *history) bytes(context.Context) error {
	for _, list := range []struct{ name, path string }{{"list of 50 rows", "/historico"}, {"queue of 50 rows", "/fila"}} {
		for _, kind := range []struct {
			name   string
			header []string
			most   float64
		}{{"plain", nil, 25}, {"compressed", []string{acceptsGzip}, 6}} {
			size, err := h.size(h.many.user.request(list.path, kind.header...))
			if err != nil {
				return err
			}
			h.table.add(list.name+", "+kind.name, float64(size)/1000, "kB", atMost(kind.most))
		}
	}
	return nil
}

// held is what the program held and, when it has folded its log into the database, what a case takes there.
func (h *history) held(context.Context) error {
	if peak := h.many.peak(); peak > 0 {
		h.table.add("memory high-water at 1M", peak, "MiB", atMost(96))
	}
	if h.pocketPeak > 0 {
		h.table.add("memory high-water of PocketBase, of its list alone", h.pocketPeak, "MiB", none)
	}
	if err := h.many.stop(); err != nil {
		return err
	}
	h.many.process = nil
	var bytes int64
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(filepath.Join(h.many.folder, "desk", "guiche.db"+suffix)); err == nil {
			bytes += info.Size()
		}
	}
	h.table.add("database bytes a case, trail included", float64(bytes)/float64(h.many.facts.Cases)/1000, "kB", atMost(2.8))
	return nil
}

// words are searched for: common ones and rare ones.
func (f facts) words(n int) string { return strings.TrimSpace(f.Words[n%len(f.Words)]) }
