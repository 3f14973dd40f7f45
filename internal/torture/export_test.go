package torture

import "strings"

// FaultRules returns the name of each fault and that of its rule.
func FaultRules() map[string]string {
	names := map[string]string{}
	for _, f := range faults() {
		names[f.name] = f.rule(newDice(1, "")).Name
	}
	return names
}

// AsListed reports whether a case with this label is as the lists say; "" is in no list.
func AsListed(address, label, listed, doubts string) bool {
	list := func(label string) map[string]string {
		if label == "" {
			return nil
		}
		return map[string]string{address: label}
	}
	return (&form{given: address, label: label}).asListed(list(listed), list(doubts))
}

// PowerLoss writes down what a trace of calls leaves on a disk below root of which the power
// takes all that was not synced.
func PowerLoss(trace, root, to string) error {
	disk := newPowerDisk(root)
	if err := readTrace(strings.NewReader(trace), disk.apply); err != nil {
		return err
	}
	return disk.restore(to, nil)
}
