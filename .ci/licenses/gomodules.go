package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"guiche/internal/licenses"
)

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir string
	EmbedFiles      []string
	Module          *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// module is a Go module and those of its folders that are linked.
type module struct {
	path, version, dir string
	used               map[string]bool
}

// goModules returns Go, each module that the program links on one of the targets,
// and the fonts among them.
func goModules(ctx context.Context, root string, targets []string) ([]licenses.Component, error) {
	if len(targets) == 0 {
		targets = []string{"/"}
	}
	modules := map[string]*module{}
	var embedded []string
	for _, target := range targets {
		packages, err := linked(ctx, root, target)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			p.addTo(modules)
			for _, name := range p.EmbedFiles {
				embedded = append(embedded, p.ImportPath+"/"+name)
			}
		}
	}
	all, err := goItself(ctx, root)
	if err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		terms, err := texts(m.dir, slices.Sorted(maps.Keys(m.used)))
		if err != nil {
			return nil, err
		}
		all = append(all, licenses.Component{Name: m.path, Version: m.version, Kind: licenses.Go, Texts: terms})
	}
	some, err := fonts(modules, embedded)
	return append(all, some...), err
}

// linked lists the packages of the program on one system, given as GOOS/GOARCH.
func linked(ctx context.Context, root, target string) ([]listed, error) {
	system, processor, _ := strings.Cut(target, "/")
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Dir,EmbedFiles,Module", "./cmd/guiche")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read go list: %w", err)
		}
		all = append(all, p)
	}
}

// addTo notes the folders from the package up to the root of its module: each may
// hold terms.
func (p listed) addTo(modules map[string]*module) {
	if p.Module == nil || p.Module.Main {
		return
	}
	m := modules[p.Module.Path]
	if m == nil {
		m = &module{path: p.Module.Path, version: p.Module.Version, dir: p.Module.Dir, used: map[string]bool{}}
		modules[p.Module.Path] = m
	}
	dir, err := filepath.Rel(p.Module.Dir, p.Dir)
	for err == nil && !m.used[dir] {
		m.used[dir] = true
		dir = filepath.Dir(dir)
	}
}

// goItself is Go: its standard library and runtime are in every binary.
func goItself(ctx context.Context, root string) ([]licenses.Component, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOROOT")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	version, dir, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	terms, err := texts(dir, []string{"."})
	return []licenses.Component{{Name: "Go", Version: version, Kind: licenses.Go, Texts: terms}}, err
}

// font is a typeface inside a module, with the files of its terms.
type font struct {
	name, module string
	files        []string
	embedded     []string // patterns of the files that the binary embeds of it
}

var knownFonts = []font{
	{"Go fonts", "golang.org/x/image", []string{"font/gofont/ttfs/README"},
		[]string{"guiche/internal/guide/fonts/dist/*.z"}},
	{"Roboto", "github.com/pdfcpu/pdfcpu", []string{"pkg/testdata/fonts/LICENSE.txt", "LICENSE.txt"},
		[]string{"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model/resources/Roboto-Regular.ttf"}},
}

// fonts returns the typefaces of the modules; it fails on an embedded one that has
// no terms here.
func fonts(modules map[string]*module, embedded []string) ([]licenses.Component, error) {
	var all []licenses.Component
	var known []string
	for _, f := range knownFonts {
		m := modules[f.module]
		if m == nil {
			continue
		}
		c := licenses.Component{Name: f.name, Version: "in " + f.module + " " + m.version, Kind: licenses.Font}
		for _, name := range f.files {
			t, err := text(m.dir, name)
			if err != nil {
				return nil, err
			}
			c.Texts = append(c.Texts, t)
		}
		all, known = append(all, c), append(known, f.embedded...)
	}
	for _, name := range embedded {
		switch filepath.Ext(name) {
		case ".ttf", ".otf", ".woff", ".woff2", ".z": // .z: as PDFs embed one, compressed
			if !slices.ContainsFunc(known, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }) {
				return nil, fmt.Errorf("the terms of %s are not known: add it to knownFonts", name)
			}
		}
	}
	return all, nil
}
