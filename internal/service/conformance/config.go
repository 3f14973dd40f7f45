package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// Config says which service is judged, and with what. BaseURL, one way to authenticate,
// Card and the identifiers are required; what else is missing leaves sentences open.
type Config struct {
	BaseURL string `json:"base_url"` // {base_url} of the specification
	Guiche  bool   `json:"guiche"`   // it is Guichê's own: what differs from our decisions is broken

	APIKey string `json:"api_key"` // 5, first method
	Login  *Login `json:"login"`   // second
	OAuth  *OAuth `json:"oauth"`   // third

	Card          string `json:"card"`            // numeroCarteira of a test beneficiary
	CardTwoGuides string `json:"card_two_guides"` // one that is answered with two guides
	CardDenied    string `json:"card_denied"`     // one that is denied

	// Identifiers of the request (2.3); the credential is searched and the others
	// are taken from the two paths where they are empty.
	CredentialID      string `json:"credential_id"`
	UnitID            string `json:"unit_id"`
	CarePointID       string `json:"care_point_id"`
	ProfessionalID    string `json:"professional_id"`
	SpecialtyID       int    `json:"specialty_id"`
	UnitsPath         string `json:"units_path"`      // in the shape of row 13
	ProfessionalsPath string `json:"executants_path"` // likewise

	// Request replaces properties of the request that is sent, for services that
	// know only some requesters or procedures.
	Request map[string]any `json:"request"`
}

// Login is a user of the service and the operation that 4.8 does not show. Empty
// names take those of row 23.
type Login struct {
	Path          string `json:"path"`
	UserField     string `json:"user_field"`
	PasswordField string `json:"password_field"`
	User          string `json:"user"`
	Password      string `json:"password"`
}

// OAuth is a client of the service (4.7).
type OAuth struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
}

// Load reads a configuration. A name in it that nothing here has is an error.
func Load(path string) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	var c Config
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	return c, c.check()
}

// check names what is missing or wrong before the first request is sent.
func (c Config) check() error {
	base, err := url.Parse(c.BaseURL)
	switch {
	case err != nil || base.Host == "":
		return errors.New("base_url must be an address such as https://host/prefix")
	case c.APIKey == "" && c.Login == nil && c.OAuth == nil:
		return errors.New("one of api_key, login and oauth is required")
	}
	return nil
}

// withDefaults fills the paths and field names of section 4 where the configuration
// names none. It changes copies: the caller's configuration stays as it was.
func (c Config) withDefaults() Config {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	if c.Login != nil {
		login := *c.Login
		c.Login = &login
		setDefault(&login.Path, "/api/v1/auth/login")
		setDefault(&login.UserField, "usuario")
		setDefault(&login.PasswordField, "senha")
	}
	if c.Guiche {
		setDefault(&c.UnitsPath, unitsPath)
		setDefault(&c.ProfessionalsPath, professionalsPath)
		setDefault(&c.Card, "99990100001") // of the simulated operators' rules
		setDefault(&c.CardTwoGuides, "99991900001")
		setDefault(&c.CardDenied, "99990400001")
	}
	return c
}

// setDefault fills a text that was left empty.
func setDefault(s *string, value string) {
	if *s == "" {
		*s = value
	}
}
