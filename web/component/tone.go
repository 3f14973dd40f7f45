package component

import "guiche/internal/authorization"

// Tone is the CSS class (static/css/tones.css) that gives something the colours
// of a status group; "" leaves it uncoloured.
type Tone string

// The tones.
const (
	ToneAttention  Tone = "tone-attention"
	ToneCorrection Tone = "tone-correction"
	ToneError      Tone = "tone-error"
	ToneSuccess    Tone = "tone-success"
	ToneWaiting    Tone = "tone-waiting"
	ToneNeutral    Tone = "tone-neutral"
	ToneUnknown    Tone = "tone-unknown"
)

var groupTones = map[authorization.Group]Tone{
	authorization.YourTurn:     ToneAttention,
	authorization.ToFix:        ToneCorrection,
	authorization.Refusal:      ToneError,
	authorization.Unrecognized: ToneUnknown,
	authorization.Ready:        ToneSuccess,
	authorization.Waiting:      ToneWaiting,
	authorization.Closed:       ToneNeutral,
}

// GroupTone returns the tone of a status group.
func GroupTone(group authorization.Group) Tone { return groupTones[group] }
