package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// Paths of what the specification leaves without one (row 13).
const (
	DefaultUnitsPath         = "/api/v2/unidades"
	DefaultProfessionalsPath = "/api/v2/profissionais-executantes"
)

// Units lists the provider's units with their care points. problem.NotFound says,
// without asking, that the service has no such list: it has no path, or is not
// announced (cadastros) and its path is nobody's own. Every other error is
// problem.Unavailable; a list that is cut into pages is one too, for what is not on
// it cannot be told from what is gone.
func (c *Client) Units(ctx context.Context) ([]authorization.ListedUnit, error) {
	items, err := c.list(ctx, c.cfg.UnitsPath, DefaultUnitsPath, "unidades")
	if err != nil {
		return nil, err
	}
	units := make([]authorization.ListedUnit, 0, len(items))
	for _, o := range items {
		u := authorization.ListedUnit{ID: firstText(o, "id", "unidadeid"), Name: firstText(o, "nome", "name", "descricao")}
		for _, p := range parts(o, "pontosatendimento", "pontosdeatendimento", "pontos") {
			u.CarePoints = append(u.CarePoints, authorization.ListedCarePoint{ID: firstText(p, "id", "pontoatendimentoid"),
				Name: firstText(p, "nome", "name", "descricao")})
		}
		units = append(units, u)
	}
	return units, nil
}

// Professionals lists the provider's executing professionals with their specialties;
// errors are those of Units.
func (c *Client) Professionals(ctx context.Context) ([]authorization.ListedProfessional, error) {
	items, err := c.list(ctx, c.cfg.ProfessionalsPath, DefaultProfessionalsPath, "profissionaisexecutantes", "profissionais", "executantes")
	if err != nil {
		return nil, err
	}
	professionals := make([]authorization.ListedProfessional, 0, len(items))
	for _, o := range items {
		e := authorization.ListedProfessional{
			ID: firstText(o, "id", "profissionalexecutanteid", "profissionalid"), Name: firstText(o, "nome", "name"),
			Council: firstText(o, "siglaconselho", "conselho"), CouncilNumber: firstText(o, "numeroconselho", "crm"),
			State: firstText(o, "uf", "ufconselho"),
		}
		for _, s := range parts(o, "especialidades") {
			e.Specialties = append(e.Specialties, authorization.ListedSpecialty{
				ID:   number(firstText(s, "id", "especialidadeexecutanteid", "especialidadeid")),
				Name: firstText(s, "nome", "name", "descricao"), CBO: firstText(s, "cbo", "codigocbo"),
			})
		}
		professionals = append(professionals, e)
	}
	return professionals, nil
}

// list asks for a list and returns its items, names of members folded.
func (c *Client) list(ctx context.Context, path, usual string, names ...string) ([]map[string]any, error) {
	if path == NoPath {
		return nil, problem.Wrap(problem.NotFound, "O serviço não tem esta lista: o caminho está vazio.", errors.New("no path for "+names[0]))
	}
	if path == usual {
		if err := c.mustAnnounceLists(ctx); err != nil {
			return nil, err
		}
	}
	r, err := c.get(ctx, path, nil, "application/json")
	if err != nil {
		return nil, err
	}
	if r.status == http.StatusNotFound {
		return nil, problem.Wrap(problem.Unavailable, "O serviço não tem nada em "+path+". Confira o caminho.", errors.New("status 404"))
	}
	e, err := r.envelope(ctx)
	if err != nil {
		return nil, err
	}
	return listed(e.data, names)
}

// mustAnnounceLists refuses to ask a service for lists that it does not announce.
func (c *Client) mustAnnounceLists(ctx context.Context) error {
	f, err := c.knownFeatures(ctx)
	if err != nil {
		return err
	}
	if !f.Directory {
		return problem.Wrap(problem.NotFound, "O serviço não anuncia esta lista.", errors.New("not announced: cadastros"))
	}
	return nil
}

// listed finds the list in data: data itself, its items, or the member that is
// named after what is in it.
func listed(data any, names []string) ([]map[string]any, error) {
	items, found := data.([]any)
	o := folded(object(data))
	for _, name := range append([]string{"items", "itens"}, names...) {
		if !found {
			items, found = o[name].([]any)
		}
	}
	if !found {
		return nil, errForeign(errors.New("data holds no list"))
	}
	if total := number(o["total"]); total > len(items) {
		return nil, problem.Wrap(problem.Unavailable, "O serviço mandou só uma parte da lista, e o Guichê precisa dela inteira.",
			fmt.Errorf("%d of %d items", len(items), total))
	}
	all := make([]map[string]any, len(items))
	for i, item := range items {
		all[i] = folded(object(item))
	}
	return all, nil
}

// parts returns the objects of the first member that is a list.
func parts(o map[string]any, names ...string) []map[string]any {
	for _, name := range names {
		if items, ok := o[name].([]any); ok {
			found := make([]map[string]any, len(items))
			for i, item := range items {
				found[i] = folded(object(item))
			}
			return found
		}
	}
	return nil
}

// folded returns the members under names without case and underscores: services
// write pontosAtendimento and pontos_atendimento. Of two that become one the later in order counts, unless it is null.
func folded(o map[string]any) map[string]any {
	out := make(map[string]any, len(o))
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if v := o[name]; v != nil {
			out[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = v
		}
	}
	return out
}
