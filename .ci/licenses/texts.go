package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"guiche/internal/licenses"
)

var named = regexp.MustCompile(`(?i)^(licen[cs]e|notice|copying|copyright|patents|unlicense|authors)([.-].*)?$`)

// texts reads the terms that stand in some folders of a work.
func texts(root string, dirs []string) ([]licenses.Text, error) {
	var found []licenses.Text
	for _, dir := range dirs {
		entries, err := os.ReadDir(filepath.Join(root, dir))
		if err != nil {
			return nil, fmt.Errorf("look for licence texts: %w", err)
		}
		for _, e := range entries {
			if e.IsDir() || !named.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			t, err := text(root, filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			found = append(found, t)
		}
	}
	return found, nil
}

// text reads one licence file.
func text(root, name string) (licenses.Text, error) {
	body, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return licenses.Text{}, fmt.Errorf("read a licence text: %w", err)
	}
	return licenses.Text{File: filepath.ToSlash(name), Body: string(body)}, nil
}

// marks are words that a licence has and no other one, by its SPDX identifier; the
// words of unless tell apart two that begin alike.
var marks = []struct{ id, has, unless string }{
	{"0BSD", "modify, and/or distribute this software for any purpose with or without fee", "provided that the above"},
	{"Apache-2.0", "apache license version 2.0", ""},
	{"Apache-2.0", "apache license, version 2.0", ""},
	{"Apache-2.0", "license: apache 2.0", ""},
	{"BSD-2-Clause", "redistribution and use in source and binary forms", "endorse or promote"},
	{"BSD-3-Clause", "endorse or promote products derived from this", ""},
	{"ISC", "with or without fee is hereby granted, provided that the above", ""},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this software", ""},
	{"MPL-2.0", "mozilla public license version 2.0", ""},
	{"OFL-1.1", "sil open font license version 1.1", ""},
	{"Unlicense", "this is free and unencumbered software", ""},
	{"blessing", "in sqlite has been dedicated to the public domain by the authors", ""},
}

// expression names the licences in some texts as SPDX does; "" for none that is known.
func expression(texts []licenses.Text) string {
	var ids []string
	for _, t := range texts {
		body := strings.ToLower(strings.Join(strings.Fields(t.Body), " "))
		for _, m := range marks {
			if strings.Contains(body, m.has) && (m.unless == "" || !strings.Contains(body, m.unless)) {
				ids = append(ids, m.id)
			}
		}
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), " AND ")
}
