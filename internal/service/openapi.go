package service

import (
	_ "embed"
	"net/http"
	"strconv"
)

//go:embed openapi.yaml
var openAPI []byte

// OpenAPI returns the description of the service, OpenAPI 3.1 in YAML (row 22).
func OpenAPI() []byte { return openAPI }

// describe serves GET /api/openapi.yaml, to anybody.
func (s *Service) describe(w http.ResponseWriter, _ *call) error {
	w.Header().Set("Content-Type", "application/yaml; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(openAPI)))
	_, err := w.Write(openAPI)
	return err
}
