package api

import "guiche/internal/service/access"

// pairDoc is data of the answer to a login and a refresh (row 23).
type pairDoc struct {
	Access         string `json:"access_token"`
	Type           string `json:"token_type"`
	ExpiresIn      int    `json:"expires_in"` // seconds
	Refresh        string `json:"refresh_token"`
	RefreshExpires int    `json:"refresh_expires_in"` // seconds
}

// login serves POST /api/v1/auth/login (4.8 and row 23).
func (a *API) login(c *call) (response, error) {
	in, err := a.readTexts(c, "usuario", "senha")
	if err != nil {
		return response{}, err
	}
	pair, err := a.access.Login(c.Context(), access.LoginRequest{
		User: in["usuario"], Password: in["senha"], From: a.address(c.Request),
	})
	return response{data: newPairDoc(pair)}, err
}

// refresh serves POST /api/v1/auth/refresh (4.6 and row 23).
func (a *API) refresh(c *call) (response, error) {
	in, err := a.readTexts(c, "refresh_token")
	if err != nil {
		return response{}, err
	}
	pair, err := a.access.Refresh(c.Context(), in["refresh_token"], a.address(c.Request))
	return response{data: newPairDoc(pair)}, err
}

func newPairDoc(p access.Pair) pairDoc {
	return pairDoc{
		Access: p.Access, Type: "Bearer", ExpiresIn: int(p.AccessLife.Seconds()),
		Refresh: p.Refresh, RefreshExpires: int(p.RefreshLife.Seconds()),
	}
}
