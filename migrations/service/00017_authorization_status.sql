-- +goose Up

-- 00001 was once edited after it had been applied, so that the table was not the same in all installations. It is made anew,
-- with its rows, index and triggers.
CREATE TABLE authorization_status_anew (
    id       INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL REFERENCES authorization_entry (id),
    before   TEXT    NOT NULL DEFAULT '', -- '' is the first
    after    TEXT    NOT NULL REFERENCES status (code),
    at       INTEGER NOT NULL,
    actor    TEXT    NOT NULL CHECK (actor <> '') -- operator's connector
) STRICT;

INSERT INTO authorization_status_anew SELECT id, entry_id, before, after, at, actor FROM authorization_status;

DROP TABLE authorization_status;

ALTER TABLE authorization_status_anew RENAME TO authorization_status;

CREATE INDEX authorization_status_of ON authorization_status (entry_id, id);

-- +goose StatementBegin
CREATE TRIGGER authorization_status_fixed BEFORE UPDATE ON authorization_status
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_status_kept BEFORE DELETE ON authorization_status
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_status_follows BEFORE INSERT ON authorization_status
WHEN NEW.before <> coalesce((SELECT after FROM authorization_status WHERE entry_id = NEW.entry_id ORDER BY id DESC LIMIT 1), '')
    OR NEW.before <> '' AND NOT EXISTS (SELECT 1 FROM status_transition WHERE before = NEW.before AND after = NEW.after)
BEGIN
    SELECT RAISE(ABORT, 'this status does not follow that one');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_status_stands BEFORE INSERT ON authorization_status
WHEN NEW.after <> (SELECT status FROM authorization_entry WHERE id = NEW.entry_id)
BEGIN
    SELECT RAISE(ABORT, 'an authorization stands where its history ends');
END;
-- +goose StatementEnd
