package postgres_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
)

// TestOpen_Updated: each step of an update is told, in order, and no step of a new schema or of none.
func TestOpen_Updated(t *testing.T) {
	url, older, newest := postgrestest.Database(t), fstest.MapFS{"00001_note.sql": schema["00001_note.sql"]}, maps.Clone(schema)
	newest["00003_sign.sql"] = &fstest.MapFile{Data: []byte(`CREATE TABLE sign (id bigint PRIMARY KEY)`)}
	for _, step := range []struct {
		name       string
		migrations fstest.MapFS
		want       []int64
	}{{"new", older, nil}, {"two steps", newest, []int64{2, 3}}, {"nothing to do", newest, nil}} {
		var told []int64
		opened(t, func(o *postgres.Options) {
			o.URL, o.Migrations = url, step.migrations
			o.Updated = func(_ context.Context, version int64) { told = append(told, version) }
		})
		if !slices.Equal(told, step.want) {
			t.Errorf("%s: told %v, want %v", step.name, told, step.want)
		}
	}
}
