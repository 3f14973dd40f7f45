package service

import (
	"slices"
	"time"

	"guiche/internal/authorization"
)

// life is row 19: which status may follow which. The ledger's schema holds the
// same table and refuses everything else.
var life = map[authorization.Status][]authorization.Status{
	authorization.PendingDispatch:      {authorization.UnderAnalysis},
	authorization.UnderAnalysis:        {authorization.Authorized, authorization.PartiallyAuthorized, authorization.Denied, authorization.AwaitingAttachment, authorization.AwaitingBiometrics, authorization.AwaitingCancellation},
	authorization.AwaitingAttachment:   {authorization.UnderAnalysis, authorization.AwaitingCancellation},
	authorization.AwaitingBiometrics:   {authorization.Authorized, authorization.InvalidBiometrics, authorization.AwaitingCancellation},
	authorization.InvalidBiometrics:    {authorization.Authorized},
	authorization.Authorized:           {authorization.AwaitingExecution, authorization.AwaitingCancellation},
	authorization.PartiallyAuthorized:  {authorization.AwaitingExecution, authorization.AwaitingCancellation},
	authorization.AwaitingExecution:    {authorization.PartiallyExecuted, authorization.AwaitingCancellation},
	authorization.PartiallyExecuted:    {authorization.Executed},
	authorization.AwaitingCancellation: {authorization.Cancelled},
}

// Follows reports whether a status may follow another at once (row 19).
func Follows(before, after authorization.Status) bool {
	return slices.Contains(life[before], after)
}

// Leads reports whether a status may come after another, at once or over others.
func Leads(before, after authorization.Status) bool { return way(before, after) != nil }

// way returns the statuses after before up to after, the shortest way; nil when
// there is none.
func way(before, after authorization.Status) []authorization.Status {
	type step struct {
		status authorization.Status
		way    []authorization.Status
	}
	seen := map[authorization.Status]bool{before: true}
	for queue := []step{{status: before}}; len(queue) > 0; queue = queue[1:] {
		for _, next := range life[queue[0].status] {
			path := append(slices.Clone(queue[0].way), next)
			if next == after {
				return path
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, step{next, path})
			}
		}
	}
	return nil
}

// waiting are the statuses after which something comes without anybody's doing.
func waiting(s authorization.Status) bool { return s.Group() == authorization.Waiting }

// Rhythm of asking about what waits, where the operator does not say: doubling
// from the first to the last.
const (
	followFirst = time.Minute
	followLast  = time.Hour
	followFor   = 30 * 24 * time.Hour // after which nobody asks any more
)

// followAfter returns how long to wait before the operator is asked again about
// a status, false for never. told is the operator's own wish.
func followAfter(s authorization.Status, told time.Duration, tries int) (time.Duration, bool) {
	switch {
	case s.Info().Final:
		return 0, false
	case told > 0:
		return told, true
	}
	return backOff(tries), waiting(s)
}

func backOff(tries int) time.Duration {
	return min(followLast, followFirst<<min(tries, 10))
}
