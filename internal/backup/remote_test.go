package backup_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/backup"
	"guiche/internal/blob"
)

// away are blobs that do not lie in the installation; what was removed may come back.
type away struct {
	stored, removed map[blob.Ref]string
	failure         error
	kept            error // of bringing back
}

// Where implements backup.Remote.
func (a away) Where() string { return "s3://clinica" }

// List implements backup.Remote.
func (a away) List(_ context.Context, shard string) (map[blob.Ref]int64, error) {
	sizes := map[blob.Ref]int64{}
	for ref, content := range a.stored {
		if strings.HasPrefix(string(ref), shard) {
			sizes[ref] = int64(len(content))
		}
	}
	return sizes, a.failure
}

// Open implements backup.Remote.
func (a away) Open(_ context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	content, ok := a.stored[ref]
	if !ok {
		return nil, fs.ErrNotExist
	}
	if a.failure != nil {
		return nil, a.failure
	}
	return blob.Checked(struct {
		io.ReadSeeker
		io.Closer
	}{strings.NewReader(content), io.NopCloser(nil)}, ref, int64(len(content)))
}

// BringBack implements backup.Remote.
func (a away) BringBack(_ context.Context, ref blob.Ref) (bool, error) {
	content, ok := a.removed[ref]
	if ok {
		a.stored[ref] = content
	}
	return ok, a.kept
}

// moveAway has an installation keep its blobs elsewhere.
func (i *installation) moveAway(tb testing.TB) *away {
	tb.Helper()
	a := &away{stored: map[blob.Ref]string{}, removed: map[blob.Ref]string{}}
	for half, all := range kept {
		for _, content := range all {
			a.stored[i.refs[content]] = content
			_ = os.Remove(i.path(half, content))
		}
	}
	return a
}

// everywhere is the place of both halves.
func (a *away) everywhere(string) backup.Remote { return a }

// named has a backup name what lies elsewhere.
func (a *away) named(c *backup.Config) {
	for h := range c.Halves {
		c.Halves[h].Remote = a
	}
}

// TestMake_Remote: what lies elsewhere is named, and nothing of it copied.
func TestMake_Remote(t *testing.T) {
	i := MustInstall(t)
	a := i.moveAway(t)
	delete(a.stored, i.refs["photo"])
	made := i.MustMake(t, a.named)
	m := made.Manifest
	first := m.Halves[0]
	if m.Format != 2 || m.Place() != "s3://clinica" || m.Missing() != 1 || made.Copied != 0 || first.Blobs != 2 || first.Bytes != 0 {
		t.Errorf("got %+v", made)
	}
	if left := tree(t, filepath.Join(i.folder, "blobs")); len(left) != 0 {
		t.Errorf("copied %q", left)
	}
	a.failure = errors.New("it does not answer")
	c := i.config()
	a.named(&c)
	if _, err := backup.Make(t.Context(), c); !errors.Is(err, a.failure) {
		t.Errorf("out of reach: got %v", err)
	}
}

// TestVerify_Remote: what is not where it lies, or of another size, is damage; whoever
// cannot look says so.
func TestVerify_Remote(t *testing.T) {
	i := MustInstall(t)
	a := i.moveAway(t)
	made := i.MustMake(t, a.named)
	verify := func(remote func(string) backup.Remote) backup.Report {
		r, err := backup.Verify(t.Context(), made.Path, backup.VerifyConfig{Look: i.look, Remote: remote})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := verify(nil); !r.Whole() || !slices.Contains(r.Unchecked,
		"Os arquivos ficam em s3://clinica: a cópia só os nomeia, e não foram conferidos aqui.") {
		t.Errorf("without the place: %+v", r)
	}
	if r := verify(a.everywhere); !r.Whole() || r.Blobs != 5 {
		t.Errorf("whole: %+v", r)
	}
	a.stored[i.refs["order"]] += "!"
	delete(a.stored, i.refs["request"])
	want := []string{"Arquivo ausente ou de outro tamanho em s3://clinica: " + string(i.refs["order"]),
		"Arquivo ausente ou de outro tamanho em s3://clinica: " + string(i.refs["request"])}
	if r := verify(a.everywhere); !slices.Equal(slices.Sorted(slices.Values(r.Damage)), slices.Sorted(slices.Values(want))) {
		t.Errorf("got %q, want %q", r.Damage, want)
	}
	a.failure = errors.New("it does not answer")
	c := backup.VerifyConfig{Look: i.look, Remote: a.everywhere}
	if _, err := backup.Verify(t.Context(), made.Path, c); !errors.Is(err, a.failure) {
		t.Errorf("out of reach: got %v", err)
	}
}

// TestVerifyData_Remote: every byte of an installation's blobs is read.
func TestVerifyData_Remote(t *testing.T) {
	i := MustInstall(t)
	a := i.moveAway(t)
	halves := i.halves()
	for h := range halves {
		halves[h].Remote = a
	}
	verify := func() (backup.Report, error) {
		return backup.VerifyData(t.Context(), i.data, filepath.Join(i.data, "keys"), halves, i.look)
	}
	if r, err := verify(); err != nil || !r.Whole() || r.Blobs != 5 {
		t.Errorf("whole: %+v, %v", r, err)
	}
	a.stored[i.refs["order"]] = "ordre"
	delete(a.stored, i.refs["request"])
	r, err := verify()
	if err != nil || len(r.Damage) != 2 || !strings.Contains(strings.Join(r.Damage, " "), "em s3://clinica: "+string(i.refs["order"])) {
		t.Errorf("damaged: %+v, %v", r, err)
	}
	a.failure = errors.New("it does not answer")
	if _, err := verify(); !errors.Is(err, a.failure) {
		t.Errorf("out of reach: got %v", err)
	}
}

// TestRestore_Remote: a restore brings back what was removed, and is none while a row would
// name what is not there.
func TestRestore_Remote(t *testing.T) {
	i := MustInstall(t)
	a := i.moveAway(t)
	i.MustMake(t, a.named)
	restore := func(remote func(string) backup.Remote) error {
		c := i.restoration(t)
		c.Remote = remote
		_, err := backup.Restore(t.Context(), c)
		if err != nil && len(tree(t, c.Data)) != 0 {
			t.Errorf("left behind: %q", tree(t, c.Data))
		}
		return err
	}
	if err := restore(nil); !errors.Is(err, backup.ErrRemote) {
		t.Errorf("without the place: got %v", err)
	}
	whole := maps.Clone(a.stored)
	delete(a.stored, i.refs["order"])
	if err := restore(a.everywhere); err == nil || !strings.Contains(err.Error(), "1 files that it names are not in s3://clinica") {
		t.Errorf("while one is gone: got %v", err)
	}
	a.kept = errors.New("the store refuses the keys")
	if err := restore(a.everywhere); !errors.Is(err, a.kept) {
		t.Errorf("by keys that may not: got %v, want the reason", err)
	}
	a.removed, a.kept = whole, nil
	if err := restore(a.everywhere); err != nil || a.stored[i.refs["order"]] != "order" {
		t.Errorf("got %v, want it brought back", err)
	}
}
