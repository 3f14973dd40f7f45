package bench

import (
	"slices"
	"time"
)

// times are how long something took, each time.
type times []time.Duration

// at is a percentile by nearest rank.
func (t times) at(percentile int) time.Duration {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	return sorted[max(0, (len(sorted)*percentile+99)/100-1)]
}

func (t times) ms(percentile int) float64 { return ms(t.at(percentile)) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// median of figures, each of a round.
func median(rounds []float64) float64 {
	if len(rounds) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(rounds))
	return sorted[len(sorted)/2]
}

// compare measures two things in alternation, so many times, and returns the median of the
// ratio.
func compare(rounds int, one, other func() (float64, error)) (float64, error) {
	var ratios []float64
	for n := range rounds {
		first, second := one, other
		if n%2 == 1 {
			first, second = other, one // whoever comes second finds the machine warm
		}
		a, err := first()
		if err != nil {
			return 0, err
		}
		b, err := second()
		if err != nil {
			return 0, err
		}
		if n%2 == 1 {
			a, b = b, a
		}
		ratios = append(ratios, a/b)
	}
	return median(ratios), nil
}
