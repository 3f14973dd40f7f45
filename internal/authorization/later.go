package authorization

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Busy is the error of a service that asks to wait.
type Busy struct {
	After time.Duration // 0: it does not say how long
	Err   error
}

// Error implements error.
func (b *Busy) Error() string { return b.Err.Error() }

// Unwrap returns why it asks to wait.
func (b *Busy) Unwrap() error { return b.Err }

// Then is the authorization as a service tells of it later. What it leaves out it has
// told before, but for a PDF, which is of one status only.
func (a Authorization) Then(later Authorization) Authorization {
	for _, text := range []struct{ was, is *string }{
		{&a.GuideID, &later.GuideID}, {&a.GuideNumber, &later.GuideNumber}, {&a.Senha, &later.Senha}, {&a.Protocol, &later.Protocol},
		{&a.ProviderGuide, &later.ProviderGuide}, {&a.PartnerGuide, &later.PartnerGuide}, {&a.RequestNumber, &later.RequestNumber},
	} {
		if *text.is == "" {
			*text.is = *text.was
		}
	}
	if later.SenhaValidUntil.IsZero() {
		later.SenhaValidUntil = a.SenhaValidUntil
	}
	if later.AuthorizedAt.IsZero() {
		later.AuthorizedAt = a.AuthorizedAt
	}
	if len(later.Procedures) == 0 {
		later.Procedures = a.Procedures
	}
	if later.GuidePDF == "" && later.Status == a.Status {
		later.GuidePDF = a.GuidePDF
	}
	if strings.EqualFold(later.GuideID, a.GuideID) { // a UUID, which has no case: one spelling stays
		later.GuideID = a.GuideID
	}
	if a.Number != 0 {
		later.Number = a.Number
	}
	return later
}

// Same reports whether two words of a service about an authorization say the same. PDFs
// count only where there was none: some services draw them anew each time.
func (a Authorization) Same(b Authorization) bool {
	if a.Status != b.Status || a.Success != b.Success || (a.GuidePDF == "") != (b.GuidePDF == "") {
		return false
	}
	return slices.Equal(a.words(), b.words())
}

// InOrder returns authorizations in the order in which a service told of them before, as far as all of them say which
// they are: some services list the latest change first.
func InOrder(before, now []Authorization) []Authorization {
	ordered, left := make([]Authorization, 0, len(now)), slices.Clone(now)
	for _, b := range before {
		at := slices.IndexFunc(left, b.isOne)
		if at < 0 {
			return now
		}
		ordered, left = append(ordered, left[at]), slices.Delete(left, at, at+1)
	}
	return append(ordered, left...)
}

// isOne reports whether two words of a service are about one authorization, by the first of its lasting numbers that both have.
func (a Authorization) isOne(b Authorization) bool {
	switch {
	case a.GuideID != "" && b.GuideID != "":
		return strings.EqualFold(a.GuideID, b.GuideID)
	case a.GuideNumber != "" && b.GuideNumber != "":
		return a.GuideNumber == b.GuideNumber
	}
	return a.Number != 0 && a.Number == b.Number
}

// words are its numbers, dates, procedures and errors, as a store keeps texts: without
// U+0000.
func (a Authorization) words() []string {
	all := []string{a.GuideID, a.GuideNumber, a.Senha, a.Protocol, a.ProviderGuide, a.PartnerGuide, a.RequestNumber,
		a.SenhaValidUntil.String(), a.AuthorizedAt.String()}
	for _, p := range a.Procedures {
		all = append(all, fmt.Sprintf("%+v", p))
	}
	for _, e := range a.Errors {
		all = append(all, fmt.Sprintf("%+v", e))
	}
	for i, text := range all {
		all[i] = strings.ReplaceAll(text, "\x00", "")
	}
	return all
}
