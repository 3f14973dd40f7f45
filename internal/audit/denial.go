package audit

import (
	"slices"
	"strconv"
	"strings"
)

// denied are the events of acts that were refused. Whoever is refused can try again at
// once, so the trail counts repetitions.
var denied = []Event{LoginFailed, LoginThrottled, AccessDenied, SearchThrottled, ForeignForm}

// Denied lists the events of acts that were refused.
func Denied() []Event { return slices.Clone(denied) }

// Denied reports whether the event is about an act that was refused.
func (e Event) Denied() bool { return slices.Contains(denied, e) }

// various is the detail of VariousDenied.
const various = "varios"

// VariousDenied is the entry that stands for refused acts of several people, addresses or
// things, which were too many to be told apart.
func VariousDenied(event Event) Entry { return Entry{Event: event, Detail: various} }

// timesWord begins the word of a detail that says for how many acts an entry stands.
const timesWord = "vezes="

// Repeated returns the entry as one that stands for n acts.
func (e Entry) Repeated(n int) Entry {
	if n > 1 || e.Detail == various {
		e.Detail = strings.TrimSpace(e.Detail + " " + timesWord + strconv.Itoa(n))
	}
	return e
}

// Times returns for how many acts the entry stands.
func (e Entry) Times() int {
	for word := range strings.FieldsSeq(e.Detail) {
		if digits, ok := strings.CutPrefix(word, timesWord); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				return n
			}
		}
	}
	return 1
}
