package service

import (
	"fmt"
	"net/http"
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// page is data of a list. The credential search adds its paging (row 14).
type page struct {
	Items any `json:"items"`
	*paging
}

type paging struct {
	Total int `json:"total"`
	Page  int `json:"pagina"`
	Size  int `json:"tamanhoPagina"`
}

type credentialItem struct {
	ID            uuid.UUID `json:"id"`
	Name          string    `json:"nome"`
	ProviderCode  string    `json:"codigoPrestador"`
	EligibilityID uuid.UUID `json:"credencialElegibilityId"`
	Biometrics    bool      `json:"exigeBiometria"`
}

// searchCredentials serves GET /api/v2/credenciais (4.1 and row 14).
func (s *Service) searchCredentials(w http.ResponseWriter, c *call) error {
	query, err := s.credentialQuery(c)
	if err != nil {
		return err
	}
	found, err := s.store.SearchCredentials(c.Context(), query)
	if err != nil {
		return err
	}
	items := make([]credentialItem, 0, len(found.Items))
	for _, f := range found.Items {
		items = append(items, credentialItem{f.ID, f.Name, f.ProviderCode, f.EligibilityID, f.Biometrics})
	}
	return writeEnvelope(w, http.StatusOK, newEnvelope(page{items, &paging{found.Total, query.Page, query.Size}}, nil))
}

func (s *Service) credentialQuery(c *call) (CredentialQuery, error) {
	query := CredentialQuery{Page: 1, Size: s.limits.PageSize}
	values, err := parameters(c)
	if err != nil {
		return query, err
	}
	query.Text = values.Get("Busca")
	var wrong []problem.Field
	number := func(name string, dst *int, most int) {
		if !values.Has(name) {
			return
		}
		n, err := strconv.Atoi(values.Get(name))
		if err != nil || n < 1 || n > most {
			wrong = append(wrong, problem.Field{Path: name, Code: authorization.CodeLimit, Message: fmt.Sprintf("%s vai de 1 a %d.", name, most)})
			return
		}
		*dst = n
	}
	number("Pagina", &query.Page, maxPage)
	number("TamanhoPagina", &query.Size, s.limits.MaxPageSize)
	if len(wrong) > 0 {
		return query, invalid(wrong...)
	}
	return query, nil
}

// maxPage keeps the product of page and size far from overflow.
const maxPage = 1_000_000

type unitItem struct {
	ID     uuid.UUID   `json:"id"`
	Name   string      `json:"nome"`
	Points []pointItem `json:"pontosAtendimento"`
}

type pointItem struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"nome"`
}

// listUnits serves GET /api/v2/unidades (4.3 and row 13).
func (s *Service) listUnits(w http.ResponseWriter, c *call) error {
	units, err := s.store.Units(c.Context(), RegisterQuery{})
	if err != nil {
		return err
	}
	items := make([]unitItem, 0, len(units.Items))
	for _, u := range units.Items {
		item := unitItem{ID: u.ID, Name: u.Name, Points: make([]pointItem, 0, len(u.Points))}
		for _, p := range u.Points {
			if !p.Disabled {
				item.Points = append(item.Points, pointItem{p.ID, p.Name})
			}
		}
		items = append(items, item)
	}
	return writeEnvelope(w, http.StatusOK, newEnvelope(page{Items: items}, nil))
}

type professionalItem struct {
	ID          uuid.UUID       `json:"id"`
	Name        string          `json:"nome"`
	Council     string          `json:"siglaConselho"`
	Number      string          `json:"numeroConselho"`
	State       string          `json:"uf"`
	Specialties []specialtyItem `json:"especialidades"`
}

type specialtyItem struct {
	ID   int    `json:"id"`
	Name string `json:"nome"`
	CBO  string `json:"cbo"`
}

// listProfessionals serves GET /api/v2/profissionais-executantes (4.3 and row 13).
func (s *Service) listProfessionals(w http.ResponseWriter, c *call) error {
	professionals, err := s.store.Professionals(c.Context(), RegisterQuery{})
	if err != nil {
		return err
	}
	items := make([]professionalItem, 0, len(professionals.Items))
	for _, p := range professionals.Items {
		item := professionalItem{p.ID, p.Name, p.Council, p.Number, p.State, make([]specialtyItem, 0, len(p.Specialties))}
		for _, sp := range p.Specialties {
			if !sp.Disabled {
				item.Specialties = append(item.Specialties, specialtyItem{sp.ID, sp.Name, sp.CBO})
			}
		}
		items = append(items, item)
	}
	return writeEnvelope(w, http.StatusOK, newEnvelope(page{Items: items}, nil))
}
