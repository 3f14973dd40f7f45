package e2e_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"regexp"
	"sync"
	"testing"

	"guiche/internal/apptest"
)

// BenchmarkUploads attaches large files at once, each to a draft of its own: photos of
// 48 million pixels that have to be turned, and PDFs of 14 MiB that run a script, of
// which a copy is made. It tells by how many MiB the program grows, which runs as a
// process of its own, and how long a page takes that somebody opens meanwhile.
func BenchmarkUploads(b *testing.B) {
	for _, files := range []struct {
		name, file string
		count      int
		content    func(b *testing.B) []byte
	}{
		{"Photos", "foto.jpg", 8, sidewaysPhoto},
		{"PDFs", "laudo.pdf", 30, func(*testing.B) []byte { return apptest.LargeActivePDF(14 << 20) }},
	} {
		b.Run(files.name, func(b *testing.B) {
			content := files.content(b)
			for b.Loop() {
				p := startProcess(b)
				client := p.logIn()
				client.Timeout = 0 // they wait for each other
				visit := p.visitor()
				quiet := visit(visits)
				before := p.restingMemory()
				done := p.uploadAll(client, files.file, content, files.count)
				var busy times
				for more := true; more; {
					busy = append(busy, visit(10)...)
					select {
					case <-done:
						more = false
					default:
					}
				}
				b.ReportMetric(p.memory("VmHWM")-before, "grown-MiB")
				b.ReportMetric(busy.ms(99)/quiet.ms(99), "p99-times")
				b.ReportMetric(busy.ms(50)/quiet.ms(50), "p50-times")
				b.ReportMetric(busy.ms(99), "p99-ms")
				b.ReportMetric(float64(len(busy)), "visits")
				p.stop()
			}
			b.ReportMetric(0, "ns/op") // a round is no operation
		})
	}
}

// sidewaysPhoto is a photo as phones store it that are held sideways, with a camera's
// noise.
func sidewaysPhoto(b *testing.B) []byte {
	b.Helper()
	m := image.NewYCbCr(image.Rect(0, 0, 8000, 6000), image.YCbCrSubsampleRatio420)
	noise := rand.New(rand.NewPCG(1, 1))
	for i := range m.Y {
		m.Y[i] = byte(120 + noise.IntN(12))
	}
	var coded bytes.Buffer
	if err := jpeg.Encode(&coded, m, nil); err != nil {
		b.Fatal(err)
	}
	return apptest.Sideways(coded.Bytes())
}

var draftOfForm = regexp.MustCompile(`/nova/[0-9a-f-]{36}`)

// uploadAll attaches a file many times at once; the channel is closed when all are kept.
func (p *process) uploadAll(client *http.Client, name string, content []byte, count int) <-chan struct{} {
	var all sync.WaitGroup
	for range count {
		all.Go(func() {
			if err := p.upload(client, name, content); err != nil {
				p.b.Error(err)
			}
		})
	}
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	return done
}

// upload attaches a file to a new draft.
func (p *process) upload(client *http.Client, name string, content []byte) error {
	res, err := client.Get("http://" + p.address + "/nova")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	form, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	body, contentType := oneFile(name, content)
	req, err := http.NewRequest(http.MethodPost, "http://"+p.address+draftOfForm.FindString(string(form))+"/anexos", body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("HX-Request", "true")
	answer, err := client.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("attach %s: %d, %w: %s", name, answer.StatusCode, err, text)
	}
	return nil
}

// oneFile is a form with one file.
func oneFile(name string, content []byte) (body io.Reader, contentType string) {
	var head bytes.Buffer
	form := multipart.NewWriter(&head)
	if _, err := form.CreateFormFile("arquivo", name); err != nil {
		panic(err) // a buffer takes everything
	}
	end := "\r\n--" + form.Boundary() + "--\r\n"
	return io.MultiReader(&head, bytes.NewReader(content), bytes.NewReader([]byte(end))), form.FormDataContentType()
}
