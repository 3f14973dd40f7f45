package backup_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/backup"
	"guiche/internal/blob"
	"guiche/internal/problem"

	"filippo.io/age"
)

// verify checks the newest backup, or the one at a path.
func (i *installation) verify(tb testing.TB, path string, opens ...age.Identity) backup.Report {
	tb.Helper()
	i.looked = nil
	work := tb.TempDir()
	r, err := backup.Verify(tb.Context(), path, backup.VerifyConfig{Look: i.look, Identities: opens, Work: work})
	if err != nil || len(tree(tb, work)) != 0 || i.looking != 0 {
		tb.Errorf("got %v, %q left, %d open", err, tree(tb, work), i.looking)
	}
	return r
}

// TestVerify: a backup that is whole is called whole, and said to be what it is.
func TestVerify(t *testing.T) {
	ana, opens := identity(t)
	_, other := identity(t)
	const sealed = "O conteúdo está cifrado: sem a identidade age, conferem-se os arquivos como estão guardados."
	for name, tt := range map[string]struct {
		to        []string
		opens     []age.Identity
		unchecked []string
		damage    []string
		looks     int
	}{
		"Plain":          {nil, nil, []string{"Sem chaves.", "Sem chaves."}, nil, 2},
		"Encrypted":      {[]string{ana}, []age.Identity{opens}, nil, nil, 2},
		"OneOfTwo":       {[]string{ana}, []age.Identity{other, opens}, nil, nil, 2},
		"Sealed":         {[]string{ana}, nil, []string{sealed}, nil, 0},
		"SealedToOthers": {[]string{ana}, []age.Identity{other}, nil, []string{"A cópia não pôde ser decifrada com esta identidade."}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			made := i.MustMake(t, sealedFor(tt.to...))
			for _, path := range []string{i.folder, made.Path} {
				r := i.verify(t, path, tt.opens...)
				if r.Path != made.Path || r.Manifest == nil || r.More != 0 || r.Whole() != (tt.damage == nil) ||
					!slices.Equal(r.Damage, tt.damage) || !slices.Equal(r.Unchecked, tt.unchecked) || len(i.looked) != tt.looks {
					t.Errorf("got %+v, looked at %d", r, len(i.looked))
				}
				if want := 5; tt.damage == nil && r.Blobs != want {
					t.Errorf("read %d, want %d", r.Blobs, want)
				}
				for _, p := range i.looked {
					if (p.Keys != "") != (tt.to != nil) || p.Head.Position != 7 || p.InUse {
						t.Errorf("looked at %+v", p)
					}
				}
			}
		})
	}
}

// TestVerify_Damaged: whatever is damaged or gone is named.
func TestVerify_Damaged(t *testing.T) {
	ana, opens := identity(t)
	const stored = "Arquivo da cópia danificado ou ausente: "
	for name, tt := range map[string]struct {
		damage func(t *testing.T, i *installation, path string)
		sealed bool
		want   []string // beginnings
	}{
		"Database": {func(t *testing.T, _ *installation, path string) {
			MustFlip(t, filepath.Join(path, "desk", "guiche.db"))
		}, false,
			[]string{stored + "desk/guiche.db"}},
		"DatabaseGone": {func(t *testing.T, _ *installation, path string) {
			MustDo(t, os.Remove(filepath.Join(path, "service", "service.db")))
		}, false, []string{stored + "service/service.db"}},
		"DatabaseLonger": {func(t *testing.T, _ *installation, path string) {
			file := filepath.Join(path, "desk", "guiche.db")
			MustWrite(t, file, MustRead(t, file)+"\n")
		}, false, []string{stored + "desk/guiche.db"}},
		"DatabaseSealed": {func(t *testing.T, _ *installation, path string) {
			MustFlip(t, filepath.Join(path, "desk", "guiche.db.age"))
		}, true,
			[]string{stored + "desk/guiche.db.age"}},
		"Key": {func(t *testing.T, _ *installation, path string) {
			MustFlip(t, filepath.Join(path, "keys", "audit.key.age"))
		}, true,
			[]string{stored + "keys/audit.key.age"}},
		"List": {func(t *testing.T, _ *installation, path string) {
			MustWrite(t, filepath.Join(path, "desk", "blobs.list"), "ab/x 3\n")
		}, false,
			[]string{stored + "desk/blobs.list", "A lista de arquivos está danificada: desk/blobs.list"}},
		"ListGone": {func(t *testing.T, _ *installation, path string) {
			MustDo(t, os.Remove(filepath.Join(path, "desk", "blobs.list")))
		}, false,
			[]string{stored + "desk/blobs.list"}},
		"Manifest": {func(t *testing.T, _ *installation, path string) { MustFlip(t, filepath.Join(path, "manifest.json")) }, false,
			[]string{"O manifesto da cópia está danificado ou falta."}},
		"ManifestSum": {func(t *testing.T, _ *installation, path string) {
			MustDo(t, os.Remove(filepath.Join(path, "manifest.sha256")))
		}, false, []string{"O manifesto da cópia está danificado ou falta."}},
		"Blob": {func(t *testing.T, i *installation, _ string) { MustFlip(t, i.stored("photo")) }, false,
			[]string{"Arquivo danificado ou ausente: blobs/"}},
		"BlobOfBoth": {func(t *testing.T, i *installation, _ string) { MustFlip(t, i.stored("guide")) }, false,
			[]string{"Arquivo danificado ou ausente: blobs/"}},
		"BlobGone": {func(t *testing.T, i *installation, _ string) { MustDo(t, os.Remove(i.stored("order"))) }, false,
			[]string{"Arquivo danificado ou ausente: blobs/"}},
		"Rows": {func(_ *testing.T, i *installation, _ string) {
			i.looks = func(backup.Place) error { return errors.New("no database") }
		}, false, []string{"O banco de dados não pôde ser aberto: desk/guiche.db",
			"O banco de dados não pôde ser aberto: service/service.db"}},
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			if tt.sealed {
				i.MustMake(t, sealedFor(ana))
			} else {
				i.MustMake(t)
			}
			path, err := backup.Newest(i.folder, i.now)
			MustDo(t, err)
			tt.damage(t, i, path)
			r := i.verify(t, path, opens)
			if r.Whole() || len(r.Damage) != len(tt.want) {
				t.Fatalf("got %q, want %q", r.Damage, tt.want)
			}
			for n, want := range tt.want {
				if !strings.HasPrefix(r.Damage[n], want) {
					t.Errorf("got %q, want %q", r.Damage[n], want)
				}
			}
		})
	}
}

// TestVerify_DamagedSealed: a damaged file is found without what opens the backup, too.
func TestVerify_DamagedSealed(t *testing.T) {
	i := MustInstall(t)
	ana, opens := identity(t)
	i.MustMake(t, sealedFor(ana))
	blobs := filepath.Join(i.folder, "blobs")
	name := tree(t, blobs)[0]
	MustFlip(t, filepath.Join(blobs, name))
	want := "Arquivo danificado ou ausente: blobs/" + name
	if r := i.verify(t, i.folder); !slices.Equal(r.Damage, []string{want}) {
		t.Errorf("got %q, want %q", r.Damage, want)
	}
	if r := i.verify(t, i.folder, opens); len(r.Damage) < 1 || r.Damage[0] != want && !slices.Contains(r.Damage, want) {
		t.Errorf("opened: got %q, want %q", r.Damage, want)
	}
}

// TestVerify_Contents: what the databases say of themselves, and files that they name and
// the backup lacks.
func TestVerify_Contents(t *testing.T) {
	ana, opens := identity(t)
	for name, seal := range map[string]func(*backup.Config){"Plain": func(*backup.Config) {}, "Encrypted": sealedFor(ana)} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			MustDo(t, os.Remove(i.path("desk", "photo"))) // missing in the installation: known
			made := i.MustMake(t, seal)
			i.looks = func(p backup.Place) error {
				text := MustRead(t, p.Path)
				if p.Half == "desk" {
					text = strings.Replace(text, `{"Names":[`, `{"Names":["`+strings.Repeat("ab", 32)+`",`, 1)
				}
				MustWrite(t, p.Path, strings.Replace(text, `"Damage":null`, `"Damage":["Página 3 do `+p.Half+`."]`, 1))
				return nil
			}
			first := made.Manifest.Halves[0]
			if first.Name != "desk" || len(first.Missing) != 1 {
				t.Fatalf("got %+v", first)
			}
			r := i.verify(t, made.Path, opens) // the rows are read before they are changed
			if !r.Whole() || !strings.HasPrefix(r.Unchecked[0], "Já faltavam na instalação, ou estavam danificados: 1 ") {
				t.Errorf("got %+v", r)
			}
			if name == "Encrypted" {
				return
			}
			for _, h := range i.halves() {
				replaceFile(t, made.Path, h.Name+"/"+h.File, MustRead(t, filepath.Join(made.Path, h.Name, h.File)))
			}
			r = i.verify(t, made.Path)
			want := []string{"Página 3 do desk.",
				"O banco de dados nomeia um arquivo que a cópia não tem inteiro: desk/" + strings.Repeat("ab", 32), "Página 3 do service."}
			if !slices.Equal(r.Damage, want) {
				t.Errorf("got %q, want %q", r.Damage, want)
			}
		})
	}
}

// replaceFile changes a file of a backup and has the manifest say so.
func replaceFile(tb testing.TB, path, name, content string) {
	tb.Helper()
	m, err := backup.ReadManifest(path)
	MustDo(tb, err)
	n := slices.IndexFunc(m.Files, func(f backup.File) bool { return f.Path == name })
	MustWrite(tb, filepath.Join(path, filepath.FromSlash(name)), content)
	m.Files[n].Size, m.Files[n].SHA256 = int64(len(content)), sha(content)
	rewrite(tb, path, m)
}

// TestVerify_Many: a report is bounded.
func TestVerify_Many(t *testing.T) {
	i := MustInstall(t)
	for n := range 110 {
		i.MustKeep(t, "desk", fmt.Sprint("photo ", n))
	}
	i.MustMake(t)
	MustDo(t, os.RemoveAll(filepath.Join(i.folder, "blobs")))
	if r := i.verify(t, i.folder); len(r.Damage) != 100 || r.More != 110+4-100 {
		t.Errorf("got %d and %d more", len(r.Damage), r.More)
	}
}

// TestVerify_Cannot: without a backup, or with one of a newer program, nothing is checked.
func TestVerify_Cannot(t *testing.T) {
	i := MustInstall(t)
	c := backup.VerifyConfig{Look: i.look}
	if _, err := backup.Verify(t.Context(), t.TempDir(), c); !errors.Is(err, backup.ErrNone) {
		t.Errorf("got %v, want ErrNone", err)
	}
	made := i.MustMake(t)
	for name, failure := range map[string]*error{"Check": &i.checkFailure, "Names": &i.namesFailure} {
		*failure = errors.New("broken")
		if _, err := backup.Verify(t.Context(), made.Path, c); !errors.Is(err, *failure) {
			t.Errorf("%s: got %v", name, err)
		}
		*failure = nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := backup.Verify(ctx, made.Path, c); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
	m := made.Manifest
	m.Format = 3
	rewrite(t, made.Path, m)
	if r, err := backup.Verify(t.Context(), made.Path, c); err == nil || len(r.Damage) != 0 {
		t.Errorf("of a newer program: got %q, %v", r.Damage, err)
	}
}

// TestVerifyData: an installation is checked where it stands.
func TestVerifyData(t *testing.T) {
	const lost = "Arquivo danificado ou ausente: "
	for name, tt := range map[string]struct {
		change func(t *testing.T, i *installation)
		blobs  int
		want   []string // beginnings
	}{
		"Whole":   {func(*testing.T, *installation) {}, 5, nil},
		"Flipped": {func(t *testing.T, i *installation) { MustFlip(t, i.path("desk", "photo")) }, 5, []string{lost + "desk/blobs/"}},
		"Gone": {func(t *testing.T, i *installation) { MustDo(t, os.Remove(i.path("service", "request"))) }, 5,
			[]string{lost + "service/blobs/"}},
		"InDatabase": {func(t *testing.T, i *installation) {
			MustDo(t, os.Remove(i.path("service", "request")))
			i.databases["service"].Held = map[blob.Ref]string{i.refs["request"]: "request"}
			i.MustSave(t)
		}, 5, nil},
		"OtherInDatabase": {func(t *testing.T, i *installation) {
			MustDo(t, os.Remove(i.path("service", "request")))
			i.databases["service"].Held = map[blob.Ref]string{i.refs["request"]: "requesT"}
			i.MustSave(t)
		}, 5, []string{lost + "service/blobs/"}},
		"NoService": {func(t *testing.T, i *installation) {
			MustDo(t, os.Remove(filepath.Join(i.data, "service", "service.db")))
		}, 3, nil},
		"Unreadable": {func(t *testing.T, i *installation) { MustWrite(t, filepath.Join(i.data, "desk", "guiche.db"), "{") }, 2,
			[]string{"O banco de dados não pôde ser aberto: desk/guiche.db"}},
		"Rows": {func(t *testing.T, i *installation) {
			i.databases["desk"].Damage, i.databases["desk"].Unchecked = []string{"Página 3."}, []string{"Sem tempo."}
			i.MustSave(t)
		}, 5, []string{"Página 3."}},
		"Names": {func(_ *testing.T, i *installation) { i.namesFailure = errors.New("broken") }, 0,
			[]string{"O banco de dados não pôde ser lido: desk/guiche.db", "O banco de dados não pôde ser lido: service/service.db"}},
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			tt.change(t, i)
			r, err := backup.VerifyData(t.Context(), i.data, filepath.Join(i.data, "keys"), i.halves(), i.look)
			if err != nil || r.Path != i.data || r.Manifest != nil || r.Blobs != tt.blobs || len(r.Damage) != len(tt.want) || i.looking != 0 {
				t.Fatalf("got %+v, %v, want %q", r, err, tt.want)
			}
			for n, want := range tt.want {
				if !strings.HasPrefix(r.Damage[n], want) {
					t.Errorf("got %q, want %q", r.Damage[n], want)
				}
			}
			if (len(r.Unchecked) > 0) != (name == "Rows") {
				t.Errorf("unchecked: %q", r.Unchecked)
			}
			for _, p := range i.looked {
				if !p.InUse || p.Keys != filepath.Join(i.data, "keys") {
					t.Errorf("looked at %+v", p)
				}
			}
		})
	}
}

// vanishing is a database of which one name goes once it was read.
type vanishing struct {
	backup.Contents
	name string
}

func (v vanishing) BlobNames(ctx context.Context, prefix string) ([]blob.Ref, error) {
	names, err := v.Contents.BlobNames(ctx, prefix)
	if len(prefix) > 2 && strings.HasPrefix(v.name, prefix) {
		names = nil
	}
	return names, err
}

// TestVerifyData_NoSpace: a disk that is full is said to be one, and no damage.
func TestVerifyData_NoSpace(t *testing.T) {
	i := MustInstall(t)
	full := problem.New(problem.NoSpace, "full")
	i.looks = func(backup.Place) error { return full }
	r, err := backup.VerifyData(t.Context(), i.data, filepath.Join(i.data, "keys"), i.halves(), i.look)
	if !errors.Is(err, full) || !r.Whole() {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestVerifyData_Vanished: a file that went with its row meanwhile is not missing.
func TestVerifyData_Vanished(t *testing.T) {
	i := MustInstall(t)
	photo := i.refs["photo"]
	MustDo(t, os.Remove(i.path("desk", "photo")))
	keys := filepath.Join(i.data, "keys")
	r, err := backup.VerifyData(t.Context(), i.data, keys, i.halves(), func(ctx context.Context, p backup.Place) (backup.Contents, error) {
		c, err := i.look(ctx, p)
		return vanishing{c, string(photo)}, err
	})
	if err != nil || !r.Whole() || r.Blobs != 4 {
		t.Errorf("got %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := backup.VerifyData(ctx, i.data, filepath.Join(i.data, "keys"), i.halves(), i.look); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
	i.checkFailure = errors.New("broken")
	if _, err := backup.VerifyData(t.Context(), i.data, filepath.Join(i.data, "keys"), i.halves(), i.look); !errors.Is(err, i.checkFailure) {
		t.Errorf("got %v", err)
	}
}

func TestIsData(t *testing.T) {
	i := MustInstall(t)
	if !backup.IsData(i.data, i.halves()) || !backup.IsData(i.data, i.halves()[1:]) || backup.IsData(i.folder, i.halves()) {
		t.Error("the folder of an installation is told by its databases")
	}
}

// meanwhile opens what another identity opens, and does something before.
type meanwhile struct {
	age.Identity
	do func()
}

func (m meanwhile) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	m.do()
	return m.Identity.Unwrap(stanzas)
}

// TestVerify_NoRoom: what cannot be written while a backup is decrypted says nothing about the backup.
func TestVerify_NoRoom(t *testing.T) {
	ana, opens := identity(t)
	i := MustInstall(t)
	made := i.MustMake(t, sealedFor(ana))
	work := t.TempDir()
	taken := func() { // where the database would go
		roots, _ := filepath.Glob(filepath.Join(work, "*"))
		for _, root := range roots {
			if err := os.MkdirAll(filepath.Join(root, "desk", "guiche.db"), 0o700); err != nil {
				t.Error(err)
			}
		}
	}
	c := backup.VerifyConfig{Look: i.look, Identities: []age.Identity{meanwhile{opens, taken}}, Work: work}
	r, err := backup.Verify(t.Context(), made.Path, c)
	if !errors.Is(err, fs.ErrExist) || !r.Whole() {
		t.Errorf("got %q, %v, want no damage and what could not be written", r.Damage, err)
	}
	if left := tree(t, work); len(left) != 0 {
		t.Errorf("left %q", left)
	}
}

// TestVerify_GivenUp: a check that somebody gives up says nothing about the backup.
func TestVerify_GivenUp(t *testing.T) {
	ana, opens := identity(t)
	for name, tt := range map[string]struct {
		to   []string
		give func(*installation, *backup.VerifyConfig, context.CancelFunc)
	}{
		"Opening": {nil, func(i *installation, _ *backup.VerifyConfig, cancel context.CancelFunc) {
			i.looks = func(backup.Place) error { cancel(); return context.Canceled }
		}},
		"Decrypting": {[]string{ana}, func(_ *installation, c *backup.VerifyConfig, cancel context.CancelFunc) {
			c.Identities = []age.Identity{meanwhile{opens, cancel}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			made := i.MustMake(t, sealedFor(tt.to...))
			ctx, cancel := context.WithCancel(t.Context())
			c := backup.VerifyConfig{Look: i.look, Work: t.TempDir()}
			tt.give(i, &c, cancel)
			if r, err := backup.Verify(ctx, made.Path, c); !errors.Is(err, context.Canceled) || !r.Whole() {
				t.Errorf("got %q, %v, want no damage", r.Damage, err)
			}
		})
	}
}

// TestVerifyData_GivenUp: nor does one of an installation.
func TestVerifyData_GivenUp(t *testing.T) {
	for name, give := range map[string]func(*installation, context.CancelFunc){
		"Opening": func(i *installation, cancel context.CancelFunc) {
			i.looks = func(backup.Place) error { cancel(); return context.Canceled }
		},
		"Names": func(i *installation, cancel context.CancelFunc) {
			i.namesFailure = context.Canceled
			i.looks = func(backup.Place) error { cancel(); return nil }
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			ctx, cancel := context.WithCancel(t.Context())
			give(i, cancel)
			r, err := backup.VerifyData(ctx, i.data, filepath.Join(i.data, "keys"), i.halves(), i.look)
			if !errors.Is(err, context.Canceled) || !r.Whole() {
				t.Errorf("got %q, %v, want no damage", r.Damage, err)
			}
		})
	}
}
