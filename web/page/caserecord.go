package page

import (
	"strconv"

	"guiche/web/component"
)

// RecordView is what became of the latest requests to the operator for a procedure.
type RecordView struct {
	Code        string
	Requests    string // "20 últimos pedidos"
	Parts       []RecordPart
	Reason      string // the operator's words that denials had most often, "" for none
	ReasonTimes string // "3 vezes"
	Median      string // how long answers took, "" when unknown
}

// RecordPart is one part of the bar.
type RecordPart struct {
	At, Width int // of RecordWidth
	Tone      component.Tone
	Words     string // "12 autorizados"
}

// RecordWidth is how wide the bar is, in its own measure.
const RecordWidth = 600

func (p RecordPart) at() string { return strconv.Itoa(p.At) }

func (p RecordPart) width() string { return strconv.Itoa(max(1, p.Width-3)) }
