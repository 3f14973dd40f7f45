// Package copying makes the rows of one database those of another, whatever engines keep them: table
// by table, in the order of their keys, so that a copy that was cut short goes on behind the last row
// that it wrote. Then both are read from end to end and compared. Of the database that is copied
// nothing is written.
package copying

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"guiche/internal/store/engine"
)

// Source is a database that is read.
type Source interface {
	engine.DB
	Tables(ctx context.Context) ([]engine.Table, error)
}

// Target is a database that is written.
type Target interface {
	Source
	// Fill is WriteMany for rows of a table as another database has them: what triggers refuse of rows
	// that are new does not hold in it, and stands again before anything is committed.
	Fill(ctx context.Context, table string, fn func(*engine.Tx) error) error
	// FillText makes an index of texts, as far as it is not there yet.
	FillText(ctx context.Context, from engine.TextSource) error
	// Renumber has rows that come from now on numbered behind those that are there.
	Renumber(ctx context.Context) error
}

// Half is a database that becomes what another one is.
type Half struct {
	From Source
	To   Target
	// Own are tables of which each database has what is true of itself: they are neither copied nor compared.
	Own []string
	// Given are tables whose rows a schema comes with: they are not copied.
	Given []string
	// Replaced are small tables of which a schema has rows that do not stay.
	Replaced []string
	// Made are rows of Own that are made from those that were copied, some at a time.
	Made  []func(ctx context.Context, tx *engine.Tx) (more bool, err error)
	Texts []engine.TextSource
}

// tables are those that are copied and compared, each behind those that it points at.
func (h Half) tables(ctx context.Context) ([]engine.Table, error) {
	from, err := h.From.Tables(ctx)
	if err != nil {
		return nil, fmt.Errorf("copying: tables of the source: %w", err)
	}
	to, err := h.To.Tables(ctx)
	if err != nil {
		return nil, fmt.Errorf("copying: tables of the target: %w", err)
	}
	own := func(t engine.Table) bool { return t.Name == markTable || slices.Contains(h.Own, t.Name) }
	from, to = slices.DeleteFunc(from, own), slices.DeleteFunc(to, own)
	if !slices.EqualFunc(from, to, sameNames) {
		return nil, errors.New("copying: the databases differ in their tables")
	}
	return inOrder(from)
}

func sameNames(a, b engine.Table) bool {
	return a.Name == b.Name && slices.Equal(a.Key, b.Key) && slices.Equal(a.Columns, b.Columns)
}

// inOrder puts tables behind those that they point at.
func inOrder(all []engine.Table) (sorted []engine.Table, err error) {
	there := map[string]bool{}
	for len(sorted) < len(all) {
		before := len(sorted)
		for _, t := range all {
			waits := slices.ContainsFunc(t.Refers, func(name string) bool { return name != t.Name && !there[name] })
			if !there[t.Name] && !waits {
				sorted, there[t.Name] = append(sorted, t), true
			}
		}
		if len(sorted) == before {
			return nil, errors.New("copying: tables point at each other")
		}
	}
	return sorted, nil
}

// Filled names a table that has rows beside those that a schema comes with, "" where there is none.
func (h Half) Filled(ctx context.Context) (table string, err error) {
	all, err := h.To.Tables(ctx)
	if err != nil {
		return "", fmt.Errorf("copying: tables of the target: %w", err)
	}
	for _, t := range all {
		if slices.Contains(h.Given, t.Name) || slices.Contains(h.Replaced, t.Name) {
			continue
		}
		some, err := engine.Get(ctx, h.To, func(tx *engine.Tx) (some bool, err error) {
			err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM `+quoted(t.Name)+`)`).Scan(&some)
			return some, engine.Error(err)
		})
		if some || err != nil {
			return t.Name, err
		}
	}
	return "", nil
}

func quoted(name string) string { return `"` + name + `"` }

func allQuoted(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = quoted(name)
	}
	return all
}
