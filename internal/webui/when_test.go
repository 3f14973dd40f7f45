package webui_test

import (
	"regexp"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// TestCase_Moments: the time of an event stands alone on its day, behind the day in its year, and behind the whole date
// in any other year.
func TestCase_Moments(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	path := server.LogIn(t, apptest.Reception).SubmitWith(nil).Path
	sent := server.Clock.Now().In(time.FixedZone("Brasília", -3*60*60))
	for _, later := range []time.Duration{0, 24 * time.Hour, 400 * 24 * time.Hour} {
		server.Clock.Set(sent.Add(later))
		before, whole := "", 0
		switch now := sent.Add(later); {
		case now.Year() != sent.Year():
			before, whole = sent.Format("02/01/2006 "), 1
		case now.YearDay() != sent.YearDay():
			before = sent.Format("02/01 ")
		}
		page := server.LogIn(t, apptest.Reception).Get(path)
		got := page.Text("#tempo li:last-child")
		if page.Count("#tempo ol.whole-dates") != whole {
			t.Errorf("%s later: the lines have other room than their times need", later)
		}
		if want := regexp.MustCompile(`^` + before + `\d\d:\d\d[A-Z]`); !want.MatchString(got) {
			t.Errorf("%s later: got %q, want %s", later, got, want)
		}
	}
}
