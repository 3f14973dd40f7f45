package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"guiche/internal/blob"
	"guiche/internal/problem"

	"filippo.io/age"
)

// Report is what a check found. Its sentences are for a person, and name files only.
type Report struct {
	Path      string
	Manifest  *Manifest // of a backup
	Damage    []string  // at most maxDamage of it
	More      int       // damage beyond that
	Unchecked []string  // what could not be checked
	Blobs     int       // that were read
}

// maxDamage bounds a report: a lost disk needs no line for each file.
const maxDamage = 100

// Whole reports whether no damage was found.
func (r Report) Whole() bool { return len(r.Damage) == 0 }

func (r *Report) damaged(sentences ...string) {
	for _, s := range sentences {
		switch {
		case slices.Contains(r.Damage, s): // both halves have it
		case len(r.Damage) < maxDamage:
			r.Damage = append(r.Damage, s)
		default:
			r.More++
		}
	}
}

// failed notes the damage that a failure tells of. One that tells of none is returned: of a check that was given up,
// or of what cannot be read at the moment.
func (r *Report) failed(ctx context.Context, cause error, sentence string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if tellsNothing(cause) {
		return fmt.Errorf("backup: verify: %w", cause)
	}
	r.damaged(sentence)
	return nil
}

// ErrNotLooked marks the failures of Look and Contents that tell nothing of the database.
var ErrNotLooked = errors.New("nothing can be told of the database")

// tellsNothing reports whether what was to be read may be whole all the same: this process can open nothing more, or
// may not open that, or the disk has no room to look at it.
func tellsNothing(err error) bool {
	return errors.Is(err, ErrNotLooked) || isExhausted(err) || problem.Is(err, problem.NoSpace) || errors.Is(err, fs.ErrPermission)
}

// isExhausted reports whether the process, or the system, can open no more files.
func isExhausted(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// VerifyConfig says how to look.
type VerifyConfig struct {
	Look       Look
	Now        time.Time
	Identities []age.Identity // that open encrypted backups
	Work       string         // folder for what is decrypted, "" means the system's

	// Remote reaches the blobs of a half that the backup only names; nil where nobody does.
	Remote func(half string) Remote
}

// Verify checks one backup, or the newest of a folder. Damage is in the report; an error
// means that nothing could be checked, or that the check was given up.
func Verify(ctx context.Context, path string, c VerifyConfig) (r Report, err error) {
	if r.Path, err = find(path, c.Now); err != nil {
		return r, err
	}
	m, err := ReadManifest(r.Path)
	switch {
	case errors.Is(err, errFormat), tellsNothing(err):
		return r, err
	case err != nil:
		r.damaged("O manifesto da cópia está danificado ou falta.")
		return r, nil //nolint:nilerr // damage is in the report
	}
	r.Manifest = &m
	v := verifier{c, &r, opener{c.Identities}, filepath.Dir(r.Path), ""}
	return r, v.verify(ctx, m)
}

// verifier checks one backup.
type verifier struct {
	VerifyConfig
	*Report
	opener
	folder string // of all backups
	keys   string // where the installation's keys lie, "" without
}

func (v *verifier) verify(ctx context.Context, m Manifest) error {
	for _, f := range m.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := sumFile(filepath.Join(v.Path, filepath.FromSlash(f.Path)))
		if err == nil && s.sum == f.SHA256 && s.size == f.Size {
			continue
		}
		if err := v.failed(ctx, err, "Arquivo da cópia danificado ou ausente: "+f.Path); err != nil {
			return err
		}
	}
	if !v.can(m) {
		v.Unchecked = append(v.Unchecked, "O conteúdo está cifrado: sem a identidade age, conferem-se os arquivos como estão guardados.")
	}
	if m.Missing() > 0 {
		v.Unchecked = append(v.Unchecked, fmt.Sprintf("Já faltavam na instalação, ou estavam danificados: %d arquivo(s).", m.Missing()))
	}
	if v.Whole() && v.can(m) {
		return v.contents(ctx, m)
	}
	for _, h := range m.Halves {
		if err := v.half(ctx, h, nil); err != nil {
			return err
		}
	}
	return nil
}

// contents looks into the databases, decrypted where they are not plain.
func (v *verifier) contents(ctx context.Context, m Manifest) (err error) {
	root := v.Path
	if m.Encrypted {
		if root, err = os.MkdirTemp(v.Work, "guiche-verify-*"); err != nil {
			return fmt.Errorf("backup: verify: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
		switch err := v.decrypt(ctx, m, root); {
		case errors.Is(err, errUnopened):
			return v.failed(ctx, err, "A cópia não pôde ser decifrada com esta identidade.")
		case err != nil:
			return fmt.Errorf("backup: verify: %w", err)
		}
	}
	if m.Keys {
		v.keys = filepath.Join(root, keysFolder)
	}
	for _, h := range m.Halves {
		contents, err := v.Look(ctx, Place{Half: h.Name, Path: plainPath(root, h.Database), Keys: v.keys, Head: m.Trail})
		if err != nil {
			if err := v.failed(ctx, err, "O banco de dados não pôde ser aberto: "+h.Database); err != nil {
				return err
			}
			continue
		}
		if err := errors.Join(v.database(ctx, h, contents), contents.Close()); err != nil {
			return err
		}
	}
	return nil
}

// plainPath is a stored file's path without what encryption adds.
func plainPath(root, path string) string {
	return filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(path, ageSuffix)))
}

// decrypt puts all but the lists into a folder.
func (v *verifier) decrypt(ctx context.Context, m Manifest, root string) error {
	for _, f := range m.Files {
		if !strings.HasSuffix(f.Path, ageSuffix) {
			continue
		}
		if err := v.extract(ctx, filepath.Join(v.Path, filepath.FromSlash(f.Path)), plainPath(root, f.Path)); err != nil {
			return err
		}
	}
	return nil
}

// errUnopened says that a stored file could not be read as what was put into it.
var errUnopened = errors.New("backup: a stored file does not open")

// extract copies what is in a stored file. An error of the file itself is errUnopened, to tell it from one of what
// is written.
func (o opener) extract(ctx context.Context, from, to string) error {
	r, err := o.open(from)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnopened, err)
	}
	defer func() { _ = r.Close() }() // only read
	read := &reading{Reader: blob.Until(ctx, r)}
	_, err = store(to, read, nil)
	if read.err != nil {
		return fmt.Errorf("%w: %w", errUnopened, read.err)
	}
	return err
}

func (v *verifier) database(ctx context.Context, h HalfInfo, contents Contents) error {
	damage, unchecked, err := contents.Check(ctx)
	if err != nil {
		return err
	}
	v.damaged(damage...)
	v.Unchecked = append(v.Unchecked, unchecked...)
	return v.half(ctx, h, contents)
}

// half reads every blob of a half. With contents it also holds the list to what the
// database names.
func (v *verifier) half(ctx context.Context, h HalfInfo, contents Contents) error {
	list, err := openList(filepath.Join(v.Path, filepath.FromSlash(h.List)))
	switch {
	case tellsNothing(err):
		return err
	case err != nil:
		return nil // damage that was told already
	}
	defer list.close()
	if h.Place != "" {
		return v.verifyRemote(ctx, h, contents, list)
	}
	for _, shard := range shards() {
		lines, err := list.shard(shard)
		if err != nil {
			v.damaged("A lista de arquivos está danificada: " + h.List)
			return nil
		}
		found, err := v.blobs(ctx, lines, contents != nil)
		if err != nil {
			return err
		}
		if contents == nil {
			continue
		}
		if err := v.named(ctx, h, contents, shard, found); err != nil {
			return err
		}
	}
	return nil
}

// blobs reads the blobs of some lines and returns what they are, and whether each is whole.
func (v *verifier) blobs(ctx context.Context, lines []listed, open bool) (map[blob.Ref]bool, error) {
	found := map[blob.Ref]bool{}
	for _, l := range lines {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v.Blobs++
		s, err := sumFile(l.path(v.folder))
		if err == nil && s.sum == l.sum() && s.size == l.size {
			ref := blob.Ref(s.sum)
			if open && strings.HasSuffix(l.file, ageSuffix) {
				ref, err = v.ref(l.path(v.folder))
			}
			found[ref] = err == nil
		}
		if err != nil || s.sum != l.sum() || s.size != l.size {
			found[blob.Ref(l.sum())] = false
			if err := v.failed(ctx, err, "Arquivo danificado ou ausente: "+blobsFolder+"/"+l.file); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// ref is the name of an encrypted blob.
func (v *verifier) ref(path string) (blob.Ref, error) {
	r, err := v.open(path)
	if err != nil {
		return "", err
	}
	m := newMeasure(io.Discard)
	_, err = io.Copy(m, r)
	return blob.Ref(m.stored().sum), errors.Join(err, r.Close())
}

// named finds blobs that the database names and the backup lacks.
func (v *verifier) named(ctx context.Context, h HalfInfo, contents Contents, shard string, found map[blob.Ref]bool) error {
	refs, err := contents.BlobNames(ctx, shard)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, ref := range h.Missing {
		known[ref] = true
	}
	for _, ref := range refs {
		if _, told := found[ref]; !told && !known[string(ref)] {
			v.damaged("O banco de dados nomeia um arquivo que a cópia não tem inteiro: " + h.Name + "/" + string(ref))
		}
	}
	return nil
}
