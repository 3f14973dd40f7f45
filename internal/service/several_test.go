package service_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/blob/files"
	"guiche/internal/password"
	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/service/api"
	"guiche/internal/service/servicetest"
	"guiche/internal/service/simulated"
	"guiche/internal/store/accessstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/servicestore"
	"guiche/migrations"
)

// The environment variables by which a test starts its own binary again, as a process of the service.
const (
	processDatabase = "GUICHE_TEST_PROCESS_DATABASE"
	processFiles    = "GUICHE_TEST_PROCESS_FILES"
	processOperator = "GUICHE_TEST_PROCESS_OPERATOR"
	processNumber   = "GUICHE_TEST_PROCESS_NUMBER"
)

// busyWait is how long an equal request waits for the answer of the first there.
const busyWait = 2 * time.Second

// distant is an operator that a test keeps outside of its processes: it answers when the test says so.
type distant struct {
	service.Operator
	address, process string
}

func (d distant) ask(ctx context.Context, path string, r service.OperatorRequest) (service.Decision, error) {
	q := url.Values{"id": {r.ID.String()}, "guide": {r.Request.ProviderGuide}, "process": {d.process}}
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, d.address+path+"?"+q.Encode(), nil)
	if err != nil {
		return service.Decision{}, err
	}
	res, err := http.DefaultClient.Do(asked)
	if err != nil {
		return service.Decision{}, err
	}
	if err := res.Body.Close(); err != nil || res.StatusCode != http.StatusOK {
		return service.Decision{}, service.ErrNotKnown
	}
	return d.Operator.LookUp(ctx, r)
}

func (d distant) Authorize(ctx context.Context, r service.OperatorRequest) (service.Decision, error) {
	return d.ask(ctx, "/authorize", r)
}

func (d distant) LookUp(ctx context.Context, r service.OperatorRequest) (service.Decision, error) {
	return d.ask(ctx, "/lookup", r)
}

// Cancel implements service.Canceller.
func (d distant) Cancel(ctx context.Context, at service.OpenAuthorization, _ string) (service.Update, error) {
	_, err := d.ask(ctx, "/cancel", at.OperatorRequest)
	return service.Update{}, err
}

// openShared opens the database of several processes.
func openShared(t *testing.T, url string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgres.Options{URL: url, Schema: "service", Migrations: migrations.PostgresService})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestServiceProcess is what the started binary does; by itself it does nothing.
func TestServiceProcess(t *testing.T) {
	url := os.Getenv(processDatabase)
	if url == "" {
		return
	}
	db := openShared(t, url)
	blobs, err := files.Open(files.Options{Dir: os.Getenv(processFiles)})
	if err != nil {
		t.Fatal(err)
	}
	operator := distant{simulated.New(simulated.Config{}), os.Getenv(processOperator), os.Getenv(processNumber)}
	s := service.New(service.Config{Store: servicestore.New(db), Blobs: blobs, Shared: db.Shared(), Zone: zone,
		Operators: map[string]service.Operator{"simulada": operator}, Limits: service.Limits{BusyWait: busyWait}})
	hasher := password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1})
	control := access.New(access.Config{Store: accessstore.New(db), Hasher: hasher})
	server := httptest.NewServer(api.New(api.Config{Service: s, Access: control, Blobs: blobs}).Handler())
	_, _ = fmt.Fprintln(os.Stdout, "listening", server.URL)
	_, _ = io.Copy(io.Discard, os.Stdin) // until its parent ends
	server.Close()
	_ = s.Close(t.Context())
}

// several are processes of the service on one database, and the operator beside them.
type several struct {
	t         *testing.T
	database  string
	files     string
	key       string
	addresses [2]string
	running   [2]*exec.Cmd
	operator  *httptest.Server

	mu       sync.Mutex
	asked    map[string]int // by request
	decided  map[string]bool
	lookedUp int
	hold     func(process string) // what the operator does before it decides
}

func mustSeveral(t *testing.T) *several {
	t.Helper()
	s := &several{t: t, database: postgrestest.Database(t), files: t.TempDir(), hold: func(string) {},
		asked: map[string]int{}, decided: map[string]bool{}}
	s.fill()
	s.operator = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.operator.Close)
	for n := range s.running {
		s.start(n)
	}
	return s
}

// fill gives the database a partner and what its requests name.
func (s *several) fill() {
	db := openShared(s.t, s.database)
	accesses, ledger := accessstore.New(db), servicestore.New(db)
	a := admin.New(admin.Config{Directory: ledger, Ledger: ledger, Access: accesses})
	must := func(err error) {
		if err != nil {
			s.t.Fatal(err)
		}
	}
	must(a.EnsureProfile(s.t.Context(), access.DeskProfile()))
	must(a.PutCredential(s.t.Context(), servicetest.Credentials()[0]))
	must(a.PutUnit(s.t.Context(), service.Unit{ID: unitID, Name: "Centro",
		Points: []service.CarePoint{{ID: pointID, Name: "Recepção"}}}))
	must(a.PutProfessional(s.t.Context(), service.Professional{ID: professionalID, Name: "Ana Beatriz Moura", Council: "CRM",
		Number: "88123", State: "SP", Specialties: []service.Specialty{{ID: specialtyID, Name: "Cardiologia", CBO: "225120"}}}))
	var err error
	s.key, err = a.MintKey(s.t.Context(), access.DeskProfile().ID, time.Hour)
	must(err)
}

// answer is the operator: it has decided once it was asked, whatever becomes of who asked, and knows
// nothing of a request before.
func (s *several) answer(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	s.mu.Lock()
	hold := s.hold
	if r.URL.Path == "/lookup" {
		s.lookedUp++
		if !s.decided[id] {
			w.WriteHeader(http.StatusNotFound)
		}
		s.mu.Unlock()
		return
	}
	s.asked[r.URL.Path+id]++
	s.mu.Unlock()
	hold(r.FormValue("process"))
	s.mu.Lock()
	s.decided[id] = true
	s.mu.Unlock()
}

// start starts a process, which ends with the test.
func (s *several) start(n int) {
	s.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestServiceProcess$") // it ends with its input
	cmd.Env = append(os.Environ(), processDatabase+"="+s.database, processFiles+"="+s.files, processOperator+"="+s.operator.URL,
		processNumber+"="+fmt.Sprint(n))
	input, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.running[n] = cmd
	s.t.Cleanup(func() { _ = input.Close(); _ = cmd.Wait() })
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if address, ok := strings.CutPrefix(lines.Text(), "listening "); ok {
			s.addresses[n] = address
			return
		}
	}
	s.t.Fatal("a process does not start")
}

// post asks a process for an authorization; one that is killed meanwhile answers nothing.
func (s *several) post(n int, path, text string, header http.Header) (status int, replayed bool, answer string) {
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.addresses[n]+path, strings.NewReader(text))
	if err != nil {
		s.t.Error(err)
		return 0, false, ""
	}
	r.Header = header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	r.Header.Set("X-Api-Key", s.key)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, false, ""
	}
	content, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil {
		return 0, false, ""
	}
	return res.StatusCode, res.Header.Get("Idempotency-Replayed") == "true", string(content)
}

// postBoth sends the same to both processes at once.
func (s *several) postBoth(path, text string, header http.Header) (statuses [2]int, replayed [2]bool, answers [2]string) {
	var both sync.WaitGroup
	for n := range s.running {
		both.Go(func() { statuses[n], replayed[n], answers[n] = s.post(n, path, text, header) })
	}
	both.Wait()
	return statuses, replayed, answers
}

// equal are two ways in which requests are equal (row 11).
func equal(round int) map[string]struct {
	text   string
	header http.Header
} {
	number := fmt.Sprint("r", round)
	return map[string]struct {
		text   string
		header http.Header
	}{
		"key":   {body(nil), key(number)},
		"guide": {body(map[string]any{"guiaPrestador": number}), nil},
	}
}

// checkAskedOnce: each of so many requests was asked once, and is one record.
func (s *several) checkAskedOnce(requests int) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for what, times := range s.asked {
		if times != 1 {
			s.t.Errorf("%s: asked %d times", what, times)
		}
	}
	if len(s.asked) != requests {
		s.t.Errorf("asked for %d requests, want %d", len(s.asked), requests)
	}
	if n := countRequests(s.t, s.database); n != requests {
		s.t.Errorf("got %d records, want %d", n, requests)
	}
}

// TestService_EqualRequestsAtTwoProcesses: the same request at two processes at once is one record, asked
// once, with one answer for both.
func TestService_EqualRequestsAtTwoProcesses(t *testing.T) {
	t.Parallel()
	const rounds = 25
	s := mustSeveral(t)
	s.hold = func(string) { <-time.After(50 * time.Millisecond) } // a silent operator
	for round := range rounds {
		for name, e := range equal(round) {
			statuses, replayed, answers := s.postBoth(authorizePath, e.text, e.header)
			if statuses != [2]int{200, 200} || answers[0] != answers[1] || replayed[0] == replayed[1] {
				t.Fatalf("round %d by %s: got %v, replayed %v: %.300s", round, name, statuses, replayed, answers)
			}
		}
	}
	s.checkAskedOnce(2 * rounds)
	if s.lookedUp > 0 {
		t.Errorf("looked up %d times what was being asked", s.lookedUp)
	}
}

// TestService_EqualRequestsAtTwoProcesses_Killed: one of the two is killed while the operator decides. The
// other gives the operator's answer, once, and so does the killed one after its next start.
func TestService_EqualRequestsAtTwoProcesses_Killed(t *testing.T) {
	t.Parallel()
	s := mustSeveral(t)
	for name, e := range equal(0) {
		killed := make(chan int, 1)
		s.mu.Lock()
		s.hold = func(process string) {
			n := int(process[0] - '0')
			if err := s.running[n].Process.Kill(); err != nil {
				t.Error(err)
			}
			killed <- n
		}
		s.mu.Unlock()
		statuses, _, answers := s.postBoth(authorizePath, e.text, e.header)
		dead := <-killed
		left := 1 - dead
		if statuses[dead] != 0 || statuses[left] != http.StatusOK {
			t.Fatalf("%s: got %v, %d was killed: %.300s", name, statuses, dead, answers[left])
		}
		s.start(dead)
		status, replayed, again := s.post(dead, authorizePath, e.text, e.header)
		if status != http.StatusOK || !replayed || again != answers[left] {
			t.Errorf("%s: again %d, replayed %t, equal %t", name, status, replayed, again == answers[left])
		}
	}
	s.checkAskedOnce(2)
}

func countRequests(t *testing.T, database string) (n int) {
	t.Helper()
	db := openShared(t, database)
	err := db.Read(t.Context(), func(tx *engine.Tx) error { return tx.QueryRow(t.Context(), `SELECT COUNT(*) FROM request`).Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestService_EqualActionsAtTwoProcesses: the same action at two processes at once is told once, and both
// get what it led to.
func TestService_EqualActionsAtTwoProcesses(t *testing.T) {
	t.Parallel()
	s := mustSeveral(t)
	s.hold = func(string) { <-time.After(50 * time.Millisecond) }
	for round := range 10 {
		_, _, answer := s.post(round%2, authorizePath, body(nil), nil)
		id := regexp.MustCompile(`"guiaId":"([^"]+)"`).FindStringSubmatch(answer)
		if id == nil {
			t.Fatalf("no authorization: %.300s", answer)
		}
		statuses, replayed, answers := s.postBoth(guidePath(id[1])+"/cancelamento", `{"motivo":"desistiu"}`, key(fmt.Sprint("c", round)))
		if statuses != [2]int{200, 200} || answers[0] != answers[1] || replayed[0] == replayed[1] {
			t.Fatalf("round %d: got %v, replayed %v: %.300s", round, statuses, replayed, answers)
		}
	}
	for what, times := range s.asked {
		if times != 1 {
			t.Errorf("%s: asked %d times", what, times)
		}
	}
}
