package client

import (
	"context"
	"net/url"

	"guiche/internal/authorization"
)

const searchPath = "/api/v2/credenciais"

// SearchCredentials searches the provider's operator credentials (specification
// 4.1), in the service's order; an empty text lists all. It sends Busca alone and
// reads JSON whatever the content type says (row 14). Errors are
// problem.Unavailable.
func (c *Client) SearchCredentials(ctx context.Context, busca string) ([]authorization.Credential, error) {
	r, err := c.get(ctx, searchPath, url.Values{"Busca": {busca}}, "text/plain")
	if err != nil {
		return nil, err
	}
	e, err := r.envelope(ctx)
	if err != nil {
		return nil, err
	}
	items := e.data
	if data := object(e.data); data != nil {
		items = data["items"]
	}
	var found []authorization.Credential
	for _, item := range list(items) {
		// Without an identifier a credential cannot be used in a request.
		if credential := readCredential(object(item)); credential.ID != "" {
			found = append(found, credential)
		}
	}
	return found, nil
}

func readCredential(o map[string]any) authorization.Credential {
	biometrics, _ := truth(o["exigeBiometria"])
	return authorization.Credential{
		ID:            text(o["id"]),
		Name:          text(o["nome"]),
		ProviderCode:  text(o["codigoPrestador"]),
		EligibilityID: text(o["credencialElegibilityId"]),
		Biometrics:    biometrics,
	}
}
