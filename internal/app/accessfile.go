package app

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"guiche/internal/atomicfile"
	"guiche/internal/diskspace"
)

// serviceFile is service.json: where the service is, and the key of this
// installation's own partner profile.
type serviceFile struct {
	URL    string `json:"url"`
	APIKey string `json:"api_key"`
}

// demoFile is demo.json: where the demo is and every access to it.
type demoFile struct {
	URL    string  `json:"url"`
	Logins []Login `json:"logins"`
	APIKey string  `json:"api_key"`

	OAuth       demoOAuth `json:"oauth"`
	ServiceUser demoUser  `json:"service_user"`
}

// demoOAuth is a client of the demo's partner.
type demoOAuth struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
}

// demoUser is a user of the demo's partner.
type demoUser struct {
	User     string `json:"user"`
	Password string `json:"password"`
}

// writeAccessFile writes a JSON file that only its owner may read. Without space for it the
// one of the start before stays: a full disk must not keep an installation from starting.
func (c Config) writeAccessFile(name string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	err = atomicfile.Write(filepath.Join(c.DataDir, name), append(content, '\n'), 0o600)
	if diskspace.IsFull(err) {
		c.Logger.Warn("a file is left as the start before wrote it, for want of disk space", "file", name)
		return nil
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
