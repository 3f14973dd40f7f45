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
	t.Run("Sound", func(t *testing.T) {
		pdf := MustWrite(t, sample(3))
		MustCheck(t, pdf)
		if info := string(MustRun(t, pdf, "pdfinfo", "-")); !strings.Contains(info, "A4") {
			t.Errorf("got %s, want A4", info)
		}
		fonts := strings.Split(strings.TrimSpace(string(MustRun(t, pdf, "pdffonts", "-"))), "\n")[2:]
		for _, f := range fonts {
			if fields := strings.Fields(f); fields[len(fields)-5] != "yes" {
				t.Errorf("got font %q, want it embedded", f)
			}
		}
	})
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
	t.Run("EveryFieldIsNumbered", func(t *testing.T) {
		text := MustPages(t, MustWrite(t, sample(1)))[0]
		for i := 1; i <= 92; i++ {
			label := fmt.Sprintf("%d - ", i)
			if printed := i <= 68 && i != 11 || i >= 89; printed && !strings.Contains(text, label) {
				t.Errorf("got no label %q, want every field of the form", label)
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

func TestWrite_sheetsInOrder(t *testing.T) {
	first, second, third := sample(6), sample(1), sample(1)
	first.Password, second.Password, third.Password = "UM", "DOIS", "TRES"
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

func TestWrite_sameBytes(t *testing.T) {
	want := MustWrite(t, sample(7), sample(1))
	undated := sample(1)
	undated.IssuedAt = authorization.LocalTime{}
	wantUndated := MustWrite(t, undated)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			var got, gotUndated bytes.Buffer
			err := errors.Join(guide.Write(&got, sample(7), sample(1)), guide.Write(&gotUndated, undated))
			if err != nil || !bytes.Equal(got.Bytes(), want) || !bytes.Equal(gotUndated.Bytes(), wantUndated) {
				t.Errorf("got error %v or other bytes, want the same for the same sheets", err)
			}
		})
	}
	wait.Wait()
	if info := string(MustRun(t, want, "pdfinfo", "-isodates", "-")); !strings.Contains(info, "2026-11-20T00:00:00Z") {
		t.Errorf("got %s, want the date of the sheet", info)
	}
}
