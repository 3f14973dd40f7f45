package static_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"testing"

	"guiche/static"
)

// TestManual: each recorded picture is the file that its words were taken from, and all of
// them together stay small.
func TestManual(t *testing.T) {
	const most = 400_000
	files, err := os.ReadDir("manual")
	if err != nil {
		t.Fatal(err)
	}
	recorded, total := static.Manual(), 0
	if len(files) != len(recorded)+1 || len(recorded) < 10 { // pictures.json
		t.Errorf("got %d files and %d records of pictures", len(files), len(recorded))
	}
	for name, picture := range recorded {
		content := mustFile(t, "manual/"+name+".webp")
		total += len(content)
		if sum := sha256.Sum256([]byte(content)); hex.EncodeToString(sum[:]) != picture.SHA256 || picture.Width < 100 || picture.Height < 50 {
			t.Errorf("%s is not the picture that is recorded (make manual)", name)
		}
		if !isBuilt() {
			continue
		}
		got := mustAsk(t, static.Handler(), http.MethodGet, static.Path("manual-"+name+".webp"), nil)
		if got.status != http.StatusOK || got.body != content || got.header.Get("Content-Type") != "image/webp" ||
			!strings.Contains(got.header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: got %d, %v", name, got.status, got.header)
		}
		if _, err := fs.Stat(static.FS, strings.TrimPrefix(static.Path("manual-"+name+".webp"), static.Prefix)+".br"); err == nil {
			t.Errorf("%s is compressed once more", name)
		}
	}
	if total > most {
		t.Errorf("the pictures have %d bytes, want at most %d", total, most)
	}
}
