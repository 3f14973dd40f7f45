-- +goose Up

-- What happens after the first answer, and requests that are decided afterwards (interface.md, rows 16 to 19).

-- A request that was accepted to be decided afterwards. asked_at is set before its operator is asked: after it nobody asks again.
CREATE TABLE acceptance (
    request_id INTEGER PRIMARY KEY REFERENCES request (id),
    guide_uid  BLOB    NOT NULL UNIQUE CHECK (length(guide_uid) = 16), -- guiaId of its first authorization
    asked_at   INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What is still to be asked. Whoever takes a task first moves its due_at past the time that the asking may last.
CREATE TABLE task (
    id            INTEGER PRIMARY KEY,
    credential_id INTEGER NOT NULL REFERENCES credential (id),
    request_id    INTEGER NOT NULL REFERENCES request (id),
    entry_id      INTEGER REFERENCES authorization_entry (id), -- NULL: the request itself is to be decided
    due_at        INTEGER NOT NULL,
    tries         INTEGER NOT NULL DEFAULT 0                   -- that brought nothing new
) STRICT;

CREATE UNIQUE INDEX task_request ON task (request_id) WHERE entry_id IS NULL;
CREATE UNIQUE INDEX task_entry ON task (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX task_due ON task (due_at);
CREATE INDEX task_credential ON task (credential_id, due_at);

-- An authorization as its operator told it after the first decision; the newest counts.
CREATE TABLE authorization_revision (
    id       INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL REFERENCES authorization_entry (id),
    at       INTEGER NOT NULL,
    actor    TEXT    NOT NULL CHECK (actor <> ''),
    guide    TEXT    NOT NULL DEFAULT '', -- blob of the guide's PDF
    document TEXT    NOT NULL             -- JSON
) STRICT;

CREATE INDEX authorization_revision_of ON authorization_revision (entry_id, id);
CREATE INDEX authorization_revision_guide ON authorization_revision (guide);

-- What a partner did to an authorization: attachments, biometrics (never the captures), cancelling.
CREATE TABLE act (
    id          INTEGER PRIMARY KEY,
    uid         BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    profile_id  INTEGER NOT NULL REFERENCES profile (id),
    entry_id    INTEGER NOT NULL REFERENCES authorization_entry (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('anexos', 'biometria', 'cancelamento')),
    before      TEXT    NOT NULL REFERENCES status (code),
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    note        TEXT    NOT NULL DEFAULT '', -- why it is cancelled
    received_at INTEGER NOT NULL
) STRICT;

CREATE INDEX act_entry ON act (entry_id, id);

CREATE TABLE act_blob (
    act_id       INTEGER NOT NULL REFERENCES act (id),
    position     INTEGER NOT NULL,
    ref          TEXT    NOT NULL,
    size         INTEGER NOT NULL,
    name         TEXT    NOT NULL DEFAULT '',
    content_type TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (act_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX act_blob_ref ON act_blob (ref);

-- Idempotency-Key of an act, for as long as it is kept (interface.md, row 11).
CREATE TABLE act_key (
    profile_id INTEGER NOT NULL REFERENCES profile (id),
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    act_id     INTEGER NOT NULL REFERENCES act (id),
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (profile_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX act_key_expires ON act_key (expires_at);

-- What came of an act: failures, then at most one answer.
CREATE TABLE act_result (
    id      INTEGER PRIMARY KEY,
    act_id  INTEGER NOT NULL REFERENCES act (id),
    at      INTEGER NOT NULL,
    failure TEXT    NOT NULL DEFAULT '', -- '' is an answer
    answer  TEXT    NOT NULL DEFAULT '', -- blob of the answer as it goes over the wire
    size    INTEGER NOT NULL DEFAULT 0,
    CHECK ((failure = '') = (answer <> ''))
) STRICT;

CREATE UNIQUE INDEX act_result_answer ON act_result (act_id) WHERE failure = '';
CREATE INDEX act_result_of ON act_result (act_id, id);
CREATE INDEX act_result_blob ON act_result (answer);

-- +goose StatementBegin
CREATE TRIGGER acceptance_fixed BEFORE UPDATE ON acceptance
WHEN OLD.asked_at <> 0 OR NEW.request_id <> OLD.request_id OR NEW.guide_uid <> OLD.guide_uid
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER acceptance_kept BEFORE DELETE ON acceptance
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_revision_fixed BEFORE UPDATE ON authorization_revision
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_revision_kept BEFORE DELETE ON authorization_revision
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER act_fixed BEFORE UPDATE ON act
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER act_kept BEFORE DELETE ON act
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER act_result_fixed BEFORE UPDATE ON act_result
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER act_result_kept BEFORE DELETE ON act_result
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

CREATE INDEX credential_eligibility ON credential (eligibility_uid);
