package integrity_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/integrity"
	"guiche/internal/problem"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// store remembers in memory what is damaged.
type store struct {
	integrity.Store
	damage  []integrity.Damage
	failure error
}

func (s *store) Add(_ context.Context, d integrity.Damage) error {
	s.damage = append(s.damage, d)
	return s.failure
}

func (s *store) Known(_ context.Context, half integrity.Half, kind integrity.Kind, names ...string) (known []string, err error) {
	for _, d := range s.damage {
		if d.Half == half && d.Kind == kind && slices.Contains(names, d.Name) {
			known = append(known, d.Name)
		}
	}
	return known, s.failure
}

// TestDeskFiles: a damaged file of the desk is remembered with the case that shows it, and
// known from then on.
func TestDeskFiles(t *testing.T) {
	s := &store{damage: []integrity.Damage{{Half: integrity.Service, Kind: integrity.File, Name: "b"},
		{Half: integrity.Desk, Kind: integrity.Row, Name: "c"}}}
	files, shown := integrity.DeskFiles{Store: s}, uuid.UUID{7}
	if err := files.FileDamaged(t.Context(), "a", shown); err != nil {
		t.Fatal(err)
	}
	want := integrity.Damage{Half: integrity.Desk, Kind: integrity.File, Name: "a", Case: shown}
	if diff := gocmp.Diff(want, s.damage[2]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	got, err := files.DamagedFiles(t.Context(), "c", "b", "a")
	if err != nil || !slices.Equal(got, []blob.Ref{"a"}) {
		t.Errorf("got %q, %v, want the desk's file alone", got, err)
	}
	if got, err := files.DamagedFiles(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("of none: got %q, %v", got, err)
	}
}

// TestDeskFiles_Failures: what is not known is not said to be whole.
func TestDeskFiles_Failures(t *testing.T) {
	s := &store{failure: errors.New("no store")}
	files := integrity.DeskFiles{Store: s}
	if err := files.FileDamaged(t.Context(), "a", uuid.Nil); !errors.Is(err, s.failure) {
		t.Errorf("got %v", err)
	}
	if _, err := files.DamagedFiles(t.Context(), "a"); !errors.Is(err, s.failure) {
		t.Errorf("got %v", err)
	}
}

// disk is a store of files that cannot be opened or read.
type disk struct {
	blob.Store
	open, read error
}

func (d disk) Open(context.Context, blob.Ref) (io.ReadSeekCloser, error) {
	return file{nil, d.read}, d.open
}

type file struct {
	io.ReadSeekCloser
	err error
}

func (f file) Read([]byte) (int, error) { return 0, f.err }

// TestWatch: what is damaged or gone is told each time that it is read, and nothing that is only out
// of reach; whoever reads gets the error all the same.
func TestWatch(t *testing.T) {
	damaged, gone := fmt.Errorf("x: %w", blob.ErrDamaged), problem.New(problem.NotFound, "")
	for name, tt := range map[string]struct {
		disk disk
		want int // tellings of two readings
	}{
		"Damaged":         {disk{read: damaged}, 2},
		"DamagedAtOnce":   {disk{open: damaged}, 2},
		"Gone":            {disk{open: gone}, 2},
		"OutOfReach":      {disk{open: errors.New("no route")}, 0},
		"OutOfReachLater": {disk{read: errors.New("no route")}, 0},
		"Whole":           {disk{read: io.EOF}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var told []blob.Ref
			store := integrity.Watch(tt.disk, func(ref blob.Ref) { told = append(told, ref) })
			for range 2 {
				f, err := store.Open(t.Context(), "a")
				if err == nil {
					_, err = f.Read(nil)
				}
				if want := cmp.Or(tt.disk.open, tt.disk.read); !errors.Is(err, want) {
					t.Errorf("got %v, want %v", err, want)
				}
			}
			if !slices.Equal(told, slices.Repeat([]blob.Ref{"a"}, tt.want)) {
				t.Errorf("told %q, want it %d times", told, tt.want)
			}
		})
	}
}
