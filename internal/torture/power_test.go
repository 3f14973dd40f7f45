package torture_test

import (
	"os"
	"path/filepath"
	"testing"

	"guiche/internal/torture"
)

// TestPowerLoss: what is left is what was synced, under names that were synced in their
// folder.
func TestPowerLoss(t *testing.T) {
	const written = `1 open("/r/a", O_RDWR|O_CREAT, 0600) = 5</r/a>
1 pwrite64(5</r/a>, "\x61\x62", 2, 0) = 2
`
	for name, tt := range map[string]struct{ trace, file, want string }{
		"Nothing":    {written, "a", ""},
		"NameAlone":  {written + "1 fsync(6</r>) = 0\n", "a", "\n"},
		"BytesAlone": {written + "1 fsync(5</r/a>) = 0\n", "a", ""},
		"Both":       {written + "1 fsync(5</r/a>) = 0\n1 fsync(6</r>) = 0\n", "a", "ab"},
		"FileSystem": {written + "1 syncfs(6</r>) = 0\n", "a", "ab"},
		"Later": {written + "1 fsync(5</r/a>) = 0\n1 fsync(6</r>) = 0\n" +
			`1 pwrite64(5</r/a>, "\x63", 1, 0) = 1` + "\n", "a", "ab"},
		"Interrupted": {written + "1 fsync(5</r/a> <unfinished ...>\n2 fsync(6</r>) = 0\n1 <... fsync resumed>) = 0\n", "a", "ab"},
		"Failed":      {written + "1 fsync(5</r/a>) = -1 EIO\n1 fsync(6</r>) = 0\n", "a", "\n"},
		"Renamed": {written + "1 fsync(5</r/a>) = 0\n" +
			`1 renameat(7</r>, "\x61", 7</r>, "\x62") = 0` + "\n1 fsync(6</r>) = 0\n", "b", "ab"},
		"FolderNotSynced": {`1 mkdirat(7</r>, "\x64", 0700) = 0
1 openat(8</r/d>, "\x61", O_RDWR|O_CREAT, 0600) = 5</r/d/a>
1 write(5</r/d/a>, "\x61", 1) = 1
1 fsync(5</r/d/a>) = 0
1 fsync(8</r/d>) = 0
`, "d/a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			to := t.TempDir()
			if err := torture.PowerLoss(tt.trace, "/r", to); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(to, tt.file))
			if content := string(got); err == nil && content == "" {
				got = []byte("\n") // there, and empty
			}
			if string(got) != tt.want {
				t.Errorf("got %q, error %v, want %q", got, err, tt.want)
			}
		})
	}
}
