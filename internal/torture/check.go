package torture

import (
	"fmt"
	"slices"
	"time"
)

// Findings are what the three records say when they are laid side by side. Each list
// holds a sentence for every case.
type Findings struct {
	Forms     int // with which "Enviar" was pressed
	Confirmed int // of them, told to the clerk
	Acted     int // of them, acted on by the service
	Screens   int
	Asked     int // requests of partners
	Followed  int // pages of a case sent by one process that another one told of what came
	Unknown   int // stand as unknown at the end
	Copied    int // likewise, of those that a copy that was restored may hold: people end them

	Lost       []string // confirmed and not there, or there and never sent
	Duplicated []string // acted on twice, or two cases of one form
	Unflagged  []string // acted on, and the screen says another thing than that or a doubt
	Stuck      []string // still to be sent or on the wire
	False      []string // a screen told of an answer that the service had not given
}

// Wrong reports whether there is anything that must not be.
func (f Findings) Wrong() bool {
	return len(f.Lost)+len(f.Duplicated)+len(f.Unflagged)+len(f.Stuck)+len(f.False) > 0
}

// Labels of the pages.
var (
	answerLabels = map[string]string{
		"A": "Autorizado", "N": "Negado", "R": "Em análise", "Z": "Autorizado em parte", "S": "Falta anexo",
		"Ç": "Inconsistência na operadora",
	}
	pendingLabels = []string{"Na fila de envio", "Envio suspenso", "Enviando…", "Conferindo com o serviço"}
	doubtLabels   = []string{"Enviado sem resposta", "Pode ter sido enviado", "Resposta não entendida",
		"Não chegou ao serviço", "Número já usado", "Resposta contraditória"}
	refusedLabels = []string{"Não aceito", "Não saiu a tempo"}
)

func isPending(label string) bool { return slices.Contains(pendingLabels, label) }
func isDoubt(label string) bool   { return slices.Contains(doubtLabels, label) }

// isAnswer reports whether a label is an operator's word.
func isAnswer(label string) bool {
	return label != "" && label != missing && !isPending(label) && !isDoubt(label) && !slices.Contains(refusedLabels, label)
}

// missing is the label of a page that is not there.
const missing = "404"

// story is all that is known about one form.
type story struct {
	card      string
	confirmed bool
	gone      bool
	restored  bool // the copy that was restored since need not have it
	cases     []string
	acted     []Line
	end       string // label of the last look
	listed    string // label in the last list
	inDoubts  bool   // in the last list of doubts
}

// Records are the three records as they were made, and what partners were told.
type Records struct {
	Forms   []Form
	Screens []Screen
	Lines   []Line
	Told    []Told
}

// ReadRecords reads the records of a folder.
func ReadRecords(folder string) (r Records, err error) {
	if err = readJournal(folder, formsFile, func(f Form) { r.Forms = append(r.Forms, f) }); err != nil {
		return r, err
	}
	if err = readJournal(folder, screensFile, func(s Screen) { r.Screens = append(r.Screens, s) }); err != nil {
		return r, err
	}
	if err = readJournal(folder, toldFile, func(t Told) { r.Told = append(r.Told, t) }); err != nil {
		return r, err
	}
	err = readJournal(folder, ledgerFile, func(l Line) {
		if l.Event == "acted" {
			r.Lines = append(r.Lines, l)
		}
	})
	return r, err
}

// Check compares the records.
func (r Records) Check() Findings {
	stories, byCase := r.stories()
	f := Findings{Screens: len(r.Screens)}
	for _, s := range r.Screens {
		f.look(s, byCase[s.Case])
	}
	for _, form := range r.Forms {
		if s := stories[form.Card]; s != nil {
			f.judge(s)
			delete(stories, form.Card)
		}
	}
	f.sameGuide(r.Lines)
	f.checkPartners(r.Told)
	for card := range stories {
		f.Lost = append(f.Lost, "card "+card+": the service acted on a request that no clerk sent")
	}
	return f
}

// sameGuide finds numbers that two requests had.
func (f *Findings) sameGuide(lines []Line) {
	cards := map[string]string{} // by number
	for _, l := range lines {
		if other, ok := cards[l.Guide]; ok && other != l.Card && l.Guide != "" {
			f.Duplicated = append(f.Duplicated, fmt.Sprintf("cards %s and %s: both have the guiaPrestador %s", other, l.Card, l.Guide))
		}
		cards[l.Guide] = l.Card
	}
}

// stories gathers the records by form, and the forms by case.
func (r Records) stories() (stories, byCase map[string]*story) {
	stories, byCase = map[string]*story{}, map[string]*story{}
	of := func(card string) *story {
		if stories[card] == nil {
			stories[card] = &story{card: card}
		}
		return stories[card]
	}
	for _, f := range r.Forms {
		s := of(f.Card)
		s.confirmed = s.confirmed || f.Act == Confirmed
		s.gone = s.gone || f.Act == Gone
		s.restored = s.restored || f.Act == Restored
		if f.Case != "" && !slices.Contains(s.cases, f.Case) {
			s.cases = append(s.cases, f.Case)
		}
		if f.Case != "" {
			byCase[f.Case] = s
		}
	}
	for _, l := range r.Lines {
		s := of(l.Card)
		s.acted = append(s.acted, l)
	}
	return stories, byCase
}

// look judges one screen: what it says of an answer must have happened before.
func (f *Findings) look(seen Screen, s *story) {
	if s == nil {
		f.False = append(f.False, fmt.Sprintf("%s: %q on a screen, and no form led to it", seen.Case, seen.Label))
		return
	}
	switch seen.Where {
	case AtEnd:
		s.end = seen.Label
	case ByEnd:
		s.listed = seen.Label
	case Doubts:
		s.inDoubts = true
	}
	if isAnswer(seen.Label) && !s.said(seen) {
		f.False = append(f.False, fmt.Sprintf("card %s: %q with senha %q at %s, and the ledger has %s", s.card, seen.Label, seen.Senha,
			seen.At.Round(time.Millisecond), s.ledger()))
	}
}

// said reports whether the service had decided so before the screen was there.
func (s *story) said(seen Screen) bool {
	return slices.ContainsFunc(s.acted, func(l Line) bool {
		return l.At <= seen.At && answerLabels[l.Status] == seen.Label && (seen.Senha == "" || seen.Senha == l.Senha)
	})
}

// ledger tells what the service did.
func (s *story) ledger() string {
	if len(s.acted) == 0 {
		return "nothing"
	}
	text := ""
	for _, l := range s.acted {
		text += fmt.Sprintf("[%s senha %s at %s key %q guide %s] ", l.Status, l.Senha, l.At.Round(time.Millisecond), l.Key, l.Guide)
	}
	return text
}

// judge judges how a form ended.
func (f *Findings) judge(s *story) {
	f.Forms++
	if s.confirmed {
		f.Confirmed++
	}
	if len(s.acted) > 0 {
		f.Acted++
	}
	switch {
	case !isDoubt(s.end):
	case s.restored:
		f.Copied++
	default:
		f.Unknown++
	}
	if len(s.acted) > 1 || len(s.cases) > 1 {
		f.Duplicated = append(f.Duplicated, fmt.Sprintf("card %s: cases %q, the ledger has %s", s.card, s.cases, s.ledger()))
	}
	switch {
	case s.restored && (s.end == missing || s.end == ""):
	case s.lost() != "":
		f.Lost = append(f.Lost, fmt.Sprintf("card %s: %s; the ledger has %s", s.card, s.lost(), s.ledger()))
	case isPending(s.end):
		f.Stuck = append(f.Stuck, fmt.Sprintf("card %s: %q at the end; the ledger has %s", s.card, s.end, s.ledger()))
	case s.unflagged() != "":
		f.Unflagged = append(f.Unflagged, fmt.Sprintf("card %s: %s; the ledger has %s", s.card, s.unflagged(), s.ledger()))
	}
}

// lost says what is missing, "" when nothing is.
func (s *story) lost() string {
	switch {
	case s.gone:
		return "what was saved is gone"
	case len(s.cases) == 0 && (s.confirmed || len(s.acted) > 0):
		return "there is no case"
	case len(s.cases) > 0 && (s.end == missing || s.end == ""):
		return "the case is not there at the end"
	case len(s.cases) > 0 && s.listed == "":
		return "the case is in no list at the end"
	}
	return ""
}

// unflagged says what hides a doubt, "" when nothing does.
func (s *story) unflagged() string {
	switch {
	case len(s.cases) == 0:
		return ""
	case s.listed != s.end && !isPending(s.listed):
		return fmt.Sprintf("the list says %q and the case %q", s.listed, s.end)
	case isDoubt(s.end) && !s.inDoubts:
		return "a doubt is not in the list of doubts"
	case len(s.acted) > 0 && !isDoubt(s.end) && answerLabels[s.acted[0].Status] != s.end:
		return fmt.Sprintf("the case says %q", s.end)
	}
	return ""
}
