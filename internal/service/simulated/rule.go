package simulated

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
)

// Rule says what happens to the requests that fit it.
type Rule struct {
	What string    `json:"what"` // what happens, in Portuguese, for the person who tries it; "" leaves it out of the catalogue
	When Condition `json:"when"`
	Then Outcome   `json:"then"`
}

// Condition is a set of conditions that must all hold; {} always fits.
type Condition struct {
	Card           string `json:"card"`           // number, or its beginning with a final *
	Procedure      string `json:"procedure"`      // code of one of the procedures, or its beginning with a final *
	Credential     string `json:"credential"`     // codigoPrestador of the credential
	MinQuantity    int    `json:"minQuantity"`    // of at least one procedure
	MinAttachments int    `json:"minAttachments"` // number of attachments
	MaxAttachments *int   `json:"maxAttachments"`
	Newborn        *bool  `json:"newborn"`
	MinAgeDays     int    `json:"minAgeDays"` // age of the newborn, the only birth that a request tells
}

// Outcome is what an operator does.
type Outcome struct {
	Delay          Delay     `json:"delay"` // before anything else
	Fails          bool      `json:"fails"` // the line breaks, and a look-up finds nothing
	Errors         []Message `json:"errors"`
	Authorizations []Entry   `json:"authorizations"`
}

// Entry is one authorization of an answer.
type Entry struct {
	Status        authorization.Status `json:"status"`
	Procedures    Share                `json:"procedures"`    // which of the request's; "" is all
	Justification string               `json:"justification"` // of the procedures that are not authorized in full
	Errors        []Message            `json:"errors"`
	SenhaDays     int                  `json:"senhaDays"` // how long the senha is valid; 0 is a month

	// Next says what follows each status: K, R, A, Z, W, P and X by themselves after
	// a time, S, H and T once a person did what they wait for. Without it S leads to
	// R, H and T lead to A, and X leads to C; the others stay.
	Next map[authorization.Status]Step `json:"next"`
}

// Step is what follows a status.
type Step struct {
	Status        authorization.Status `json:"status"`
	After         Delay                `json:"after"`
	Justification string               `json:"justification"`
	Errors        []Message            `json:"errors"`
}

// Message is an error as an operator tells it.
type Message struct {
	Code    string `json:"code"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Share is a part of the procedures of a request.
type Share string

// The shares. A request with one procedure gives it to both parts.
const (
	AllProcedures  Share = ""
	FirstProcedure Share = "first"
	OtherOnes      Share = "rest"
)

// Delay is a duration written as "8s", negative for what cannot be read.
type Delay time.Duration

// UnmarshalJSON implements json.Unmarshaler. What is wrong is left to check, which
// knows where it stands.
func (d *Delay) UnmarshalJSON(text []byte) error {
	var s string
	err := json.Unmarshal(text, &s)
	read, parseErr := time.ParseDuration(s)
	if *d = Delay(read); err != nil || parseErr != nil {
		*d = -1
	}
	return nil
}

const wantDelay = `want a duration such as "8s"`

func (c Condition) fits(r service.OperatorRequest) bool {
	return matches(c.Card, authorization.CleanCard(r.Request.CardNumber)) &&
		c.fitsProcedures(r.Request.Procedures) &&
		(c.Credential == "" || c.Credential == r.Credential.ProviderCode) &&
		len(r.Request.Attachments) >= c.MinAttachments &&
		(c.MaxAttachments == nil || len(r.Request.Attachments) <= *c.MaxAttachments) &&
		(c.Newborn == nil || r.Request.Newborn == *c.Newborn) &&
		(c.MinAgeDays == 0 || ageDays(r) >= c.MinAgeDays)
}

// ageDays is the age of the newborn when the request arrived, -1 where no birth
// is told.
func ageDays(r service.OperatorRequest) int {
	if r.Request.NewbornBirth.IsZero() {
		return -1
	}
	return r.Request.NewbornBirth.DaysUntil(authorization.NewLocalTime(r.ReceivedAt))
}

func (c Condition) fitsProcedures(asked []authorization.Procedure) bool {
	return slices.ContainsFunc(asked, func(p authorization.Procedure) bool { return matches(c.Procedure, p.Code) }) &&
		slices.ContainsFunc(asked, func(p authorization.Procedure) bool { return p.Quantity >= c.MinQuantity })
}

// matches compares with a whole text or, with a final *, with its beginning; no
// pattern matches all.
func matches(pattern, text string) bool {
	if beginning, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(text, beginning)
	}
	return pattern == "" || pattern == text
}

// check returns why a rule cannot work and the path of what is wrong, "" when it
// can.
func (r Rule) check() (path, reason string) {
	then := r.Then
	switch {
	case then.Delay < 0:
		return "then.delay", "delay: " + wantDelay
	case then.Fails && (len(then.Errors) > 0 || len(then.Authorizations) > 0):
		return "then.fails", "an operator that fails answers nothing"
	case !then.Fails && len(then.Errors) == 0 && len(then.Authorizations) == 0:
		return "then", "nothing happens: give authorizations, errors or fails"
	}
	for i, e := range then.Authorizations {
		if path, reason := e.check(); reason != "" {
			return fmt.Sprintf("then.authorizations[%d].%s", i, path), reason
		}
	}
	return "", ""
}

func (e Entry) check() (path, reason string) {
	switch {
	case !e.Status.Known():
		return "status", fmt.Sprintf("status %q is not one of the 18", e.Status)
	case e.Procedures != AllProcedures && e.Procedures != FirstProcedure && e.Procedures != OtherOnes:
		return "procedures", fmt.Sprintf("procedures %q: want first or rest", e.Procedures)
	case e.SenhaDays < 0 || e.SenhaDays > maxSenhaDays:
		return "senhaDays", fmt.Sprintf("senhaDays %d: want 0 to %d", e.SenhaDays, maxSenhaDays)
	}
	for _, before := range slices.Sorted(maps.Keys(e.Next)) {
		if name, reason := e.Next[before].check(before); reason != "" {
			return "next." + string(before) + name, "next: " + reason
		}
	}
	return "", ""
}

// maxSenhaDays is longer than any senha is valid.
const maxSenhaDays = 3650

// check returns why a step after a status cannot work (row 19).
func (s Step) check(before authorization.Status) (path, reason string) {
	switch {
	case !service.Leads(before, s.Status):
		return ".status", fmt.Sprintf("status %q never follows %q", s.Status, before)
	case s.After < 0:
		return ".after", "after: " + wantDelay
	}
	return "", ""
}
