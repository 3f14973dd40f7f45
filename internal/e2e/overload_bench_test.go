package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// BenchmarkOverload holds connections to the program, which runs as a process of its
// own: bodies of people who are not logged in, bodies that come a byte at a time, and
// biometric captures of a partner. It tells by how many MiB the process grows, and by
// how many times the 99th percentile of a page that somebody else opens meanwhile.
func BenchmarkOverload(b *testing.B) {
	for _, attack := range []struct {
		name  string
		count int
		hold  func(p *process, i int) []byte // what one connection sends before it falls silent
		drip  bool                           // it goes on, a byte at a time
	}{
		{name: "Bodies", count: 500, hold: (*process).loginBody},
		{name: "Slow", count: 1000, hold: (*process).slowBody, drip: true},
		{name: "Captures", count: 100, hold: (*process).captureBody},
	} {
		b.Run(attack.name, func(b *testing.B) {
			for b.Loop() {
				p := startProcess(b)
				visit := p.visitor()
				quiet := visit(visits)
				before := p.restingMemory()
				stop := p.attack(attack.count, attack.hold, attack.drip)
				busy := visit(visits)
				stop()
				b.ReportMetric(p.memory("VmHWM")-before, "grown-MiB")
				b.ReportMetric(busy.ms(99)/quiet.ms(99), "p99-times")
				b.ReportMetric(busy.ms(50)/quiet.ms(50), "p50-times")
				b.ReportMetric(busy.ms(99), "p99-ms")
				p.stop()
			}
			b.ReportMetric(0, "ns/op") // a round is no operation
		})
	}
}

// visits are many enough for the machine's own hiccups to be beyond the 99th percentile.
const visits = 2000

// process is the demo as a process of its own.
type process struct {
	b       *testing.B
	command *exec.Cmd
	address string // host:port
	guide   sync.Once
	guideID string
	access  struct {
		APIKey string `json:"api_key"`
		Logins []struct{ User, Password string }
	}
}

// startProcess builds the program and starts the demo in a folder of its own.
func startProcess(b *testing.B) *process {
	b.Helper()
	folder := b.TempDir()
	binary := filepath.Join(folder, "guiche")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "guiche/cmd/guiche").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	p := &process{b: b}
	data := filepath.Join(folder, "data")
	p.command = exec.Command(binary, "demo", "-addr", "127.0.0.1:0", "-data", data)
	out, err := p.command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.stop)
	lines := bufio.NewReader(out)
	for p.address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			b.Fatalf("the program ended before it named its address: %v", err)
		}
		_, p.address, _ = strings.Cut(strings.TrimSpace(line), "http://")
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	p.readAccess(filepath.Join(data, "demo.json"))
	return p
}

// readAccess waits for demo.json, which is written once the address answers.
func (p *process) readAccess(path string) {
	p.b.Helper()
	apptest.Eventually(p.b, "demo.json", func() bool {
		text, err := os.ReadFile(path)
		return err == nil && json.Unmarshal(text, &p.access) == nil
	})
}

func (p *process) stop() {
	if p.command.ProcessState != nil {
		return
	}
	_ = p.command.Process.Kill()
	_ = p.command.Wait()
}

// restingMemory is what the process holds now; its peak counts from here on.
func (p *process) restingMemory() float64 {
	p.b.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.command.Process.Pid), []byte("5"), 0); err != nil {
		p.b.Fatal(err)
	}
	return p.memory("VmRSS")
}

// memory reads a line of /proc/PID/status in MiB.
func (p *process) memory(name string) float64 {
	p.b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		p.b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), name+":")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		p.b.Fatal(err)
	}
	return float64(kib) / 1024
}

// logIn returns somebody who is logged in.
func (p *process) logIn() *http.Client {
	p.b.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.b.Fatal(err)
	}
	visitor := &http.Client{Jar: jar, Timeout: time.Minute}
	login := p.access.Logins[0]
	res, err := visitor.PostForm("http://"+p.address+"/entrar", url.Values{"usuario": {login.User}, "senha": {login.Password}})
	if err != nil {
		p.b.Fatal(err)
	}
	_ = res.Body.Close()
	return visitor
}

// visitor logs in and returns what opens the queue many times, on connections that stay.
func (p *process) visitor() func(int) times {
	p.b.Helper()
	visitor := p.logIn()
	return func(count int) (taken times) {
		for range count {
			taken.take(func() { p.open(visitor, "/fila") })
		}
		return taken
	}
}

func (p *process) open(visitor *http.Client, path string) {
	res, err := visitor.Get("http://" + p.address + path)
	if err != nil {
		p.b.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK || res.Request.URL.Path != path {
		p.b.Fatalf("%s: %d, %v", res.Request.URL, res.StatusCode, err)
	}
}

// attack opens connections, sends on each what hold returns, and keeps it. It returns
// once the last byte that the program takes was sent, and what ends it.
func (p *process) attack(count int, hold func(*process, int) []byte, drip bool) (stop func()) {
	var sending, all sync.WaitGroup
	end := make(chan struct{})
	for i := range count {
		sending.Add(1)
		all.Go(func() {
			begun := sync.OnceFunc(sending.Done)
			defer begun()
			conn, err := net.Dial("tcp", p.address)
			if err != nil {
				return // refused: what the program may do
			}
			defer func() { _ = conn.Close() }()
			_ = conn.SetWriteDeadline(time.Now().Add(3 * time.Second))
			_, _ = conn.Write(hold(p, i))
			begun()
			p.keep(conn, end, drip)
		})
	}
	sending.Wait()
	return func() {
		close(end)
		all.Wait()
	}
}

// keep holds a connection until the end, with a byte now and then if it drips.
func (p *process) keep(conn net.Conn, end <-chan struct{}, drip bool) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-end:
			return
		case <-tick.C:
			if drip {
				_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
				_, _ = conn.Write([]byte("x"))
			}
		}
	}
}

func (p *process) request(path, header string, length int, body []byte) []byte {
	return append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %d\r\n\r\n", path, p.address, header, length), body...)
}

const formHeader = "Content-Type: application/x-www-form-urlencoded\r\n"

// loginBody is a login whose last byte is missing: of 4 MB, and of 60 kB.
func (p *process) loginBody(i int) []byte {
	size := []int{4 << 20, 60 << 10}[i%2]
	body := append([]byte("usuario=recepcao&senha="), bytes.Repeat([]byte("a"), size)...)[:size]
	return p.request("/entrar", formHeader, size, body[:size-1])
}

// slowBody is the beginning of a login, at the desk and at the service.
func (p *process) slowBody(i int) []byte {
	if i%2 == 0 {
		return p.request("/api/v1/auth/login", "Content-Type: application/json\r\n", 4000, []byte(`{"usuario":"`))
	}
	return p.request("/entrar", formHeader, 4000, []byte("usuario="))
}

// captureBody is a partner's biometric capture of almost 8 MiB, without its end.
func (p *process) captureBody(int) []byte {
	const size = 8<<20 - 100
	body := append([]byte(`{"biometrias":[{"tipo":"facial","conteudo":"`), bytes.Repeat([]byte("QUJD"), size/4)...)[:size-3]
	return p.request("/api/v2/autorizacoes/"+p.authorization()+"/biometria",
		"Content-Type: application/json\r\nx-api-key: "+p.access.APIKey+"\r\n", size, body)
}

// authorization asks for one of a card whose beneficiary has to show a finger, once.
func (p *process) authorization() string {
	p.guide.Do(func() {
		const body = `{"credencialId": "4b7abb0e-90b2-5d46-9fe7-d18212f17b0c", "numeroCarteira": "99993000001",
			"nomeBeneficiario": "HELENA DUARTE",
			"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
			"unidadeId": "9c74aad8-aff4-5166-b8a0-621f32468100", "pontoAtendimentoId": "6c83950a-b6a1-5456-b388-5d4e8fb85f79",
			"profissionalExecutanteId": "2281c10f-88ef-5715-8c0a-c28b41ffc08d", "especialidadeExecutanteId": 2,
			"procedimentos": [{"codigoProcedimento": "40316521", "nomeProcedimento": "TSH", "quantidade": 1}]}`
		req, err := http.NewRequest(http.MethodPost, "http://"+p.address+"/api/v2/autorizar/sp-sadt", strings.NewReader(body))
		if err != nil {
			p.b.Error(err)
			return
		}
		req.Header = http.Header{"X-Api-Key": {p.access.APIKey}, "Content-Type": {"application/json"}}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			p.b.Error(err)
			return
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		found := regexp.MustCompile(`"guiaId":"([^"]+)"`).FindSubmatch(text)
		if err != nil || found == nil {
			p.b.Errorf("no authorization: %d %s %v", res.StatusCode, text, err)
			return
		}
		p.guideID = string(found[1])
	})
	return p.guideID
}
