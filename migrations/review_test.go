package migrations_test

import (
	"io/fs"
	"path/filepath"
	"testing"
	"testing/fstest"

	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
)

// TestDesk_ReviewedBefore: a denial that the operator was asked to look at again before the queue knew such cases waits
// for the operator since then; everything else stands where it stood.
func TestDesk_ReviewedBefore(t *testing.T) {
	old := fstest.MapFS{}
	names, err := fs.Glob(migrations.Desk, "*.sql")
	must(t, err)
	for _, name := range names {
		if name < "00045" {
			content, err := fs.ReadFile(migrations.Desk, name)
			must(t, err)
			old[name] = &fstest.MapFile{Data: content}
		}
	}
	path := filepath.Join(t.TempDir(), "guiche.db")
	migrate(t, path, old)
	query(t, path, `INSERT INTO filter_value (id, kind, uid, name) VALUES (1, 'unit', randomblob(16), 'Centro'),
			(2, 'unit', randomblob(16), 'Praia');
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
		INSERT INTO submission (id, uid, token, sender, idempotency_key, created_at, credential_uid, card_number, beneficiary_name, unit_uid,
			provider_guide, credential_name, unit_name, care_point_uid, executant_uid, deadline_at, card_validity, beneficiary_plan, newborn,
			newborn_name, newborn_birth, patient_present, requester_name, requester_council, requester_number, requester_state, specialty,
			accident_type, care_regime, care_type, follow_up, contact_name, contact_area_code, contact_phone, contact_email, care_point_name,
			executant_name, specialty_name)
		SELECT i, randomblob(16), randomblob(16), randomblob(16), i, 90, randomblob(16), '', '', randomblob(16), printf('%020d', i), '', '',
			randomblob(16), randomblob(16), 900, '', '', 0, '', '', 0, '', '', '', '', 1, '', '', '', 0, '', '', '', '', '', '', '' FROM n;
		INSERT INTO queue_case (submission_id, place, queue_group, unit, since, created_at, patient_present, ends) VALUES
			(1, (3 << 48) | 1, 3, 1, 100, 90, 0, ''), (2, (3 << 48) | 2, 3, 1, 100, 90, 1, ''),
			(3, (3 << 48) | 3, 3, 1, 300, 90, 0, ''), (4, (3 << 48) | 4, 3, 2, 100, 90, 0, ''),
			(5, (5 << 48) | 5, 5, 1, 100, 90, 0, '2026-12-01');
		INSERT INTO queue_count (queue_group, unit, cases) VALUES (3, 1, 3), (3, 2, 1), (5, 1, 1);
		INSERT INTO submission_event (submission_id, at, kind) VALUES
			(1, 100, 'reanalise_pedida'), (3, 200, 'reanalise_pedida'),
			(4, 150, 'reanalise_pedida'), (4, 250, 'reanalise_pedida'),
			(5, 150, 'reanalise_pedida'), (2, 150, 'anotado')`, `SELECT ''`)
	migrate(t, path, migrations.Desk)
	for question, want := range map[string][]string{
		`SELECT submission_id || ': group ' || queue_group || ', place ' || (place >> 48) || ', since ' || since || ', review ' || review
			FROM queue_case ORDER BY place`: {
			"2: group 3, place 3, since 100, review 0", // never asked
			"3: group 3, place 3, since 300, review 0", // denied once more after it was
			"5: group 5, place 5, since 100, review 0", // no longer denied
			"4: group 6, place 6, since 250, review 250",
			"1: group 6, place 6, since 100, review 100",
		},
		`SELECT queue_group || ' of unit ' || unit || ': ' || cases FROM queue_count ORDER BY queue_group, unit`: {
			"3 of unit 1: 2", "5 of unit 1: 1", "6 of unit 1: 1", "6 of unit 2: 1"},
	} {
		if diff := cmp.Diff(want, query(t, path, ``, question)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
