// Package licenses holds the notices of what others wrote and the binary contains: Go
// modules, browser assets, fonts. The build collects them (.ci/licenses); their texts
// are not in the repository.
package licenses

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"guiche/static"
)

// File is where the build keeps what it collected, among the browser's files.
const File = "licenses.json.gz"

// ErrNotCollected is returned by a binary that was built without its notices.
var ErrNotCollected = errors.New("this binary was built without the licence texts: `make build` collects them")

// Kind says what a component is.
type Kind string

// The kinds of components.
const (
	Self Kind = "self" // Guichê
	Go   Kind = "go"   // a Go module, or Go itself
	NPM  Kind = "npm"  // a package of the npm registry
	Font Kind = "font"
)

// Component is a work that the binary contains, with its terms.
type Component struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Kind    Kind   `json:"kind"`
	License string `json:"license"` // SPDX expression, "" when the texts are not known
	Texts   []Text `json:"texts"`
}

// Text is one file of a component's terms.
type Text struct {
	File string `json:"file"` // its name in the component
	Body string `json:"body"`
}

// All returns every component of this binary, or ErrNotCollected.
func All() ([]Component, error) { return Read(static.FS) }

// Read returns the components that the build collected into a folder.
func Read(dir fs.FS) ([]Component, error) {
	file, err := dir.Open(File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotCollected
	}
	if err != nil {
		return nil, fmt.Errorf("open the licence texts: %w", err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("read the licence texts: %w", err)
	}
	var all []Component
	if err := json.NewDecoder(unpacked).Decode(&all); err != nil {
		return nil, fmt.Errorf("read the licence texts: %w", err)
	}
	return all, nil
}

// Write prints the components as a list, and then the texts of each.
func Write(w io.Writer, all []Component) error {
	var b strings.Builder
	b.WriteString("Guichê is free software under the Apache License 2.0. This binary also contains the\n" +
		"work of others, under the terms that follow the list.\n\n")
	for _, c := range all {
		fmt.Fprintf(&b, "  %-44s %-44s %s\n", c.Name, c.Version, c.License)
	}
	for _, c := range all {
		fmt.Fprintf(&b, "\n%s\n%s\n", strings.Repeat("=", 80), strings.TrimSpace(c.Name+" "+c.Version))
		for _, t := range c.Texts {
			fmt.Fprintf(&b, "%s\n%s\n\n%s\n", strings.Repeat("-", 80), t.File, strings.TrimSpace(t.Body))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
