package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is a package with its syntax and types, ready to be changed.
type pkg struct {
	path     string // import path
	dir      string // absolute folder
	folder   string // the same, below the module
	root     string // absolute folder of the module
	hasTests bool
	fset     *token.FileSet
	sources  []*source
	info     *types.Info
	importer types.Importer
}

// source is one file of a package.
type source struct {
	path string // absolute
	name string // below the module, with slashes
	text []byte
	file *ast.File
	hand bool // written by hand: not generated
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export   string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
	Imports                   []string
	DepOnly                   bool
	Module                    *struct{ Dir string }
}

// load returns the packages that the patterns name, but those that are
// themselves parts of tests.
func load(ctx context.Context, dir string, patterns []string) ([]*pkg, error) {
	all, err := goList(ctx, dir, patterns)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, l := range all {
		exports[l.ImportPath] = l.Export
	}
	var packages []*pkg
	for _, l := range all {
		if l.DepOnly || len(l.GoFiles) == 0 || slices.Contains(l.Imports, "testing") {
			continue
		}
		p, err := l.parse(exports)
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", l.ImportPath, err)
		}
		packages = append(packages, p)
	}
	if len(packages) == 0 {
		return nil, errors.New("the patterns name no package")
	}
	return packages, nil
}

// goList asks the go command for the packages with everything they import, compiled:
// types come from export data, not from reading the sources again.
func goList(ctx context.Context, dir string, patterns []string) ([]listed, error) {
	args := []string{"list", "-deps", "-export",
		"-json=ImportPath,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,Imports,DepOnly,Module", "--"}
	cmd := exec.CommandContext(ctx, "go", append(args, patterns...)...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read go list: %w", err)
		}
		all = append(all, l)
	}
}

// parse reads the package's files and its types; exports has the compiled form
// of whatever it imports.
func (l listed) parse(exports map[string]string) (*pkg, error) {
	p := &pkg{
		path: l.ImportPath, dir: l.Dir, root: l.Module.Dir, fset: token.NewFileSet(),
		hasTests: len(l.TestGoFiles)+len(l.XTestGoFiles) > 0,
		info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{},
			Uses:  map[*ast.Ident]types.Object{},
			Defs:  map[*ast.Ident]types.Object{},
		},
	}
	p.folder = p.below(l.Dir)
	p.importer = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for _, name := range l.GoFiles {
		s, err := p.read(filepath.Join(l.Dir, name))
		if err != nil {
			return nil, err
		}
		p.sources = append(p.sources, s)
	}
	return p, p.check(nil, nil, p.info)
}

// below is a path as the report shows it, relative to the module, with slashes on every
// system.
func (p *pkg) below(path string) string {
	rel, err := filepath.Rel(p.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// read keeps the text beside the syntax tree: a mutant is a change of bytes, so that
// what is not changed keeps its form.
func (p *pkg) read(path string) (*source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(p.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	generated := ast.IsGenerated(file) || strings.HasSuffix(path, "_templ.go")
	return &source{path: path, name: p.below(path), text: text, file: file, hand: !generated}, nil
}

// check reports whether the package is still a Go program when changed stands
// in the place of one of its files.
func (p *pkg) check(of *source, changed *ast.File, info *types.Info) error {
	files := make([]*ast.File, len(p.sources))
	for i, s := range p.sources {
		files[i] = s.file
		if s == of {
			files[i] = changed
		}
	}
	conf := types.Config{Importer: p.importer}
	_, err := conf.Check(p.path, p.fset, files, info)
	return err
}

// compiles reports whether the package with the mutant is a Go program.
func (p *pkg) compiles(m mutant) bool {
	file, err := parser.ParseFile(p.fset, m.source.path, m.apply(), parser.SkipObjectResolution)
	return err == nil && p.check(m.source, file, nil) == nil
}
