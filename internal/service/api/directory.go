package api

import (
	"fmt"
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// page is data of a list. The credential search adds its paging (row 14).
type page struct {
	Items any `json:"items"`
	*paging
}

// paging is where a page of a list stands; lists that are not paged leave it out.
type paging struct {
	Total int `json:"total"`
	Page  int `json:"pagina"`
	Size  int `json:"tamanhoPagina"`
}

// credentialItem is a credential on the wire (4.1).
type credentialItem struct {
	ID            uuid.UUID `json:"id"`
	Name          string    `json:"nome"`
	ProviderCode  string    `json:"codigoPrestador"`
	EligibilityID uuid.UUID `json:"credencialElegibilityId"`
	Biometrics    bool      `json:"exigeBiometria"`
}

// searchCredentials serves GET /api/v2/credenciais (4.1 and row 14).
func (a *API) searchCredentials(c *call) (response, error) {
	query, err := a.credentialQuery(c)
	if err != nil {
		return response{}, err
	}
	found, err := a.service.SearchCredentials(c.Context(), query)
	if err != nil {
		return response{}, err
	}
	items := make([]credentialItem, 0, len(found.Items))
	for _, f := range found.Items {
		items = append(items, credentialItem{f.ID, f.Name, f.ProviderCode, f.EligibilityID, f.Biometrics})
	}
	return response{data: page{items, &paging{found.Total, query.Page, query.Size}}}, nil
}

// credentialQuery reads Busca, Pagina and TamanhoPagina. A number out of its bounds is a
// 422 and not corrected silently: the caller would misread which page it got (row 14).
func (a *API) credentialQuery(c *call) (service.CredentialQuery, error) {
	query := service.CredentialQuery{Page: 1, Size: a.limits.PageSize}
	values, err := parameters(c)
	if err != nil {
		return query, err
	}
	query.Text = values.Get("Busca")
	var bad []problem.Field
	number := func(name string, dst *int, most int) {
		if !values.Has(name) {
			return
		}
		n, err := strconv.Atoi(values.Get(name))
		if err != nil || n < 1 || n > most {
			bad = append(bad, problem.Field{Path: name, Code: authorization.CodeLimit, Message: fmt.Sprintf("%s vai de 1 a %d.", name, most)})
			return
		}
		*dst = n
	}
	number("Pagina", &query.Page, maxPage)
	number("TamanhoPagina", &query.Size, a.limits.MaxPageSize)
	if len(bad) > 0 {
		return query, invalid(bad...)
	}
	return query, nil
}

// maxPage keeps the product of page and size far from overflow.
const maxPage = 1_000_000

// unitItem is a unit on the wire, with its active care points only (row 13).
type unitItem struct {
	ID     uuid.UUID   `json:"id"`
	Name   string      `json:"nome"`
	Points []pointItem `json:"pontosAtendimento"`
}

// pointItem is a care point on the wire (row 13).
type pointItem struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"nome"`
}

// listUnits serves GET /api/v2/unidades (4.3 and row 13).
func (a *API) listUnits(c *call) (response, error) {
	units, err := a.service.Units(c.Context())
	if err != nil {
		return response{}, err
	}
	items := make([]unitItem, 0, len(units))
	for _, u := range units {
		item := unitItem{ID: u.ID, Name: u.Name, Points: make([]pointItem, 0, len(u.Points))}
		for _, p := range u.Points {
			if !p.Disabled {
				item.Points = append(item.Points, pointItem{p.ID, p.Name})
			}
		}
		items = append(items, item)
	}
	return response{data: page{Items: items}}, nil
}

// professionalItem is a professional on the wire, with the active specialties only (row
// 13).
type professionalItem struct {
	ID          uuid.UUID       `json:"id"`
	Name        string          `json:"nome"`
	Council     string          `json:"siglaConselho"`
	Number      string          `json:"numeroConselho"`
	State       string          `json:"uf"`
	Specialties []specialtyItem `json:"especialidades"`
}

// specialtyItem is a specialty on the wire; its identifier is a number (row 13).
type specialtyItem struct {
	ID   int    `json:"id"`
	Name string `json:"nome"`
	CBO  string `json:"cbo"`
}

// listProfessionals serves GET /api/v2/profissionais-executantes (4.3 and row 13).
func (a *API) listProfessionals(c *call) (response, error) {
	professionals, err := a.service.Professionals(c.Context())
	if err != nil {
		return response{}, err
	}
	items := make([]professionalItem, 0, len(professionals))
	for _, p := range professionals {
		item := professionalItem{p.ID, p.Name, p.Council, p.Number, p.State, make([]specialtyItem, 0, len(p.Specialties))}
		for _, sp := range p.Specialties {
			if !sp.Disabled {
				item.Specialties = append(item.Specialties, specialtyItem{sp.ID, sp.Name, sp.CBO})
			}
		}
		items = append(items, item)
	}
	return response{data: page{Items: items}}, nil
}
