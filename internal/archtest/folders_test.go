package archtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ownFolders make folders without atomicfile, and bring their names to disk by
// themselves, or need not: what is in them is nothing after a power cut.
var ownFolders = map[string]string{
	"internal/atomicfile":  "makes them for all",
	"internal/backup":      "syncs what it made as a whole before it gets its name",
	"internal/blob/files":  "syncs folders of blobs itself; a process's holds end with it",
	"internal/apptest":     "is for tests",
	"internal/blob/s3test": "is for tests",

	"internal/postgres/postgrestest": "is for tests",
	"internal/golden":                "is for tests",
	"internal/bench":                 "is for measuring",
	"internal/torture":               "is for tests",
}

// TestFolders: a new folder of the data is made by atomicfile, which syncs its name into
// its parent.
func TestFolders(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			name, _ := filepath.Rel(root, filepath.Dir(path))
			for folder := range ownFolders {
				if strings.HasPrefix(filepath.ToSlash(name)+"/", folder+"/") {
					return nil
				}
			}
			content, err := os.ReadFile(path)
			if strings.Contains(string(content), "os.Mkdir") {
				t.Errorf("%s makes a folder whose name may not outlive a power cut: use atomicfile", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
