package static

import (
	"embed"
	"encoding/json"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// FS holds the built files, at its root.
var FS = mustSub(dist, "dist")

// Prefix is where Handler serves.
const Prefix = "/static/"

// NotBuilt is what is answered for every asset until the build has run.
const NotBuilt = "Os arquivos de estilo e script não foram montados. Rode na pasta static: npm ci && npm run build"

var built = manifest(FS)

// Path returns the address of an asset by its logical name: "app.css" gives
// "/static/app.3f9c1a20.css". A name that was not built keeps its logical name,
// and Handler explains.
func Path(name string) string {
	if hashed, ok := built[name]; ok {
		return Prefix + hashed
	}
	return Prefix + name
}

// manifest reads manifest.json; empty when the build has not run.
func manifest(built fs.FS) map[string]string {
	raw, err := fs.ReadFile(built, "manifest.json")
	if err != nil {
		return nil
	}
	names := map[string]string{}
	if err := json.Unmarshal(raw, &names); err != nil {
		return nil
	}
	return names
}

func mustSub(parent fs.FS, dir string) fs.FS {
	sub, err := fs.Sub(parent, dir)
	if err != nil {
		panic(err) // the name is a constant
	}
	return sub
}
