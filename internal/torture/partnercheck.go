package torture

import (
	"fmt"
	"time"
)

// What happens to a partner's request.
const (
	Asked    Act = "asked"    // it is about to be sent
	Answered Act = "answered" // with an authorization
	Listed   Act = "listed"   // the service lists the authorization at the end
)

// Told is a line about a partner's request. The number is the request's own: no other has it.
type Told struct {
	At      time.Duration
	Act     Act
	Guide   string // guiaPrestador
	GuideID string // of Answered and Listed, like Senha
	Senha   string
	Sum     string // of Answered: SHA-256 of the whole answer
}

// partnerStory is all that is known about one request.
type partnerStory struct {
	sums, ids, listed map[string]bool // different answers; authorizations that were told, and that are listed
}

// checkPartners judges what partners were told.
func (f *Findings) checkPartners(lines []Told) {
	stories, guides := map[string]*partnerStory{}, map[string]string{}
	var order []string
	for _, l := range lines {
		s := stories[l.Guide]
		if s == nil {
			s = &partnerStory{map[string]bool{}, map[string]bool{}, map[string]bool{}}
			stories[l.Guide], order = s, append(order, l.Guide)
		}
		s.hear(l)
		if other := guides[l.GuideID]; l.GuideID != "" && other != "" && other != l.Guide {
			f.Duplicated = append(f.Duplicated, fmt.Sprintf("partners' requests %s and %s have one authorization", other, l.Guide))
		}
		guides[l.GuideID] = l.Guide
	}
	for _, guide := range order {
		f.judgePartner(guide, stories[guide])
	}
}

func (s *partnerStory) hear(l Told) {
	switch l.Act {
	case Answered:
		s.sums[l.Sum], s.ids[l.GuideID+" "+l.Senha] = true, true
	case Listed:
		s.listed[l.GuideID+" "+l.Senha] = true
	}
}

// judgePartner judges how a partner's request ended. Each is for one authorization.
func (f *Findings) judgePartner(guide string, s *partnerStory) {
	f.Asked++
	switch {
	case len(s.ids) == 0:
		f.Stuck = append(f.Stuck, fmt.Sprintf("partner's request %s: never answered", guide))
	case len(s.ids) > 1 || len(s.sums) > 1 || len(s.listed) > 1:
		f.Duplicated = append(f.Duplicated, fmt.Sprintf("partner's request %s: %d answers, %d authorizations, %d listed", guide,
			len(s.sums), len(s.ids), len(s.listed)))
	case len(s.listed) == 0:
		f.Lost = append(f.Lost, fmt.Sprintf("partner's request %s: answered, and nothing is listed", guide))
	}
	for id := range s.listed {
		if len(s.ids) == 1 && !s.ids[id] {
			f.False = append(f.False, fmt.Sprintf("partner's request %s: another authorization is listed than was told", guide))
		}
	}
}
