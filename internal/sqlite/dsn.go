package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// Settings travel in the DSN so that every connection of a pool has them.
var (
	commonSettings = []string{
		"_pragma=busy_timeout(5000)",           // another process (a backup) may hold the file for a moment
		"_pragma=foreign_keys(ON)",             // SQLite's default is off
		"_pragma=recursive_triggers(ON)",       // to replace a row is to delete it: what is never deleted is never replaced
		"_pragma=trusted_schema(OFF)",          // a manipulated file cannot run functions through its schema
		"_pragma=cell_size_check(ON)",          // damage is noticed when a page is read
		"_pragma=temp_store(MEMORY)",           // personal data never goes to temporary files
		"_pragma=mmap_size(0)",                 // a failing disk is an error, not a signal
		"_pragma=journal_mode(WAL)",            // readers do not wait for the writer
		"_pragma=synchronous(FULL)",            // a commit that returned survives a power cut
		"_pragma=secure_delete(ON)",            // deleted rows are overwritten; see Tx.DeleteCopies
		"_pragma=wal_autocheckpoint(1000)",     // 4 MiB, the room that a full disk leaves each log: decision 0005
		"_pragma=journal_size_limit(16777216)", // the log shrinks again after a burst
		"_defensive=1",                         // statements cannot damage the file on purpose
		"_dqs=0",                               // a misspelt column is an error, not a text
	}
	// lookerSettings are those of who looks into a file that is not ours to change.
	lookerSettings = []string{
		"mode=ro", "_pragma=query_only(ON)", "_pragma=busy_timeout(5000)", "_pragma=trusted_schema(OFF)",
		"_pragma=cell_size_check(ON)", "_pragma=temp_store(MEMORY)", "_pragma=mmap_size(0)", "_pragma=cache_size(-8192)", "_dqs=0",
	}
	writerOnly = []string{"_pragma=cache_size(-2048)"}
	// A reader keeps its pages from one page of the program to the next; there are several.
	readerOnly = []string{"mode=ro", "_pragma=query_only(ON)", "_pragma=cache_size(-1536)"}
)

// How commits of the writer treat the disk: see DB.WriteDerived. In WAL mode neither can
// damage the file, and the log is on disk before it is folded into it.
const (
	syncedCommits   = "PRAGMA synchronous = FULL"
	unsyncedCommits = "PRAGMA synchronous = NORMAL"
)

func writerDSN(path string) string { return dsn(path, writerOnly) }

func readerDSN(path string) string { return dsn(path, readerOnly) }

func lookerDSN(path string, extra ...string) string {
	return fileURL(path) + "?" + strings.Join(slices.Concat(extra, lookerSettings), "&")
}

func dsn(path string, extra []string) string {
	return fileURL(path) + "?" + strings.Join(slices.Concat(extra, commonSettings), "&")
}

// fileURL is a file as the driver wants it named.
func fileURL(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // before the letter of a drive
	}
	return "file://" + (&url.URL{Path: slashed}).EscapedPath()
}

// checkSettings asks the connection for what durability and integrity rest on: a
// network folder, for example, silently refuses WAL.
func checkSettings(ctx context.Context, db *sql.DB) error {
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "recursive_triggers": "1"} {
		var got string
		if err := db.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&got); err != nil {
			return fmt.Errorf("sqlite: open: %w", err)
		}
		if got != want {
			return fmt.Errorf("sqlite: setting %s is %q, want %q (is the folder on a local disk?)", pragma, got, want)
		}
	}
	return nil
}
