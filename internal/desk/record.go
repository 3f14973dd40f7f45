package desk

import (
	"context"
	"slices"
	"time"

	"guiche/internal/authorization"

	"github.com/google/uuid"
)

// PastOutcome is what became of one request to an operator for a procedure.
type PastOutcome struct {
	Status authorization.Status // "" without an answer
	Group  authorization.Group
	After  time.Duration // until its first answer, 0 without one
	Reason string        // the operator's words of a denial
}

// RecordStore tells what became of the latest requests, whoever's they are.
type RecordStore interface {
	// LatestOutcomes lists the latest requests to a credential for a procedure.
	LatestOutcomes(ctx context.Context, credential uuid.UUID, code string, limit int) ([]PastOutcome, error)
}

// Record counts what became of the latest requests to an operator for a procedure.
type Record struct {
	Code                                  string
	Requests                              int // 0: too few to tell anything
	Authorized, Waiting, Returned, Denied int // Returned: the operator wants something first
	Cancelled, Other                      int // Other: what is none of these, such as requests without an answer
	Reason                                string
	ReasonTimes                           int           // denials with those very words; 0: none was given twice
	Median                                time.Duration // until the first answer, 0 without any
}

// RecordLimit is how many of the latest cases a record is made of.
const RecordLimit = usualLimit

// record returns the record of the first procedure of a case with its operator.
func (d *Desk) record(ctx context.Context, c Case) (Record, error) {
	past, err := d.config.Store.LatestOutcomes(ctx, c.Request.CredentialID, c.ProcedureCode, RecordLimit)
	if err != nil || len(past) < usualEnough {
		return Record{}, err
	}
	return recordOf(c.ProcedureCode, past), nil
}

func recordOf(code string, past []PastOutcome) Record {
	r := Record{Code: code, Requests: len(past)}
	var times []time.Duration
	reasons := map[string]int{}
	for _, p := range past {
		r.count(p)
		if p.After > 0 {
			times = append(times, p.After)
		}
		if p.Reason != "" {
			reasons[p.Reason]++
		}
	}
	for reason, n := range reasons {
		if n > max(1, r.ReasonTimes) || n == r.ReasonTimes && reason < r.Reason {
			r.Reason, r.ReasonTimes = reason, n
		}
	}
	if len(times) > 0 {
		slices.Sort(times)
		r.Median = times[len(times)/2]
	}
	return r
}

// count adds one request to one of the numbers, so that they add up to Requests.
func (r *Record) count(p PastOutcome) {
	switch {
	case p.Group == authorization.Ready, p.Status == authorization.PartiallyAuthorized, p.Status == authorization.Executed:
		r.Authorized++
	case p.Group == authorization.Refusal:
		r.Denied++
	case p.Group == authorization.YourTurn, p.Group == authorization.ToFix && p.Status != "":
		r.Returned++
	case p.Group == authorization.Waiting:
		r.Waiting++
	case p.Status == authorization.Cancelled:
		r.Cancelled++
	default:
		r.Other++
	}
}
