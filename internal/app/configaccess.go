package app

import (
	"fmt"
	"strings"
)

// ways are the variables that each way into another service is made of: who asks,
// where that is said, and the secret.
func (c Config) ways() []way {
	return []way{
		{secret: setting{"GUICHE_API_KEY", c.APIKey}},
		{setting{"GUICHE_SERVICE_USER", c.ServiceUser}, setting{"GUICHE_SERVICE_PASSWORD", c.ServicePassword}},
		{setting{"GUICHE_CLIENT_ID", c.ClientID}, setting{"GUICHE_CLIENT_SECRET", c.ClientSecret}},
	}
}

type way struct{ who, secret setting }

type setting struct{ name, value string }

// checkAccess wants one whole way into the service that is named.
func (c Config) checkAccess() error {
	var given []string
	for _, w := range c.ways() {
		switch {
		case w.who.value != "" && w.secret.value == "":
			return fmt.Errorf("%s: %s needs it (%[1]s or %[1]s_FILE)", w.secret.name, w.who.name)
		case w.who.name != "" && w.who.value == "" && w.secret.value != "":
			return fmt.Errorf("%s: %s belongs to it", w.who.name, w.secret.name)
		case w.secret.value != "":
			given = append(given, w.secret.name)
		}
	}
	switch len(given) {
	case 0:
		return fmt.Errorf("GUICHE_API_KEY: GUICHE_BASE_URL needs the access to that service: GUICHE_API_KEY, or GUICHE_SERVICE_USER with " +
			"GUICHE_SERVICE_PASSWORD, or GUICHE_CLIENT_ID with GUICHE_CLIENT_SECRET; each secret also from a file, as GUICHE_API_KEY_FILE")
	case 1:
		return c.checkPaths()
	}
	return fmt.Errorf("%s: these are several ways into one service; leave all but one out", strings.Join(given, ", "))
}

func (c Config) checkPaths() error {
	for _, s := range []setting{{"GUICHE_LOGIN_PATH", c.LoginPath}, {"GUICHE_TOKEN_PATH", c.TokenPath}} {
		if s.value != "" && (!strings.HasPrefix(s.value, "/") || strings.HasPrefix(s.value, "//") || strings.ContainsAny(s.value, "?#\\ ")) {
			return fmt.Errorf("%s: want a path below GUICHE_BASE_URL, such as /api/v1/auth/login", s.name)
		}
	}
	return nil
}

// checkNoAccess refuses a way into a service that nobody named.
func (c Config) checkNoAccess() error {
	for _, w := range c.ways() {
		for _, s := range []setting{w.who, w.secret} {
			if s.value != "" {
				return fmt.Errorf("GUICHE_BASE_URL: %s is for another service; name its address, or set it up on the page Conexão", s.name)
			}
		}
	}
	return nil
}
