package servicestore_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"guiche/internal/service"

	"github.com/google/uuid"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// pieces make names and searches that agree often and oddly.
var pieces = []string{
	"Saúde", "saude", "SAU\u0301DE", "Vale", "vale", "d'Ávila", "ç", "c", "São", "ß", "İ", "ﬁ", "100%", "_", "%",
	`"`, `'`, `\`, "*", "(", "AND", "NEAR", "-",
	"\x00", "\n", "\u00a0", "\u2028", " ", " ", " ", "  ", "🫀", "👩🏽‍⚕️", "0077", "0", "7", "\xff", "\ufffd", "\ufffe",
	"٣", "中", "a", "aa", "aaa", "b",
}

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// stored is a text as storage keeps it: what is no text in it is replaced or gone.
func stored(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "")
}

func randomCredential(r *rand.Rand) service.Credential {
	return service.Credential{
		ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: stored(randomText(r, 6)) + "n",
		ProviderCode: stored(randomText(r, 3)), Disabled: r.IntN(4) == 0,
	}
}

func plain(text string) string {
	folded, _, _ := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.Predicate(func(r rune) bool {
		return unicode.In(r, unicode.Mn, unicode.Cf)
	}))), text)
	return strings.ToLower(folded)
}

// scan searches by looking at every credential (row 14).
func scan(all []service.Credential, q service.CredentialQuery) (found []uuid.UUID, total int) {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b service.Credential) int { return cmp.Compare(plain(a.Name), plain(b.Name)) })
	words := strings.Fields(plain(q.Text))
	words = words[:min(len(words), 20)]
	for _, c := range sorted {
		text := plain(c.Name + " " + c.ProviderCode)
		missing := slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
		if missing || c.Disabled && !q.Disabled {
			continue
		}
		if total >= (q.Page-1)*q.Size && len(found) < q.Size {
			found = append(found, c.ID)
		}
		total++
	}
	return found, total
}

func (f fixture) checkSearch(tb testing.TB, all []service.Credential, q service.CredentialQuery) {
	tb.Helper()
	page, err := f.SearchCredentials(tb.Context(), q)
	must(tb, err)
	var got []uuid.UUID
	for _, c := range page.Items {
		got = append(got, c.ID)
	}
	want, total := scan(all, q)
	if page.Total != total || !slices.Equal(got, want) {
		tb.Fatalf("%+v: got %d of %d, want %d of %d; or another order", q, len(got), page.Total, len(want), total)
	}
}

// mustFill adds so many random credentials beside the fixture's.
func (f fixture) mustFill(tb testing.TB, r *rand.Rand, n int) []service.Credential {
	tb.Helper()
	first, err := f.Credential(tb.Context(), f.credential)
	must(tb, err)
	all := []service.Credential{first}
	for range n {
		all = append(all, randomCredential(r))
		must(tb, f.PutCredential(tb.Context(), all[len(all)-1]))
	}
	return all
}

// The search finds what a plain look at every credential finds, in the same order
// and on the same pages, while credentials are added and changed.
func TestStore_SearchCredentials_LikeAScan(t *testing.T) {
	r := rand.New(rand.NewPCG(20261121, 14))
	f := MustStore(t)
	all := f.mustFill(t, r, 80)
	for range 500 {
		if r.IntN(20) == 0 {
			at := r.IntN(len(all))
			changed := randomCredential(r)
			changed.ID, changed.EligibilityID = all[at].ID, all[at].EligibilityID
			all[at] = changed
			must(t, f.PutCredential(t.Context(), changed))
		}
		f.checkSearch(t, all, service.CredentialQuery{
			Text: randomText(r, 4), Page: 1 + r.IntN(3), Size: 1 + r.IntN(60), Disabled: r.IntN(2) == 0})
	}
}

// TestStore_SearchCredentials_Unseen: what was pasted with characters that nobody sees is found, and finds.
func TestStore_SearchCredentials_Unseen(t *testing.T) {
	f := MustStore(t)
	must(t, f.PutCredential(t.Context(), service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: "Uni\u00admed"}))
	for _, text := range []string{"unimed", "\ufeffUni\u00admed\u200b"} {
		page, err := f.SearchCredentials(t.Context(), service.CredentialQuery{Text: text, Page: 1, Size: 50})
		if err != nil || page.Total != 1 {
			t.Errorf("%q: got %d, error %v", text, page.Total, err)
		}
	}
}

func TestStore_SearchCredentials_ManyWords(t *testing.T) {
	f := MustStore(t)
	c := service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: "aaa"}
	must(t, f.PutCredential(t.Context(), c))
	for words, want := range map[string]int{
		strings.Repeat("a ", 5000): 1, strings.Repeat("a ", 19) + "b": 0, strings.Repeat("a ", 20) + "b": 1, strings.Repeat("a", 5000): 0,
	} {
		page, err := f.SearchCredentials(t.Context(), service.CredentialQuery{Text: words, Page: 1, Size: 50})
		if err != nil || page.Total != want {
			t.Errorf("%d bytes: got %d, error %v, want %d", len(words), page.Total, err, want)
		}
	}
}

// FuzzStore_SearchCredentials looks for any text among odd names: no text is an
// error, and each finds what a plain look at every credential finds.
func FuzzStore_SearchCredentials(f *testing.F) {
	store := MustStore(f)
	all := store.mustFill(f, rand.New(rand.NewPCG(1, 2)), 60)
	for _, text := range append([]string{"", "sau", `" OR "`, `a" NEAR(b`, "%_%", "sa\u0301"}, pieces...) {
		f.Add(text, uint8(1), uint8(50), true)
	}
	f.Fuzz(func(t *testing.T, text string, page, size uint8, disabled bool) {
		store.checkSearch(t, all, service.CredentialQuery{Text: text, Page: 1 + int(page), Size: 1 + int(size), Disabled: disabled})
	})
}
