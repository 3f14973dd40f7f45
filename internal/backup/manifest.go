package backup

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"guiche/internal/atomicfile"
)

const (
	manifestFile = "manifest.json"
	manifestSum  = "manifest.sha256"
	format       = 1
	// formatRemote is that of a backup which only names blobs: an earlier program would
	// look for them.
	formatRemote = 2
)

// Manifest says what a backup is.
type Manifest struct {
	Format     int        `json:"format"`
	MadeAt     time.Time  `json:"made_at"`
	Version    string     `json:"version"` // of the program
	Encrypted  bool       `json:"encrypted"`
	Keys       bool       `json:"keys"`                 // the installation's keys are in it
	Recipients []string   `json:"recipients,omitempty"` // who can open it
	Trail      Head       `json:"audit_head"`           // where the audit trail ends
	Files      []File     `json:"files"`
	Halves     []HalfInfo `json:"halves"`
}

// File is a file of a backup as it is stored.
type File struct {
	Path   string `json:"path"` // below the backup, with slashes
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// HalfInfo is one half in a backup.
type HalfInfo struct {
	Name     string   `json:"name"`
	Database string   `json:"database"` // path of its file, as it is stored
	List     string   `json:"list"`     // path of the list of its blobs
	Blobs    int      `json:"blobs"`
	Bytes    int64    `json:"bytes"`             // of the blobs, as they are stored
	Missing  []string `json:"missing,omitempty"` // blobs that were missing or damaged in the installation
	Place    string   `json:"place,omitempty"`   // where the blobs lie that it only names
}

// write puts the manifest into a backup's folder.
func (m Manifest) write(folder string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("backup: manifest: %w", err)
	}
	text = append(text, '\n')
	return errors.Join(atomicfile.Write(filepath.Join(folder, manifestFile), text, 0o600),
		atomicfile.Write(filepath.Join(folder, manifestSum), []byte(sumOf(text)), 0o600))
}

// sumOf is a manifest's hash as sha256sum writes and checks it.
func sumOf(manifest []byte) string {
	return fmt.Sprintf("%x  %s\n", sha256.Sum256(manifest), manifestFile)
}

// Errors of a manifest.
var (
	errManifest = errors.New("backup: the manifest is damaged")
	errFormat   = errors.New("backup: a newer version of the program made this backup")
)

// ReadManifest reads the manifest of one backup and holds it to its hash.
func ReadManifest(folder string) (m Manifest, err error) {
	text, err := os.ReadFile(filepath.Join(folder, manifestFile))
	if err != nil {
		return m, fmt.Errorf("backup: read manifest: %w", err)
	}
	sum, err := os.ReadFile(filepath.Join(folder, manifestSum))
	if err != nil {
		return m, fmt.Errorf("backup: read manifest: %w", err)
	}
	if string(sum) != sumOf(text) {
		return m, errManifest
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%w: %w", errManifest, err)
	}
	if m.Format > formatRemote {
		return m, errFormat
	}
	return m, m.check()
}

// check refuses a manifest that names what lies outside its backup.
func (m Manifest) check() error {
	paths := []string{}
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	for _, h := range m.Halves {
		paths = append(paths, h.Name, h.Database, h.List)
	}
	for _, p := range paths {
		if !filepath.IsLocal(filepath.FromSlash(p)) {
			return errManifest
		}
	}
	return nil
}
