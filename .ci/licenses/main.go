// Command licenses collects, for a build, the notices of what others wrote and the
// binary contains: Go and the modules that it links on any of the systems it is built
// for, the npm packages of the browser's files, and the fonts. It fails where a work
// has no text.
//
//	go run ./.ci/licenses -targets 'linux/amd64 windows/amd64'
//	go run ./.ci/licenses -sbom dist/guiche-sbom.cdx.json -version v1.0.0
package main

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"guiche/internal/licenses"
)

func main() {
	root := flag.String("C", ".", "`folder` of the repository")
	targets := flag.String("targets", "", "systems that the binary is built for, as GOOS/GOARCH; this one without it")
	out := flag.String("o", "static/dist/"+licenses.File, "`file` for the notices")
	sbom := flag.String("sbom", "", "`file` for a list of the components as CycloneDX, nothing without it")
	version := flag.String("version", "dev", "version of Guichê in that list")
	flag.Parse()
	if err := run(context.Background(), *root, strings.Fields(*targets), *out, *sbom, *version); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

// run collects the notices and writes them, and the SBOM where one is asked for.
func run(ctx context.Context, root string, targets []string, out, sbom, version string) error {
	all, err := collect(ctx, root, targets)
	if err != nil {
		return err
	}
	if err := write(out, all); err != nil {
		return err
	}
	if sbom == "" {
		return nil
	}
	text, err := bill(all, version)
	if err != nil {
		return err
	}
	return os.WriteFile(sbom, text, 0o600)
}

// collect returns every component: Guichê first, then Go, then the others by name.
func collect(ctx context.Context, root string, targets []string) ([]licenses.Component, error) {
	terms, err := texts(root, []string{"."})
	if err != nil {
		return nil, err
	}
	all := []licenses.Component{{Name: "Guichê", Kind: licenses.Self, Texts: terms}}
	for _, part := range []func() ([]licenses.Component, error){
		func() ([]licenses.Component, error) { return goModules(ctx, root, targets) },
		func() ([]licenses.Component, error) { return npmPackages(filepath.Join(root, "static")) },
	} {
		some, err := part()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	for i, c := range all {
		if len(c.Texts) == 0 {
			return nil, fmt.Errorf("%s %s has no licence text", c.Name, c.Version)
		}
		all[i].License = cmp.Or(expression(c.Texts), c.License)
	}
	slices.SortStableFunc(all, func(a, b licenses.Component) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
	})
	return all, nil
}

// rank puts the project itself first and Go second; the rest follows by name.
func rank(c licenses.Component) int {
	switch {
	case c.Kind == licenses.Self:
		return 0
	case c.Name == "Go":
		return 1
	default:
		return 2
	}
}

// write packs the notices: as plain text they would add more to the binary than the
// desk's own pages.
func write(path string, all []licenses.Component) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	packed, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(packed).Encode(all); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return file.Close()
}
