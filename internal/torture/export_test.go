package torture

// FaultRules returns the name of each fault and that of its rule.
func FaultRules() map[string]string {
	names := map[string]string{}
	for _, f := range faults() {
		names[f.name] = f.rule(newDice(1, "")).Name
	}
	return names
}
