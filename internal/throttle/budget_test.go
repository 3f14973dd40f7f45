package throttle_test

import (
	"errors"
	"testing"
	"time"

	"guiche/internal/throttle"
)

var searches = throttle.Budget{Kind: "x", AtOnce: 10, Refill: 200 * time.Millisecond}

// TestBudget_Use: a part of a refill that is over counts for the next, however often it is asked.
func TestBudget_Use(t *testing.T) {
	used := searches.Use(throttle.Failures{}, 10, noon)
	if !searches.Spent(used, noon.Add(199*time.Millisecond)) || searches.Spent(used, noon.Add(200*time.Millisecond)) {
		t.Error("ten at once, the next after a refill")
	}
	for at := 50 * time.Millisecond; at <= time.Second; at += 50 * time.Millisecond {
		used = searches.Use(used, 0, noon.Add(at))
	}
	if used.Count != 5 {
		t.Errorf("after a second: %d count, want 5", used.Count)
	}
	if used = searches.Use(used, 100, noon.Add(time.Second)); used.Count != 10 {
		t.Errorf("beyond what may be: %d count, want 10", used.Count)
	}
	if used = searches.Use(used, 1, noon.Add(time.Hour)); used.Count != 1 {
		t.Errorf("an hour later: %d count, want 1", used.Count)
	}
}

// TestBudget_Spent_ClockSetBack: nobody waits until the time that a wrong clock told.
func TestBudget_Spent_ClockSetBack(t *testing.T) {
	used := throttle.Failures{Count: 10, At: noon.Add(24 * time.Hour)}
	if searches.Spent(used, noon) {
		t.Error("spent for a day")
	}
	if near := (throttle.Failures{Count: 10, At: noon.Add(time.Second)}); !searches.Spent(near, noon) {
		t.Error("another machine's clock is a second ahead, and nothing counts")
	}
}

// TestBudget_Share: what several add to a store counts for each, and nobody else's.
func TestBudget_Share(t *testing.T) {
	store := counts{}
	for _, step := range []struct {
		name    string
		n, want int
	}{{"ana", 4, 4}, {"ana", 3, 7}, {"celia", 1, 1}, {"ana", 9, 10}} {
		used, err := searches.Share(t.Context(), store, step.name, step.n, noon)
		if err != nil || used.Count != step.want {
			t.Errorf("%+v: got %+v, %v", step, used, err)
		}
	}
	lost := errors.New("disk failed")
	for _, store := range []broken{{read: lost}, {write: lost}} {
		if _, err := searches.Share(t.Context(), store, "ana", 1, noon); !errors.Is(err, lost) {
			t.Errorf("%+v: got %v", store, err)
		}
	}
}
