package main

import (
	"encoding/json"
	"strings"

	"guiche/internal/licenses"
)

// The parts of CycloneDX 1.5 that say what a program is made of.
type (
	document struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type     string    `json:"type"`
		Ref      string    `json:"bom-ref"`
		Name     string    `json:"name"`
		Version  string    `json:"version,omitempty"`
		PURL     string    `json:"purl,omitempty"`
		Licenses []license `json:"licenses,omitempty"`
	}
	license struct {
		Expression string `json:"expression"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// bill returns the bill of materials of a version, the same bytes for the same
// components.
func bill(all []licenses.Component, version string) ([]byte, error) {
	d := document{Format: "CycloneDX", Spec: "1.5", Version: 1, Components: []component{}}
	var parts []string
	for _, c := range all {
		one := describe(c)
		if c.Kind == licenses.Self {
			one.Type, one.Name, one.Version, one.Ref = "application", "guiche", version, "guiche@"+version
			d.Metadata.Component = one
			continue
		}
		d.Components = append(d.Components, one)
		parts = append(parts, one.Ref)
	}
	d.Dependencies = []dependency{{d.Metadata.Component.Ref, parts}}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// describe is a component as CycloneDX names it.
func describe(c licenses.Component) component {
	one := component{Type: "library", Name: c.Name, Version: c.Version, Ref: c.Name + "@" + c.Version}
	if c.License != "" {
		one.Licenses = []license{{c.License}}
	}
	switch {
	case c.Kind == licenses.Font:
		one.Type = "data"
	case c.Name == "Go":
		one.Version = strings.TrimPrefix(c.Version, "go")
		one.PURL = "pkg:golang/stdlib@" + one.Version
	case c.Kind == licenses.Go:
		one.PURL = "pkg:golang/" + c.Name + "@" + c.Version
	case c.Kind == licenses.NPM:
		one.PURL = "pkg:npm/" + strings.Replace(c.Name, "@", "%40", 1) + "@" + c.Version
	}
	if one.PURL != "" {
		one.Ref = one.PURL
	}
	return one
}
