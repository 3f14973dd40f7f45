-- +goose Up

-- Checksums of rows that must not change unnoticed, as the desk's database has them: computed by the program over the row's
-- table and all of its other columns, compared whenever the row is read. NULL: a row from before, which gets its own beside
-- the requests.
ALTER TABLE credential             ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE unit                   ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE care_point             ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE professional           ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE specialty              ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE request                ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE request_blob           ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE idempotency_key        ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE acceptance             ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE decision               ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE authorization_entry    ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE authorization_status   ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE authorization_revision ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE act                    ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE act_blob               ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE act_key                ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE act_result             ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);

-- Idempotency-Key of what came with one, and until when it counts, in the ledger itself: a repetition is known even where
-- the row of its key is damaged. NULL and 0: it came without one, or before this was noted.
ALTER TABLE request ADD COLUMN key_hash  BLOB CHECK (length(key_hash) = 32);
ALTER TABLE request ADD COLUMN key_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE act     ADD COLUMN key_hash  BLOB CHECK (length(key_hash) = 32);
ALTER TABLE act     ADD COLUMN key_until INTEGER NOT NULL DEFAULT 0;

CREATE INDEX request_key ON request (profile_id, key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX act_key_hash ON act (profile_id, key_hash) WHERE key_hash IS NOT NULL;

-- Tables in which rows from before may still be without a checksum; elsewhere a row without one is damaged. A migration
-- that changes rows of a table sets their checksums to NULL and puts the table in here again.
CREATE TABLE checksum_pending (
    table_name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO checksum_pending (table_name) VALUES ('credential'), ('unit'), ('care_point'), ('professional'), ('specialty'),
    ('request'), ('request_blob'), ('idempotency_key'), ('acceptance'), ('decision'), ('authorization_entry'),
    ('authorization_status'), ('authorization_revision'), ('act'), ('act_blob'), ('act_key'), ('act_result');

-- What is only added to gets its checksum once, and is not changed otherwise.

DROP TRIGGER request_fixed;
-- +goose StatementBegin
CREATE TRIGGER request_fixed BEFORE UPDATE ON request WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

DROP TRIGGER request_blob_fixed;
-- +goose StatementBegin
CREATE TRIGGER request_blob_fixed BEFORE UPDATE ON request_blob WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

DROP TRIGGER decision_fixed;
-- +goose StatementBegin
CREATE TRIGGER decision_fixed BEFORE UPDATE ON decision WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

DROP TRIGGER authorization_status_fixed;
-- +goose StatementBegin
CREATE TRIGGER authorization_status_fixed BEFORE UPDATE ON authorization_status WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

DROP TRIGGER authorization_revision_fixed;
-- +goose StatementBegin
CREATE TRIGGER authorization_revision_fixed BEFORE UPDATE ON authorization_revision WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

DROP TRIGGER act_fixed;
-- +goose StatementBegin
CREATE TRIGGER act_fixed BEFORE UPDATE ON act WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

DROP TRIGGER act_blob_fixed;
-- +goose StatementBegin
CREATE TRIGGER act_blob_fixed BEFORE UPDATE ON act_blob WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

DROP TRIGGER act_result_fixed;
-- +goose StatementBegin
CREATE TRIGGER act_result_fixed BEFORE UPDATE ON act_result WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

DROP TRIGGER acceptance_fixed;
-- +goose StatementBegin
CREATE TRIGGER acceptance_fixed BEFORE UPDATE OF request_id, guide_uid, asked_at ON acceptance
WHEN OLD.asked_at <> 0 OR NEW.request_id <> OLD.request_id OR NEW.guide_uid <> OLD.guide_uid
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd
