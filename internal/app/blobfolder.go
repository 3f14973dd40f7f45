package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"guiche/internal/atomicfile"
	"guiche/internal/store/bucketstore"

	"github.com/google/uuid"
)

// folderPlace stands in the database in the place of a bucket: files are in the data folder that
// has the same name of an installation in its mark.
const folderPlace = "folder"

const folderMarkFile = "installation"

var errOtherFolder = errors.New("GUICHE_BLOBS: the files of this installation are in another data folder, " +
	"which this process does not see: several processes keep them in a bucket that all reach, " +
	"as with --blobs s3://…, which the process of that folder is given first; " +
	"one process alone starts with that folder (GUICHE_DATA)")

var (
	errRowsInFiles = errors.New("GUICHE_DATABASE: the rows of this data folder are in it, in desk/guiche.db, and a database that does not " +
		"name its files would have them deleted: move the installation to a new folder with guiche copy, or start without GUICHE_DATABASE; " +
		"a guiche.db that was made by mistake is taken away first")
	errRowsOnServer = errors.New("GUICHE_DATABASE: the rows of this data folder are in PostgreSQL, and a database that does not name " +
		"its files would have them deleted: name that database; if the rows are in desk/guiche.db all the same, delete the file " +
		folderMarkFile + " first")
)

// checkRowsPlace refuses a data folder whose rows are elsewhere than the settings say: no other rows name the files in
// it, and what no row names is swept.
func (c Config) checkRowsPlace() error {
	_, unmarked := os.Stat(filepath.Join(c.DataDir, folderMarkFile))
	_, none := os.Stat(filepath.Join(c.DataDir, deskHalf, "guiche.db"))
	switch {
	case c.onServer() && none == nil && unmarked != nil:
		return errRowsInFiles
	case !c.onServer() && unmarked == nil:
		return errRowsOnServer
	}
	return nil
}

var errNobody = errors.New("GUICHE_DATA: desk/blobs has files, and the database has nobody who could have brought them, so that they " +
	"would be deleted: put the installation's database back (desk/guiche.db, or that of GUICHE_DATABASE) in the place of the empty one; " +
	"files of no installation are taken away first")

// checkOwnRows refuses an empty database beside files: another one was named, or the right one is not back yet.
func (s *baseServer) checkOwnRows(ctx context.Context) error {
	some, err := s.data.accounts.HasUsers(ctx)
	if err != nil || some {
		return err
	}
	return s.config.checkNoFiles(deskHalf, errNobody)
}

var errNoPartner = errors.New("GUICHE_DATA: service/blobs has files, and the service's database has no partner who could have sent them, " +
	"so that they would be deleted: put the service's database back (service/service.db, or that of GUICHE_SERVICE_DATABASE or " +
	"GUICHE_DATABASE) in the place of the empty one; files of no installation are taken away first")

// checkOwnRows does so for the service, whose own desk is a partner from the first start on.
func (e *embedded) checkOwnRows(ctx context.Context, c Config) error {
	partners, err := e.admin.Profiles(ctx)
	if err != nil || len(partners) > 0 {
		return err
	}
	return c.checkNoFiles(serviceHalf, errNoPartner)
}

// checkNoFiles returns the error where a half has files in the data folder.
func (c Config) checkNoFiles(half string, some error) error {
	found, err := fs.Glob(os.DirFS(filepath.Join(c.DataDir, half, "blobs")), "??/*")
	if err == nil && len(found) > 0 {
		err = some
	}
	return err
}

// claimFolder refuses a data folder that is not the one in which the rows of a shared database have
// their files. The first start without a bucket claims it; it is that folder, too, whose files move
// to a bucket later.
func (c Config) claimFolder(ctx context.Context, toBucket bool, marks blobMarks) error {
	shared, ok := marks.(databaseMarks)
	if !ok {
		return nil
	}
	kept, err := shared.store.Find(ctx)
	if err != nil {
		return err
	}
	none := kept == bucketstore.Mark{}
	if none && toBucket || !none && kept.Place != folderPlace {
		return nil
	}
	name, err := c.folderName(none)
	if err == nil && none {
		kept, err = shared.store.PutFirst(ctx, bucketstore.Mark{Place: folderPlace, Installation: name})
	}
	if err == nil && (kept.Installation != name || kept.Place != folderPlace) {
		err = errOtherFolder
	}
	return err
}

// folderName is the name in the mark of the data folder, the zero one without a mark. It is made
// where the folder is the first.
func (c Config) folderName(first bool) (uuid.UUID, error) {
	file := filepath.Join(c.DataDir, folderMarkFile)
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && first:
		name := uuid.New()
		err = atomicfile.Write(file, []byte(name.String()+"\n"), 0o600)
		return name, folderError(err)
	case errors.Is(err, fs.ErrNotExist):
		return uuid.Nil, nil
	case err != nil:
		return uuid.Nil, folderError(err)
	}
	name, err := uuid.Parse(strings.TrimSpace(string(text)))
	return name, folderError(err)
}

func folderError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("GUICHE_DATA: %s: %w", folderMarkFile, err)
}
