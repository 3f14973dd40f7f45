package main

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	_ "modernc.org/sqlite"
)

// dump writes a data folder down: of each half its schema, its rows and the names
// of its blobs; the blobs of both, each once; and the keys.
func dump(folder, out string) {
	for _, part := range []string{"desk", "service", "keys", "blobs"} {
		check(os.RemoveAll(filepath.Join(out, part)))
	}
	dumpDatabase(filepath.Join(folder, "desk", "guiche.db"), filepath.Join(out, "desk"))
	dumpDatabase(filepath.Join(folder, "service", "service.db"), filepath.Join(out, "service"))
	write(filepath.Join(out, "desk", "audit.head"), must(os.ReadFile(filepath.Join(folder, "desk", "audit.head"))))
	for _, key := range must(os.ReadDir(filepath.Join(folder, "keys"))) {
		secret := must(os.ReadFile(filepath.Join(folder, "keys", key.Name())))
		write(filepath.Join(out, "keys", key.Name()+".hex"), []byte(hex.EncodeToString(secret)+"\n"))
	}
	all := map[string][]byte{}
	for _, half := range []string{"desk", "service"} {
		var names []string
		for name, content := range blobs(filepath.Join(folder, half, "blobs")) {
			all[name], names = content, append(names, name+"\n")
		}
		slices.Sort(names)
		write(filepath.Join(out, half, "blobs.txt"), []byte(strings.Join(names, "")))
	}
	dumpBlobs(all, filepath.Join(out, "blobs"))
}

func write(path string, content []byte) {
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	check(os.WriteFile(path, content, 0o644))
}

// dumpDatabase writes tables.sql, one file of rows for each table, and rest.sql
// with what must come after the rows: full-text indexes, indexes, views, triggers.
func dumpDatabase(path, out string) {
	db := must(sql.Open("sqlite", path))
	defer db.Close()
	var tables, virtual, rest []string
	shadow := func(name string) bool {
		return slices.ContainsFunc(virtual, func(v string) bool { return strings.HasPrefix(name, v+"_") })
	}
	rows := must(db.Query(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid`))
	for rows.Next() {
		var kind, name, text string
		check(rows.Scan(&kind, &name, &text))
		switch {
		case strings.HasPrefix(text, "CREATE VIRTUAL"):
			virtual = append(virtual, name)
			rest = append(rest, text+";\n", "INSERT INTO "+name+" ("+name+") VALUES ('rebuild');\n")
		case kind != "table":
			rest = append(rest, text+";\n")
		case !shadow(name) && !strings.HasPrefix(name, "sqlite_"):
			tables = append(tables, text+";\n")
			if lines := dumpRows(db, name); lines != "" {
				write(filepath.Join(out, "rows", name+".sql"), []byte(lines))
			}
		}
	}
	check(rows.Err())
	write(filepath.Join(out, "tables.sql"), []byte(strings.Join(tables, "")))
	write(filepath.Join(out, "rest.sql"), []byte(strings.Join(rest, "")))
}

// dumpRows returns a table's rows in the order of its key, one a line.
func dumpRows(db *sql.DB, table string) string {
	var columns, order []string
	info := must(db.Query(`SELECT name, pk FROM pragma_table_info(?) ORDER BY cid`, table))
	for info.Next() {
		var name string
		var key int
		check(info.Scan(&name, &key))
		columns = append(columns, name)
		if key > 0 {
			order = append(order, name)
		}
	}
	check(info.Err())
	values := "quote(" + strings.Join(columns, ") || ', ' || quote(") + ")"
	rows := must(db.Query("SELECT " + values + " FROM " + table + only[table] + " ORDER BY " + strings.Join(order, ", ")))
	var all []string
	for rows.Next() {
		var line string
		check(rows.Scan(&line))
		all = append(all, "("+strings.NewReplacer("\r", "'||char(13)||'", "\n", "'||char(10)||'").Replace(line)+")")
	}
	check(rows.Err())
	if all == nil {
		return ""
	}
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES\n" + strings.Join(all, ",\n") + ";\n"
}

// only leaves rows out of the dump: of the catalogue that every installation gets
// some are enough.
var only = map[string]string{"procedure": " WHERE id % 25 = 1 OR id > 548 OR code IN ('" + tsh + "', '" + imageOf + "')"}

// blobs are the files of a blob store by their names.
func blobs(folder string) map[string][]byte {
	all := map[string][]byte{}
	check(filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && len(entry.Name()) == 64 {
			all[entry.Name()] = must(os.ReadFile(path))
		}
		return err
	}))
	return all
}

// dumpBlobs writes blobs without what they repeat: an answer names the PDFs that it
// carries, and a guide the parts that all guides have, each in double braces.
func dumpBlobs(all map[string][]byte, out string) {
	shared := sharedParts(all)
	for name, content := range all {
		for other, pdf := range all {
			if bytes.HasPrefix(pdf, []byte("%PDF")) {
				content = bytes.ReplaceAll(content, []byte(base64.StdEncoding.EncodeToString(pdf)), []byte("{{base64 "+other+"}}"))
			}
		}
		for i, part := range shared {
			content = bytes.ReplaceAll(content, part, fmt.Appendf(nil, "{{file shared-%d}}", i+1))
		}
		write(filepath.Join(out, name), content)
	}
	for i, part := range shared {
		for j, smaller := range shared[i+1:] {
			part = bytes.ReplaceAll(part, smaller, fmt.Appendf(nil, "{{file shared-%d}}", i+j+2))
		}
		write(filepath.Join(out, fmt.Sprintf("shared-%d", i+1)), part)
	}
}

// sharedParts are what stands in every guide between its page and its title, and
// the two fonts in it.
func sharedParts(all map[string][]byte) (parts [][]byte) {
	for _, content := range all {
		from, to := bytes.Index(content, []byte("\n1 0 obj")), bytes.Index(content, []byte("\n14 0 obj"))
		if !bytes.HasPrefix(content, []byte("%PDF")) || !bytes.Contains(content, []byte("/GUICHA+GoRegular")) || from < 0 || to < from {
			continue
		}
		parts = append(parts, content[from:to])
		for _, stream := range regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`).FindAllSubmatch(content[from:to], -1) {
			parts = append(parts, stream[1])
		}
		return parts
	}
	panic("no guide")
}
