package servicestore

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/service"
	"guiche/internal/store/engine"
)

// maxWords bounds how much of a search counts.
const maxWords = 20

// SearchCredentials implements service.DirectoryStore. A credential is found when
// its name and code hold every word somewhere, without case and accents. Memory is
// asked which ones those are, for SQL that looks at each of 10,000 takes 1 to 4 ms;
// the items come from the snapshot of the database that memory was compared with.
func (s *Store) SearchCredentials(ctx context.Context, q service.CredentialQuery) (page service.CredentialPage, err error) {
	words := slices.Collect(strings.FieldsSeq(fold(q.Text)))
	words = words[:min(len(words), maxWords)]
	err = s.read(ctx, func(tx *engine.Tx) error {
		names, err := s.currentNames(ctx, tx)
		if err != nil {
			return err
		}
		ids, total := names.find(words, q.Disabled, (q.Page-1)*q.Size, q.Size)
		items, err := s.credentialsByID(ctx, tx, ids)
		page = service.CredentialPage{Items: items, Total: total}
		return err
	})
	return page, err
}

// credentialsByID returns credentials in the order in which they are listed. Those that
// are damaged are none that could be chosen.
func (s *Store) credentialsByID(ctx context.Context, tx *engine.Tx, ids []int64) ([]service.Credential, error) {
	ids, err := s.whole(ctx, tx, ids, part{credentialTable, `id = ?`})
	if len(ids) == 0 {
		return nil, err
	}
	return engine.List(ctx, tx, scanCredential, `SELECT `+strings.Join(credentialColumns, ", ")+` FROM credential
		WHERE id `+engine.InNumbers+` ORDER BY sort_name, id`, engine.Numbers(ids))
}
