package client

import (
	"context"
	"net/http"
)

const featuresPath = "/api/v2/recursos"

// Features is what a service can do beyond the specification (row 17). The zero
// value is none: every service is safe to speak to with it.
type Features struct {
	Idempotency  bool // idempotencia: honours Idempotency-Key
	Status       bool // situacao: tells later states
	LookUp       bool // consulta-por-guia: finds by guiaPrestador
	Attachments  bool // anexos: takes attachments later
	Biometrics   bool // biometria
	Cancellation bool // cancelamento
	Eligibility  bool // elegibilidade
	Directory    bool // cadastros: lists units and professionals
}

// Features asks the service what it can do and remembers it for Send: without a
// call, and until one succeeds, no feature is used, and nothing doubtful is sent. A service that knows no such
// path has none. One that could not be asked, which the error tells, keeps what
// it announced before: a request that is repeated must not lose its key in
// between. Features set by hand are returned without asking.
func (c *Client) Features(ctx context.Context) (Features, error) {
	if c.cfg.Features != nil {
		return *c.cfg.Features, nil
	}
	f, err := c.askFeatures(ctx)
	if err != nil {
		return c.features(), err
	}
	c.announced.Store(&f)
	return f, nil
}

// features returns what is known without asking.
func (c *Client) features() Features {
	if c.cfg.Features != nil {
		return *c.cfg.Features
	}
	if f := c.announced.Load(); f != nil {
		return *f
	}
	return Features{}
}

// knownFeatures asks where nobody has asked yet: right after a start, say, or after
// a change of the settings.
func (c *Client) knownFeatures(ctx context.Context) (Features, error) {
	if c.cfg.Features == nil && c.announced.Load() == nil {
		return c.Features(ctx)
	}
	return c.features(), nil
}

// hasNoSuch reports whether a service says that it has no such path, or nothing to be asked there: that does not pass.
func hasNoSuch(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
		return true
	}
	return false
}

func (c *Client) askFeatures(ctx context.Context) (Features, error) {
	a, err := c.get(ctx, featuresPath, nil, "application/json")
	if err != nil {
		return Features{}, err
	}
	if hasNoSuch(a.status) {
		return Features{}, nil
	}
	e, err := a.envelope(ctx)
	if err != nil {
		return Features{}, err
	}
	var words []string
	for _, word := range list(object(e.data)["recursos"]) {
		words = append(words, text(word))
	}
	return FeaturesOf(words), nil
}
