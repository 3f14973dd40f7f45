package api

import (
	_ "embed"
	"fmt"
	"net/http"
	"strconv"
)

//go:embed openapi.yaml
var openAPI []byte

// OpenAPI returns the description of the service, OpenAPI 3.1 in YAML (row 22).
func OpenAPI() []byte { return openAPI }

// describe serves GET /api/openapi.yaml, to anybody.
func (a *API) describe(w http.ResponseWriter, _ *call) error {
	w.Header().Set("Content-Type", "application/yaml; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(openAPI)))
	if _, err := w.Write(openAPI); err != nil {
		return fmt.Errorf("api: write description: %w", err)
	}
	return nil
}

// listFeatures serves GET /api/v2/recursos (row 17).
func (a *API) listFeatures(w http.ResponseWriter, _ *call) error {
	return writeData(w, http.StatusOK, struct {
		Features []string `json:"recursos"`
	}{a.service.Features()})
}
