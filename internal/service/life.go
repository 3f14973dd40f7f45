package service

import (
	"slices"
	"time"

	"guiche/internal/authorization"
)

// transitions is row 19: which status may follow which. The ledger's schema holds
// the same table and refuses everything else.
var transitions = map[authorization.Status][]authorization.Status{
	authorization.PendingDispatch: {authorization.UnderAnalysis},
	authorization.UnderAnalysis: {
		authorization.Authorized, authorization.PartiallyAuthorized, authorization.Denied,
		authorization.AwaitingAttachment, authorization.AwaitingBiometrics, authorization.AwaitingCancellation,
	},
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
	return slices.Contains(transitions[before], after)
}

// Leads reports whether a status may come after another, at once or over others.
func Leads(before, after authorization.Status) bool { return path(before, after) != nil }

// path returns the statuses after before up to after, the shortest path; nil when
// there is none.
func path(before, after authorization.Status) []authorization.Status {
	type step struct {
		status authorization.Status
		path   []authorization.Status
	}
	seen := map[authorization.Status]bool{before: true}
	for queue := []step{{status: before}}; len(queue) > 0; queue = queue[1:] {
		for _, next := range transitions[queue[0].status] {
			path := append(slices.Clone(queue[0].path), next)
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

// allBefore returns the statuses that another may follow, in the order of the
// codes.
func allBefore(after authorization.Status) []authorization.Status {
	var all []authorization.Status
	for _, info := range authorization.Statuses() {
		if Follows(info.Code, after) {
			all = append(all, info.Code)
		}
	}
	return all
}

// Rhythm of asking about what waits, where the operator does not say: doubling
// from the first to the last.
const (
	pollFirst = time.Minute
	pollLast  = time.Hour
	pollFor   = 30 * 24 * time.Hour // after which nobody asks any more
)

// LongestPause is the longest time between two questions, also where the operator asks for more: what is put off beyond that
// was planned by a clock that has been put back since.
const LongestPause = 24 * time.Hour

// pollAfter returns how long to wait before the operator is asked again about a
// status, false for never. operatorPause is what it asks for, 0 for none.
func pollAfter(s authorization.Status, operatorPause time.Duration, tries int) (time.Duration, bool) {
	switch {
	case s.Info().Final:
		return 0, false
	case operatorPause > 0:
		return min(operatorPause, LongestPause), true
	}
	return backOff(tries), s.Group() == authorization.Waiting
}

func backOff(tries int) time.Duration {
	return min(pollLast, pollFirst<<min(tries, 10))
}
