-- +goose Up

-- What cases are found by takes less room: nothing that is stored of a case changes.

-- The index over the words says which cases have a word. Where in a case it stands was never asked for.
DROP TABLE history_word;
DROP TABLE history_text;
DROP TABLE history;
DROP VIEW history_words;

-- A number stands once more without what separates its parts, where that is another one.
CREATE VIEW history_words (submission_id, names, numbers, procedures) AS
    SELECT s.id, s.beneficiary_name || ' ' || s.newborn_name,
        (SELECT group_concat(DISTINCT iif(plain = number, number, number || ' ' || plain)) FROM (
            SELECT number, replace(replace(replace(replace(number, ' ', ''), '-', ''), '.', ''), '/', '') AS plain FROM (
                SELECT s.card_number AS number
                UNION ALL SELECT s.provider_guide
                UNION ALL SELECT v.value FROM answer a JOIN authorization z ON z.answer_id = a.id,
                    json_each(json_array(z.password, z.guide_number, z.protocol, z.provider_guide, z.partner_guide, z.request_number)) v
                    WHERE a.submission_id = s.id
                UNION ALL SELECT v.value FROM answer a JOIN authorization z ON z.answer_id = a.id
                    JOIN authorization_procedure p ON p.authorization_id = z.id, json_each(json_array(p.password, p.protocol)) v
                    WHERE a.submission_id = s.id
            ) WHERE number <> '')),
        COALESCE((SELECT group_concat(DISTINCT p.code || ' ' || p.name) FROM submission_procedure p WHERE p.submission_id = s.id), '')
    FROM submission s;

CREATE TABLE history (
    submission_id INTEGER PRIMARY KEY REFERENCES submission (id),
    names         TEXT NOT NULL,
    numbers       TEXT NOT NULL,
    procedures    TEXT NOT NULL
) STRICT;
INSERT INTO history (submission_id, names, numbers, procedures)
SELECT submission_id, names, numbers, procedures FROM history_words ORDER BY submission_id;

CREATE VIRTUAL TABLE history_text USING fts5 (
    names, numbers, procedures,
    content = 'history', content_rowid = 'submission_id', columnsize = 0, detail = none,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4'
);
INSERT INTO history_text (history_text) VALUES ('rebuild');
CREATE VIRTUAL TABLE history_word USING fts5vocab ('history_text', 'instance');

-- The name of a blob is found by its beginning, which tells four thousand million apart.
DROP INDEX draft_attachment_blob;
DROP INDEX submission_attachment_blob;
DROP INDEX exchange_body;
DROP INDEX answer_guide_pdf;
DROP INDEX answer_receipt_pdf;
DROP INDEX authorization_guide_pdf;
CREATE INDEX draft_attachment_blob ON draft_attachment (substr(blob, 1, 8)) WHERE blob <> '';
CREATE INDEX submission_attachment_blob ON submission_attachment (substr(blob, 1, 8)) WHERE blob <> '';
CREATE INDEX exchange_body ON exchange (substr(body, 1, 8)) WHERE body <> '';
CREATE INDEX answer_guide_pdf ON answer (substr(guide_pdf, 1, 8)) WHERE guide_pdf <> '';
CREATE INDEX answer_receipt_pdf ON answer (substr(receipt_pdf, 1, 8)) WHERE receipt_pdf <> '';
CREATE INDEX authorization_guide_pdf ON authorization (substr(guide_pdf, 1, 8)) WHERE guide_pdf <> '';

-- Whom requests tell of: units and credentials by their numbers. A request that tells of nobody any more is looked for where
-- a row is mended, and nowhere else.
CREATE TABLE known_new (
    id            INTEGER PRIMARY KEY,
    -- filter_value.id: of a beneficiary the unit that asked, whose cases decide who may see it; 0 of a requester
    unit          INTEGER NOT NULL,
    key           TEXT    NOT NULL, -- filter_value.id of the credential and card, or council, number and state
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    words         TEXT    NOT NULL,
    UNIQUE (unit, key)
) STRICT;
INSERT INTO known_new (id, unit, key, submission_id, words)
SELECT k.id, u.id, c.id || ' ' || s.card_number, k.submission_id, k.words FROM known k JOIN submission s ON s.id = k.submission_id
JOIN filter_value u ON u.kind = 'unit' AND u.uid = s.unit_uid JOIN filter_value c ON c.kind = 'credential' AND c.uid = s.credential_uid
WHERE k.kind = 'beneficiary' AND k.place = lower(hex(s.unit_uid)) AND k.key = lower(hex(s.credential_uid)) || ' ' || s.card_number
UNION ALL SELECT id, 0, key, submission_id, words FROM known WHERE kind = 'requester' ORDER BY 1;
DROP TABLE known_text;
DROP TABLE known;
ALTER TABLE known_new RENAME TO known;
CREATE VIRTUAL TABLE known_text USING fts5 (
    words, unit, content = 'known', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', columnsize = 0, detail = column,
    prefix = '2 3 4'
);
INSERT INTO known_text (known_text) VALUES ('rebuild');

-- Programs before this one write what was stored so far.
UPDATE schema_floor SET oldest = 46;
