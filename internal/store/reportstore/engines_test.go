package reportstore_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/report"
	"guiche/internal/sqlite"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/reportstore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

var (
	givenNames = strings.Fields(`Ana ANA João joão Conceição José Ângelo Íris Marta Mariana MARIA Mário Antônia Antonia Zoë Luís
		Luiz Sebastião
		Ñusta Øyvind Straße STRASSE İpek ısı Łukasz O\u0302mega Çiğdem Björn naïve Μαρία Мария 李娜 ﬁlipe`)
	familyNames = strings.Fields(`Silva SILVA Souza d'Ávila D´Ávila Sant'Anna Assunção Assuncao Lima-Reis Prado Brandão O'Neil Leme
		Água-Branca
		Peçanha Müller Nguyễn Araújo (Neto) Jr. 2º III`)
	procedures = []authorization.Procedure{{Code: "40901122", Name: "US - Abdome total"}, {Code: "20102020", Name: "Holter de 24 horas"},
		{Code: "40316521", Name: "Tireoestimulante, hormônio (TSH)"}, {Code: "40304361", Name: "Hemograma com contagem de plaquetas"}}
	statuses = []authorization.Status{"A", "N", "W", "V", "P", "Q7"}
)

// pick is one of some values.
func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// seededUID is an identifier that every run draws alike.
func seededUID(random *rand.Rand) (u uuid.UUID) {
	binary.BigEndian.PutUint64(u[:8], random.Uint64())
	binary.BigEndian.PutUint64(u[8:], random.Uint64())
	return u
}

// seededCase is a case that was answered.
func seededCase(random *rand.Rand, n int) deskstore.Past {
	at := noon.Add(time.Duration(n-100_000) * time.Minute)
	request := authorization.Request{
		CredentialID: pick(random, []uuid.UUID{sereno, guarida}), UnitID: pick(random, []uuid.UUID{centro, jardim}),
		CarePointID: centro, ProfessionalID: centro, CardNumber: fmt.Sprintf("%04d%08d", random.IntN(30), random.IntN(100_000_000)),
		BeneficiaryName: strings.ReplaceAll(pick(random, givenNames), `\u0302`, "\u0302") + " " + pick(random, familyNames) + " " +
			pick(random, familyNames),
		Procedures: []authorization.Procedure{pick(random, procedures)}, ProviderGuide: desk.ProviderGuide(at, 1, int64(n)),
	}
	request.Procedures[0].Quantity = 1
	senha := fmt.Sprintf("%c%c-%06d", 'A'+rune(random.IntN(5)), 'B'+rune(random.IntN(5)), random.IntN(1_000_000))
	answer := authorization.Answer{Success: true, Authorizations: []authorization.Authorization{{Number: 1, Success: true,
		Status: pick(random, statuses), Senha: senha, Protocol: fmt.Sprintf("PROT %d.%d", random.IntN(99), random.IntN(99)),
		Procedures: []authorization.ProcedureResult{{Code: request.Procedures[0].Code, Quantity: 1, Authorized: 1}}}}}
	sub := desk.Submission{UID: seededUID(random), Token: seededUID(random), IdempotencyKey: fmt.Sprint(n), At: at,
		Deadline: at.Add(time.Hour), Sender: desk.Author{User: pick(random, []uuid.UUID{ana, ivone}), Name: "Ana"}, Request: request}
	return deskstore.Past{Submission: sub, To: desk.Recipient{Name: "embutido"}, Exchange: &authorization.Exchange{StartedAt: at, EndedAt: at},
		Settlement: desk.SettledAt(at, authorization.Outcome{Kind: authorization.OutcomeAnswered, Answer: answer}),
		Entry:      audit.Entry{Event: audit.RequestSubmitted}}
}

// typed is what somebody may type to find a case: words of it, whole or not, as they are or otherwise.
func typed(random *rand.Rand, of deskstore.Past) string {
	texts := []string{of.Submission.Request.BeneficiaryName, of.Submission.Request.CardNumber, of.Submission.Request.ProviderGuide,
		of.Settlement.Answer.Authorizations[0].Senha, of.Settlement.Answer.Authorizations[0].Protocol, of.Submission.Request.Procedures[0].Name,
		of.Submission.Request.Procedures[0].Code, pick(random, givenNames)}
	var words []string
	for range 1 + random.IntN(3) {
		word := pick(random, strings.Fields(pick(random, texts)))
		switch random.IntN(6) {
		case 0:
			word = strings.ToUpper(word)
		case 1:
			word = engine.Fold(word)
		case 2, 3:
			runes := []rune(word)
			word = string(runes[:1+random.IntN(utf8.RuneCountInString(word))])
		case 4:
			word = strings.Join(engine.Words(word), pick(random, []string{"-", "'", "´", " ", ".", "*"}))
		}
		words = append(words, word)
	}
	return strings.Join(words, pick(random, []string{" ", "  ", ", "}))
}

// seededQuery is a search, perhaps beside filters.
func seededQuery(random *rand.Rand, of deskstore.Past) (permission.Reach, report.Query) {
	q, reach := report.Query{Limit: 100}, everything
	if random.IntN(20) > 0 {
		q.Text = typed(random, of)
	}
	if random.IntN(4) == 0 {
		q.Unit = of.Submission.Request.UnitID
	}
	if random.IntN(4) == 0 {
		q.Credential = of.Submission.Request.CredentialID
	}
	if random.IntN(5) == 0 {
		q.Sender = of.Submission.Sender.User
	}
	switch random.IntN(6) {
	case 0:
		q.Situation.Status = of.Settlement.Status
	case 1:
		q.Situation.Group = of.Settlement.Group
	case 2:
		q.Since, q.Before = of.Submission.At.Add(-time.Hour*24), of.Submission.At.Add(time.Hour*24)
	}
	if random.IntN(5) == 0 {
		reach = permission.Reach{Units: []uuid.UUID{of.Submission.Request.UnitID}}
	}
	return reach, q
}

// pages are all cases that a query finds, read page by page.
func pages(t *testing.T, s *reportstore.Store, reach permission.Reach, q report.Query) (all []report.Row) {
	t.Helper()
	for {
		page, _, err := s.Cases(t.Context(), reach, q)
		MustDo(t, err)
		all = append(all, page...)
		if len(page) < q.Limit {
			return all
		}
		q.After = page[len(page)-1].UID
	}
}

// TestStore_Cases_Engines: for the same words both engines find the same cases in the same order, however
// the words are written, beside each filter and page by page to the end.
func TestStore_Cases_Engines(t *testing.T) {
	if !storetest.OnPostgres() {
		t.Skip("it compares PostgreSQL with SQLite: make test-postgres")
	}
	const cases, atOnce, queries = 2000, 500, 300
	random := rand.New(rand.NewPCG(13, 300)) // the same cases each time
	path := storetest.Migrated(t, migrations.Desk)
	one, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: path, Migrations: migrations.Desk})
	MustDo(t, err)
	t.Cleanup(func() { MustDo(t, one.Close()) })
	other := storetest.Open(t, migrations.Desk, nil)
	var all []deskstore.Past
	for n := range cases {
		all = append(all, seededCase(random, n+1))
	}
	for _, db := range []engine.DB{one, other} {
		for some := range slices.Chunk(slices.Clone(all), atOnce) {
			MustDo(t, deskstore.New(db, auditlog.New(db, audit.Key{1})).AddPast(t.Context(), some))
		}
	}
	found, pagesRead := 0, 0
	for range queries {
		reach, q := seededQuery(random, pick(random, all))
		want, got := pages(t, newStore(one), reach, q), pages(t, newStore(other), reach, q)
		if !slices.Equal(got, want) {
			t.Errorf("%+v: PostgreSQL finds %d cases, SQLite %d, or in another order", q, len(got), len(want))
		}
		if len(want) > 0 {
			found++
		}
		pagesRead += 1 + len(want)/q.Limit
	}
	t.Logf("%d of %d queries find cases, on %d pages", found, queries, pagesRead)
	if found < queries/2 {
		t.Errorf("%d of %d queries find cases: too few to compare", found, queries)
	}
}
