package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ids name the parts of a request; a part that is not known is empty.
type ids struct {
	credential, unit, point, professional string
	specialty                             any
}

// ids takes identifiers from the configuration, or from the service.
func (c *Case) ids() ids {
	if c.cache.ids != nil {
		return *c.cache.ids
	}
	out := ids{credential: c.config.CredentialID, unit: c.config.UnitID, point: c.config.CarePointID,
		professional: c.config.ProfessionalID}
	if c.config.SpecialtyID != 0 {
		out.specialty = c.config.SpecialtyID
	}
	if out.credential == "" {
		out.credential = c.get(credentialsPath + "?Busca=").string("data.items.0.id")
	}
	if out.unit == "" && c.config.UnitsPath != "" {
		units := c.get(c.config.UnitsPath)
		out.unit, out.point = units.string("data.items.0.id"), units.string("data.items.0.pontosAtendimento.0.id")
	}
	if out.professional == "" && c.config.ProfessionalsPath != "" {
		professionals := c.get(c.config.ProfessionalsPath)
		out.professional, out.specialty = professionals.string("data.items.0.id"), professionals.at("data.items.0.especialidades.0.id")
	}
	c.cache.ids = &out
	return out
}

// lacking names the keys of the configuration without which no request can be made.
func (c *Case) lacking() (keys []string) {
	known := c.ids()
	for _, needed := range []struct {
		key   string
		empty bool
	}{
		{"card", c.config.Card == ""},
		{"credential_id", known.credential == ""},
		{"unit_id", known.unit == ""},
		{"care_point_id", known.point == ""},
		{"professional_id", known.professional == ""},
		{"specialty_id", known.specialty == nil},
	} {
		if needed.empty {
			keys = append(keys, needed.key)
		}
	}
	return keys
}

// Ready returns an error that names what the configuration must have before
// authorizations can be asked for. Without them most sentences would stay open.
func (s *Suite) Ready(ctx context.Context) error {
	c := &Case{Suite: s, ctx: ctx}
	var keys []string
	c.attempt(func(c *Case) { keys = c.lacking() })
	switch {
	case len(c.problems) > 0:
		return fmt.Errorf("%w: %s", ErrNotReady, strings.Join(c.problems, "; "))
	case len(keys) > 0:
		return fmt.Errorf("%w: the configuration must have %s (credential_id where an empty search finds none; "+
			"units_path and executants_path may name the operations that list units and professionals instead)",
			ErrNotReady, strings.Join(keys, ", "))
	}
	return nil
}

// ErrNotReady is returned by Ready.
var ErrNotReady = errors.New("no authorization can be asked for")
