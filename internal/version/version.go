// Package version tells one state of an entry from another, so that whoever changes it over an
// old page is told instead of undoing unseen what somebody else changed meanwhile.
package version

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"guiche/internal/problem"
)

// Of returns the version of an entry: 16 hexadecimal digits, others after any change. The
// entry is a value without pointers.
func Of(entry any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", entry))
	return hex.EncodeToString(sum[:8])
}

// Check returns problem.NewChanged where the entry is not of the version that a person saw, ""
// for any.
func Check(seen string, entry any) error {
	if seen == "" || seen == Of(entry) {
		return nil
	}
	return problem.NewChanged()
}
