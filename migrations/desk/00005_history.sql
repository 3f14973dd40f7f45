-- +goose Up
-- The history: by what cases are found, the index over their words, and the
-- filters that people made. Rows of history follow those of 00004 by triggers
-- and stand in the order of sending, newest last. Times: microseconds since 1970
-- in UTC.

CREATE TABLE history (
    submission_id  INTEGER PRIMARY KEY REFERENCES submission (id),
    created_at     INTEGER NOT NULL,
    unit_uid       BLOB    NOT NULL CHECK (length(unit_uid) = 16), -- whose people see it
    credential_uid BLOB    NOT NULL CHECK (length(credential_uid) = 16),
    sender         BLOB    NOT NULL CHECK (length(sender) = 16),
    queue_group    INTEGER NOT NULL, -- authorization.Group; 0 while unknown
    status         TEXT    NOT NULL, -- of an answer: the most urgent situacaoAutorizacao
    names          TEXT    NOT NULL,
    numbers        TEXT    NOT NULL,
    procedures     TEXT    NOT NULL
) STRICT;

-- Each of these is read backwards from a row: its end is the row's id.
CREATE INDEX history_by_unit ON history (unit_uid);
CREATE INDEX history_by_credential ON history (credential_uid);
CREATE INDEX history_by_sender ON history (sender);
CREATE INDEX history_by_group ON history (queue_group);
CREATE INDEX history_by_status ON history (status);

CREATE VIRTUAL TABLE history_text USING fts5 (
    names, numbers, procedures,
    content = 'history', content_rowid = 'submission_id', columnsize = 0,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4'
);

-- What is searched: the same for rows that stand already and for those to come.
-- Numbers are all by which somebody may ask for a case, each with and without
-- what separates its parts.
CREATE VIEW history_words (submission_id, names, numbers, procedures) AS
    SELECT s.id, s.beneficiary_name || ' ' || s.newborn_name,
        (SELECT group_concat(DISTINCT number || ' ' || replace(replace(replace(replace(number, ' ', ''), '-', ''), '.', ''), '/', '')) FROM (
            SELECT s.card_number AS number
            UNION ALL SELECT s.provider_guide
            UNION ALL SELECT v.value FROM answer a JOIN authorization z ON z.answer_id = a.id,
                json_each(json_array(z.password, z.guide_number, z.protocol, z.provider_guide, z.partner_guide, z.request_number)) v
                WHERE a.submission_id = s.id
            UNION ALL SELECT v.value FROM answer a JOIN authorization z ON z.answer_id = a.id
                JOIN authorization_procedure p ON p.authorization_id = z.id, json_each(json_array(p.password, p.protocol)) v
                WHERE a.submission_id = s.id
        ) WHERE number <> ''),
        COALESCE((SELECT group_concat(DISTINCT p.code || ' ' || p.name) FROM submission_procedure p WHERE p.submission_id = s.id), '')
    FROM submission s;

INSERT INTO history (submission_id, created_at, unit_uid, credential_uid, sender, queue_group, status, names, numbers, procedures)
SELECT s.id, s.created_at, st.unit_uid, s.credential_uid, s.sender, st.queue_group, st.status, w.names, w.numbers, w.procedures
FROM submission s JOIN submission_state st ON st.submission_id = s.id JOIN history_words w ON w.submission_id = s.id;

INSERT INTO history_text (history_text) VALUES ('rebuild');

-- +goose StatementBegin
CREATE TRIGGER history_text_insert AFTER INSERT ON history BEGIN
    INSERT INTO history_text (rowid, names, numbers, procedures) VALUES (NEW.submission_id, NEW.names, NEW.numbers, NEW.procedures);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER history_text_delete AFTER DELETE ON history BEGIN
    INSERT INTO history_text (history_text, rowid, names, numbers, procedures)
    VALUES ('delete', OLD.submission_id, OLD.names, OLD.numbers, OLD.procedures);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER history_text_update AFTER UPDATE OF names, numbers, procedures ON history
WHEN (OLD.names, OLD.numbers, OLD.procedures) <> (NEW.names, NEW.numbers, NEW.procedures)
BEGIN
    INSERT INTO history_text (history_text, rowid, names, numbers, procedures)
    VALUES ('delete', OLD.submission_id, OLD.names, OLD.numbers, OLD.procedures);
    INSERT INTO history_text (rowid, names, numbers, procedures) VALUES (NEW.submission_id, NEW.names, NEW.numbers, NEW.procedures);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER history_begins AFTER INSERT ON submission_state BEGIN
    INSERT INTO history (submission_id, created_at, unit_uid, credential_uid, sender, queue_group, status, names, numbers, procedures)
    SELECT s.id, s.created_at, NEW.unit_uid, s.credential_uid, s.sender, NEW.queue_group, NEW.status, w.names, w.numbers, w.procedures
    FROM submission s JOIN history_words w ON w.submission_id = s.id WHERE s.id = NEW.submission_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER history_moves AFTER UPDATE OF unit_uid, queue_group, status ON submission_state
WHEN (OLD.unit_uid, OLD.queue_group, OLD.status) <> (NEW.unit_uid, NEW.queue_group, NEW.status)
BEGIN
    UPDATE history SET unit_uid = NEW.unit_uid, queue_group = NEW.queue_group, status = NEW.status
    WHERE submission_id = NEW.submission_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER history_asks AFTER INSERT ON submission_procedure BEGIN
    UPDATE history SET procedures = (SELECT w.procedures FROM history_words w WHERE w.submission_id = NEW.submission_id)
    WHERE submission_id = NEW.submission_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER history_learns AFTER INSERT ON authorization BEGIN
    UPDATE history SET numbers = (SELECT w.numbers FROM history_words w WHERE w.submission_id = history.submission_id)
    WHERE submission_id = (SELECT a.submission_id FROM answer a WHERE a.id = NEW.answer_id);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER history_learns_more AFTER INSERT ON authorization_procedure
WHEN NEW.password <> '' OR NEW.protocol <> ''
BEGIN
    UPDATE history SET numbers = (SELECT w.numbers FROM history_words w WHERE w.submission_id = history.submission_id)
    WHERE submission_id = (SELECT a.submission_id FROM authorization z JOIN answer a ON a.id = z.answer_id WHERE z.id = NEW.authorization_id);
END;
-- +goose StatementEnd

-- A filter of the history: the words stay here and never stand in an address.
CREATE TABLE history_filter (
    id             INTEGER PRIMARY KEY,
    uid            BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- random: says nothing of when or by whom
    owner          BLOB    NOT NULL CHECK (length(owner) = 16),
    used_at        INTEGER NOT NULL,
    from_day       TEXT    NOT NULL, -- as on the wire, '' when open
    until_day      TEXT    NOT NULL,
    queue_group    INTEGER,          -- NULL: any
    status         TEXT    NOT NULL, -- '': any
    credential_uid BLOB    CHECK (length(credential_uid) = 16),
    unit_uid       BLOB    CHECK (length(unit_uid) = 16),
    sender         BLOB    CHECK (length(sender) = 16),
    text           TEXT    NOT NULL
) STRICT;

CREATE INDEX history_filter_by_use ON history_filter (used_at);
