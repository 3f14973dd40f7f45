package deskstore_test

import (
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

// TestStore_HasGuide: a case and its row in lists say alike whether a guide came with the
// answer, for all of it or for one authorization; a receipt is none.
func TestStore_HasGuide(t *testing.T) {
	for name, tt := range map[string]struct {
		answer authorization.Answer
		want   bool
	}{
		"OfAll": {authorization.Answer{Success: true, GuidePDF: "all"}, true},
		"OfOne": {authorization.Answer{Success: true, Authorizations: []authorization.Authorization{{Number: 1},
			{Number: 2, GuidePDF: "one"}}}, true},
		"Receipt": {authorization.Answer{Success: true, ReceiptPDF: "receipt"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := mustEnv(t)
			sub := e.submit(t)
			e.settle(t, e.claim(t), desk.Answered, func(s *desk.Settlement) {
				s.Answer, s.Event, s.Group = &tt.answer, desk.EventAnswered, authorization.Ready
			})
			cases, err := e.Cases(t.Context(), all, desk.Query{Limit: 9})
			if err != nil || len(cases) != 1 || cases[0].HasGuide != tt.want {
				t.Errorf("list: got %+v, %v, want %v", cases, err, tt.want)
			}
			if c := e.mustCase(t, sub.UID); c.HasGuide != tt.want {
				t.Errorf("case: got %v, want %v", c.HasGuide, tt.want)
			}
		})
	}
}
