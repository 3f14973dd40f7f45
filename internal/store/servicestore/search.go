package servicestore

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"guiche/internal/service"
	"guiche/internal/sqlite"
)

// maxWords bounds how much of a search counts.
const maxWords = 20

// SearchCredentials implements service.RegisterStore. A credential is found when
// its name and code hold every word somewhere, without case and accents. That asks
// the index in memory, so that the time hardly depends on how many credentials
// there are; the items themselves come from the same snapshot of the database that
// the index was compared with.
func (s *Store) SearchCredentials(ctx context.Context, q service.CredentialQuery) (page service.CredentialPage, err error) {
	words := slices.Collect(strings.FieldsSeq(fold(q.Text)))
	words = words[:min(len(words), maxWords)]
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		names, err := s.currentNames(ctx, tx)
		if err != nil {
			return err
		}
		first := (q.Page - 1) * q.Size
		var ids []int64
		names.find(words, q.Disabled, func(id int64) {
			if page.Total >= first && len(ids) < q.Size {
				ids = append(ids, id)
			}
			page.Total++
		})
		page.Items, err = credentialsByID(ctx, tx, ids)
		return err
	})
	return page, err
}

// credentialsByID returns credentials in the order of their ids.
func credentialsByID(ctx context.Context, tx *sqlite.Tx, ids []int64) ([]service.Credential, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	return sqlite.List(ctx, tx, scanCredential, `SELECT `+credentialColumns+`
		FROM json_each(?) AS wanted CROSS JOIN credential c ON c.id = wanted.value ORDER BY wanted.key`, string(text))
}
