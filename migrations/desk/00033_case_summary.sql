-- +goose Up

-- What lists show of a case and find it by stands in one row, written in the transaction that changes the case. It is made
-- from the rows of the case (package caselist), and compared with them by `guiche verify` and by the daily check.

-- Units, credentials and senders that some case has, numbered: by numbers the indexes of case_summary stay small.
CREATE TABLE filter_value (
    id   INTEGER PRIMARY KEY,
    kind TEXT    NOT NULL CHECK (kind IN ('unit', 'credential', 'sender')),
    uid  BLOB    NOT NULL CHECK (length(uid) = 16),
    name TEXT    NOT NULL, -- in its newest case; '' of a sender, whose name is that of desk_person
    UNIQUE (kind, uid)
) STRICT;

CREATE TABLE case_summary (
    submission_id    INTEGER PRIMARY KEY REFERENCES submission (id),
    uid              BLOB    NOT NULL CHECK (length(uid) = 16),
    created_at       INTEGER NOT NULL,
    unit             INTEGER NOT NULL REFERENCES filter_value (id), -- whose people see it
    credential       INTEGER NOT NULL REFERENCES filter_value (id),
    sender           INTEGER NOT NULL REFERENCES filter_value (id),
    patient_present  INTEGER NOT NULL CHECK (patient_present IN (0, 1)),
    beneficiary_name TEXT    NOT NULL,
    card_number      TEXT    NOT NULL,
    credential_name  TEXT    NOT NULL,
    unit_name        TEXT    NOT NULL,
    procedure_code   TEXT    NOT NULL, -- of the first one
    procedure_name   TEXT    NOT NULL,
    procedures       INTEGER NOT NULL,
    state            TEXT    NOT NULL,
    status           TEXT    NOT NULL,
    queue_group      INTEGER NOT NULL,
    origin           TEXT    NOT NULL,
    changed_at       INTEGER NOT NULL,
    reason           TEXT    NOT NULL,
    alert            TEXT    NOT NULL,
    doubtful         INTEGER NOT NULL CHECK (doubtful IN (0, 1)),
    simulated        INTEGER NOT NULL CHECK (simulated IN (0, 1)),
    corrected        INTEGER NOT NULL CHECK (corrected IN (0, 1)),
    authorizations   INTEGER NOT NULL,
    authorized       INTEGER NOT NULL,
    items            INTEGER NOT NULL,
    items_authorized INTEGER NOT NULL,
    password         TEXT    NOT NULL,
    password_until   TEXT    NOT NULL,
    has_guide        INTEGER NOT NULL CHECK (has_guide IN (0, 1)), -- the latest answer has a guide's PDF
    checksum         BLOB    CHECK (length(checksum) = 8)
) STRICT;

INSERT INTO filter_value (kind, uid, name)
SELECT 'unit', s.unit_uid, s.unit_name FROM submission s WHERE s.id IN (SELECT MAX(id) FROM submission GROUP BY unit_uid)
UNION ALL
SELECT 'credential', s.credential_uid, s.credential_name FROM submission s
    WHERE s.id IN (SELECT MAX(id) FROM submission GROUP BY credential_uid)
UNION ALL SELECT DISTINCT 'sender', sender, '' FROM submission;

-- The same as caselist.fromCase.
INSERT INTO case_summary (submission_id, uid, created_at, unit, credential, sender, patient_present, beneficiary_name, card_number,
    credential_name, unit_name, procedure_code, procedure_name, procedures, state, status, queue_group, origin, changed_at, reason, alert,
    doubtful, simulated, corrected, authorizations, authorized, items, items_authorized, password, password_until, has_guide)
SELECT s.id, s.uid, s.created_at, (SELECT id FROM filter_value WHERE kind = 'unit' AND uid = st.unit_uid),
    (SELECT id FROM filter_value WHERE kind = 'credential' AND uid = s.credential_uid),
    (SELECT id FROM filter_value WHERE kind = 'sender' AND uid = s.sender), s.patient_present, s.beneficiary_name, s.card_number,
    s.credential_name, s.unit_name, COALESCE(p.code, ''), COALESCE(p.name, ''),
    (SELECT COUNT(*) FROM submission_procedure n WHERE n.submission_id = s.id), st.state, st.status, st.queue_group, st.origin,
    st.changed_at, st.reason, st.alert, st.doubtful, st.simulated, st.corrected, st.authorizations, st.authorized, st.items,
    st.items_authorized, st.password, st.password_until,
    EXISTS (SELECT 1 FROM answer a WHERE a.id = (SELECT MAX(l.id) FROM answer l WHERE l.submission_id = s.id) AND (a.guide_pdf <> ''
        OR EXISTS (SELECT 1 FROM authorization z WHERE z.answer_id = a.id AND z.guide_pdf <> '')))
FROM submission s JOIN submission_state st ON st.submission_id = s.id
LEFT JOIN submission_procedure p ON p.submission_id = s.id AND p.position = 0
ORDER BY s.id;

INSERT INTO checksum_pending (table_name) VALUES ('case_summary');

-- Each is read backwards from a row: its end is the row's number. One filter has an index of its own; two and three together
-- have one of three columns, of which one may stand for all of its values (caselist.Finder).
CREATE INDEX case_summary_unit ON case_summary (unit);
CREATE INDEX case_summary_credential ON case_summary (credential);
CREATE INDEX case_summary_sender ON case_summary (sender);
CREATE INDEX case_summary_group ON case_summary (queue_group);
CREATE INDEX case_summary_status ON case_summary (status);
CREATE INDEX case_summary_unit_credential_group ON case_summary (unit, credential, queue_group);
CREATE INDEX case_summary_unit_sender_group ON case_summary (unit, sender, queue_group);
CREATE INDEX case_summary_credential_sender_group ON case_summary (credential, sender, queue_group);
CREATE INDEX case_summary_unit_credential_sender ON case_summary (unit, credential, sender);
-- How long the oldest of a group has waited.
CREATE INDEX case_summary_changed ON case_summary (queue_group, changed_at);
-- Patients at the counter about whom something is still to be done: 5 is Ready, 7 is Closed (authorization.Group).
CREATE INDEX case_summary_counter ON case_summary (created_at) WHERE patient_present = 1 AND queue_group NOT IN (5, 7);

-- How many cases the queue has by group, day of sending (in UTC-3) and unit: those that were corrected only while unknown.
CREATE TABLE queue_count (
    queue_group INTEGER NOT NULL,
    day         INTEGER NOT NULL, -- since 1970
    unit        INTEGER NOT NULL REFERENCES filter_value (id),
    cases       INTEGER NOT NULL CHECK (cases > 0),
    PRIMARY KEY (queue_group, day, unit)
) STRICT, WITHOUT ROWID;

INSERT INTO queue_count (queue_group, day, unit, cases)
SELECT queue_group, (created_at - 10800000000) / 86400000000, unit, COUNT(*) FROM case_summary
WHERE corrected = 0 OR queue_group = 0 GROUP BY 1, 2, 3;

-- What lists were read from goes. The history keeps the words that are searched; the program writes them, no trigger.
DROP TRIGGER history_text_insert;
DROP TRIGGER history_text_delete;
DROP TRIGGER history_text_update;
DROP TRIGGER history_begins;
DROP TRIGGER history_moves;
DROP TRIGGER history_asks;
DROP TRIGGER history_learns;
DROP TRIGGER history_learns_more;

CREATE TABLE history_new (
    submission_id INTEGER PRIMARY KEY REFERENCES submission (id),
    names         TEXT NOT NULL,
    numbers       TEXT NOT NULL,
    procedures    TEXT NOT NULL
) STRICT;
INSERT INTO history_new (submission_id, names, numbers, procedures) SELECT submission_id, names, numbers, procedures FROM history;
DROP TABLE history;
ALTER TABLE history_new RENAME TO history;

DROP INDEX submission_state_by_group;
CREATE INDEX submission_state_unknown ON submission_state (submission_id) WHERE queue_group = 0;
