package directory

import (
	"cmp"
	"slices"
)

// same reports whether storing u over before would change nothing. The order of
// care points does not count, nor does leaving out one that is off already.
func (u Unit) same(before Unit) bool {
	known := 0
	for _, p := range before.CarePoints {
		now, listed := u.CarePoint(p.UID)
		if listed && (now.Name != p.Name || now.Active != p.Active) || !listed && p.Active {
			return false
		}
		if listed {
			known++
		}
	}
	return known == len(u.CarePoints) && u.Name == before.Name && u.Phone == before.Phone && u.Active == before.Active
}

// same reports whether storing p over before would change nothing.
func (p Professional) same(before Professional) bool {
	return p.Name == before.Name && p.Active == before.Active &&
		p.Council == before.Council && p.CouncilNumber == before.CouncilNumber && p.State == before.State &&
		slices.Equal(byNumber(p.Specialties), byNumber(before.Specialties))
}

func byNumber(specialties []Specialty) []Specialty {
	return slices.SortedFunc(slices.Values(specialties), func(a, b Specialty) int { return cmp.Compare(a.ID, b.ID) })
}

// same reports whether storing p over before would change nothing.
func (p Procedure) same(before Procedure) bool {
	return p.Code == before.Code && p.Name == before.Name && p.Active == before.Active && slices.Equal(p.Aliases, before.Aliases)
}

// same reports whether storing c over before would change nothing.
func (c Credential) same(before Credential) bool { return c == before }
