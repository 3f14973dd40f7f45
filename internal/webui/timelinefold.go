package webui

import (
	"fmt"

	"guiche/internal/desk"
	"guiche/web/component"
)

// foldedEvent is an event at its place, the latest of several alike where first is not 0.
type foldedEvent struct {
	desk.Event
	place int
	first int // attempt
}

// attempts names the attempts that an event stands for.
func (e foldedEvent) attempts() string {
	if e.first+1 == e.Attempt {
		return fmt.Sprintf("tentativas %d e %d", e.first, e.Attempt)
	}
	return fmt.Sprintf("tentativas %d a %d", e.first, e.Attempt)
}

// folded leaves one event of those that tell of attempts in a row with the same result.
func folded(events []desk.Event) []foldedEvent {
	var all []foldedEvent
	for place, e := range events {
		n := len(all)
		if n > 0 && all[n-1].Kind == desk.EventSent && neverLeft(e) {
			all, n = all[:n-1], n-1
		}
		if n < 2 || all[n-1].Kind != desk.EventSent || !alike(all[n-2].Event, e) {
			all = append(all, foldedEvent{Event: e, place: place})
			continue
		}
		first := all[n-2].first
		if first == 0 {
			first = all[n-2].Attempt
		}
		all = append(all[:n-2], foldedEvent{e, place, first})
	}
	return all
}

// neverLeft reports whether an event tells that an attempt ended before its first byte.
func neverLeft(e desk.Event) bool {
	return e.Kind == desk.EventRefused && (e.Reason == desk.ReasonLate || e.Reason == desk.ReasonDamaged)
}

// alike reports whether two events tell of attempts that are made again for the same
// reason.
func alike(a, b desk.Event) bool {
	again := b.Kind == desk.EventDoubted || b.Kind == desk.EventDelayed
	return again && a.Kind == b.Kind && a.Reason == b.Reason && a.Attempt != 0
}

// answerWords say what an answer led to, and whose it is, without a word that its situation
// has.
func answerWords(then component.Situation) (strong, text string) {
	if then == component.Contradictory {
		return then.Label, "da operadora"
	}
	return then.Label + ",", "resposta da operadora"
}
