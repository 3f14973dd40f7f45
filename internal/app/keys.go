package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"guiche/internal/audit"
	"guiche/internal/connection"
	"guiche/internal/keyfile"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/connectionstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/keystore"
)

// keyPlace says where the keys lie, outside the databases, as keyfile.ParsePlace reads it.
func (c Config) keyPlace() string { return cmp.Or(c.Keys, filepath.Join(c.DataDir, "keys")) }

// checkKeys wants a folder, or a file for each key.
func (c Config) checkKeys() error {
	_, err := keyfile.ParsePlace(c.keyPlace())
	return c.keyError(err)
}

// keyError names the setting that an error about keys comes from.
func (c Config) keyError(err error) error {
	if err == nil {
		return nil
	}
	setting := "GUICHE_DATA"
	if c.Keys != "" {
		setting = "GUICHE_KEYS"
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// keyFiles are the keys of a place, by the names that a backup gives them.
func keyFiles(place string) (map[string]string, error) {
	keys, err := keyfile.ParsePlace(place)
	if err != nil {
		return nil, err
	}
	return keys.Files()
}

// sealingKeys gives the connection its keys, also those that another process added.
type sealingKeys struct{ keys *keyfile.Keys }

// SealingKey implements connection.Keys.
func (s sealingKeys) SealingKey(id string) ([keyfile.Size]byte, error) {
	key, err := s.keys.Find(keyfile.Seal, id)
	if l := new(keyfile.LostError); errors.As(err, &l) {
		err = fmt.Errorf("%w: %w", connection.ErrUnopened, err)
	}
	return key, err
}

func (d *deskData) sealer() *connection.Sealer { return connection.NewSealer(sealingKeys{d.keys}) }

// Key is a key of an installation as `guiche key list` shows it.
type Key struct {
	Name, ID, File string
	InUse, Missing bool
	Unread         error // why a file that is there could not be read
}

// ListKeys returns every key that the installation noted, also when some are missing.
func ListKeys(ctx context.Context, c Config) (all []Key, err error) {
	place, err := keyfile.ParsePlace(c.keyPlace())
	if err != nil {
		return nil, c.keyError(err)
	}
	err = withDatabase(ctx, c, func(db database) error {
		noted, err := keystore.New(db).List(ctx)
		keys := keyfile.At(place)
		for _, n := range noted {
			key := Key{Name: string(n.Name), ID: n.ID, InUse: n.InUse, File: keys.File(n.Name, n.ID)}
			if _, err := keys.Find(n.Name, n.ID); errors.As(err, new(*keyfile.LostError)) {
				key.Missing = true
			} else {
				key.Unread = err
			}
			all = append(all, key)
		}
		return err
	})
	return all, err
}

// Renewal is what `guiche key rotate` did.
type Renewal struct {
	connection.Renewal
	ID, File string // of the key that is in use from now on
}

// errUnprepared keeps a process on another machine from finding what it cannot open.
var errUnprepared = errors.New("GUICHE_KEYS: several processes may use this database, and those on other machines " +
	"would not have the new key: make it with guiche key rotate -prepare, " +
	"put its file beside the others on every machine, and then run guiche key rotate")

// PrepareKey makes the key that RotateKey puts in use, and changes nothing else. It returns its file.
func PrepareKey(ctx context.Context, c Config) (file string, err error) {
	err = withInstallation(ctx, c, func(data *deskData) error {
		known, err := idsOf(ctx, keystore.New(data.db), keyfile.Seal)
		if err != nil {
			return err
		}
		key, err := data.keys.Next(keyfile.Seal, known)
		file = data.keys.File(keyfile.Seal, key.ID())
		return err
	})
	return file, err
}

// RotateKey renews the key that seals the secrets of other services, also while servers
// run on the same data: they find the new key by its id, which is why it must have been
// prepared where they may be on other machines. Ended halfway, it can be repeated; whatever
// is sealed opens at any moment.
func RotateKey(ctx context.Context, c Config) (r Renewal, err error) {
	err = withInstallation(ctx, c, func(data *deskData) error {
		known, err := idsOf(ctx, keystore.New(data.db), keyfile.Seal)
		if err != nil {
			return err
		}
		if _, prepared, err := data.keys.Unused(keyfile.Seal, known); err == nil && !prepared && data.db.Shared() {
			return errUnprepared
		}
		key, err := data.keys.Next(keyfile.Seal, known)
		if err != nil {
			return err
		}
		r.ID, r.File = key.ID(), data.keys.File(keyfile.Seal, key.ID())
		r.Renewal, err = data.renewSealingKey(ctx, key.ID())
		return err
	})
	return r, err
}

// renewSealingKey seals every secret anew, in one transaction: there is no other place
// where something is sealed.
func (d *deskData) renewSealingKey(ctx context.Context, id string) (count connection.Renewal, err error) {
	renew := func(all []connection.Sealed) (renewed []connection.Sealed, e audit.Entry, err error) {
		renewed, count, err = d.sealer().Renew(all, id)
		return renewed, audit.Entry{Event: audit.KeyRenewed, Detail: fmt.Sprintf("chave=%s segredos=%d", id, count.Resealed)}, err
	}
	err = connectionstore.New(d.db, d.trail).RenewKey(ctx, id, renew)
	return count, err
}

// idsOf returns the ids of every key of that name that was ever in use.
func idsOf(ctx context.Context, store *keystore.Store, name keyfile.Name) (ids []string, err error) {
	noted, err := store.List(ctx)
	for _, n := range noted {
		if n.Name == name {
			ids = append(ids, n.ID)
		}
	}
	return ids, err
}

// ReplaceKeys puts new keys in use for those that are lost for good. What rested on
// them is not got back: sealed secrets are typed again, the audit trail is found broken
// up to here, browsers are unknown again. No process may run on the data, on this machine or
// another: it would go on with the lost key.
func ReplaceKeys(ctx context.Context, c Config, names []string) error {
	if err := c.checkInstalled(ctx); err != nil {
		return err
	}
	place, err := keyfile.ParsePlace(c.keyPlace())
	if err != nil {
		return c.keyError(err)
	}
	unlock, err := c.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return withDatabase(ctx, c, func(db database) error {
		if err := refuseRunning(ctx, db); err != nil {
			return err
		}
		lost := lostKeys{db: db, keys: keyfile.At(place), store: keystore.New(db)}
		return lost.replace(ctx, names)
	})
}

// lostKeys replaces keys that are not there.
type lostKeys struct {
	db    database
	keys  *keyfile.Keys
	store *keystore.Store
}

func (l lostKeys) replace(ctx context.Context, names []string) error {
	uses, err := l.store.Uses(ctx)
	if err != nil {
		return err
	}
	next := map[keyfile.Name]keyfile.Key{}
	for _, name := range names {
		if next[keyfile.Name(name)], err = l.next(ctx, keyfile.Name(name), uses); err != nil {
			return err
		}
	}
	auditKey, ok := next[keyfile.Audit]
	if !ok {
		if auditKey, err = l.keys.Find(keyfile.Audit, uses[keyfile.Audit].ID); err != nil {
			return err
		}
	}
	trail := auditlog.New(l.db, audit.Key(auditKey))
	return l.db.Write(ctx, func(tx *engine.Tx) error {
		for _, name := range names {
			id := next[keyfile.Name(name)].ID()
			if err := keystore.Replace(ctx, tx, keyfile.Name(name), id); err != nil {
				return err
			}
			entry := audit.Entry{Event: audit.KeyReplaced, Detail: fmt.Sprintf("nome=%s chave=%s", name, id)}
			if err := trail.Append(ctx, tx, entry); err != nil {
				return err
			}
		}
		return nil
	})
}

// next returns the key that takes the place of a lost one.
func (l lostKeys) next(ctx context.Context, name keyfile.Name, uses map[keyfile.Name]keyfile.Use) (keyfile.Key, error) {
	if !name.Known() {
		return keyfile.Key{}, fmt.Errorf("-name: %q is none of %v", name, keyfile.Names())
	}
	_, err := l.keys.Find(name, uses[name].ID)
	if err == nil {
		return keyfile.Key{}, fmt.Errorf("the key %q is not lost: %s", name, l.keys.File(name, uses[name].ID))
	}
	if lost := new(keyfile.LostError); !errors.As(err, &lost) {
		return keyfile.Key{}, err
	}
	known, err := idsOf(ctx, l.store, name)
	if err != nil {
		return keyfile.Key{}, err
	}
	return l.keys.Next(name, known)
}
