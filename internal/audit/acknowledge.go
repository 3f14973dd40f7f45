package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Reason says, as a fixed word in the trail, why a person ended the alarm about it.
type Reason string

// The reasons.
const (
	ReasonInvestigated Reason = "investigado"
	ReasonRestored     Reason = "copia_restaurada"
	ReasonDisk         Reason = "falha_de_disco"
	ReasonKey          Reason = "chave_perdida"
)

// Reasons lists every reason, in the order of the page.
func Reasons() []Reason { return []Reason{ReasonInvestigated, ReasonRestored, ReasonDisk, ReasonKey} }

var reasonLabels = map[Reason]string{
	ReasonInvestigated: "Houve alteração por fora, e foi investigada",
	ReasonRestored:     "Uma cópia de segurança foi restaurada",
	ReasonDisk:         "O disco ou o arquivo foi danificado",
	ReasonKey:          "A chave da auditoria foi perdida e substituída",
}

// Label returns the reason as it is shown, "" for none of Reasons.
func (r Reason) Label() string { return reasonLabels[r] }

// ErrOtherAlarm says that something else is found broken than what the person saw.
var ErrOtherAlarm = errors.New("audit: the trail is not as it was shown")

// acknowledgement is what a person has acknowledged: the broken entries by a sum over
// all of them, so that any other break raises the alarm again, and entries whose address
// is gone by their positions, for their addresses may be forgotten later.
type acknowledgement struct {
	reason    Reason
	entries   string
	addresses ranges
}

// The words of an acknowledgement's detail.
const (
	reasonWord    = "motivo="
	entriesWord   = "registros="
	addressesWord = "enderecos="
)

// Acknowledgement is the entry by which a person ends the alarm about what was found. It
// counts only where it stands in the chain itself.
func (x Examination) Acknowledgement(by uuid.UUID, reason Reason) Entry {
	x.open.reason = reason
	return Entry{Actor: by, Event: AlarmEnded, Detail: x.open.String()}
}

// Mark is the same for as long as nothing else is found broken, in the chain or in the
// head that is kept elsewhere, of which head tells.
func (x Examination) Mark(head string) string {
	sum := sha256.Sum256([]byte(x.open.String() + "\n" + head))
	return hex.EncodeToString(sum[:8])
}

// String is the detail of the entry.
func (a acknowledgement) String() string {
	words := []string{reasonWord + string(a.reason)}
	if a.entries != "" {
		words = append(words, entriesWord+a.entries)
	}
	if len(a.addresses) > 0 {
		words = append(words, addressesWord+a.addresses.String())
	}
	return strings.Join(words, " ")
}

// acknowledges reads what the entry acknowledges, false for any other entry.
func (e Entry) acknowledges() (a acknowledgement, ok bool) {
	if e.Event != AlarmEnded {
		return a, false
	}
	for word := range strings.FieldsSeq(e.Detail) {
		switch {
		case strings.HasPrefix(word, reasonWord):
			a.reason = Reason(strings.TrimPrefix(word, reasonWord))
		case strings.HasPrefix(word, entriesWord):
			a.entries = strings.TrimPrefix(word, entriesWord)
		case strings.HasPrefix(word, addressesWord):
			a.addresses = readRanges(strings.TrimPrefix(word, addressesWord))
		}
	}
	return a, true
}

// Reason returns why the entry ended an alarm, "" for any other entry.
func (e Entry) Reason() Reason {
	a, _ := e.acknowledges()
	return a.reason
}

// ranges are positions, written as "3,7-9".
type ranges []span

type span struct{ first, last int64 }

// maxRanges bounds the text; positions beyond belong to the last range, which then
// reaches over some that are as they were written.
const maxRanges = 200

// with returns the ranges with a position that is after all others.
func (r ranges) with(position int64) ranges {
	if n := len(r); n > 0 && (r[n-1].last+1 == position || n == maxRanges) {
		r[n-1].last = position
		return r
	}
	return append(r, span{position, position})
}

func (r ranges) have(position int64) bool {
	for _, s := range r {
		if s.first <= position && position <= s.last {
			return true
		}
	}
	return false
}

// String writes the ranges.
func (r ranges) String() string {
	words := make([]string, len(r))
	for i, s := range r {
		words[i] = strconv.FormatInt(s.first, 10)
		if s.last > s.first {
			words[i] += "-" + strconv.FormatInt(s.last, 10)
		}
	}
	return strings.Join(words, ",")
}

// readRanges reads what String writes; what is no number is no range.
func readRanges(text string) (r ranges) {
	for word := range strings.SplitSeq(text, ",") {
		from, to, found := strings.Cut(word, "-")
		if !found {
			to = from
		}
		first, err := strconv.ParseInt(from, 10, 64)
		if err != nil {
			continue
		}
		if last, err := strconv.ParseInt(to, 10, 64); err == nil {
			r = append(r, span{first, last})
		}
	}
	return r
}
