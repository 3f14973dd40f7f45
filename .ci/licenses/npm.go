package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"guiche/internal/licenses"
)

// npmPackages returns the packages that the browser's files are made of: those of
// the lock file but for what only tests use.
func npmPackages(static string) ([]licenses.Component, error) {
	text, err := os.ReadFile(filepath.Join(static, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev              bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("read package-lock.json: %w", err)
	}
	var all []licenses.Component
	for _, dir := range slices.Sorted(maps.Keys(lock.Packages)) {
		p := lock.Packages[dir]
		_, name, ok := strings.Cut(dir, "node_modules/")
		if !ok || p.Dev {
			continue
		}
		terms, err := texts(filepath.Join(static, dir), []string{"."})
		if err != nil {
			return nil, fmt.Errorf("%w (npm ci in the folder static brings it)", err)
		}
		all = append(all, licenses.Component{Name: name, Version: p.Version, Kind: licenses.NPM, License: p.License, Texts: terms})
	}
	return all, nil
}
