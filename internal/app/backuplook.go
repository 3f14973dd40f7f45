package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"guiche/internal/audit"
	"guiche/internal/backup"
	"guiche/internal/blob"
	"guiche/internal/keyfile"
	"guiche/internal/sqlite"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/blobnames"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/keystore"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/unsynced"
	"guiche/migrations"
)

// The halves of an installation, as a backup names them.
const (
	deskHalf    = "desk"
	serviceHalf = "service"
)

// halves are those that an installation may have.
func halves() []backup.DataHalf {
	return []backup.DataHalf{{Name: deskHalf, File: "guiche.db"}, {Name: serviceHalf, File: "service.db"}}
}

// blobNamesOf are the blobs that the rows of a half name.
func blobNamesOf(half string, db engine.DB) *blobnames.Names {
	if half == deskHalf {
		return deskstore.BlobNames(db)
	}
	return servicestore.BlobNames(db)
}

// schemaOf is the schema that this version of the program gives a half.
func schemaOf(half string) fs.FS {
	if half == deskHalf {
		return migrations.Desk
	}
	return migrations.Service
}

// contents is a database that is looked into, and is what backup.Contents asks for.
type contents struct {
	place   backup.Place
	db      engine.DB
	names   *blobnames.Names
	current bool          // its schema is that of this version
	trail   *auditlog.Log // nil in a half without one
	keyed   bool          // the key of the trail is at hand
}

// look opens a database of an installation or of a backup to look into it.
func look(ctx context.Context, p backup.Place) (backup.Contents, error) {
	open := sqlite.OpenCopy
	if p.InUse {
		open = sqlite.OpenToRead
	}
	db, err := open(ctx, p.Path)
	if err != nil {
		return nil, notLooked(err)
	}
	c := &contents{place: p, db: db, names: blobNamesOf(p.Half, db)}
	if c.current, err = db.HasSchema(ctx, schemaOf(p.Half)); err == nil && p.Half == deskHalf {
		err = c.openTrail(ctx)
	}
	if err != nil {
		return nil, errors.Join(notLooked(err), db.Close())
	}
	return c, nil
}

// notLooked marks an error that tells nothing of a database: nothing more could be opened, or somebody else kept it.
func notLooked(err error) error {
	if sqlite.IsOutOfReach(err) {
		return fmt.Errorf("%w: %w", backup.ErrNotLooked, err)
	}
	return err
}

// openTrail takes the key where it is at hand; none is made.
func (c *contents) openTrail(ctx context.Context) error {
	c.trail = auditlog.New(c.db, audit.Key{})
	if c.place.Keys == "" || !c.current {
		return nil
	}
	uses, err := keystore.New(c.db).Uses(ctx)
	if err != nil {
		return err
	}
	key, err := findAuditKey(c.place.Keys, uses)
	if lost := new(keyfile.LostError); errors.As(err, &lost) {
		return nil
	}
	if err != nil { // the database may be whole
		return fmt.Errorf("%w: %w", backup.ErrNotLooked, err)
	}
	c.trail, c.keyed = auditlog.New(c.db, audit.Key(key)), true
	return nil
}

// auditKey is the key of the trail that a database rests on.
func auditKey(ctx context.Context, db engine.DB, place string) (keyfile.Key, error) {
	uses, err := keystore.New(db).Uses(ctx)
	if err != nil {
		return keyfile.Key{}, err
	}
	return findAuditKey(place, uses)
}

func findAuditKey(place string, uses map[keyfile.Name]keyfile.Use) (keyfile.Key, error) {
	keys, err := keyfile.ParsePlace(place)
	if err != nil {
		return keyfile.Key{}, err
	}
	return keyfile.At(keys).Find(keyfile.Audit, uses[keyfile.Audit].ID)
}

// Check implements backup.Contents.
func (c *contents) Check(ctx context.Context) (found, unchecked []string, err error) {
	name := c.place.Half + "/" + filepath.Base(c.place.Path)
	if file, ok := c.db.(*sqlite.DB); ok { // a server looks after its own
		if err := notLooked(file.Check(ctx)); errors.Is(err, backup.ErrNotLooked) {
			return nil, nil, err
		} else if err != nil {
			return []string{"O banco de dados está danificado: " + name}, nil, ctx.Err()
		}
	}
	found, err = c.checkRows(ctx, name)
	if c.trail == nil || err != nil {
		return found, nil, err
	}
	broken, unchecked, err := c.checkTrail(ctx)
	return append(found, broken...), unchecked, err
}

// checkRows compares the rows that carry checksums.
func (c *contents) checkRows(ctx context.Context, name string) (found []string, err error) {
	if !c.current {
		return nil, nil
	}
	err = checksum.Check(ctx, c.db, protectedTables(c.place.Half), func(row checksum.Row) {
		found = append(found, fmt.Sprintf("Registro danificado em %s: %s", name, row))
	}, nil)
	if err != nil || c.place.Half != deskHalf {
		return found, err
	}
	differing, err := deskstore.New(c.db, c.trail).CheckLists(ctx, nil)
	for _, row := range differing {
		found = append(found, listDamage(" em "+name, row))
	}
	return found, err
}

// listDamage says what a look at the lists found; in is where, with the word before it.
func listDamage(in string, row checksum.Row) string {
	if deskstore.IsLost(row) {
		return fmt.Sprintf("Falta%s um caso que a lista de casos tem: %s", in, row)
	}
	return fmt.Sprintf("A lista de casos%s difere dos casos: %s (é refeita pela conferência diária)", in, row)
}

// protectedTables are the tables of a half whose rows carry checksums.
func protectedTables(half string) []checksum.Table {
	if half == deskHalf {
		return deskstore.ProtectedTables()
	}
	return servicestore.ProtectedTables()
}

func (c *contents) checkTrail(ctx context.Context) (found, unchecked []string, err error) {
	if err := c.checkHead(ctx); err != nil {
		found, err = brokenTrail(err)
		return found, nil, err
	}
	switch {
	case !c.current:
		return nil, []string{"A corrente da auditoria e os registros não foram conferidos: os dados são de outra versão do programa."}, nil
	case !c.keyed:
		return nil, []string{"A corrente da auditoria não foi conferida: as chaves da instalação não estão aqui."}, nil
	}
	if err := c.trail.Verify(ctx); err != nil {
		found, err = brokenTrail(err)
		return found, nil, err
	}
	return nil, nil, nil
}

// checkHead holds the trail to the end that was written down outside of it.
func (c *contents) checkHead(ctx context.Context) error {
	if c.place.InUse {
		return c.trail.CheckHead(ctx, filepath.Join(filepath.Dir(c.place.Path), "audit.head"))
	}
	head, err := trailHead(c.place.Head)
	if err != nil {
		return err
	}
	return c.trail.Reaches(ctx, head)
}

// trailHead is the end of a trail as a manifest holds it.
func trailHead(h backup.Head) (head audit.Head, err error) {
	mac, err := hex.DecodeString(h.MAC)
	if err != nil || h.Position > 0 && len(mac) != len(head.MAC) {
		return head, &audit.BrokenError{Reason: "the head in the manifest is damaged"}
	}
	head.Position = h.Position
	copy(head.MAC[:], mac)
	return head, nil
}

// brokenTrail turns a broken trail into what a person is told.
func brokenTrail(err error) ([]string, error) {
	var broken *audit.BrokenError
	if !errors.As(err, &broken) {
		return nil, err
	}
	return []string{fmt.Sprintf("A auditoria não está como foi escrita, a partir do registro %d.", broken.Position)}, nil
}

// BlobNames implements backup.Contents.
func (c *contents) BlobNames(ctx context.Context, prefix string) ([]blob.Ref, error) {
	refs, err := c.names.Beginning(ctx, prefix)
	return refs, notLooked(err)
}

// Bytes implements backup.Contents.
func (c *contents) Bytes(ctx context.Context, ref blob.Ref) ([]byte, error) {
	return unsynced.Bytes(ctx, c.db, ref)
}

// Head implements backup.Contents.
func (c *contents) Head(ctx context.Context) (backup.Head, error) {
	if c.trail == nil {
		return backup.Head{}, nil
	}
	head, err := c.trail.Head(ctx)
	if err != nil || head.Position == 0 {
		return backup.Head{}, err
	}
	return backup.Head{Position: head.Position, MAC: hex.EncodeToString(head.MAC[:])}, nil
}

// Reaches implements backup.Contents.
func (c *contents) Reaches(ctx context.Context, h backup.Head) (bool, error) {
	mac, readable := macOf(h)
	if c.trail == nil || h.Position == 0 || !readable {
		return true, nil
	}
	err := c.trail.Reaches(ctx, audit.Head{Position: h.Position, MAC: mac})
	if broken := new(audit.BrokenError); errors.As(err, &broken) {
		return false, nil
	}
	return err == nil, err
}

// macOf reads the MAC of a Head, false where none wrote it.
func macOf(h backup.Head) (audit.MAC, bool) {
	mac, err := hex.DecodeString(h.MAC)
	if err != nil || len(mac) != len(audit.MAC{}) {
		return audit.MAC{}, false
	}
	return audit.MAC(mac), true
}

// Close implements backup.Contents.
func (c *contents) Close() error { return c.db.Close() }
