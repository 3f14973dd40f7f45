package webui

import (
	"context"
	"strconv"

	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/web/component"
)

// formChoices are the four selects of the form that the directory fills.
type formChoices struct {
	units, carePoints, professionals, specialties []component.Choice

	noCarePoints bool // there are units within reach, and none has a care point
}

// choices are the selects that come from the directory; a receptionist chooses
// among their units only. No request can name a unit without care points.
func (s *deskHandlers) choices(ctx context.Context, actor permission.Actor) (formChoices, error) {
	var out formChoices
	units, err := s.Directory.Units(ctx)
	if err != nil {
		return out, err
	}
	for _, u := range units {
		if !actor.Reach().Covers(u.UID) {
			continue
		}
		if len(u.CarePoints) == 0 {
			out.noCarePoints = true
			continue
		}
		out.units = append(out.units, component.Choice{Value: u.UID.String(), Label: u.Name})
		for _, p := range u.CarePoints {
			out.carePoints = append(out.carePoints, component.Choice{Value: p.UID.String(), Label: p.Name,
				Parent: u.UID.String(), Group: u.Name})
		}
	}
	out.noCarePoints = out.noCarePoints && len(out.units) == 0
	professionals, err := s.Directory.Professionals(ctx)
	if err != nil {
		return out, err
	}
	labels := professionalLabels(professionals)
	for i, p := range professionals {
		out.professionals = append(out.professionals, component.Choice{Value: p.UID.String(), Label: labels[i]})
		names := specialtyLabels(p.Specialties)
		for j, sp := range p.Specialties {
			out.specialties = append(out.specialties, component.Choice{Value: strconv.Itoa(sp.ID), Label: names[j],
				Parent: p.UID.String(), Group: labels[i]})
		}
	}
	return out, nil
}

// professionalLabels are their names; those of the same name say the council, and the specialties
// where that is none or the same.
func professionalLabels(professionals []directory.Professional) []string {
	return toldApart(professionals, func(p directory.Professional) string { return p.Name }, registration, specialtyNames)
}

// specialtyLabels are their names; those of the same name say the CBO, and the number where that is
// none or the same.
func specialtyLabels(specialties []directory.Specialty) []string {
	occupation := func(s directory.Specialty) string {
		if s.CBO == "" {
			return ""
		}
		return "CBO " + s.CBO
	}
	return toldApart(specialties, func(s directory.Specialty) string { return s.Name }, occupation,
		func(s directory.Specialty) string { return "nº " + strconv.Itoa(s.ID) })
}

// toldApart are the names of entries, with what tells those that would read the same from each other.
func toldApart[T any](entries []T, name func(T) string, differences ...func(T) string) []string {
	labels := make([]string, len(entries))
	for i, e := range entries {
		labels[i] = name(e)
	}
	for _, difference := range differences {
		same := make(map[string]int, len(labels))
		for _, label := range labels {
			same[label]++
		}
		if len(same) == len(labels) {
			break
		}
		for i, e := range entries {
			if words := difference(e); same[labels[i]] > 1 && words != "" {
				labels[i] += " · " + words
			}
		}
	}
	return labels
}
