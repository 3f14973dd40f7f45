package backup

import (
	"os"
	"path/filepath"
	"strings"

	"guiche/internal/blob"
)

// BlobCopy is a whole copy of a blob in a folder of backups.
type BlobCopy struct {
	Path      string
	Encrypted bool
}

// FindBlob finds a whole copy of a blob among those that the backups of a folder share.
// Recipients and NameKey are those that encrypted ones were made with.
func FindBlob(c Config, ref blob.Ref) (BlobCopy, bool) {
	if len(ref) != 64 {
		return BlobCopy{}, false
	}
	m := maker{Config: c}
	for _, encrypted := range []bool{false, true} {
		k := keeper{folder: c.Folder, secret: m.secret()}
		name := string(ref)
		if encrypted {
			name = k.sealedName(ref)
		}
		if path, ok := k.whole(string(ref[:2]), name, encrypted); ok {
			return BlobCopy{path, encrypted}, true
		}
	}
	return BlobCopy{}, false
}

// whole returns a stored file whose name begins so and whose bytes are those that its name
// tells.
func (k *keeper) whole(shard, name string, encrypted bool) (path string, ok bool) {
	folder := filepath.Join(k.folder, blobsFolder, shard)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", false
	}
	for _, e := range entries {
		stored, _, _ := strings.Cut(e.Name(), ".")
		if stored != name || strings.HasSuffix(e.Name(), ageSuffix) != encrypted {
			continue
		}
		if l, ok := k.read(shard + "/" + e.Name()); ok {
			return l.path(k.folder), true
		}
	}
	return "", false
}
