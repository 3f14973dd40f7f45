package directory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"guiche/internal/problem"
)

// Version tells the unit from what it is after any change.
func (u Unit) Version() string { return versionOf(u) }

// Version tells the professional from what they are after any change.
func (p Professional) Version() string { return versionOf(p) }

// Version tells the procedure from what it is after any change.
func (p Procedure) Version() string { return versionOf(p) }

// Version tells the credential from what it is after any change.
func (c Credential) Version() string { return versionOf(c) }

func versionOf(entry any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", entry))
	return hex.EncodeToString(sum[:8])
}

// checkSeen refuses to change an entry that is not as the person saw it: what somebody else
// changed meanwhile would be undone unseen.
func checkSeen(seen string, now interface{ Version() string }) error {
	if seen == "" || seen == now.Version() {
		return nil
	}
	return problem.NewChanged()
}

// withPointsOf returns the care points of u and, of now, those that it does not list.
func (u Unit) withPointsOf(now Unit) []CarePoint {
	points := slices.Clone(u.CarePoints)
	for _, p := range now.CarePoints {
		if _, listed := u.CarePoint(p.UID); !listed {
			points = append(points, p)
		}
	}
	return points
}
