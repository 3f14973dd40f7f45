package guide_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/guide"
)

const mark = "SIMULAÇÃO — SEM VALOR"

func TestWrite(t *testing.T) {
	t.Run("EveryFieldIsPrinted", func(t *testing.T) {
		n := 0
		pdf := MustWrite(t, filled(4, func() string { n++; return fmt.Sprintf("Q%02d", n) }))
		text := strings.Join(MustPages(t, pdf), "\n")
		for i := 1; i <= n; i++ {
			if token := fmt.Sprintf("Q%02d", i); !strings.Contains(text, token) {
				t.Errorf("got no %s, want every text of a sheet printed", token)
			}
		}
	})
	t.Run("ErrNoSheets", func(t *testing.T) {
		if err := guide.Write(io.Discard); !errors.Is(err, guide.ErrNoSheets) {
			t.Errorf("got %v, want %v", err, guide.ErrNoSheets)
		}
	})
	t.Run("ErrWriter", func(t *testing.T) {
		r, w := io.Pipe()
		broken := errors.New("broken")
		if err := r.CloseWithError(broken); err != nil {
			t.Fatal(err)
		}
		if err := guide.Write(w, sample(1)); !errors.Is(err, broken) {
			t.Errorf("got %v, want %v", err, broken)
		}
	})
}

func TestWrite_values(t *testing.T) {
	s := sample(1)
	s.Beneficiary.Newborn = true
	text := strings.Join(strings.Fields(MustPages(t, MustWrite(t, s))[0]), " ")
	for _, want := range []string{
		"20/11/2026", "20/12/2026", "31/12/2027", "482017739", "Hormônio tireoestimulante (TSH)", "1 22 40316500",
		"GUIA DE SERVIÇO PROFISSIONAL / SERVIÇO AUXILIAR", "Emitida em 20/11/2026 00:00", "Folha 1 de 1", "Vale Sereno Saúde",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("got %q, want %q in it", text, want)
		}
	}
}

func TestWrite_quantities(t *testing.T) {
	zero, many := 0, 999
	for _, tt := range []struct {
		name       string
		authorized *int
		want       string
	}{
		{"Undecided", nil, "3"}, {"Refused", &zero, "3 0"}, {"Granted", &many, "3 999"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sample(0)
			s.Request.Procedures = []guide.Procedure{{Table: "22", Code: "40316521", Name: "TSH", Requested: 3, Authorized: tt.authorized}}
			for _, line := range strings.Split(MustPages(t, MustWrite(t, s))[0], "\n") {
				if _, after, ok := strings.Cut(line, "TSH"); ok {
					if got := strings.Join(strings.Fields(after), " "); got != tt.want {
						t.Errorf("got quantities %q, want %q", got, tt.want)
					}
				}
			}
		})
	}
}

func TestWrite_pages(t *testing.T) {
	for _, tt := range []struct{ procedures, professionals, want int }{
		{0, 0, 1}, {5, 4, 1}, {6, 0, 2}, {0, 5, 2}, {11, 9, 3}, {100, 0, 20},
	} {
		t.Run(fmt.Sprintf("%d_%d", tt.procedures, tt.professionals), func(t *testing.T) {
			s := sample(tt.procedures)
			for i := range tt.professionals {
				s.Professionals = append(s.Professionals, guide.Professional{Name: fmt.Sprintf("Doutor%03d", i)})
			}
			pages := MustPages(t, MustWrite(t, s))
			if len(pages) != tt.want {
				t.Fatalf("got %d pages, want %d", len(pages), tt.want)
			}
			for i, p := range pages {
				if !strings.Contains(p, fmt.Sprintf("Folha %d de %d", i+1, tt.want)) || !strings.Contains(p, "HELENA DUARTE") {
					t.Errorf("got page %d %q, want its number and the beneficiary", i+1, p)
				}
			}
			for i := range tt.procedures {
				if !strings.Contains(pages[i/5], fmt.Sprint(40316500+i)) {
					t.Errorf("got no procedure %d on page %d", i, i/5+1)
				}
			}
			for i := range tt.professionals {
				if !strings.Contains(pages[i/4], fmt.Sprintf("Doutor%03d", i)) {
					t.Errorf("got no professional %d on page %d", i, i/4+1)
				}
			}
		})
	}
}

// TestWrite_totals: a guide has its totals once, on the last page.
func TestWrite_totals(t *testing.T) {
	for i, page := range MustPages(t, MustWrite(t, sample(11))) {
		want := 7
		if i == 2 {
			want = 0
		}
		if got := strings.Count(page, "na folha 3"); got != want {
			t.Errorf("page %d: got %d totals that name the last page, want %d", i+1, got, want)
		}
	}
}

func TestWrite_sheetsInOrder(t *testing.T) {
	first, second, third := sample(6), sample(1), sample(1)
	first.Senha, second.Senha, third.Senha = "UM", "DOIS", "TRES"
	second.Simulated = true
	pages := MustPages(t, MustWrite(t, first, second, third))
	for i, want := range []string{"UM", "UM", "DOIS", "TRES"} {
		if len(pages) != 4 || !strings.Contains(pages[i], want) {
			t.Fatalf("got %d pages, %q not on page %d", len(pages), want, i+1)
		}
		if got := strings.Contains(pages[i], mark); got != (want == "DOIS") {
			t.Errorf("page %d: got simulated %v, want it on the sheet it belongs to only", i+1, got)
		}
	}
}

func TestWrite_simulated(t *testing.T) {
	s := sample(6)
	s.Simulated = true
	pdf := MustWrite(t, s)
	for i, words := range MustWords(t, pdf) {
		slices.SortFunc(words, func(a, b word) int { return cmp.Compare(a.XMin, b.XMin) })
		across := ""
		for _, w := range words {
			if w.YMax-w.YMin > 50 {
				across += w.Text
			}
		}
		if want := strings.ReplaceAll(mark, " ", ""); across != want {
			t.Errorf("page %d: got %q in large letters, want %q", i+1, across, want)
		}
	}
	clear, marked := MustPages(t, MustWrite(t, sample(6))), MustPages(t, pdf)
	for i := range clear {
		for _, f := range strings.Fields(clear[i]) {
			if !strings.Contains(marked[i], f) {
				t.Errorf("page %d: got no %q under the mark, want nothing hidden", i+1, f)
			}
		}
	}
}

// TestWrite_sameBytes draws at the same time what was drawn alone before.
func TestWrite_sameBytes(t *testing.T) {
	undated, foreign := sample(1), sample(12)
	undated.IssuedAt = authorization.LocalTime{}
	foreign.Operator, foreign.Beneficiary.Name = "Łódź Ωμέγα", "Жанна Ďuriš"
	several := [][]guide.Sheet{{sample(7), sample(1)}, {undated}, {foreign, sample(0)}}
	var want [][]byte
	for _, sheets := range several {
		want = append(want, MustWrite(t, sheets...))
	}
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			var got bytes.Buffer
			err := guide.Write(&got, several[i%3]...)
			if err != nil || !bytes.Equal(got.Bytes(), want[i%3]) {
				t.Errorf("got error %v or other bytes, want the same for the same sheets", err)
			}
		})
	}
	wait.Wait()
}

func TestWrite_about(t *testing.T) {
	one, three := sample(1), []guide.Sheet{sample(1), sample(1), sample(1)}
	for _, tt := range []struct {
		name   string
		sheets []guide.Sheet
		title  string
	}{
		{"One", []guide.Sheet{one}, "Guia SP/SADT 26112014305512300042"},
		{"Several", three, "3 guias SP/SADT"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pdf := MustWrite(t, tt.sheets...)
			about := string(MustRun(t, pdf, "pdfinfo", "-isodates", "-"))
			for _, want := range []string{tt.title, "2026-11-20T00:00:00Z", "Guichê", "A4"} {
				if !strings.Contains(about, want) {
					t.Errorf("got %s, want %q in it", about, want)
				}
			}
			for _, private := range []string{"HELENA", "0310004512063345", "Caio"} {
				if strings.Contains(about, private) {
					t.Errorf("got %s, want nothing private in it", about)
				}
			}
			if !bytes.Contains(pdf, []byte("/Lang (pt-BR)")) {
				t.Error("got no language, want pt-BR, so that it can be read aloud")
			}
		})
	}
}

// TestWrite_sound checks the structure of every kind of guide.
func TestWrite_sound(t *testing.T) {
	newborn, simulated := sample(1), sample(5)
	newborn.Beneficiary.Newborn, simulated.Simulated = true, true
	hundred := slices.Repeat([]guide.Sheet{sample(5)}, 100)
	for name, sheets := range map[string][]guide.Sheet{
		"Ordinary": {sample(5)}, "ThreePages": {sample(11)}, "Several": {sample(1), sample(6), sample(2)}, "Hundred": hundred,
		"Simulated": {simulated}, "Newborn": {newborn}, "Empty": {{}}, "Whole": {whole()},
	} {
		t.Run(name, func(t *testing.T) {
			pdf := MustWrite(t, sheets...)
			MustCheck(t, pdf)
			for _, f := range strings.Split(strings.TrimSpace(string(MustRun(t, pdf, "pdffonts", "-"))), "\n")[2:] {
				if fields := strings.Fields(f); fields[len(fields)-5] != "yes" {
					t.Errorf("got font %q, want it embedded", f)
				}
			}
		})
	}
}
