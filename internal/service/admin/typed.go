package admin

import (
	"slices"
	"strings"

	"guiche/internal/oneline"
	"guiche/internal/service"
	"guiche/internal/service/access"
)

// What somebody typed or copied is measured and kept without the white space around
// it; in names there is no other than single spaces, and nothing that nobody sees.

func trimCredential(c service.Credential) service.Credential {
	for _, text := range []*string{&c.Name, &c.ProviderCode, &c.ANSRegister, &c.Contractor, &c.CNES} {
		*text = oneline.Clean(*text)
	}
	c.CardPattern, c.Indication = strings.TrimSpace(c.CardPattern), strings.TrimSpace(c.Indication)
	return c
}

func trimUnit(u service.Unit) service.Unit {
	u.Name, u.Points = oneline.Clean(u.Name), slices.Clone(u.Points)
	for i := range u.Points {
		u.Points[i].Name = oneline.Clean(u.Points[i].Name)
	}
	return u
}

func trimProfessional(p service.Professional) service.Professional {
	p.Name, p.Number, p.Specialties = oneline.Clean(p.Name), oneline.Clean(p.Number), slices.Clone(p.Specialties)
	for i := range p.Specialties {
		s := &p.Specialties[i]
		s.Name, s.CBO = oneline.Clean(s.Name), cboMarks.Replace(oneline.Clean(s.CBO))
	}
	return p
}

// cboMarks takes out of a CBO what it is printed with: 2251-20.
var cboMarks = strings.NewReplacer("-", "", "–", "", ".", "", " ", "")

func trimProfile(p access.Profile) access.Profile {
	p.Name = oneline.Clean(p.Name)
	return p
}
