package torture_test

import (
	"testing"
	"time"

	"guiche/internal/torture"
	"guiche/web/component"
)

const (
	card = "00000011000001"
	path = "/casos/01a20306-e0cc-76e9-a666-aa4745925b2a"
)

// told are the records of a form that was confirmed, acted on and shown.
func told(label, senha string, acted ...torture.Line) torture.Records {
	at := 10 * time.Second
	return torture.Records{
		Forms: []torture.Form{{Act: torture.Pressed, Card: card}, {Act: torture.Confirmed, Card: card, Case: path}},
		Screens: []torture.Screen{
			{At: at, Where: torture.AtEnd, Case: path, Label: label, Senha: senha}, {At: at, Where: torture.ByEnd, Case: path, Label: label},
		},
		Lines: acted,
	}
}

// doubted adds the case to the last list of doubts.
func doubted(r torture.Records) torture.Records {
	r.Screens = append(r.Screens, torture.Screen{Where: torture.Doubts, Case: path, Label: r.Screens[0].Label})
	return r
}

// acted is a line of the ledger.
func acted(status, senha string) torture.Line {
	return torture.Line{At: 5 * time.Second, Event: "acted", Card: card, Status: status, Senha: senha}
}

// without takes the screens of a place away.
func without(r torture.Records, where string) torture.Records {
	var left []torture.Screen
	for _, s := range r.Screens {
		if s.Where != where {
			left = append(left, s)
		}
	}
	r.Screens = left
	return r
}

// listed has the list say something else.
func listed(r torture.Records, label string) torture.Records {
	r.Screens[1].Label = label
	return r
}

// again looks at the case once more.
func again(r torture.Records, label string) torture.Records {
	r.Screens = append(r.Screens, torture.Screen{At: 11 * time.Second, Where: torture.AtEnd, Case: path, Label: label})
	return r
}

// withForm adds what a clerk did or learned.
func withForm(r torture.Records, act torture.Act, to string) torture.Records {
	r.Forms = append(r.Forms, torture.Form{Act: act, Card: card, Case: to})
	return r
}

// TestRecords_Check holds which records are a broken promise, and which one.
func TestRecords_Check(t *testing.T) {
	late := acted("A", "S1")
	late.At = 20 * time.Second
	stranger := acted("A", "S1")
	stranger.Card = "00000011000002"
	for name, tt := range map[string]struct {
		records torture.Records
		want    string
	}{
		"Answered":         {told("Autorizado", "S1", acted("A", "S1")), ""},
		"Denied":           {told("Negado", "S1", acted("N", "S1")), ""},
		"Doubt":            {doubted(told("Enviado sem resposta", "", acted("A", "S1"))), ""},
		"DoubtNeverSent":   {doubted(told("Enviado sem resposta", "")), ""},
		"Refused":          {told("Não aceito", ""), ""},
		"Abandoned":        {torture.Records{Forms: []torture.Form{{Act: torture.Pressed, Card: card}}}, ""},
		"NoPage":           {told("404", "", acted("A", "S1")), "lost"},
		"NotSeen":          {without(told("Autorizado", "S1", acted("A", "S1")), torture.AtEnd), "lost"},
		"NotListed":        {without(told("Autorizado", "S1", acted("A", "S1")), torture.ByEnd), "lost"},
		"DraftGone":        {withForm(told("Autorizado", "S1", acted("A", "S1")), torture.Gone, ""), "lost"},
		"ActedWithoutCase": {torture.Records{Forms: []torture.Form{{Act: torture.Pressed, Card: card}}, Lines: []torture.Line{late}}, "lost"},
		"OfNobody":         {torture.Records{Lines: []torture.Line{stranger}}, "lost"},
		"Twice":            {told("Autorizado", "S1", acted("A", "S1"), acted("A", "S2")), "duplicated"},
		"TwoCases":         {withForm(told("Autorizado", "S1", acted("A", "S1")), torture.Found, path+"0"), "duplicated"},
		"SameNumber":       {sameNumber(told("Autorizado", "S1", acted("A", "S1"))), "lost duplicated"},
		"RestoredWithout":  {withForm(told("404", "", acted("A", "S1")), torture.Restored, path), ""},
		"RestoredTwice":    {withForm(told("404", "", acted("A", "S1"), acted("A", "S2")), torture.Restored, path), "duplicated"},
		"HiddenRefusal":    {told("Não aceito", "", acted("A", "S1")), "unflagged"},
		"HiddenDoubt":      {told("Enviado sem resposta", "", acted("A", "S1")), "unflagged"},
		"ListBehind":       {listed(told("Autorizado", "S1", acted("A", "S1")), "Enviado sem resposta"), "unflagged"},
		"EndedMeanwhile":   {again(listed(told("Enviado sem resposta", "", acted("A", "S1")), "Autorizado"), "Autorizado"), ""},
		"Queued":           {told("Na fila de envio", ""), "stuck"},
		"Sending":          {told("Enviando…", "", acted("A", "S1")), "stuck"},
		"NeverActed":       {told("Autorizado", "S1"), "false"},
		"BeforeActing":     {told("Autorizado", "S1", late), "false"},
		"OtherSenha":       {told("Autorizado", "S2", acted("A", "S1")), "false"},
		"OtherStatus":      {told("Autorizado", "S1", acted("N", "S1")), "false unflagged"},
		"ForeignCase":      {torture.Records{Screens: []torture.Screen{{Case: path, Label: "Na fila de envio"}}}, "false"},
	} {
		t.Run(name, func(t *testing.T) {
			got := tt.records.Check()
			if said := words(got); said != tt.want {
				t.Errorf("got %q, want %q: %+v", said, tt.want, got)
			}
			if got.Wrong() != (tt.want != "") {
				t.Errorf("wrong: got %v", got.Wrong())
			}
		})
	}
}

// TestAsListed: a case is looked at again when a list says something else of it.
func TestAsListed(t *testing.T) {
	for _, tt := range []struct {
		label, listed, doubts string
		want                  bool
	}{
		{"Autorizado", "Autorizado", "", true}, {"Autorizado", "Negado", "", false}, {"Autorizado", "", "", false},
		{"Enviado sem resposta", "Autorizado", "", false}, {"Enviado sem resposta", "Enviado sem resposta", "", false},
		{"Enviado sem resposta", "Enviado sem resposta", "Enviado sem resposta", true},
	} {
		if got := torture.AsListed(path, tt.label, tt.listed, tt.doubts); got != tt.want {
			t.Errorf("%+v: got %t", tt, got)
		}
	}
}

// sameNumber adds another request with the same number.
func sameNumber(r torture.Records) torture.Records {
	other := acted("A", "S2")
	other.Card, other.Guide, r.Lines[0].Guide = "00000011000002", "1", "1"
	r.Lines = append(r.Lines, other)
	return r
}

// words names the lists that hold something.
func words(f torture.Findings) string {
	text := ""
	for _, list := range []struct {
		name string
		all  []string
	}{{"lost", f.Lost}, {"duplicated", f.Duplicated}, {"stuck", f.Stuck}, {"false", f.False}, {"unflagged", f.Unflagged}} {
		if len(list.all) > 0 {
			text += " " + list.name
		}
	}
	if text != "" {
		text = text[1:]
	}
	return text
}

// TestRecords_Check_Labels: the checker knows every word of the pages that is no
// operator's: none of them tells of an answer.
func TestRecords_Check_Labels(t *testing.T) {
	t.Parallel()
	for _, s := range []component.Situation{
		component.Queued, component.Held, component.Sending, component.Checking, component.Unknown, component.Absent,
		component.Restored, component.Unreadable, component.Contradictory, component.Refused, component.Expired,
	} {
		t.Run(s.Label, func(t *testing.T) {
			t.Parallel()
			got := torture.Records{
				Forms:   []torture.Form{{Act: torture.Pressed, Card: "1"}, {Act: torture.Confirmed, Card: "1", Case: "/casos/1"}},
				Screens: []torture.Screen{{Where: torture.OnCase, Case: "/casos/1", Label: s.Label}},
			}.Check()
			if len(got.False) != 0 {
				t.Errorf("got false %q, want none", got.False)
			}
		})
	}
}
