package api

import _ "embed"

//go:embed openapi.yaml
var openAPI []byte

// OpenAPI returns the description of the service, OpenAPI 3.1 in YAML (row 22).
func OpenAPI() []byte { return openAPI }

// describe serves GET /api/openapi.yaml, to anybody.
func (a *API) describe(*call) (response, error) {
	return response{file: &file{"application/yaml; charset=utf-8", openAPI}}, nil
}

// listFeatures serves GET /api/v2/recursos (row 17).
func (a *API) listFeatures(*call) (response, error) {
	return response{data: struct {
		Features []string `json:"recursos"`
	}{a.service.Features()}}, nil
}
