package torture_test

import (
	"testing"

	"guiche/internal/torture"
)

// answeredAs is what a partner was told of a request, and what is listed of it at the end.
func answeredAs(guide, id string) []torture.Told {
	return []torture.Told{
		{Act: torture.Asked, Guide: guide}, {Act: torture.Answered, Guide: guide, GuideID: id, Senha: "S-" + id, Sum: "sum-" + id},
		{Act: torture.Listed, Guide: guide, GuideID: id, Senha: "S-" + id},
	}
}

func TestRecords_CheckPartners(t *testing.T) {
	whole := answeredAs("P0-1", "one")
	otherBytes := whole[1]
	otherBytes.Sum = "other"
	for name, c := range map[string]struct {
		told                           []torture.Told
		lost, duplicated, stuck, false int
	}{
		"Whole":            {told: append(answeredAs("P0-2", "two"), whole...)},
		"AnsweredAgain":    {told: append(answeredAs("P0-1", "one"), whole[1])},
		"NeverAnswered":    {told: whole[:1], stuck: 1},
		"NotListed":        {told: whole[:2], lost: 1},
		"OtherListed":      {told: append(answeredAs("P0-1", "one")[:2], answeredAs("P0-1", "two")[2]), false: 1},
		"TwoListed":        {told: append(answeredAs("P0-1", "one"), answeredAs("P0-1", "two")[2]), duplicated: 1, false: 1},
		"TwoAnswers":       {told: append(answeredAs("P0-1", "one"), answeredAs("P0-1", "two")[1]), duplicated: 1},
		"OtherBytes":       {told: append(answeredAs("P0-1", "one"), otherBytes), duplicated: 1},
		"OneOfTwoRequests": {told: append(answeredAs("P0-2", "one"), whole...), duplicated: 1},
	} {
		t.Run(name, func(t *testing.T) {
			got := torture.Records{Told: c.told}.Check()
			if len(got.Lost) != c.lost || len(got.Duplicated) != c.duplicated || len(got.Stuck) != c.stuck || len(got.False) != c.false {
				t.Errorf("got lost %q, duplicated %q, stuck %q, false %q", got.Lost, got.Duplicated, got.Stuck, got.False)
			}
		})
	}
}
