package keyfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Place says where the keys of an installation lie: in one folder under their usual
// names, or each in a file of its own, as secrets are mounted.
type Place struct {
	folder string
	files  map[Name]string
}

// InFolder is the place of keys that lie in one folder.
func InFolder(path string) Place { return Place{folder: path} }

// ParsePlace reads where keys lie: a folder, or the file of each key, as in
// "audit=/run/secrets/audit,browser=/run/secrets/browser,seal=/run/secrets/seal".
func ParsePlace(text string) (Place, error) {
	if !namesFiles(text) {
		return InFolder(text), nil
	}
	p := Place{files: map[Name]string{}}
	for part := range strings.SplitSeq(text, ",") {
		name, path, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch n := Name(name); {
		case !n.Known():
			return Place{}, fmt.Errorf("%q is no key; there are %v, each with its file as in audit=/run/secrets/audit", name, Names())
		case path == "":
			return Place{}, fmt.Errorf("the key %s has no file", n)
		case p.files[n] != "":
			return Place{}, fmt.Errorf("the key %s has two files", n)
		default:
			p.files[n] = path
		}
	}
	for _, n := range Names() {
		if p.files[n] == "" {
			return Place{}, fmt.Errorf("no file is given for the key %s", n)
		}
	}
	return p, nil
}

// namesFiles tells a list of files from a folder, whose name may hold anything else.
func namesFiles(text string) bool {
	name, _, found := strings.Cut(text, "=")
	return found && !strings.ContainsAny(name, `/\`)
}

// Folder is the folder of all keys, "" where each has a file of its own.
func (p Place) Folder() string { return p.folder }

// first is the file of the first key of that name.
func (p Place) first(n Name) string {
	if file := p.files[n]; file != "" {
		return file
	}
	return filepath.Join(p.folder, string(n)+extension)
}

// renewed is the file of a later key, beside the first.
func (p Place) renewed(n Name, id string) string {
	return filepath.Join(filepath.Dir(p.first(n)), renewedPrefix(n)+id+extension)
}

// ids are those of the later keys of that name that lie there.
func (p Place) ids(n Name) (ids []string, err error) {
	entries, err := os.ReadDir(filepath.Dir(p.first(n)))
	for _, e := range entries {
		file, isKey := strings.CutSuffix(e.Name(), extension)
		if id, ok := strings.CutPrefix(file, renewedPrefix(n)); ok && isKey && e.Type().IsRegular() {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// Files are the keys that lie there: the path of each, by the name that its file has in a
// folder of keys.
func (p Place) Files() (map[string]string, error) {
	files, folder := map[string]string{}, Place{}
	for _, n := range Names() {
		ids, err := p.ids(n)
		if err != nil {
			return nil, fmt.Errorf("keyfile: list: %w", err)
		}
		for _, id := range ids {
			files[folder.renewed(n, id)] = p.renewed(n, id)
		}
		if _, err := os.Stat(p.first(n)); err == nil {
			files[folder.first(n)] = p.first(n)
		}
	}
	return files, nil
}

const extension = ".key"

func renewedPrefix(n Name) string { return string(n) + "-" }
