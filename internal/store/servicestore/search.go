package servicestore

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/service"
	"guiche/internal/sqlite"
)

// maxWords bounds how much of a search counts.
const maxWords = 20

// SearchCredentials implements service.DirectoryStore. A credential is found when
// its name and code hold every word somewhere, without case and accents. That looks
// at every credential: 10,000 of them take 2 to 4 ms.
func (s *Store) SearchCredentials(ctx context.Context, q service.CredentialQuery) (page service.CredentialPage, err error) {
	condition, args := searchCondition(q)
	first := (q.Page - 1) * q.Size
	err = s.read(ctx, func(tx *sqlite.Tx) (err error) {
		page.Items, err = sqlite.List(ctx, tx, scanCredential, `SELECT `+credentialColumns+` FROM credential WHERE `+condition+
			` ORDER BY sort_name, id LIMIT ? OFFSET ?`, append(args, q.Size, first)...)
		if found := len(page.Items); err != nil || 0 < found && found < q.Size || found == 0 && first == 0 {
			page.Total = first + found // the last page says how many there are
			return err
		}
		return tx.QueryRow(ctx, `SELECT count(*) FROM credential WHERE `+condition, args...).Scan(&page.Total)
	})
	return page, err
}

// searchCondition is the SQL condition of what a query looks for.
func searchCondition(q service.CredentialQuery) (condition string, args []any) {
	condition, args = `(disabled = 0 OR ?)`, []any{q.Disabled}
	words := slices.Collect(strings.FieldsSeq(fold(q.Text)))
	for _, word := range words[:min(len(words), maxWords)] {
		condition += ` AND instr(searched, ?) > 0`
		args = append(args, word)
	}
	return condition, args
}
