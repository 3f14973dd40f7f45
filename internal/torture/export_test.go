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

// PowerLoss writes down what a trace of calls leaves on a disk below root of which the power
// takes all that was not synced.
func PowerLoss(trace, root, to string) error {
	disk := newPowerDisk(root)
	if err := readTrace(strings.NewReader(trace), disk.apply); err != nil {
		return err
	}
	return disk.restore(to, nil)
}
