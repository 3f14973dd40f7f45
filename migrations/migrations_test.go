package migrations_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guiche/migrations"
)

var update = flag.Bool("update", false, "note the hashes of new migrations")

// hashFile holds the hash of each migration. A line in it is never changed.
var hashFile = filepath.Join("testdata", "hashes.txt")

var folders = map[string]fs.FS{"desk": migrations.Desk, "service": migrations.Service,
	"postgres/desk": migrations.PostgresDesk, "postgres/service": migrations.PostgresService}

// TestHashes: a migration that was applied somewhere is never edited, or folders differ by
// their age. A change is a new file; -update adds its line.
func TestHashes(t *testing.T) {
	want, got := readHashes(t), hashes(t)
	for _, name := range slices.Sorted(maps.Keys(got)) {
		switch noted, ok := want[name]; {
		case !ok && *update:
			want[name] = got[name]
		case !ok:
			t.Errorf("%s is not noted: go test ./migrations -run TestHashes -update", name)
		case noted != got[name]:
			t.Errorf("%s was edited after it had landed: put it back, and write a new migration", name)
		}
	}
	for name := range want {
		if got[name] == "" {
			t.Errorf("%s is gone: installations that have it would not start", name)
		}
	}
	if *update && !t.Failed() {
		writeHashes(t, want)
	}
}

// hashes are those of the files, by path.
func hashes(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for folder, files := range folders {
		names, err := fs.Glob(files, "*.sql")
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, error %v", folder, len(names), err)
		}
		for _, name := range names {
			content, err := fs.ReadFile(files, name)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256([]byte(strings.ReplaceAll(string(content), "\r\n", "\n")))
			all[folder+"/"+name] = hex.EncodeToString(sum[:])
		}
	}
	return all
}

var floor = regexp.MustCompile(`(?m)^UPDATE schema_floor SET oldest = (\d+);$`)

// TestFloors: each migration since there is schema_floor says which program may go on with it.
func TestFloors(t *testing.T) {
	for folder, begins := range map[string]int{"desk": 39, "service": 20, "postgres/desk": 44, "postgres/service": 21} {
		before := begins
		names, err := fs.Glob(folders[folder], "*.sql")
		must(t, err)
		for _, name := range names {
			number, err := strconv.Atoi(name[:5])
			must(t, err)
			if number <= begins {
				continue
			}
			content, err := fs.ReadFile(folders[folder], name)
			must(t, err)
			said := floor.FindAllStringSubmatch(string(content), -1)
			if len(said) != 1 {
				t.Errorf("%s/%s: one line has to say UPDATE schema_floor SET oldest = N; see 00039_schema_floor.sql", folder, name)
				continue
			}
			oldest, _ := strconv.Atoi(said[0][1])
			if oldest != before && oldest != number {
				t.Errorf("%s/%s: oldest is %d, want %d as before, or its own number", folder, name, oldest, before)
			}
			before = oldest
		}
	}
}

func readHashes(t *testing.T) map[string]string {
	t.Helper()
	content, err := os.ReadFile(hashFile)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(content)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || all[name] != "" {
			t.Errorf("%s: %q is no line, or the second of its file", hashFile, line)
		}
		all[name] = sum
	}
	return all
}

func writeHashes(t *testing.T, all map[string]string) {
	t.Helper()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%s  %s\n", all[name], name)
	}
	if err := os.WriteFile(hashFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
